#include "compiler/schedule/text/reader.hpp"

namespace slab::schedule {

namespace {

/// The statement for the entry that is added to its table.
template <typename Statement, typename Entry>
Stmt added(std::vector<Entry>& table, Entry entry) {
    table.push_back(std::move(entry));
    return {Statement{static_cast<std::int32_t>(table.size()) - 1}};
}

}  // namespace

std::optional<Stmt> Reader::transfer() {
    if (tokens_.at("copy") || tokens_.at("send")) return copy();
    if (tokens_.accept("wait")) return wait();
    if (tokens_.accept("signal")) return signal();
    if (tokens_.accept("barrier")) return barrier();
    if (tokens_.accept("assert")) return check();
    if (tokens_.accept("print")) return print();
    return std::nullopt;
}

Stmt Reader::copy() {
    Copy copy;
    const bool is_remote = tokens_.take().text == "send";
    copy.source = memory_ref();
    tokens_.expect("-");
    tokens_.expect(">");
    copy.target = memory_ref();
    if (is_remote) {
        tokens_.expect("at");
        const Token begin = tokens_.current();
        copy.device = device();
        if (!copy.is_remote()) Tokens::fail(begin.span, "there is no mesh to send in");
    }
    if (tokens_.accept("done")) copy.done = semaphore_ref();
    if (tokens_.accept("arrive")) copy.arrive = semaphore_ref();
    if (tokens_.accept("ring")) copy.ring = reference(rings_);
    if (tokens_.accept("stream")) copy.stream = reference(streams_);
    if (tokens_.at("prio")) copy.priority = field("prio");
    return added<StartCopy>(program_.copies, std::move(copy));
}

Stmt Reader::wait() {
    Wait wait;
    wait.semaphore = semaphore_ref();
    if (tokens_.accept("for")) {
        wait.region = memory_ref();
    } else {
        if (!tokens_.accept("until")) tokens_.expected("`for` a part of a memory, or `until`");
        wait.count = expression();
    }
    return added<Await>(program_.waits, std::move(wait));
}

Stmt Reader::signal() {
    Signal signal;
    signal.semaphore = semaphore_ref();
    if (tokens_.accept("at")) signal.device = device();
    if (tokens_.accept("by")) signal.by = expression();
    return added<SendSignal>(program_.signals, std::move(signal));
}

Stmt Reader::barrier() {
    Barrier barrier;
    if (tokens_.accept("all")) {
        barrier.all = reference(mesh_);
    } else {
        do barrier.peers.push_back(device());
        while (tokens_.accept(","));
    }
    return added<MeetPeers>(program_.barriers, std::move(barrier));
}

Stmt Reader::check() {
    Check check;
    check.condition = expression();
    tokens_.expect(",");
    check.message = tokens_.name("a message");
    return added<MakeSure>(program_.checks, std::move(check));
}

Stmt Reader::print() {
    Print print;
    print.message = tokens_.name("a message");
    while (tokens_.accept(",")) print.values.push_back(expression());
    return added<PrintValues>(program_.prints, std::move(print));
}

}  // namespace slab::schedule
