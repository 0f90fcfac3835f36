#include "learn/rag/writer.h"

#include <algorithm>

#include "base/base/text.h"
#include "base/domain/ids.h"
#include "learn/rag/index.h"
#include "learn/rag/problems.h"
#include "learn/rag/session.h"
#include "trust/audit/problems.h"
#include "trust/audit/walk.h"
#include "trust/hash/blake3.h"

namespace cg::rag {

namespace {

/// The head of a workflow that runs or ran in this log, its stream followed to the end.
Result<Workflow, Problem> producer(const os::Dir& events, const Ledger& ledger,
                                   const std::string& id) {
  const Workflow* known = ledger.workflow(id);
  // The id becomes part of a path.
  if (known == nullptr || !WorkflowId::parse(id)) {
    return fail(not_taken("the workflow that made it is not in this log"));
  }
  Workflow is{known->ended, 0, {}};
  audit::Walker walker(ledger.log, id, record::Home::workflow, [](const audit::Held&) {});
  CG_TRY(audit::walk_workflow(events, id, walker));
  is.entries = walker.entries();
  is.head = walker.head();
  if (known->ended && (is.entries != known->entries || is.head != known->head)) {
    return fail(not_taken("the stream of the workflow that made it is not the one that ended"));
  }
  return is;
}

/// Cut on a code point, as the caps of the log do.
std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    out.emplace_back(cut_utf8(text, record::kMaxPart));
    text.remove_prefix(out.back().size());
  }
  return out;
}

record::Events written(const std::string& id, const std::string& text, const std::string& workflow,
                       const Workflow& made) {
  record::Events out;
  const std::vector<std::string> parts = parts_of(text);
  const hash::Digest digest = hash::blake3(as_bytes(text));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    out.emplace_back(record::SolvedExampleWritten{digest, i + 1, parts.size(), id, parts[i],
                                                  workflow, made.entries, made.head});
  }
  return out;
}

record::Events imported(const Verified& bundle, const Carried& one) {
  record::Events out;
  const std::vector<std::string> parts = parts_of(one.text);
  const hash::Digest digest = hash::blake3(as_bytes(one.text));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    out.emplace_back(record::SolvedExampleImported{bundle.anchor, bundle.digest, digest, bundle.log,
                                                   i + 1, parts.size(), one.id, one.seq,
                                                   bundle.signer, parts[i]});
  }
  return out;
}

record::SolvedExampleSkipped skipped(std::uint64_t attempt, std::string reason, std::string id) {
  return {attempt, std::move(reason), std::move(id)};
}

}  // namespace

std::vector<example::GateResult> gates_of(
    const std::vector<const std::vector<gate::Signal>*>& proofs) {
  std::vector<example::GateResult> out;
  for (const auto* signals : proofs) {
    for (const gate::Signal& signal : *signals) {
      if (signal.state == gate::State::absent) continue;
      const std::string strength = !signal.passed()      ? "none"
                                   : signal.weak.empty() ? "named"
                                                         : "weak";
      auto at = std::find_if(out.begin(), out.end(), [&](const example::GateResult& one) {
        return one.gate == signal.name;
      });
      if (at == out.end()) {
        out.push_back({signal.name, std::string(gate::name(signal.state)), strength});
      } else if (at->strength == "named") {
        at->state = gate::name(signal.state);
        at->strength = strength;
      }
    }
  }
  return out;
}

Result<Writer, Problem> Writer::open(const os::Dir& home, audit::Log& log, Weak weak) {
  Writer out(home, log, weak);
  CG_TRY_ASSIGN(const Session session, out.begin());
  out.repaired_ = session.found;
  return out;
}

Result<Session, Problem> Writer::begin() {
  const auto made = home_->make_dir(kRag);
  if (!made) return fail(audit::writing(made.error()));
  auto rag = home_->open_dir(kRag);
  if (!rag) return fail(audit::writing(rag.error()));
  auto lock = os::Lock::hold(rag->fd(), os::Lock::Mode::exclusive, rag->path());
  if (!lock) return fail(audit::writing(lock.error()));
  // What a writer appended and died before signing is in the log: it counts, once it is signed.
  CG_TRY(log_->checkpoint());
  CG_TRY_ASSIGN(Ledger ledger, read_ledger(*home_));
  const bool is_new = !rag->stat(kManifestFile) && ledger.entries().empty();
  CG_TRY_ASSIGN(Settled found, settle(*rag, ledger));
  if (is_new) found.manifest = "as the log says";
  const bool was_wrong =
      found.made + found.moved > 0 || (found.manifest != "as the log says" && !is_new);
  if (was_wrong) {
    CG_TRY(log_->append({record::RagRepaired{found.made, found.manifest, found.moved}}));
  }
  if (was_wrong || !read_index(*rag, ledger, "").problem.empty()) {
    CG_TRY(update_index(*rag, ledger, "", {}));
  }
  return Session{*std::move(rag), *std::move(lock), std::move(ledger), std::move(found)};
}

