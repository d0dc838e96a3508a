#include "support/diagnostics.hpp"

#include <catch2/catch.hpp>

using slab::Diag;
using slab::diag_info;
using slab::Diagnostics;

TEST_CASE("a code is the name up to its first underscore, and only errors and warnings have one") {
    CHECK(diag_info(Diag::E0001).code() == "E0001");
    CHECK(slab::DiagInfo{"E0004_count", slab::DiagKind::error, ""}.code() == "E0004");
    CHECK(slab::DiagInfo{"W05", slab::DiagKind::warning, ""}.code() == "W05");
    CHECK(diag_info(Diag::no_such_file).code().empty());
    CHECK(slab::DiagInfo{"Every_thing", slab::DiagKind::usage, ""}.code().empty());
}

TEST_CASE("the exit code is 0 without messages, 1 for errors and 2 as soon as one is about usage") {
    Diagnostics diags;
    CHECK(diags.exit_code() == 0);
    CHECK_FALSE(diags.has_errors());
    diags.add<Diag::E0001>({0, 1}, "expected a name, found `1`");
    CHECK(diags.exit_code() == 1);
    CHECK(diags.has_errors());
    diags.add<Diag::no_such_file>({}, "mm.slab");
    CHECK(diags.exit_code() == 2);
}

TEST_CASE(
    "the same message at the same place is kept once, and what is added to its echo is lost") {
    Diagnostics diags;
    diags.add<Diag::E0002>({0, 1}, "name", "x");
    diags.add<Diag::E0002>({0, 1}, "name", "x").label("again");
    diags.add<Diag::E0002>({2, 3}, "name", "x");
    CHECK(diags.size() == 2);
    CHECK(diags.messages()[0].label().empty());
}

TEST_CASE("messages of another collection are appended once") {
    Diagnostics first;
    Diagnostics second;
    first.add<Diag::E0003>({0, 1}, "x");
    second.add<Diag::E0003>({0, 1}, "x");
    second.add<Diag::E0003>({4, 5}, "y");
    first.append(second);
    CHECK(first.size() == 2);
}
