#include "text/taught_text.h"

#include "base/base/text.h"
#include "base/json/json.h"
#include "flow/history/interrupted.h"
#include "report.h"
#include "text/gate_text.h"

namespace cg::program {

namespace {

using json::Value;
using remediate::Taught;

std::string moved(const Taught& one) {
  const std::string from = printable(history::joined(one.about.versions));
  return printable(one.about.package) + " " + from + (one.to.empty() ? "" : " -> " + one.to);
}

std::string verdict(const Taught& one) {
  if (one.record.empty()) return "Not learned: " + moved(one);
  return (one.known ? "Known already: " : "Learned: ") + moved(one) + "  " + one.record;
}

}  // namespace

std::string taught_text(const remediate::Remediation& done, const cli::Style& style) {
  std::string out;
  for (const Taught& one : done.taught) {
    out += (out.empty() ? "" : "\n") + verdict(one) + "\n";
    for (const std::string& file : one.files) out += "  rewrites " + printable(file) + "\n";
    if (one.record.empty() && !one.attempted.why.empty()) {
      out += "  " + printable(one.attempted.why) + "\n";
    }
    out += gate_table(one.attempted.gates, "", style);
    for (const std::string& excerpt : one.attempted.excerpts) {
      std::string lines;
      for (const std::string_view line : split(excerpt, '\n')) {
        lines += "    | " + printable(line) + "\n";
      }
      out += style.foreign(std::move(lines));
    }
  }
  if (done.taught.empty()) out = "Nothing to learn: the base has no copy of what was asked for\n";
  return out;
}

Value taught_json(const remediate::Remediation& done) {
  Value::Array lessons;
  for (const Taught& one : done.taught) {
    Value::Array gates;
    for (const report::Gate& gate : one.attempted.gates) {
      gates.push_back(Value::Object{
          {"signal", gate.signal}, {"passed", gate.passed}, {"weak", text_or_null(gate.weak)}});
    }
    Value::Array files;
    for (const std::string& file : one.files) files.emplace_back(file);
    Value::Array advisories;
    for (const std::string& id : one.about.advisories) advisories.emplace_back(id);
    lessons.push_back(
        Value::Object{{"advisories", std::move(advisories)},
                      {"package", one.about.package},
                      {"from", history::joined(one.about.versions)},
                      {"to", text_or_null(one.to)},
                      {"files", std::move(files)},
                      {"record", text_or_null(one.record)},
                      {"known", one.known},
                      {"why", text_or_null(one.record.empty() ? one.attempted.why : "")},
                      {"gates", std::move(gates)}});
  }
  return Value::Object{{"schema", "codegenie/rag-learn/v1"},
                       {"workflow", done.outcome.workflow},
                       {"lessons", std::move(lessons)},
                       {"exit", json::number(static_cast<std::uint64_t>(done.outcome.exit))}};
}

}  // namespace cg::program
