#include "dsl/check.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "dsl/call_graph.hpp"
#include "dsl/names.hpp"
#include "dsl/places.hpp"
#include "dsl/scopes.hpp"
#include "dsl/visit.hpp"

namespace slab::dsl {
namespace {

const std::set<std::string> reference_functions = {"sum", "cumsum", "sort", "top_k", "gather"};

class Checker {
public:
    Checker(const ast::File& file, const std::vector<std::string>& functions, Diagnostics& diags)
        : file_(file), names_(functions, diags), diags_(diags) {}

    void run() {
        Scope items;
        enter(items);
        for (const ast::Name& name : file_.unread) declare_unread(name);
        for (const ast::Item& item : file_.items) declare_item(item);
        for (const ast::Item& item : file_.items) {
            if (const auto* kernel = ast::get_if<ast::Kernel>(item)) check_kernel(*kernel);
            if (const auto* program = ast::get_if<ast::Program>(item)) check_program(*program);
            if (const auto* reference = ast::get_if<ast::Reference>(item))
                check_reference(*reference);
        }
        leave();
        calls_.report_cycles(diags_);
    }

private:
    void enter(Scope& scope) { names_.enter(scope); }
    void leave() {
        const Scope& scope = names_.scope();
        for (std::size_t i = 0; i < scope.functions.size(); ++i)
            check_function(*scope.functions[i]);
        names_.leave();
    }
    void declare(const ast::Name& name, Declared declared) { names_.declare(name, declared); }
    const Declared* find(const std::string& name) const { return names_.find(name); }

    // ---------------------------------------------------------------------------------------------
    // expressions

    void check_expr(const ast::Expr& expr) {
        ast::visit(
            expr, [](const ast::Number&) {}, [](const ast::Text&) {},
            [&](const ast::Name& name) { names_.check_value(name); },
            [&](const ast::List& list) {
                for (const ast::Expr& item : list.items) check_expr(item);
            },
            [&](const ast::Postfix& postfix) { check_postfix(postfix); },
            [&](const ast::Unary& unary) { check_expr(unary.operand); },
            [&](const ast::Chain& chain) {
                check_expr(chain.first);
                for (const ast::Link& link : chain.rest) check_expr(link.operand);
            });
    }
    template <typename Optional>
    void check_optional(const Optional& expr) {
        if (expr) check_expr(*expr);
    }

    void check_postfix(const ast::Postfix& postfix) {
        const auto* name = ast::get_if<ast::Name>(postfix.base);
        const auto* arguments = ast::get_if<ast::Arguments>(postfix.suffixes[0]);
        std::size_t next = 0;
        if (name && arguments) {
            check_call(*name, *arguments, {name->span.begin, arguments->span.end});
            next = 1;
        } else {
            check_expr(postfix.base);
        }
        for (; next < postfix.suffixes.size(); ++next)
            ast::visit(
                postfix.suffixes[next], [](const ast::Member&) {},
                [&](const ast::Slices& slices) {
                    for (const ast::Slice& slice : slices.items) check_slice(slice);
                },
                [&](const ast::Arguments& given) { check_arguments(given, 0); });
    }

    void check_slice(const ast::Slice& slice) {
        ast::visit(
            slice, [](const ast::WholeSlice&) {},
            [&](const ast::IndexSlice& one) { check_expr(one.index); },
            [&](const ast::BlockSlice& nth) {
                check_expr(nth.index);
                check_expr(nth.size);
            },
            [&](const ast::RangeSlice& range) {
                check_expr(range.start);
                check_expr(range.size);
                check_optional(range.upto);
                check_optional(range.step);
            });
    }

    void check_arguments(const ast::Arguments& arguments, std::size_t from) {
        for (std::size_t i = from; i < arguments.items.size(); ++i)
            check_expr(arguments.items[i].value);
    }

    /// Functions may be those of a reference, which knows more of them than a kernel.
    bool references_see() const { return place_ == Place::reference || in_function_; }

    void check_call(const ast::Name& name, const ast::Arguments& arguments, Span span) {
        const Declared* declared = find(name.text);
        if (declared && declared->function)
            check_own_call(*declared->function, arguments, span);
        else if (!declared && !is_word(name.text) && !names_.is_built_in(name.text) &&
                 !(references_see() && reference_functions.count(name.text)))
            names_.report_function(name);
        // the operation of `fold` is a word, not a value
        check_arguments(arguments, name.text == "fold" && !declared ? 1 : 0);
    }

