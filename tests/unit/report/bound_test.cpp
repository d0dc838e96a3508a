#include "report/bound.hpp"

#include <catch2/catch.hpp>

#include "examples.hpp"

using namespace slab;
using namespace slab::report;

namespace {

result::Result bound_by(const std::string& name) {
    result::Result result = examples::flash_attention();
    result.roofline.bound = name;
    return result;
}

}  // namespace

TEST_CASE("attention reads as vector work first, MXU next, HBM far behind") {
    CHECK(bound_sentence(examples::flash_attention()) ==
          "Vector work (vpu) bounds it: busy 83 % of the time; next mxu 55 %, load 40 %; hbm 12 %");
}

TEST_CASE("a unit busier than the bound is called busier") {
    CHECK(bound_sentence(bound_by("hbm")) ==
          "HBM bandwidth (hbm) bounds it: busy 12 % of the time; busier vpu 83 %, mxu 55 %");
}

TEST_CASE("a bound that is no unit has the share of its roofline term") {
    result::Result result = bound_by("chain");
    result.roofline.terms.push_back({"chain", "dot, softmax, dot", 4500});
    CHECK(bound_sentence(result) ==
          "Dependence between units (chain) bounds it: 90 % of the time; "
          "next vpu 83 %, mxu 55 %; hbm 12 %");
}

TEST_CASE("a bound without any number is still named") {
    CHECK(bound_sentence(bound_by("tape")) == "tape bounds it; next vpu 83 %, mxu 55 %; hbm 12 %");
}

TEST_CASE("without work nothing bounds") {
    CHECK(bound_sentence({}).empty());
}
