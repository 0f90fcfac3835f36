// codegenie rag show
#include "base/base/text.h"
#include "base/json/json.h"
#include "commands.h"
#include "commands/rag/rag_words.h"
#include "learn/rag/problems.h"

namespace cg::program {

namespace {

using json::Value;

std::string block(const cli::Style& style, const std::string& title, const std::string& text) {
  if (text.empty()) return "";
  std::string out = style.paint(cli::Role::heading, title) + "\n";
  for (const std::string_view line : split(trim(text), '\n')) out += "  " + printable(line) + "\n";
  return out;
}

std::string page(const rag::Record& record, const cli::Style& style) {
  const example::Example& e = record.example;
  std::string out = printable(record.id) + "  " + std::string(rag::name(record.status)) +
                    (record.why.empty() ? "" : ": " + record.why) + "\n" + printable(e.package) +
                    " " + printable(e.from) + " -> " + printable(e.to) + ", " +
                    printable(e.advisory) + ", " + std::string(example::name(e.breaks)) +
                    (e.worked ? "" : ", did not work") + "\n";
  out += "entry " + grouped(record.seq) + " of the log, workflow " + printable(e.workflow) + "\n";
  if (record.origin) {
    out += "imported from log " + printable(record.origin->log) + ", signed by " +
           printable(record.origin->signer) + "\n";
  }
  out += block(style, "Summary", e.summary) + block(style, "Failure", e.failure) +
         block(style, "Difference", e.difference) + block(style, "Plan", e.plan);
  for (const example::Site& site : e.sites) {
    out += block(style, "Before", site.before) + block(style, "After", site.after);
  }
  std::string gates;
  for (const example::GateResult& gate : e.gates) {
    gates += (gates.empty() ? "" : "\n") + gate.gate + " " + gate.state + ", " + gate.strength;
  }
  return out + block(style, "Gates, " + printable(e.isolation), gates);
}

Result<Report, Problem> run_rag_show(const cli::Invocation& invocation, Session& session) {
  const std::string id = invocation.arguments.at(0);
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(const rag::Reader reader, rag::Reader::open(access.workspace.home));
  const rag::Record* record = reader.find(id);
  if (record == nullptr) return fail(rag::no_such_record(id));
  const auto example = json::parse_json(example::write(record->example));
  return json_report(Value::Object{{"schema", "codegenie/rag-show/v1"},
                                   {"record", record_json(*record)},
                                   {"example", example ? *example : Value()}},
                     [record = *record](const cli::Style& style) { return page(record, style); });
}

}  // namespace

Entry rag_show_command() {
  return {{.path = {"rag", "show"},
           .summary = "Show a solved example, and whether it may be used",
           .about = {"As the audit log has it; of a file that the log does not know, what it "
                     "claims. `codegenie audit prove N` prints the proof that its entry is in the "
                     "log."},
           .arguments = {{.name = "ID", .help = "of the record, as `rag list` gives it"}},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
           .examples = {{"codegenie rag show rec-0123456789abcdef01234567", "one of them"}}},
          run_rag_show};
}

}  // namespace cg::program