    void check_own_call(const ast::Fn& fn, const ast::Arguments& arguments, Span span) {
        calls_.add(caller_, fn, span);
        const std::size_t count = fn.params.size();
        if (arguments.items.size() == count) return;
        diags_
            .add<Diag::E0004_count>(span, fn.name.text,
                                    fmt::format("{} argument{}", count, count == 1 ? "" : "s"),
                                    arguments.items.size())
            .note(fn.name.span, "declared here")
            .fix(call_of(fn));
    }

    static std::string call_of(const ast::Fn& fn) {
        std::string text;
        for (const ast::FnParam& param : fn.params)
            text += (text.empty() ? "" : ", ") + param.name.text;
        return fmt::format("{}({})", fn.name.text, text);
    }

    // ---------------------------------------------------------------------------------------------
    // statements

    void check_block(const ast::Block& block) {
        Scope scope;
        enter(scope);
        for (const ast::Stmt& stmt : block.stmts) check_stmt(stmt);
        leave();
    }

    /// The block of a function or reference, which may end in `return`.
    void check_returning_block(const ast::Block& block) {
        Scope scope;
        enter(scope);
        for (std::size_t i = 0; i < block.stmts.size(); ++i) {
            const auto* effect = ast::get_if<ast::Effect>(block.stmts[i]);
            const auto* last = effect ? ast::get_if<ast::Return>(*effect) : nullptr;
            if (last && i + 1 == block.stmts.size())
                check_expr(last->value);
            else
                check_stmt(block.stmts[i]);
        }
        leave();
    }

    void check_stmt(const ast::Stmt& stmt) {
        if (diags_.size() > most_messages) return;
        const std::string what = construct(stmt);
        if (const std::string why = misplaced(place_, what); !why.empty() && what != "`return`") {
            diags_.add<Diag::E0004_place>(stmt.span(), what, why);
            return;
        }
        ast::visit(
            stmt, [&](const ast::Declaration& node) { check_declaration(node); },
            [&](const ast::Control& node) { check_control(node); },
            [&](const ast::Movement& node) { check_movement(node); },
            [&](const ast::Effect& node) { check_effect(node); });
    }

    void check_type(const ast::MemType& type) {
        if (type.space != "sem") names_.check_type(type.element);
        for (const ast::Expr& dim : type.dims) check_expr(dim);
    }
    template <typename Optional>
    void check_value_type(const Optional& type) {
        if (!type) return;
        names_.check_type(type->element);
        if (type->dims)
            for (const ast::Expr& dim : *type->dims) check_expr(dim);
    }

    void check_scratch(const ast::Scratch& scratch) {
        for (const ast::ScratchDecl& decl : scratch.decls) {
            check_type(decl.type);
            declare(decl.name, {});
            check_optional(decl.init);
        }
    }

    void check_const(const ast::Const& constant) {
        check_expr(constant.value);
        declare(constant.name, {{}, nullptr, true});
    }

    void declare_function(const ast::Fn& fn) {
        declare(fn.name, {{}, &fn, true});
        names_.scope().functions.push_back(&fn);
    }

    void check_declaration(const ast::Declaration& node) {
        ast::visit(
            node, [&](const ast::Scratch& n) { check_scratch(n); },
            [&](const ast::Const& n) { check_const(n); },
            [&](const ast::Fn& n) { declare_function(n); },
            [&](const ast::Let& n) {
                check_expr(n.value);
                declare(n.name, {{}, nullptr, names_.may_be_early(n.value)});
            },
            [&](const ast::Var& n) {
                check_expr(n.value);
                check_value_type(n.type);
                declare(n.name, {});
            },
            [&](const ast::Ref& n) {
                check_expr(n.region);
                declare(n.name, {});
            },
            [&](const ast::Ring& n) {
                check_type(n.type);
                check_expr(n.depth);
                declare(n.name, {});
            });
    }

