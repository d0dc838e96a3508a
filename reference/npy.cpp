#include "reference/npy.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

namespace slab::reference {

static_assert(std::endian::native == std::endian::little, ".npy files are read as they are");

namespace {

constexpr std::string_view magic = "\x93NUMPY";

/// Why the bytes are no array we can read.
struct Unreadable {
    std::string why;
};

struct Header {
    std::string type;
    bool fortran_order = false;
    Shape shape;
};

/// Reads the header, a Python dictionary of three entries:
/// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class HeaderReader {
public:
    explicit HeaderReader(std::string_view text) : text_(text) {}

    Header read() {
        Header header;
        bool seen[3] = {};
        expect('{');
        while (!take('}')) {
            const std::string key = quoted();
            expect(':');
            std::size_t which = 0;
            if (key == "descr") {
                header.type = quoted();
            } else if (key == "fortran_order") {
                header.fortran_order = truth();
                which = 1;
            } else if (key == "shape") {
                header.shape = shape();
                which = 2;
            } else {
                throw Unreadable{fmt::format("its header has an unknown key `{}`", key)};
            }
            if (seen[which]) throw Unreadable{fmt::format("its header has `{}` twice", key)};
            seen[which] = true;
            if (!take(',')) {
                expect('}');
                break;
            }
        }
        skip_space();
        if (!text_.empty()) throw malformed();
        if (!seen[0] || !seen[1] || !seen[2])
            throw Unreadable{"its header lacks `descr`, `fortran_order` or `shape`"};
        return header;
    }

private:
    static Unreadable malformed() { return {"its header is malformed"}; }

    void skip_space() {
        while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n'))
            text_.remove_prefix(1);
    }
    bool take(char c) {
        skip_space();
        if (text_.empty() || text_.front() != c) return false;
        text_.remove_prefix(1);
        return true;
    }
    void expect(char c) {
        if (!take(c)) throw malformed();
    }
    std::string quoted() {
        expect('\'');
        const std::size_t end = text_.find('\'');
        if (end == std::string_view::npos) throw malformed();
        const std::string word(text_.substr(0, end));
        text_.remove_prefix(end + 1);
        return word;
    }
    bool truth() {
        skip_space();
        for (const std::string_view word : {"True", "False"}) {
            if (!text_.starts_with(word)) continue;
            text_.remove_prefix(word.size());
            return word == "True";
        }
        throw malformed();
    }
    Shape shape() {
        Shape sizes;
        expect('(');
        while (!take(')')) {
            skip_space();
            Int size = 0;
            const auto [at, error] =
                std::from_chars(text_.data(), text_.data() + text_.size(), size);
            if (error != std::errc{} || size < 0) throw malformed();
            text_.remove_prefix(static_cast<std::size_t>(at - text_.data()));
            sizes.push_back(size);
            if (!take(',')) {
                expect(')');
                break;
            }
        }
        return sizes;
    }

