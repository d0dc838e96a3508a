#include "dsl/places.hpp"

#include <set>

#include "dsl/visit.hpp"

namespace slab::dsl {

std::string construct(const ast::Stmt& stmt) {
    return ast::visit(
        stmt,
        [](const ast::Declaration& node) -> std::string {
            return ast::visit(
                node,
                [](const ast::Scratch& n) -> std::string {
                    return n.is_buffer ? "`buffer`" : "`scratch`";
                },
                [](const ast::Const&) -> std::string { return "`const`"; },
                [](const ast::Fn&) -> std::string { return "`fn`"; },
                [](const ast::Let&) -> std::string { return "`let`"; },
                [](const ast::Var&) -> std::string { return "`var`"; },
                [](const ast::Ref&) -> std::string { return "`ref`"; },
                [](const ast::Ring&) -> std::string { return "`ring`"; });
        },
        [](const ast::Control& node) -> std::string {
            return ast::visit(
                node, [](const ast::Pipe&) -> std::string { return "`grid`"; },
                [](const ast::If&) -> std::string { return "`if`"; },
                [](const ast::For&) -> std::string { return "`for`"; },
                [](const ast::While&) -> std::string { return "`while`"; },
                [](const ast::Edge& n) -> std::string { return "`" + n.kind + "`"; },
                [](const ast::Slot& n) -> std::string { return "`" + n.kind + "`"; },
                [](const ast::Scope&) -> std::string { return "`scope`"; });
        },
        [](const ast::Movement& node) -> std::string {
            return ast::visit(
                node, [](const ast::Copy&) -> std::string { return "`copy`"; },
                [](const ast::Send&) -> std::string { return "`send`"; },
                [](const ast::Wait&) -> std::string { return "`wait`"; },
                [](const ast::Signal&) -> std::string { return "`signal`"; },
                [](const ast::Barrier&) -> std::string { return "`barrier`"; });
        },
        [](const ast::Effect& node) -> std::string {
            return ast::visit(
                node, [](const ast::Assert&) -> std::string { return "`assert`"; },
                [](const ast::Print&) -> std::string { return "`print`"; },
                [](const ast::Assign&) -> std::string { return "an assignment"; },
                [](const ast::Launch&) -> std::string { return "a call"; },
                [](const ast::Return&) -> std::string { return "`return`"; });
        });
}

std::string misplaced(Place place, const std::string& what) {
    static const std::set<std::string> in_program = {
        "`let`",   "`var`",   "`const`",  "`if`",          "`for`", "`assert`",
        "`print`", "`scope`", "`buffer`", "an assignment", "a call"};
    static const std::set<std::string> in_reference = {
        "`let`", "`var`", "`const`", "`if`", "`for`", "`assert`", "an assignment", "a call"};
    if (place == Place::program && !in_program.count(what))
        return "a program holds `buffer`, launches, `let`, `var`, `if`, `for`, `assert`, `print` "
               "and "
               "`scope`";
    if (place == Place::reference && !in_reference.count(what))
        return "a reference holds `let`, `var`, `if`, `for`, `assert` and assignments";
    if (place == Place::kernel && what == "`buffer`") return "buffers are declared in a `program`";
    return {};
}

}  // namespace slab::dsl
