// codegenie report
#include "access.h"
#include "base/base/assert.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "commands.h"
#include "fix/report/report.h"
#include "flow/cli/tokens.h"
#include "prove/evidence/bundle.h"

namespace cg::program {

namespace {

using cli::Format;

constexpr std::size_t kMostBytes = 1'000'000;

Result<std::size_t, Problem> max_bytes(const cli::Invocation& invocation) {
  const auto text = invocation.value("max-bytes");
  if (!text) return report::kPrBodyBytes;
  const auto bytes = parse_u64(*text);
  if (!bytes || *bytes < report::kMinPrBodyBytes || *bytes > kMostBytes) {
    return fail(bad_value("--max-bytes takes a number from " + grouped(report::kMinPrBodyBytes) +
                              " to " + grouped(kMostBytes),
                          "codegenie report --help"));
  }
  return static_cast<std::size_t>(*bytes);
}

/// The case, or what it says of the branch that was asked for.
Result<report::Case, Problem> narrowed(report::Case c, const cli::Invocation& invocation) {
  const auto name = invocation.value("branch");
  if (!name) return c;
  for (const report::Branch& branch : c.branches) {
    if (branch.name == *name) return report::only_branch(c, branch);
  }
  Problem problem = bad_value("the workflow has no branch " + cli::shown(*name),
                              "codegenie workflow show " + c.workflow);
  for (const report::Branch& branch : c.branches) {
    problem.where.emplace_back("branch", printable(branch.name));
  }
  return fail(std::move(problem));
}

/// Files of the bundle are of the whole workflow.
Result<Done, Problem> check_formats(const cli::Invocation& invocation) {
  if (!invocation.value("branch")) return Done{};
  std::vector<Format> formats = {invocation.format};
  for (const cli::Output& output : invocation.outputs) formats.push_back(output.format);
  for (const Format format : formats) {
    if (format == Format::json || format == Format::sarif || format == Format::openvex ||
        format == Format::cyclonedx) {
      return fail(bad_value("--branch goes with markdown, html, pr-body and commit-message",
                            "codegenie report --help"));
    }
  }
  return Done{};
}

std::string render(const report::Case& c, const evidence::Files& files, std::size_t max,
                   Format format) {
  switch (format) {
    case Format::html:
      return report::html(c);
    case Format::json:
      return files.at("case.json");
    case Format::sarif:
      return files.at("scan/results.sarif");
    case Format::openvex:
      return files.at("vex/openvex.json");
    case Format::cyclonedx:
      return files.at("sbom/after.cdx.json");
    case Format::pr_body:
      return report::pr_body(c, max);
    case Format::commit_message: {
      std::string out;
      for (const report::Branch& branch : c.branches) {
        out += (out.empty() ? "" : "\n") + report::commit_message(c, branch);
      }
      return out.empty() ? report::commit_message(c) : out;
    }
    case Format::markdown:
    case Format::table:
    case Format::jsonl:
    case Format::gh_annotations:
      break;
  }
  return report::markdown(c);
}

Result<Report, Problem> run_report(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(const std::size_t max, max_bytes(invocation));
  CG_TRY(check_formats(invocation));
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  const os::Dir& home = access.workspace.home;
  CG_TRY_ASSIGN(const WorkflowId workflow,
                evidence::find_workflow(home, invocation.arguments.at(0)));
  CG_TRY_ASSIGN(evidence::Files files, sound_evidence(access, workflow, invocation, session));
  auto c = report::from_json(files.at("case.json"));
  CG_ASSERT(c.has_value());  // verifying has read it
  CG_TRY_ASSIGN(report::Case asked, narrowed(*std::move(c), invocation));
  Report out;
  out.render = [c = std::move(asked), files = std::move(files), max](
                   Format format, const cli::Style&) { return render(c, files, max, format); };
  return out;
}

}  // namespace

Entry report_command() {
  return {
      {.path = {"report"},
       .group = cli::Group::everyday,
       .summary = "Render the evidence of a workflow",
       .about = {"Reads the evidence that a workflow left in the workspace, checks it and holds it "
                 "against the audit log, and writes it for those who decide: the text of a pull "
                 "request, a page, a commit message, or what other tools read. Text from "
                 "advisories and packages is quoted without effect."},
       .arguments = {{.name = "WORKFLOW",
                      .help = "an id, the first 7 or more characters of one, or latest"}},
       .flags = {{.name = "branch",
                  .value_name = "NAME",
                  .help = "only what is on this branch of the workflow"},
                 {.name = "max-bytes",
                  .value_name = "N",
                  .help = "the most that pr-body may have (60000)"}},
       .formats = {Format::markdown, Format::html, Format::json, Format::sarif, Format::openvex,
                   Format::cyclonedx, Format::pr_body, Format::commit_message},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
       .examples = {{"codegenie report latest", "what the last workflow did"},
                    {"codegenie report 01JCN4Q --format pr-body", "the text of a pull request"},
                    {"codegenie report latest --format pr-body --branch codegenie/cve-2021-44906",
                     "of one branch among several"},
                    {"codegenie report latest -o html=report.html -q", "a page"}}},
      run_report};
}

}  // namespace cg::program
