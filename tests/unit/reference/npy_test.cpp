#include "reference/npy.hpp"

#include <cstring>

#include <catch2/catch.hpp>

#include "evaluating.hpp"

using namespace slab;
using namespace slab::reference;

namespace {

/// A file of format 1.0 with this header and these elements.
template <typename Element>
std::string npy(const std::string& header, const std::vector<Element>& elements) {
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() & 0xFF);
    bytes += static_cast<char>(header.size() >> 8);
    bytes += header;
    const std::size_t at = bytes.size();
    bytes.resize(at + elements.size() * sizeof(Element));
    if (elements.empty()) return bytes;
    std::memcpy(bytes.data() + at, elements.data(), elements.size() * sizeof(Element));
    return bytes;
}

std::string header(const std::string& type, const std::string& shape,
                   const std::string& order = "False") {
    return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape +
           ", }      \n";
}

std::string read_text(const std::string& bytes) {
    Diagnostics diags;
    const auto array = read_npy(bytes, "a.npy", diags);
    return array ? show(*array) : render(diags, nullptr);
}

std::string refused(const std::string& why) {
    return "error: `a.npy` cannot be read as an .npy file: " + why + "\n";
}

}  // namespace

TEST_CASE("arrays are read as numpy saves them") {
    CHECK(read_text(npy<std::int32_t>(header("<i4", "(2, 3)"), {1, 2, 3, 4, 5, -6})) ==
          "integer [2, 3] 1 2 3 4 5 -6");
    CHECK(read_text(npy<float>(header("<f4", "(2,)"), {0.5f, -1})) == "real [2] 0.5 -1");
    CHECK(read_text(npy<double>(header("<f8", "()"), {0.1})) == "real 0.1");
    CHECK(read_text(npy<std::uint8_t>(header("|u1", "(2,)"), {255, 0})) == "integer [2] 255 0");
    CHECK(read_text(npy<std::uint8_t>(header("|b1", "(2,)"), {1, 0})) == "truth [2] 1 0");
    CHECK(read_text(npy<std::uint16_t>(header("<u2", "(0, 4)"), {})) == "integer [0, 4]");
}

TEST_CASE("columns come first in Fortran order") {
    CHECK(read_text(npy<std::int64_t>(header("<i8", "(2, 3)", "True"), {1, 4, 2, 5, 3, 6})) ==
          "integer [2, 3] 1 2 3 4 5 6");
}

TEST_CASE("what is no array is refused in one sentence") {
    const std::string good = npy<std::int16_t>(header("<i2", "(2,)"), {1, 2});
    CHECK(read_text("hello") == refused("it does not start with \\x93NUMPY"));
    CHECK(read_text(good.substr(0, 40)) == refused("it ends inside its header"));
    CHECK(read_text(good.substr(0, good.size() - 1)) ==
          refused("the shape [2] of <i2 takes 4 bytes, there are 3"));
    std::string version = good;
    version[6] = 3;
    CHECK(read_text(version) == refused("its format is 3.0, 1.0 and 2.0 can be read"));
    CHECK(read_text(npy<std::int16_t>(header(">i2", "(2,)"), {1, 2})).find("`>i2`") !=
          std::string::npos);
    CHECK(read_text(npy<std::int64_t>(header("<i8", "(1,)"), {std::int64_t{1} << 60})) ==
          refused("it holds integers beyond 2^53"));
    CHECK(read_text(npy<char>("{'descr': '<f4', 'shape': (1,)}", {})) ==
          refused("its header lacks `descr`, `fortran_order` or `shape`"));
    CHECK(read_text(npy<char>("{'descr'", {})) == refused("its header is malformed"));
    CHECK(read_text(npy<char>(header("<f4", "(99999999999, 99999999999)"), {})) ==
          refused("its shape [99999999999, 99999999999] has more than 268435456 elements"));
}

TEST_CASE("an array that is written is read back, in the type that holds its elements") {
    for (const auto& [type, values] :
         std::vector<std::pair<DType, std::vector<double>>>{{DType::f32, {0.1F, -2, 3}},
                                                            {DType::bf16, {1.5, -0.0, 1e30F}},
                                                            {DType::i32, {-5, 0, 2147483647}},
                                                            {DType::u32, {0, 1, 4294967295}},
                                                            {DType::i16, {-32768, 0, 5}},
                                                            {DType::u8, {0, 255, 7}},
                                                            {DType::i4, {-8, 7, 0}},
                                                            {DType::pred, {1, 0, 1}}}) {
        INFO(name(type));
        Array array{Kind::real, {3, 1}, values};
        Diagnostics diags;
        const auto read = read_npy(npy_text(array, type), "made", diags);
        REQUIRE(read);
        CHECK(read->shape == array.shape);
        CHECK(read->values == array.values);
    }
}