Result<Settled, Problem> Writer::commit(Session& session, const record::Events& events,
                                        const std::string& model, const VectorBytes& fresh) {
  // A group has a bound of its own; what is many is many groups, each of them whole.
  for (std::size_t from = 0; from < events.size();) {
    std::size_t to = std::min(events.size(), from + kGroup);
    while (to < events.size() && to > from + 1 && continues(events[to])) --to;
    CG_TRY(log_->append(record::Events(events.begin() + static_cast<std::ptrdiff_t>(from),
                                       events.begin() + static_cast<std::ptrdiff_t>(to))));
    from = to;
  }
  CG_TRY(log_->checkpoint());
  CG_TRY_ASSIGN(session.ledger, read_ledger(*home_));
  CG_TRY_ASSIGN(Settled out, settle(session.rag, session.ledger));
  CG_TRY(update_index(session.rag, session.ledger, model, fresh));
  return out;
}

Result<Written, Problem> Writer::put(example::Example example, std::uint64_t attempt,
                                     record::Events& events) {
  const std::string text = example::write(example);
  if (const auto read = example::parse(text); !read) {
    events.emplace_back(skipped(attempt, "it is no record: " + read.error(), ""));
    return fail(not_taken("it is no record: " + read.error()));
  }
  CG_TRY_ASSIGN(Session session, begin());
  auto made = producer(log_->events_dir(), session.ledger, example.workflow);
  if (!made) {
    events.emplace_back(skipped(attempt, made.error().what, ""));
    return fail(std::move(made).error());
  }
  if (const Entry* same = session.ledger.same_as(example)) {
    events.emplace_back(skipped(attempt,
                                same->quarantined.empty()
                                    ? "a record says the same"
                                    : "a record says the same, and is in quarantine",
                                same->id));
    return Written{same->id, true};
  }
  const std::string id = example::id_of(example);
  CG_TRY(commit(session, written(id, text, example.workflow, *made)));
  return Written{id, false};
}

Result<Written, Problem> Writer::write(example::Example example, const gate::Passed& proof,
                                       std::span<const gate::Passed> more, std::uint64_t attempt,
                                       record::Events& events) {
  std::vector<const std::vector<gate::Signal>*> signals = {&proof.signals()};
  bool weak = proof.weak();
  sandbox::Isolation isolation = proof.isolation();
  for (const gate::Passed& one : more) {
    signals.push_back(&one.signals());
    weak = weak || one.weak();
    isolation = std::min(isolation, one.isolation());  // in the order of their strength
  }
  if (weak && weak_ == Weak::refuse) {
    events.emplace_back(
        skipped(attempt, "its tests show little, and policy has learn.weak: refuse", ""));
    return fail(not_taken("its tests show little, and policy has learn.weak: refuse"));
  }
  example.worked = true;
  example.failure.clear();
  example.gates = gates_of(signals);
  example.isolation = sandbox::name(isolation);
  return put(std::move(example), attempt, events);
}

Result<Written, Problem> Writer::write_failed(example::Example example, const gate::Failed& failed,
                                              std::uint64_t attempt, record::Events& events) {
  example.worked = false;
  example.failure = cut(printable(failed.summary), 4096);
  example.gates = gates_of({&failed.signals});
  example.isolation = sandbox::name(failed.isolation);
  return put(std::move(example), attempt, events);
}

Result<Writer::Taken, Problem> Writer::import(const Verified& bundle, std::string_view bytes) {
  if (hash::blake3(as_bytes(bytes)) != bundle.digest) {
    return fail(bad_bundle("these are not the bytes that were verified"));
  }
  CG_TRY_ASSIGN(Session session, begin());
  if (bundle.log == session.ledger.log) {
    return fail(bad_bundle("it is an export of this very log"));
  }
  Taken out;
  record::Events events;
  record::Events hostile;
  for (const Carried& one : bundle.records) {
    if (session.ledger.find(one.id) != nullptr || session.ledger.same_as(one.example) != nullptr) {
      ++out.known;
      continue;
    }
    ++out.taken;
    const record::Events parts = imported(bundle, one);
    events.insert(events.end(), parts.begin(), parts.end());
    const std::vector<Match> matches = scan_example(one.example, {});
    if (matches.empty()) continue;
    ++out.hostile;
    hostile.emplace_back(record::RagQuarantined{{},
                                                matches.front().pattern,
                                                matches.front().field + " gives orders",
                                                one.id,
                                                std::string(name(Provenance::verified))});
  }
  if (out.taken == 0) return out;
  const auto kept = session.rag.write_atomic(
      std::string(kOrigins) + "/" + to_hex(bundle.digest) + ".json", bytes);
  if (!kept) return fail(audit::writing(kept.error()));
  events.insert(events.end(), hostile.begin(), hostile.end());
  CG_TRY(commit(session, events));
  return out;
}

}  // namespace cg::rag