    void check_control(const ast::Control& node) {
        ast::visit(
            node, [&](const ast::Pipe& n) { check_pipe(n); },
            [&](const ast::If& n) { check_if(n); }, [&](const ast::For& n) { check_for(n); },
            [&](const ast::While& n) {
                check_expr(n.condition);
                check_expr(n.at_most);
                check_block(n.body);
            },
            [&](const ast::Edge& n) {
                if (!in_function_) check_edge(n);
                check_block(n.body);
            },
            [&](const ast::Slot& n) {
                names_.check_value(n.ring);
                Scope scope;
                enter(scope);
                declare(n.name, {});
                check_block(n.body);
                leave();
            },
            [&](const ast::Scope& n) { check_block(n.body); });
    }

    void check_if(const ast::If& branch) {
        check_expr(branch.condition);
        bool certain = !names_.may_be_early(branch.condition);
        if (certain) check_block(branch.then);
        for (const ast::ElseIf& arm : branch.else_ifs) {
            if (!certain) return;
            check_expr(arm.condition);
            certain = !names_.may_be_early(arm.condition);
            if (certain) check_block(arm.body);
        }
        if (certain && branch.otherwise) check_block(*branch.otherwise);
    }

    void check_for(const ast::For& loop) {
        check_expr(loop.lo);
        check_expr(loop.hi);
        check_optional(loop.step);
        if (loop.unroll) check_optional(loop.unroll->factor);
        Scope scope;
        enter(scope);
        declare(loop.name, {{}, nullptr, loop.unroll.has_value()});
        check_block(loop.body);
        leave();
    }

    void check_edge(const ast::Edge& edge) {
        std::vector<std::string> axes;
        for (const ast::Pipe* grid : grids_)
            for (const ast::Axis& axis : grid->axes) axes.push_back(axis.name.text);
        if (std::count(axes.begin(), axes.end(), edge.axis.text)) return;
        auto& message = diags_.add<Diag::E0304_absent>(edge.axis.span, edge.kind, edge.axis.text,
                                                       edge.axis.text);
        if (const std::string* near = nearest_of(edge.axis.text, axes))
            message.replace(edge.axis.span, *near);
        else if (!axes.empty())
            message.because(fmt::format("the axes here are {}", fmt::join(axes, ", ")));
    }

    void check_pipe(const ast::Pipe& pipe) {
        Scope scope;
        enter(scope);
        for (const ast::Axis& axis : pipe.axes) {
            check_optional(axis.lo);
            check_expr(axis.hi);
            declare(axis.name, {{}, nullptr, true});  // an axis of one step is a constant
        }
        check_optional(pipe.where);
        for (const ast::PipeItem& item : pipe.items)
            ast::visit(
                item, [&](const ast::Stream& n) { check_stream(n); },
                [&](const ast::Scratch& n) { check_scratch(n); });
        grids_.push_back(&pipe);
        for (const ast::Stmt& stmt : pipe.body.stmts) check_stmt(stmt);
        grids_.pop_back();
        leave();
    }

    void check_stream(const ast::Stream& stream) {
        check_optional(stream.window);
        if (stream.type) check_type(*stream.type);
        for (const ast::StreamOption& option : stream.options) check_optional(option.value);
        declare(stream.name, {});
        for (const ast::Transfer& transfer : stream.transfers) check_block(transfer.body);
    }

    void check_device(const ast::Device& device) {
        for (const ast::Coordinate& coordinate : device.coordinates) check_expr(coordinate.value);
    }

    void check_movement(const ast::Movement& node) {
        ast::visit(
            node,
            [&](const ast::Copy& n) {
                check_expr(n.source);
                check_expr(n.target);
                check_optional(n.done);
                check_optional(n.priority);
            },
            [&](const ast::Send& n) {
                check_expr(n.source);
                check_expr(n.target);
                check_device(n.device);
                check_expr(n.done);
                check_expr(n.arrive);
            },
            [&](const ast::Wait& n) {
                check_expr(n.semaphore);
                check_expr(n.amount);
            },
            [&](const ast::Signal& n) {
                check_expr(n.semaphore);
                check_device(n.device);
                check_optional(n.by);
            },
            [&](const ast::Barrier& n) {
                for (const ast::Device& device : n.devices) check_device(device);
            });
    }

