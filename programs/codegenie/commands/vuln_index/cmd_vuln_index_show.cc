// codegenie vuln-index show
#include "base/base/text.h"
#include "base/json/json.h"
#include "commands.h"
#include "flow/scan/index.h"
#include "trust/hash/sha256.h"
#include "vuln/advisory/osv.h"

namespace cg::program {

namespace {

struct Shown {
  advisory::Brief brief;
  std::vector<vulnindex::Record> records;
  std::vector<std::string> packages;
};

std::string details_of(const Shown& shown) {
  for (const vulnindex::Record& record : shown.records) {
    const auto parsed = advisory::parse_osv(record.text);
    const auto* advisory = parsed ? std::get_if<advisory::Advisory>(&*parsed) : nullptr;
    if (advisory != nullptr && !advisory->details.empty()) return advisory->details;
  }
  return "";
}

std::string shown_text(const Shown& shown, const cli::Style& style) {
  const advisory::Brief& brief = shown.brief;
  std::string out = style.paint(cli::Role::heading, printable(brief.id));
  for (const std::string& alias : brief.aliases) out += "  " + printable(alias);
  out += "\n" + printable(brief.summary) + "\n\n";
  std::vector<std::vector<cli::Cell>> rows;
  std::string level = brief.malware ? "malware" : std::string(name(brief.severity.level));
  if (brief.severity.tenths) {
    level += " " + std::to_string(*brief.severity.tenths / 10) + "." +
             std::to_string(*brief.severity.tenths % 10) + "  " + brief.severity.vector;
  }
  rows.push_back({{"Severity"}, {level}});
  for (const std::string& package : shown.packages) rows.push_back({{"Package"}, {package}});
  rows.push_back({{"Modified"}, {brief.modified}});
  if (brief.exploited)
    rows.push_back({{"Exploited"}, {"known to be, says CISA", cli::Role::error}});
  for (const std::string& cwe : brief.cwes) rows.push_back({{"Weakness"}, {cwe}});
  for (const std::string& url : brief.references) rows.push_back({{"Reference"}, {url}});
  for (const vulnindex::Record& record : shown.records) {
    rows.push_back({{"Record"},
                    {record.source + " " + record.id + ", sha256 " +
                     to_hex(hash::sha256(as_bytes(record.text)))}});
  }
  out += cli::layout({{}, {}}, rows, style);
  const std::string details = details_of(shown);
  if (details.empty()) return out;
  out += "\nQuoted from the record, untrusted:\n";
  std::string lines;
  for (const std::string_view line : split(details, '\n')) lines += "  " + printable(line) + "\n";
  return out + style.foreign(std::move(lines));
}

json::Value shown_json(const Shown& shown) {
  json::Value::Array records;
  for (const vulnindex::Record& record : shown.records) {
    auto parsed = json::parse_json(record.text, {.max_bytes = record.text.size()});
    records.push_back(json::Value::Object{{"source", record.source},
                                          {"id", record.id},
                                          {"sha256", to_hex(hash::sha256(as_bytes(record.text)))},
                                          {"record", parsed ? *std::move(parsed) : json::Value()}});
  }
  json::Value::Array packages;
  for (const std::string& package : shown.packages) packages.emplace_back(package);
  return json::Value::Object{{"schema", "codegenie/vuln-index-advisory/v1"},
                             {"id", shown.brief.id},
                             {"severity", name(shown.brief.severity.level)},
                             {"malware", shown.brief.malware},
                             {"packages", std::move(packages)},
                             {"records", std::move(records)}};
}

Result<Report, Problem> run_show(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(vulnindex::Index index, scan::open_any_index(access));
  CG_TRY_ASSIGN(const std::string group, scan::find_group(index, invocation.arguments.at(0)));
  auto brief = index.brief(group);
  auto records = index.records(group);
  auto packages = index.packages_of(group);
  if (!brief) return fail(scan::problem_of(brief.error()));
  if (!records) return fail(scan::problem_of(records.error()));
  if (!packages) return fail(scan::problem_of(packages.error()));
  Shown shown{brief->value_or(advisory::Brief{}), *std::move(records), *std::move(packages)};
  json::Value json = shown_json(shown);
  return json_report(std::move(json), [shown = std::move(shown)](const cli::Style& style) {
    return shown_text(shown, style);
  });
}

}  // namespace

Entry vuln_index_show_command() {
  return {{.path = {"vuln-index", "show"},
           .summary = "Show one advisory and its records",
           .arguments = {{.name = "ID", .help = "a GHSA, CVE, MAL or other id of the advisory"}},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::not_applicable, ExitCode::integrity,
                     ExitCode::guard, ExitCode::stale_data},
           .examples = {{"codegenie vuln-index show CVE-2021-44906", "what is it about?"}}},
          run_show};
}

}  // namespace cg::program
