#include "commands/rag/rag_words.h"

#include "base/base/text.h"
#include "flow/workspace/workspace.h"

namespace cg::program {

namespace {

using json::Value;

std::vector<std::string> repairs(const rag::Settled& settled) {
  std::vector<std::string> out;
  if (settled.made > 0) {
    out.push_back(counted(settled.made, "file was", "files were") + " made again from the log");
  }
  if (settled.moved > 0) {
    out.push_back(counted(settled.moved, "file was", "files were") + " not where they belong");
  }
  if (settled.manifest != "as the log says" && !settled.manifest.empty()) {
    out.push_back("manifest.yaml was " + settled.manifest);
  }
  return out;
}

std::string words_of(const rag::Found& found) {
  return found.pattern.empty() ? found.why : "pattern " + found.pattern + ", " + found.why;
}

}  // namespace

Result<StoreAccess, Problem> open_store(const cli::Invocation& invocation, const Session& session) {
  CG_TRY_ASSIGN(Access access, open_workspace(session));
  CG_TRY_ASSIGN(const audit::LogReport found, verify_log(access, invocation, session));
  if (!found.breaks.empty()) return fail(found.breaks.front());
  CG_TRY_ASSIGN(const workspace::Policy policy, workspace::read_policy(access.workspace));
  auto clock = std::make_unique<os::SystemClock>();
  CG_TRY_ASSIGN(audit::Log opened, open_log(access, *clock));
  StoreAccess out{std::make_unique<Access>(std::move(access)), std::move(clock),
                  std::make_unique<audit::Log>(std::move(opened)), nullptr};
  const bool weak = policy.learn_weak == workspace::LearnWeak::allow;
  CG_TRY_ASSIGN(rag::Writer writer, rag::Writer::open(out.access->workspace.home, *out.log,
                                                      weak ? rag::Weak::allow : rag::Weak::refuse));
  out.writer = std::make_unique<rag::Writer>(std::move(writer));
  return out;
}

json::Value record_json(const rag::Record& record) {
  const example::Example& e = record.example;
  Value origin;
  if (record.origin) {
    origin = Value::Object{{"log", printable(record.origin->log)},
                           {"seq", number(record.origin->seq)},
                           {"signer", printable(record.origin->signer)}};
  }
  return Value::Object{{"id", printable(record.id)},
                       {"status", rag::name(record.status)},
                       {"why", text_or_null(record.why)},
                       {"advisory", printable(e.advisory)},
                       {"package", printable(e.package)},
                       {"from", printable(e.from)},
                       {"to", printable(e.to)},
                       {"breaks", example::name(e.breaks)},
                       {"worked", e.worked},
                       {"seq", number(record.seq)},
                       {"origin", origin}};
}

Result<Findings, Problem> findings_of(const StoreAccess& store, std::vector<rag::Found> found) {
  CG_TRY_ASSIGN(const rag::Reader reader, rag::Reader::open(store.access->workspace.home));
  Findings out{reader.records().size(), 0, blake3_name(rag::head_of(reader.ledger().manifest())),
               std::move(found), repairs(store.writer->repaired())};
  for (const rag::Record& record : reader.records()) out.verified += record.may_count() ? 1U : 0U;
  return out;
}

Report findings_report(const Findings& findings) {
  Value::Array found;
  for (const rag::Found& one : findings.found) {
    found.push_back(Value::Object{{"id", printable(one.record)},
                                  {"status", rag::name(one.status)},
                                  {"why", printable(one.why)},
                                  {"pattern", text_or_null(one.pattern)}});
  }
  Value::Array repaired;
  for (const std::string& line : findings.repaired) repaired.emplace_back(line);
  const ExitCode exit = findings.found.empty() ? ExitCode::ok : ExitCode::integrity;
  Report out = json_report(
      Value::Object{{"schema", "codegenie/rag-findings/v1"},
                    {"records", number(findings.records)},
                    {"verified", number(findings.verified)},
                    {"head", findings.head},
                    {"quarantined", std::move(found)},
                    {"repaired", std::move(repaired)},
                    {"exit", static_cast<int>(exit)}},
      [findings](const cli::Style& style) {
        std::string text = counted(findings.records, "record", "records") + style.words(" · ") +
                           "manifest head " + findings.head.substr(0, 23) +
                           std::string(style.ellipsis()) + "\n  " +
                           std::string(style.glyph(cli::Glyph::ok)) + " " +
                           grouped(findings.verified) + " verified\n";
        std::vector<std::vector<cli::Cell>> rows;
        for (const rag::Found& one : findings.found) {
          rows.push_back({{std::string(style.glyph(cli::Glyph::warn)), cli::Role::warning},
                          {one.pattern.empty() ? std::string(rag::name(one.status)) : "hostile"},
                          {one.record},
                          {words_of(one)}});
        }
        text += cli::layout({{}, {}, {}, {}}, rows, style, 2);
        for (const std::string& line : findings.repaired) text += "  " + line + "\n";
        if (findings.found.empty()) return text;
        return text + grouped(findings.found.size()) +
               " quarantined, none deleted. Review: " + "codegenie rag show " +
               printable(findings.found.front().record) + "\n";
      },
      exit);
  if (!findings.found.empty()) {
    out.problem = Problem{
        ErrorCode::rag_broken,
        counted(findings.found.size(), "record does", "records do") + " not count any longer",
        {},
        "each is in quarantine; nothing was deleted",
        {"codegenie rag list"}};
  }
  return out;
}

}  // namespace cg::program
