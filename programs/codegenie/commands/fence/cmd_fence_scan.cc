// codegenie fence scan
#include <memory>
#include <set>

#include "access.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "base/os/ports.h"
#include "commands.h"
#include "commands/fence/payloads.h"
#include "model/canary/scan.h"
#include "model/prompt/fence.h"

namespace cg::program {

namespace {

using cli::Format;
using json::Value;

constexpr const char* kScanUse = "codegenie fence scan --help";

struct Judged {
  std::string id;
  SourceKind kind;
  prompt::Fenced fenced;
};

Value to_json(const Judged& one) {
  std::set<std::string_view> ids;
  Value::Array spans;
  for (const canary::Hit& hit : one.fenced.scan.hits) {
    ids.insert(hit.pattern);
    spans.push_back(Value::Array{number(hit.span.begin), number(hit.span.end)});
  }
  Value::Array patterns(ids.begin(), ids.end());
  const std::string content(one.fenced.segment.content());
  return Value::Object{{"id", one.id},
                       {"source_kind", name(one.kind)},
                       {"collided", one.fenced.scan.collided()},
                       {"patterns", std::move(patterns)},
                       {"spans", std::move(spans)},
                       {"truncated", one.fenced.truncated},
                       {"fenced_bytes", number(content.size())},
                       {"content", content}};
}

std::string table_text(const std::vector<Judged>& all, const cli::Style& style) {
  std::vector<std::vector<cli::Cell>> rows;
  for (const Judged& one : all) {
    const bool hit = one.fenced.scan.collided();
    std::string where;
    for (const canary::Hit& found : one.fenced.scan.hits) {
      if (!where.empty()) where += ", ";
      where += std::string(found.pattern) + " at byte " + std::to_string(found.span.begin);
      if (found.form != "given") where += " (" + std::string(found.form) + ")";
    }
    rows.push_back({{std::string(style.glyph(hit ? cli::Glyph::warn : cli::Glyph::ok)),
                     hit ? cli::Role::warning : cli::Role::good},
                    {printable(one.id)},
                    {hit ? where : "no order to its reader was found"},
                    {std::to_string(one.fenced.segment.content().size()) + " bytes fenced" +
                     (one.fenced.truncated ? ", cut" : "")}});
  }
  return cli::layout({{}, {}, {.max_width = 100}, {}}, rows, style, 0);
}

Result<Report, Problem> run_fence_scan(const cli::Invocation& invocation, Session&) {
  const auto kind = parse_source_kind(invocation.value("source-kind").value_or("cve_description"));
  if (!kind) return fail(bad_value("no such kind of source", "codegenie fence scan --help"));
  CG_TRY_ASSIGN(std::string input, read_input(invocation.argument(0).value_or(""), kScanUse));
  std::vector<Payload> payloads;
  if (invocation.format == Format::jsonl) {
    CG_TRY_ASSIGN(payloads, parse_payloads(input, kScanUse));
  } else {
    payloads.push_back({"", std::move(input)});
  }
  auto judged = std::make_shared<std::vector<Judged>>();
  os::SystemRandom random;
  for (const Payload& payload : payloads) {
    judged->push_back(
        {payload.id, *kind,
         prompt::fence(payload.text, *kind, prompt::Nonce::from(random.bytes<16>()))});
  }
  Report report;
  report.render = [judged](Format format, const cli::Style& style) {
    if (format == Format::table) return table_text(*judged, style);
    std::string out;
    for (const Judged& one : *judged) out += json::write_json(to_json(one)) + "\n";
    return out;
  };
  return report;
}

}  // namespace

Entry fence_scan_command() {
  return {
      {.path = {"fence", "scan"},
       .summary = "Show what the fence makes of a text",
       .about =
           {"Reads a text from a file or from standard input and shows what would become of it on "
            "its way into a prompt: whether it gives orders to its reader, by which patterns and "
            "where, what is left of it, and whether it was cut.",
            "A KIND is cve_description, repo_readme, transitive_dep_meta, source_snippet, "
            "sandbox_stderr, rag_retrieved, prior_attempt_summary, package_api, package_docs or "
            "prior_diff. It decides which patterns apply and how long a text may be.",
            "With --format jsonl the input is JSON Lines, each with `text` and perhaps `id`, and "
            "the output has a line for each.",
            "The list of patterns can never be complete. What is not found is fenced all the same, "
            "and a model can only answer with a plan that is checked."},
       .arguments = {{.name = "FILE",
                      .help = "the text; standard input without it",
                      .presence = cli::Presence::optional}},
       .flags = {{.name = "source-kind",
                  .value_name = "KIND",
                  .help = "where the text would come from; cve_description by default"}},
       .formats = {Format::table, Format::json, Format::jsonl},
       .exits = {ExitCode::ok, ExitCode::usage},
       .examples = {{"codegenie fence scan README.md --source-kind repo_readme", "one text"},
                    {"codegenie fence scan texts.jsonl --format jsonl", "many"}}},
      run_fence_scan};
}

}  // namespace cg::program
