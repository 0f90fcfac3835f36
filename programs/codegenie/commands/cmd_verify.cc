// codegenie verify
#include "access.h"
#include "base/base/text.h"
#include "commands.h"
#include "prove/evidence/bundle.h"
#include "prove/evidence/verify.h"
#include "text/audit_text.h"
#include "trust/audit/layout.h"

namespace cg::program {

namespace {

using evidence::BundleReport;
using json::Value;

Result<evidence::Trust, Problem> trust_of(const cli::Invocation& invocation) {
  evidence::Trust trust;
  if (const auto file = invocation.value("allowed-signers")) {
    CG_TRY_ASSIGN(const std::string text, read_user_file(*file, audit::kMaxSmallFile));
    auto signers = sign::parse_allowed_signers(text);
    if (!signers) {
      return fail(Problem{ErrorCode::sign_allowed,
                          "allowed_signers cannot be used: " + signers.error().what,
                          {{"file", printable(*file) + ":" + std::to_string(signers.error().line)}},
                          "no signature was accepted",
                          {"mend the line; its form is that of ssh-keygen(1), ALLOWED SIGNERS"}});
    }
    trust.signers = *std::move(signers);
  }
  if (const auto file = invocation.value("anchor")) {
    CG_TRY_ASSIGN(trust.anchor, read_user_file(*file, audit::kMaxSmallFile));
    // An anchor without a signature still tells the key of the log.
    if (auto signature = read_user_file(*file + ".sig", audit::kMaxSmallFile)) {
      trust.anchor_signature = *std::move(signature);
    }
  }
  return trust;
}

std::optional<Problem> report_problem(const BundleReport& v, const std::string& bundle,
                                      bool strict) {
  if (!v.breaks.empty()) {
    const evidence::Break& first = v.breaks.front();
    return Problem{ErrorCode::evidence_broken,
                   "evidence does not hold: " + first.file + " " + first.what,
                   {{"bundle", printable(bundle)}, {"file", first.file}},
                   "nothing in the bundle can be relied on",
                   {"take the bundle again from where it was written"}};
  }
  if (!strict || v.unchecked.empty()) return std::nullopt;
  return Problem{ErrorCode::evidence_unproven,
                 "not checked: " + v.unchecked.front(),
                 {{"bundle", printable(bundle)}},
                 "nothing was changed",
                 {"codegenie verify BUNDLE --allowed-signers FILE --anchor FILE"}};
}

Value lines(const std::vector<std::string>& texts) {
  Value::Array out;
  for (const std::string& text : texts) out.emplace_back(text);
  return out;
}

Value report_json(const BundleReport& v, ExitCode exit) {
  Value::Array breaks;
  for (const evidence::Break& b : v.breaks) {
    breaks.push_back(Value::Object{{"file", b.file}, {"what", b.what}});
  }
  const auto text = [](const std::string& t) { return t.empty() ? Value() : Value(t); };
  return Value::Object{
      {"schema", "codegenie/verify/v1"}, {"integrity", v.breaks.empty() ? "ok" : "broken"},
      {"workflow", text(v.workflow)},    {"files", number(v.files)},
      {"bytes", number(v.bytes)},        {"manifest", text(v.manifest)},
      {"signer", text(v.signer)},        {"checked", lines(v.checked)},
      {"unchecked", lines(v.unchecked)}, {"breaks", breaks},
      {"exit", static_cast<int>(exit)}};
}

std::string report_text(const BundleReport& v, const cli::Style& style) {
  std::string out;
  const auto say = [&](cli::Glyph glyph, const std::string& line) {
    out += "  " + std::string(style.glyph(glyph)) + " " + style.words(line) + "\n";
  };
  for (const std::string& line : v.checked) say(cli::Glyph::ok, line);
  for (const evidence::Break& b : v.breaks) say(cli::Glyph::fail, b.file + " " + b.what);
  for (const std::string& line : v.unchecked) say(cli::Glyph::warn, "not checked: " + line);
  if (!v.breaks.empty()) return out + "Evidence broken\n";
  out += "Evidence of " + v.workflow + " intact\n";
  return out + (v.unchecked.empty()
                    ? "Everything was checked\n"
                    : counted(v.unchecked.size(), "thing was", "things were") + " not checked\n");
}

/// A bundle by its path, or by the workflow of this workspace that it belongs to.
Result<evidence::Files, Problem> files_of(const std::string& bundle, const Session& session) {
  auto files = evidence::read_bundle(bundle);
  if (files || files.error().code != ErrorCode::evidence_missing) return files;
  const auto access = open_workspace(session);
  if (!access) return files;
  const auto workflow = evidence::find_workflow(access->workspace.home, bundle);
  return workflow ? evidence::read_bundle(access->workspace.home, *workflow) : std::move(files);
}

Result<Report, Problem> run_verify(const cli::Invocation& invocation, Session& session) {
  const std::string& bundle = invocation.arguments.at(0);
  CG_TRY_ASSIGN(const evidence::Trust trust, trust_of(invocation));
  CG_TRY_ASSIGN(const evidence::Files files, files_of(bundle, session));
  const BundleReport v = evidence::verify_bundle(files, trust);
  const auto problem = report_problem(v, bundle, invocation.has("strict"));
  const ExitCode exit = problem ? problem->exit() : ExitCode::ok;
  Report report = json_report(
      report_json(v, exit), [v](const cli::Style& style) { return report_text(v, style); }, exit);
  report.problem = problem;
  return report;
}

}  // namespace

Entry verify_command() {
  return {
      {.path = {"verify"},
       .group = cli::Group::everyday,
       .summary = "Check an evidence bundle, offline",
       .about = {"Reads a bundle, a folder or a .tar.zst, and nothing else: no workspace, no "
                 "network. Every file is what the manifest says and none is added; the events are "
                 "one chain, name the evidence and are in the log; the commit names the plan. Then "
                 "it says what it could not check from what it was given.",
                 "--allowed-signers demands a signature of the manifest by one of its keys. "
                 "--anchor demands that the log is the one of an anchor that you kept elsewhere."},
       .arguments = {{.name = "BUNDLE",
                      .help = "a folder or a .tar.zst",
                      .touch = cli::Touch::reads}},
       .flags = {{.name = "allowed-signers",
                  .value_name = "FILE",
                  .help = "whose signature counts, as for ssh-keygen"},
                 {.name = "anchor",
                  .value_name = "FILE",
                  .help = "an anchor of the log; its .sig is looked for beside it"},
                 {.name = "strict", .help = "what cannot be checked is a failure too"}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity},
       .examples = {{"codegenie verify 01JCN4Q0000000000000000000.tar.zst", "is it whole?"},
                    {"codegenie verify bundle --allowed-signers signers --strict",
                     "and by whom?"}}},
      run_verify};
}

}  // namespace cg::program