    std::string_view text_;
};

template <typename Element>
double element_at(const char* bytes) {
    Element element;
    std::memcpy(&element, bytes, sizeof element);
    return static_cast<double>(element);
}

struct ElementType {
    const char* name;
    std::size_t bytes;
    Kind kind;
    double (*read)(const char*);
};

const ElementType& element_type(const std::string& name) {
    static const ElementType types[] = {
        {"<f4", 4, Kind::real, element_at<float>},
        {"<f8", 8, Kind::real, element_at<double>},
        {"|i1", 1, Kind::integer, element_at<std::int8_t>},
        {"<i2", 2, Kind::integer, element_at<std::int16_t>},
        {"<i4", 4, Kind::integer, element_at<std::int32_t>},
        {"<i8", 8, Kind::integer, element_at<std::int64_t>},
        {"|u1", 1, Kind::integer, element_at<std::uint8_t>},
        {"<u2", 2, Kind::integer, element_at<std::uint16_t>},
        {"<u4", 4, Kind::integer, element_at<std::uint32_t>},
        {"|b1", 1, Kind::truth, [](const char* byte) { return *byte != 0 ? 1.0 : 0.0; }},
    };
    for (const ElementType& type : types)
        if (name == type.name) return type;
    throw Unreadable{fmt::format(
        "its elements are `{}`, they must be f4, f8, i1, i2, i4, i8, u1, u2, u4 or bool, "
        "little-endian",
        name)};
}

std::size_t little_endian(std::string_view bytes) {
    std::size_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

/// Cuts the header off the bytes.
Header take_header(std::string_view& bytes) {
    if (!bytes.starts_with(magic)) throw Unreadable{"it does not start with \\x93NUMPY"};
    if (bytes.size() < 10) throw Unreadable{"it ends inside its header"};
    const int version = static_cast<unsigned char>(bytes[6]);
    if ((version != 1 && version != 2) || bytes[7] != 0)
        throw Unreadable{fmt::format("its format is {}.{}, 1.0 and 2.0 can be read", version,
                                     static_cast<int>(static_cast<unsigned char>(bytes[7])))};
    const std::size_t width = version == 1 ? 2 : 4;
    if (bytes.size() < 8 + width) throw Unreadable{"it ends inside its header"};
    const std::size_t length = little_endian(bytes.substr(8, width));
    bytes.remove_prefix(8 + width);
    if (length > bytes.size()) throw Unreadable{"it ends inside its header"};
    const Header header = HeaderReader(bytes.substr(0, length)).read();
    bytes.remove_prefix(length);
    return header;
}

Array read(std::string_view bytes) {
    const Header header = take_header(bytes);
    const ElementType& type = element_type(header.type);
    const auto count = element_count(header.shape);
    if (!count || header.shape.size() > 32)
        throw Unreadable{fmt::format("its shape {} has more than {} elements",
                                     to_string(header.shape), most_elements)};
    const std::size_t needed = static_cast<std::size_t>(*count) * type.bytes;
    if (bytes.size() != needed)
        throw Unreadable{fmt::format("the shape {} of {} takes {} bytes, there are {}",
                                     to_string(header.shape), header.type, needed, bytes.size())};
    Array array{type.kind, header.shape, {}};
    if (header.fortran_order) array.shape.assign(header.shape.rbegin(), header.shape.rend());
    array.values.reserve(static_cast<std::size_t>(*count));
    for (std::size_t at = 0; at < needed; at += type.bytes) {
        array.values.push_back(type.read(bytes.data() + at));
        if (type.kind == Kind::integer && std::fabs(array.values.back()) > largest_exact)
            throw Unreadable{"it holds integers beyond 2^53"};
    }
    if (!header.fortran_order) return array;
    Part turned = all_of(array.shape);
    turned.shape = header.shape;
    std::reverse(turned.strides.begin(), turned.strides.end());
    return extract(array, turned);
}

/// The whole file; longer ones than the largest array are cut, and then have a wrong length.
std::string bytes_of(const std::string& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (std::filesystem::is_directory(status)) throw Unreadable{"it is a directory"};
    constexpr std::size_t most = (std::size_t{1} << 31) + (1 << 16);
    errno = 0;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(
        std::fopen(path.c_str(), "rb"), [](std::FILE* f) { return f ? std::fclose(f) : 0; });
    std::string bytes;
    char part[1 << 16];
    std::size_t length = 0;
    while (in && bytes.size() < most && (length = std::fread(part, 1, sizeof part, in.get())) > 0)
        bytes.append(part, length);
    if (!in || std::ferror(in.get())) throw Unreadable{std::strerror(errno ? errno : EIO)};
    return bytes;
}

}  // namespace

std::optional<Array> read_npy(std::string_view bytes, const std::string& name, Diagnostics& diags) {
    try {
        return read(bytes);
    } catch (const Unreadable& reason) {
        diags.add<Diag::npy_wrong>({}, name, reason.why);
        return std::nullopt;
    }
}

std::optional<Array> read_npy_file(const std::string& path, Diagnostics& diags) {
    std::error_code error;
    if (std::filesystem::status(path, error).type() == std::filesystem::file_type::not_found) {
        diags.add<Diag::no_such_file>({}, path);
        return std::nullopt;
    }
    try {
        return read_npy(bytes_of(path), path, diags);
    } catch (const Unreadable& reason) {
        diags.add<Diag::npy_wrong>({}, path, reason.why);
        return std::nullopt;
    }
}

namespace {

/// numpy's letter for a type, and bytes of an element.
std::pair<char, std::size_t> numpy_type(DType type) {
    if (is_float(type)) return {'f', 4};
    if (type == DType::pred) return {'b', 1};
    const bool is_signed = slab::name(type)[0] == 'i';
    return {is_signed ? 'i' : 'u', static_cast<std::size_t>(std::max(bits(type) / 8, 1))};
}

void append_little_endian(std::string& text, std::uint32_t code, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(code >> (8 * i) & 0xFF);
}

}  // namespace

std::string npy_text(const Array& array, DType type) {
    const auto [letter, bytes] = numpy_type(type);
    std::string shape;
    for (const Int size : array.shape) shape += fmt::format("{},", size);
    std::string header =
        fmt::format("{{'descr': '{}{}{}', 'fortran_order': False, 'shape': ({}), }}",
                    bytes == 1 ? '|' : '<', letter, bytes, shape);
    constexpr std::size_t before = 10, multiple = 64;  // the data begin at a multiple
    header.append(multiple - (before + header.size() + 1) % multiple, ' ');
    header += '\n';
    std::string text = "\x93NUMPY\x01";
    text += '\0';
    append_little_endian(text, static_cast<std::uint32_t>(header.size()), 2);
    text += header;
    for (const double value : array.values)
        append_little_endian(text,
                             is_float(type)
                                 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                                 : static_cast<std::uint32_t>(static_cast<Int>(value)),
                             bytes);
    return text;
}

}  // namespace slab::reference
