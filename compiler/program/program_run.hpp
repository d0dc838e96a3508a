#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/lower/lowering.hpp"
#include "compiler/program/arrays.hpp"
#include "compiler/program/compile_program.hpp"

namespace slab::compiler {

/// What an argument of a launch is.
struct Passed {
    enum class Kind { absent, array, scalar, wrong };
    Kind kind = Kind::absent;
    ArrayPart part;
    Constant scalar;
    Span span;
    std::string text;
};

/// What the launches of one run have in common, those of the programs launched by it included.
struct ProgramSession {
    struct Item {
        const dsl::ast::Kernel* kernel = nullptr;
        const dsl::ast::Program* program = nullptr;
        std::unique_ptr<dsl::ast::Kernel> head;  ///< of a program

        const dsl::ast::Kernel& declaration() const { return program ? *head : *kernel; }
    };
    /// A kernel compiled before: which parts of arrays its control flow has read.
    struct Known {
        std::optional<std::size_t> kernel;  ///< nothing where it has errors
        std::map<std::string, ArrayPart> read;
    };

    ProgramSession(const dsl::ast::File& file, const SourceFile& source, const Settings& settings,
                   const arch::ChipSpec& chip, Diagnostics& diags);

    const Item* find(const std::string& name) const;
    std::vector<std::string> names() const;
    /// The messages of a kernel, each with the place of its launch.
    void append(const Diagnostics& found, Span launch);

    const dsl::ast::File& file;
    const SourceFile& source;
    const Settings& settings;
    const arch::ChipSpec& chip;
    Diagnostics& diags;
    std::map<std::string, Item> items;
    std::vector<Array> arrays;
    std::vector<std::size_t> live;  ///< arrays that lie in HBM now, operands first
    std::int64_t bytes = 0;         ///< of them
    std::vector<Bound> sizes;       ///< of the program that was asked for
    CompiledProgram result;
    std::vector<std::string> peak_table;  ///< what lies in HBM at the peak
    std::vector<std::string> running;     ///< programs, the one asked for first
    Span peak_span;                       ///< the launch at which it is
    std::map<std::string, std::vector<Known>> known;
    std::map<std::string, std::optional<std::vector<schedule::Operand>>> signatures;
    std::int64_t rounds = 0;    ///< of all loops
    std::int64_t launches = 0;  ///< of kernels and programs
    std::int64_t work = 0;      ///< statements carried out and expressions evaluated
    bool stopped = false;       ///< at a limit
    bool damaged = false;       ///< what arrays hold is not known, because of an error
};

/// Carries out the statements of one program. Names, expressions and functions are those of
/// kernels; but everything is known at compile time, and arrays are only passed on.
class ProgramRun {
public:
    ProgramRun(ProgramSession& session, const ProgramSession::Item& item, const Settings& settings);

    /// The program that was asked for: its operands are arrays of their own.
    void run();
    /// A program launched with arguments, by name of the operand.
    void run(const std::map<std::string, ArrayPart>& arguments);

private:
    using Value = compiler::Value;

    // program_run.cpp
    bool declare_head();
    void declare_own_arrays();
    void run_body();
    void run(const dsl::ast::Block& block);
    void run(const dsl::ast::Stmt& stmt);
    void run(const dsl::ast::Scratch& buffers);
    void run(const dsl::ast::Let& let);
    void run(const dsl::ast::Var& var);
    void run(const dsl::ast::Assign& assign);
    void run(const dsl::ast::If& branch);
    void run(const dsl::ast::For& loop);
    void run(const dsl::ast::Assert& assertion);
    void run(const dsl::ast::Print& print);
    bool goes_on(const dsl::ast::Stmt& stmt);
    std::optional<bool> condition(const dsl::ast::Expr& expr);
    void declare_buffer(const dsl::ast::ScratchDecl& decl);
    bool is_whole() const;
    void release(std::size_t first_live);
    template <typename Body>
    void scoped(Body&& body);

    // fewest_launches.cpp
    using InnerNames = std::set<std::string>;  ///< declared in the block that is being counted
    std::optional<std::int64_t> settled(const dsl::ast::Expr& bound, const InnerNames& inner);
    std::int64_t fewest_launches(const dsl::ast::For& loop, InnerNames inner, Span& place);
    std::int64_t fewest_launches(const dsl::ast::Block& block, InnerNames inner, Span& place);

    // arguments.cpp
    using SizeTexts = std::vector<std::pair<std::string, std::string>>;
    /// The argument of each parameter; null where none is passed.
    std::optional<std::vector<const dsl::ast::Argument*>> match(const dsl::ast::Launch& launch,
                                                                const dsl::ast::Kernel& kernel);
    Passed evaluate(const dsl::ast::Argument* argument, const dsl::ast::Param& param);
    std::optional<ArrayPart> part(const Reference& reference, Span span);
    bool bind_brackets(const dsl::ast::Launch& launch, const dsl::ast::Kernel& kernel,
                       SizeTexts& set);
    bool bind_shapes(const dsl::ast::Launch& launch, const dsl::ast::Kernel& kernel,
                     const std::vector<Passed>& passed, SizeTexts& set);
    bool check_complete(const dsl::ast::Launch& launch, const dsl::ast::Kernel& kernel,
                        const SizeTexts& set);

    // launches.cpp
    bool may_launch(std::int64_t more, Span span);
    void run(const dsl::ast::Launch& launch);
    void launch_item(const dsl::ast::Launch& launch, const ProgramSession::Item& item);
    const std::vector<schedule::Operand>* signature(const dsl::ast::Launch& launch,
                                                    const ProgramSession::Item& item,
                                                    const Settings& settings);
    bool check_types(const dsl::ast::Kernel& kernel, const std::vector<Passed>& passed,
                     const std::vector<schedule::Operand>& operands);
    bool check_writes(const dsl::ast::Kernel& kernel, const std::vector<Passed>& passed);
    void note_reads(const dsl::ast::Kernel& kernel, const std::vector<Passed>& passed);
    void note_writes(const dsl::ast::Kernel& kernel, const std::vector<Passed>& passed);
    void note_memory(const dsl::ast::Launch& launch);
    void launch_kernel(const dsl::ast::Launch& launch, const dsl::ast::Kernel& kernel,
                       const Settings& settings, const std::vector<Passed>& passed);
    std::optional<std::size_t> compiled(const dsl::ast::Launch& launch,
                                        const dsl::ast::Kernel& kernel, const Settings& settings,
                                        const std::vector<Passed>& passed);

    ProgramSession& session_;
    const ProgramSession::Item& item_;
    Diagnostics& diags_;
    Unit unit_;
    Lowering lowering_;
    std::vector<std::optional<ArrayPart>> parts_;  ///< by operand id of the unit
};

bool is_optional(const dsl::ast::Param& param);

/// What a kernel is compiled for, as a key: its name, sizes and optional operands.
std::string key_of(const dsl::ast::Kernel& kernel, const Settings& settings);

}  // namespace slab::compiler
