#include "cli/settings.hpp"

#include <catch2/catch.hpp>

using namespace slab;
using namespace slab::cli;

namespace {

NamedValues split(const std::vector<std::string>& texts) {
    Diagnostics diags;
    NamedValues settings = split_settings(texts, diags);
    CHECK(render(diags, nullptr) == "");
    return settings;
}

std::string complaint(const std::string& text) {
    Diagnostics diags;
    CHECK(split_settings({text}, diags).empty());
    return render(diags, nullptr);
}

}  // namespace

TEST_CASE("flag --set is split at commas, and a flag may be repeated") {
    CHECK(split({"M=8192,T=bf16", "causal=true"}) ==
          NamedValues{{"M", "8192"}, {"T", "bf16"}, {"causal", "true"}});
}

TEST_CASE("commas inside brackets and quotes belong to the value") {
    CHECK(split({"a=min(M, 1024),b=[1, 2],c=3"}) ==
          NamedValues{{"a", "min(M, 1024)"}, {"b", "[1, 2]"}, {"c", "3"}});
    CHECK(split({"a=\"1,2\",b=(f(\")\", 1))"}) ==
          NamedValues{{"a", "1,2"}, {"b", "(f(\")\", 1))"}});
}

TEST_CASE("quotes around a whole value are those of a shell that kept them") {
    CHECK(split({"bk=\"64*2\""}) == NamedValues{{"bk", "64*2"}});
    CHECK(split({"s=\"a\" \"b\""}) == NamedValues{{"s", "\"a\" \"b\""}});
}

TEST_CASE("the first = ends the name, blanks around both are dropped") {
    CHECK(split({" M = 8 , c = a == b "}) == NamedValues{{"M", "8"}, {"c", "a == b"}});
}

TEST_CASE("a bracket that is never closed keeps the rest together") {
    CHECK(split({"a=(1,2,b=3"}) == NamedValues{{"a", "(1,2,b=3"}});
}

TEST_CASE("malformed settings are one sentence each") {
    CHECK(complaint("M") ==
          "error: `--set M` has no `=`, it is written NAME=VALUE, as in M=8192,bk=512\n");
    CHECK(complaint("=3") == "error: `--set =3` has no name before the `=`\n");
    CHECK(complaint("M=") == "error: `--set M=` has no value after the `=`\n");
    CHECK(complaint("M=\"\"") == "error: `--set M=\"\"` has no value after the `=`\n");
    CHECK(complaint("") ==
          "error: `--set` holds nothing between two commas, it is written NAME=VALUE, as in "
          "M=8192,bk=512\n");
}

TEST_CASE("all malformed settings are reported in one run") {
    Diagnostics diags;
    const NamedValues good = split_settings({"M,N=1,=2,K=3,"}, diags);
    CHECK(good == NamedValues{{"N", "1"}, {"K", "3"}});
    CHECK(diags.size() == 3);
    CHECK(diags.exit_code() == 2);
}

TEST_CASE("flag --with is a list of names") {
    CHECK(split_names({"bias,scale", "mask"}) == std::vector<std::string>{"bias", "scale", "mask"});
    CHECK(split_names({}).empty());
}
