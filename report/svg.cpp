#include "report/svg.hpp"

#include <utility>

#include <fmt/format.h>

namespace slab::report {

namespace {

constexpr double radius = 3.3;

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;  // XML has no others
        }
    return result;
}

/// A tenth of a pixel is as fine as anybody sees. No minus before nothing.
std::string number(double value) {
    std::string text = fmt::format("{:.1f}", value);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text == "-0" ? "0" : text;
}

std::string pair(Place place) {
    return fmt::format("{} {}", number(place.x), number(place.y));
}

/// A closed line, its corners as far from `at` as they say.
std::string polygon(const std::initializer_list<Place>& corners, Place at = {}) {
    std::string path;
    for (const Place& corner : corners) {
        path += path.empty() ? 'M' : 'L';
        path += pair({at.x + corner.x, at.y + corner.y});
    }
    return fmt::format("<path d=\"{}Z\"", path);
}

/// Shapes that look equally large.
std::string outline(Place at, Mark shape) {
    constexpr double r = radius;
    switch (shape) {
        case Mark::circle:
            return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", number(at.x), number(at.y),
                               number(r));
        case Mark::square:
            return polygon({{-r, -r}, {r, -r}, {r, r}, {-r, r}}, at);
        case Mark::diamond:
            return polygon({{0, -1.4 * r}, {1.4 * r, 0}, {0, 1.4 * r}, {-1.4 * r, 0}}, at);
        case Mark::triangle:
            return polygon({{0, -1.3 * r}, {1.2 * r, r}, {-1.2 * r, r}}, at);
    }
    return {};
}

}  // namespace

Svg::Svg(double width, double height, std::string_view title) {
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\">\n<title>{2}</title>\n"
        "<rect width=\"{0}\" height=\"{1}\" rx=\"6\" fill=\"#fff\"/>\n",
        number(width), number(height), escaped(title));
}

void Svg::line(Place from, Place to, const Stroke& stroke) {
    text_ += fmt::format("<path d=\"M{}L{}\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", pair(from),
                         pair(to), stroke.colour, number(stroke.width),
                         stroke.dashed ? " stroke-dasharray=\"5 4\"" : "");
}

void Svg::area(const std::initializer_list<Place>& corners, std::string_view colour) {
    text_ += fmt::format("{} fill=\"{}\"/>\n", polygon(corners), colour);
}

void Svg::text(Place at, std::string_view text, const Letters& letters) {
    constexpr std::string_view anchors[] = {"start", "middle", "end"};
    const std::string turned =
        letters.upwards ? fmt::format(" transform=\"rotate(-90 {})\"", pair(at)) : "";
    text_ += fmt::format(
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"{}\"{}{}>{}</text>\n",
        number(at.x), number(at.y), number(letters.size),
        anchors[static_cast<std::size_t>(letters.anchor)], letters.colour,
        letters.bold ? " font-weight=\"bold\"" : "", turned, escaped(text));
}

void Svg::mark(Place at, Mark shape, std::string_view colour, bool filled, std::string_view tip) {
    text_ += outline(at, shape);
    if (!tip.empty()) text_ += " class=\"point\"";
    text_ += fmt::format(" stroke=\"{}\" stroke-width=\"1.2\" fill=\"{}\" fill-opacity=\"{}\"",
                         colour, filled ? colour : "#fff", filled ? "0.6" : "0.5");
    text_ += tip.empty() ? "/>\n"
                         : fmt::format("><title>{}</title></{}>\n", escaped(tip),
                                       shape == Mark::circle ? "circle" : "path");
}

std::string Svg::finish() {
    text_ += "</svg>\n";
    return std::move(text_);
}

}  // namespace slab::report
