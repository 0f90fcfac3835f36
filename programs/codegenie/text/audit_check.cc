// `audit verify --explain` and `audit verify --proof`.
#include "base/base/text.h"
#include "text/audit_text.h"
#include "trust/audit/layout.h"
#include "trust/audit/problems.h"
#include "trust/record/frame.h"
#include "trust/record/proof.h"

namespace cg::program {

namespace {

using json::Value;

/// Line number `seq` of the spanning stream as it lies there, nothing checked.
std::optional<std::string> raw_line(const os::Dir& home, std::uint64_t seq) {
  const std::string dir = audit::kEvents + "/" + audit::kSpanningDir;
  const auto names = home.list(dir, audit::kMaxFiles);
  if (!names) return std::nullopt;
  std::string lines;
  std::vector<std::string> files;
  for (const std::string& name : *names) {
    if (record::is_segment_name(name)) files.push_back(name);
  }
  files.push_back(audit::kAppendFile);
  for (const std::string& name : files) {
    const auto bytes = home.read(dir + "/" + name, record::kMaxSegmentFile);
    if (!bytes) continue;
    const auto segment = record::open_segment(*bytes);
    const auto open = audit::open_lines(*bytes, name);
    lines = segment ? segment->content : open ? open->lines : "";
    for (std::size_t at = 0; at < lines.size();) {
      const std::size_t end = std::min(lines.find('\n', at), lines.size());
      if (seq-- == 0) return lines.substr(at, end - at);
      at = end + 1;
    }
  }
  return std::nullopt;
}

std::string explanation(std::uint64_t seq, const std::optional<Value>& held,
                        const std::optional<Problem>& problem,
                        const std::optional<std::string>& raw) {
  std::string out = "Entry " + grouped(seq);
  if (held) {
    out += " holds: its prev is the head of the entries before it\n";
    for (const char* name : {"prev", "head"}) {
      out += "  " + std::string(name) + "    " + *held->find(name)->as_string() + "\n";
    }
  } else if (problem) {
    out += " is at or behind the first break\n  why     " + problem->what + "\n";
    for (const auto& [label, value] : problem->where) {
      out +=
          "  " + label + std::string(label.size() < 8 ? 8 - label.size() : 1, ' ') + value + "\n";
    }
  }
  if (raw) out += "  stored  " + printable(cut_utf8(*raw, 4000)) + "\n";
  return out;
}

}  // namespace

Result<Report, Problem> explain_entry(const Access& access, std::uint64_t seq) {
  std::optional<Value> held;
  CG_TRY_ASSIGN(const auto problem, for_each_entry(access, [&](const audit::Held& h) {
                  if (h.entry.seq == seq) held = entry_json(h);
                }));
  const auto raw = raw_line(access.workspace.home, seq);
  if (!held && !problem) {
    return fail(Problem{ErrorCode::audit_no_entry,
                        "no entry " + grouped(seq),
                        {},
                        "nothing was done",
                        {"codegenie audit log"}});
  }
  const bool bad = !held;
  Report report = json_report(
      Value::Object{{"schema", "codegenie/audit-explain/v1"},
                    {"seq", number(seq)},
                    {"holds", !bad},
                    {"why", bad ? Value(problem->what) : Value()},
                    {"stored", raw ? Value(printable(*raw)) : Value()},
                    {"entry", held ? *held : Value()}},
      [=](const cli::Style& style) { return style.words(explanation(seq, held, problem, raw)); },
      bad ? ExitCode::integrity : ExitCode::ok);
  if (bad) report.problem = problem;
  return report;
}

Result<Report, Problem> check_proof_file(const cli::Invocation& invocation,
                                         const Session& session) {
  const auto entry_file = invocation.value("entry");
  if (!entry_file)
    return fail(bad_value("--proof needs --entry FILE", "codegenie audit verify --help"));
  CG_TRY_ASSIGN(const std::string proof_text,
                read_user_file(*invocation.value("proof"), sign::kMaxNoteBytes));
  CG_TRY_ASSIGN(std::string line, read_user_file(*entry_file, record::kMaxLine + 1));
  if (line.ends_with('\n')) line.pop_back();
  std::optional<sign::NoteKey> key;
  if (const auto text = invocation.value("key")) {
    key = sign::NoteKey::parse(*text);
    if (!key)
      return fail(bad_value("--key is not a verifier key", "it is printed by `codegenie init`"));
  } else {
    CG_TRY_ASSIGN(const Access access, open_workspace(session));
    CG_TRY_ASSIGN(key, log_verifier(access));
  }
  const auto bad = [&](record::ProofError error) {
    Problem problem =
        audit::broken(ErrorCode::audit_proof, record::describe(error), *invocation.value("proof"));
    problem.effect = "the entry is not proven";
    problem.help = {"codegenie explain CG-AUDIT-015"};
    return problem;
  };
  const auto proof = record::parse_proof(proof_text);
  if (!proof) return fail(bad(proof.error()));
  const auto head = record::check_proof(*proof, line, *key);
  if (!head) return fail(bad(head.error()));
  return json_report(Value::Object{{"schema", "codegenie/audit-proof-check/v1"},
                                   {"proven", true},
                                   {"index", number(proof->index)},
                                   {"size", number(head->size)},
                                   {"log", head->log}},
                     [index = proof->index, head = *head](const cli::Style&) {
                       return "Proven: entry " + grouped(index) + " of " + grouped(head.size) +
                              " in log " + head.log + "\n";
                     });
}

}  // namespace cg::program