    void check_effect(const ast::Effect& node) {
        ast::visit(
            node, [&](const ast::Assert& n) { check_expr(n.condition); },
            [&](const ast::Print& n) {
                for (const ast::Expr& value : n.values) check_expr(value);
            },
            [&](const ast::Assign& n) {
                check_expr(n.target);
                check_expr(n.value);
            },
            [&](const ast::Launch& n) { check_launch(n); },
            [&](const ast::Return& n) {
                if (in_function_ || place_ == Place::reference)
                    diags_
                        .add<Diag::E0004_place>(n.span, "`return`",
                                                "it is the last statement of a function's block")
                        .fix("a `var` that is assigned here, and returned at the end");
                else
                    diags_.add<Diag::E0004_place>(n.span, "`return`", "it ends a function");
            });
    }

    void check_launch(const ast::Launch& launch) {
        const Declared* declared = find(launch.name.text);
        const bool is_launch =
            !launch.bindings.empty() || (!declared && launched_.count(launch.name.text));
        if (place_ != Place::program && is_launch) {
            diags_.add<Diag::E0004_place>(launch.span, "a launch",
                                          "kernels are launched by a `program`");
            return;
        }
        for (const ast::Binding& binding : launch.bindings) check_expr(binding.value);
        check_arguments(launch.arguments, 0);
        const bool is_unknown = place_ == Place::program && !launched_.count(launch.name.text);
        if (!launch.bindings.empty() && is_unknown)
            names_.report_unknown(launch.name, "kernel", {launched_.begin(), launched_.end()});
        if (is_launch || names_.is_built_in(launch.name.text)) return;
        if (declared && declared->function)
            check_own_call(*declared->function, launch.arguments, launch.span);
        else if (!declared && place_ == Place::program)
            names_.report_unknown(launch.name, "kernel", {launched_.begin(), launched_.end()});
        else if (!declared)
            names_.report_function(launch.name);
    }

    // ---------------------------------------------------------------------------------------------
    // items

    void declare_item(const ast::Item& item) {
        ast::visit(
            item, [&](const ast::Const& n) { check_const(n); },
            [&](const ast::Fn& n) { declare_function(n); },
            [&](const ast::Kernel& n) { declare_launched(n.name); },
            [&](const ast::Program& n) { declare_launched(n.name); },
            [&](const ast::Reference& n) {
                const auto [earlier, inserted] = references_.try_emplace(n.name.text, n.name.span);
                if (!inserted)
                    diags_.add<Diag::E0003>(n.name.span, n.name.text)
                        .note(earlier->second, "first declared here");
            });
    }

    void declare_unread(const ast::Name& name) {
        names_.scope().names.try_emplace(name.text, Declared{name.span, nullptr, true});
        launched_.insert(name.text);
        launched_spans_.try_emplace(name.text, name.span);
    }

    /// Kernels and programs have names of their own: a kernel may be called like a constant.
    void declare_launched(const ast::Name& name) {
        if (launched_.insert(name.text).second) {
            launched_spans_[name.text] = name.span;
            return;
        }
        diags_.add<Diag::E0003>(name.span, name.text)
            .note(launched_spans_[name.text], "first declared here");
    }

    void check_function(const ast::Fn& fn) {
        const ast::Fn* caller = std::exchange(caller_, &fn);
        const bool in_function = std::exchange(in_function_, true);
        Scope scope;
        enter(scope);
        for (const ast::FnParam& param : fn.params) declare(param.name, {{}, nullptr, true});
        for (const ast::FnParam& param : fn.params) check_value_type(param.type);
        check_optional(fn.result);
        if (fn.body) check_returning_block(*fn.body);
        leave();
        caller_ = caller;
        in_function_ = in_function;
    }

