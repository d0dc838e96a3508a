#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace slab::report {

struct Place {
    double x = 0, y = 0;
};

enum class Anchor { start, middle, end };

/// The shape of a mark: readers who do not tell colours apart tell these.
enum class Mark { circle, square, diamond, triangle };

/// A drawing in SVG, written from the back to the front. It has a light ground of its own, so that
/// it reads on dark pages as well. The same calls give the same bytes.
class Svg {
public:
    Svg(double width, double height, std::string_view title);

    struct Stroke {
        std::string_view colour = "#444";
        double width = 1;
        bool dashed = false;
    };
    void line(Place from, Place to, const Stroke& stroke);
    void area(const std::initializer_list<Place>& corners, std::string_view colour);

    struct Letters {
        Anchor anchor = Anchor::start;
        double size = 12;
        bool bold = false;
        bool upwards = false;  ///< turned a quarter to the left
        std::string_view colour = "#222";
    };
    /// The place is that of the base line.
    void text(Place at, std::string_view text, const Letters& letters);

    /// A mark of class `point` with a tip that a browser shows; without a tip it belongs to a
    /// legend and has no class.
    void mark(Place at, Mark shape, std::string_view colour, bool filled,
              std::string_view tip = {});

    /// All of it; nothing can be added afterwards.
    std::string finish();

private:
    std::string text_;
};

}  // namespace slab::report