    /// Bracket parameters, operands, and the names in their types that nothing else declares.
    template <typename Item>
    void declare_parameters(const Item& item) {
        for (const ast::BracketParam& bracket : item.brackets)
            declare(bracket.name, {{}, nullptr, true, bracket.type == "dtype"});
        for (const ast::Param& param : item.params)
            declare(param.name, {{}, nullptr, param.memory && param.memory->optional});
        std::set<std::string> in_clauses;
        for (const ast::Clause& clause : item.clauses)
            if (const auto* constant = ast::get_if<ast::Const>(clause))
                in_clauses.insert(constant->name.text);
        const auto declare_sizes = [&](const ast::Expr& expr) {
            for (const ast::Name& name : names_in(expr))
                if (!is_word(name.text) && !names_.is_built_in(name.text) && !find(name.text) &&
                    !in_clauses.count(name.text))
                    declare(name, {{}, nullptr, true});
        };
        for (const ast::Clause& clause : item.clauses)
            if (const auto* mesh = ast::get_if<ast::MeshClause>(clause))
                for (const ast::Coordinate& axis : mesh->extents.coordinates)
                    declare_sizes(axis.value);
        for (const ast::Param& param : item.params)
            if (param.memory)
                for (const ast::Expr& dim : param.memory->dims) declare_sizes(dim);
        for (const ast::BracketParam& bracket : item.brackets) check_optional(bracket.value);
        for (const ast::Clause& clause : item.clauses)
            ast::visit(
                clause, [](const ast::MeshClause&) {},
                [&](const ast::RequireClause& n) {
                    for (const ast::Expr& condition : n.conditions) check_expr(condition);
                },
                [&](const ast::Const& n) { check_const(n); },
                [&](const ast::LimitClause& n) { check_expr(n.bytes); });
        for (const ast::Param& param : item.params)
            if (param.memory) check_type(*param.memory);
    }

    void check_kernel(const ast::Kernel& kernel) {
        place_ = Place::kernel;
        Scope scope;
        enter(scope);
        declare_parameters(kernel);
        ast::visit(
            kernel.body, [&](const ast::Pipe& pipe) { check_pipe(pipe); },
            [&](const ast::Block& block) { check_block(block); });
        leave();
    }

    void check_program(const ast::Program& program) {
        place_ = Place::program;
        Scope scope;
        enter(scope);
        declare_parameters(program);
        check_block(program.body);
        leave();
        place_ = Place::kernel;
    }

    /// A reference sees the sizes of the kernel or program it belongs to, not its operands.
    void check_reference(const ast::Reference& reference) {
        Scope sizes;
        enter(sizes);
        if (!declare_sizes_of(reference.name.text)) {
            if (!launched_.count(reference.name.text))
                names_.report_unknown(reference.name, "kernel",
                                      {launched_.begin(), launched_.end()});
            return leave();
        }
        Scope scope;
        enter(scope);
        for (const ast::ReferenceParam& param : reference.params) {
            declare(param.name, {});
            if (param.dims)
                for (const ast::Expr& dim : *param.dims) check_expr(dim);
        }
        place_ = Place::reference;
        check_returning_block(reference.body);
        place_ = Place::kernel;
        leave();
        leave();
    }

    bool declare_sizes_of(const std::string& name) {
        for (const ast::Item& item : file_.items) {
            const auto* kernel = ast::get_if<ast::Kernel>(item);
            const auto* program = ast::get_if<ast::Program>(item);
            if (kernel && kernel->name.text == name) return take_sizes(*kernel);
            if (program && program->name.text == name) return take_sizes(*program);
        }
        return false;
    }

    template <typename Item>
    bool take_sizes(const Item& item) {
        const auto take = [&](const ast::Name& name) {
            if (!is_word(name.text) && !names_.is_built_in(name.text))
                names_.scope().names.try_emplace(name.text, Declared{name.span, nullptr, true});
        };
        for (const ast::BracketParam& bracket : item.brackets) take(bracket.name);
        for (const ast::Clause& clause : item.clauses) {
            if (const auto* constant = ast::get_if<ast::Const>(clause)) take(constant->name);
            if (const auto* mesh = ast::get_if<ast::MeshClause>(clause))
                for (const ast::Coordinate& axis : mesh->extents.coordinates)
                    for (const ast::Name& name : names_in(axis.value)) take(name);
        }
        for (const ast::Param& param : item.params) {
            if (!param.memory) take(param.name);
            if (param.memory)
                for (const ast::Expr& dim : param.memory->dims)
                    for (const ast::Name& name : names_in(dim)) take(name);
        }
        return true;
    }

    const ast::File& file_;
    Names names_;
    Diagnostics& diags_;
    Place place_ = Place::kernel;
    bool in_function_ = false;
    const ast::Fn* caller_ = nullptr;
    std::vector<const ast::Pipe*> grids_;
    std::set<std::string> launched_;
    std::map<std::string, Span> launched_spans_;
    std::map<std::string, Span> references_;
    CallGraph calls_;
};

}  // namespace

void check(const ast::File& file, const std::vector<std::string>& functions, Diagnostics& diags) {
    Checker(file, functions, diags).run();
}

}  // namespace slab::dsl
