// codegenie verify
#include <algorithm>

#include "access.h"
#include "base/base/assert.h"
#include "base/base/text.h"
#include "commands.h"
#include "fetch/gitrepo/client.h"
#include "fetch/gitrepo/names.h"
#include "flow/history/origin.h"
#include "flow/scan/scan.h"
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

Value report_json(const BundleReport& v, const std::string& commit, ExitCode exit) {
  Value::Array breaks;
  for (const evidence::Break& b : v.breaks) {
    breaks.push_back(Value::Object{{"file", b.file}, {"what", b.what}});
  }
  const auto text = [](const std::string& t) { return t.empty() ? Value() : Value(t); };
  return Value::Object{{"schema", "codegenie/verify/v1"},
                       {"integrity", v.breaks.empty() ? "ok" : "broken"},
                       {"workflow", text(v.workflow)},
                       {"files", number(v.files)},
                       {"bytes", number(v.bytes)},
                       {"manifest", text(v.manifest)},
                       {"signer", text(v.signer)},
                       {"commit", text(commit)},
                       {"checked", lines(v.checked)},
                       {"unchecked", lines(v.unchecked)},
                       {"breaks", breaks},
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

/// A bundle, and the workflow of this workspace that it must be of; empty: of any.
struct Named {
  evidence::Files files;
  std::string workflow;
};

/// The workflow of this workspace that a path has the name of. A folder or archive that is
/// called like one, wherever it lies, must be its evidence.
std::string workflow_named(std::string path, const os::Dir& home) {
  constexpr std::string_view kArchive = ".tar.zst";
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (path.ends_with(kArchive)) path.resize(path.size() - kArchive.size());
  const std::string name = path.substr(path.rfind('/') + 1);
  const bool is_here = WorkflowId::parse(name) && home.stat(evidence::folder_of(name));
  return is_here ? name : "";
}

/// By its path, or by the workflow of this workspace that it belongs to.
Result<Named, Problem> read_named(const std::string& bundle, const Access* access) {
  auto files = evidence::read_bundle(bundle);
  if (files) {
    return Named{*std::move(files), access ? workflow_named(bundle, access->workspace.home) : ""};
  }
  if (access == nullptr || files.error().code != ErrorCode::evidence_missing) {
    return fail(files.error());
  }
  const auto workflow = evidence::find_workflow(access->workspace.home, bundle);
  if (!workflow) return fail(files.error());
  CG_TRY_ASSIGN(evidence::Files own, evidence::read_bundle(access->workspace.home, *workflow));
  return Named{std::move(own), workflow->str()};
}

/// Nothing where there is no workspace. One that cannot be used, or has lost its log, is no
/// reason to go without.
Result<std::optional<Access>, Problem> workspace_here(const Session& session) {
  constexpr std::size_t kMostNames = 1000;
  auto access = open_workspace(session);
  if (access) return std::optional(*std::move(access));
  if (access.error().code != ErrorCode::home_missing) return fail(access.error());
  CG_TRY_ASSIGN(const cli::Settings settings, session.settings());
  const auto folder = os::Dir::open(settings.get(cli::Key::home));
  const auto names =
      folder ? folder->list(".", kMostNames) : Result<std::vector<std::string>, os::Error>({});
  if (!names || !names->empty()) return fail(access.error());
  return std::optional<Access>();
}

Problem wrong_commit(const std::string& what, const std::string& repo, const std::string& commit) {
  return {ErrorCode::evidence_broken,
          "evidence does not hold: " + what,
          {{"repo", printable(repo)}, {"commit", commit}},
          "nothing that the commit says of itself can be relied on",
          {"codegenie workflow list"}};
}

/// From a commit to the plan that it names, to the event that names both, to the bundle.
Result<Named, Problem> read_behind(const std::string& repo, const std::string& ref,
                                   const Access& access, evidence::Trust& trust) {
  const auto program = gitrepo::find_program();
  if (!program) return fail(gitrepo::to_problem(program.error(), repo));
  CG_TRY_ASSIGN(const os::Dir folder, scan::open_repository(repo));
  const auto shown = gitrepo::Git(*program).show({folder.path(), ref});
  if (!shown) return fail(gitrepo::to_problem(shown.error(), repo));
  const std::string commit = shown->commit.hex();
  const auto plan = history::named_plan(shown->message);
  if (!plan) return fail(wrong_commit("the commit does not name one plan", repo, commit));
  CG_TRY_ASSIGN(const auto origins, history::origins_of(access, *plan));
  if (origins.empty()) {
    return fail(wrong_commit("the log knows no commit of the plan that is named", repo, commit));
  }
  const auto own = std::find_if(origins.begin(), origins.end(),
                                [&](const auto& origin) { return origin.commit == commit; });
  if (own == origins.end()) {
    return fail(wrong_commit("what was proven of this plan is commit " +
                                 printable(origins.front().commit) + ", which is another",
                             repo, commit));
  }
  trust.commit = {commit, gitrepo::object_of(*shown), shown->diff};
  const auto workflow = WorkflowId::parse(own->workflow);
  CG_ASSERT(workflow.has_value());  // read_workflows() takes no other
  CG_TRY_ASSIGN(evidence::Files files, evidence::read_bundle(access.workspace.home, *workflow));
  return Named{std::move(files), own->workflow};
}

Result<Named, Problem> read_asked(const cli::Invocation& invocation, const Access* access,
                                  evidence::Trust& trust) {
  const std::string& what = invocation.arguments.at(0);
  const auto repo = invocation.value("repo");
  return repo ? read_behind(*repo, what, *access, trust) : read_named(what, access);
}

Result<Report, Problem> run_verify(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(evidence::Trust trust, trust_of(invocation));
  CG_TRY_ASSIGN(const std::optional<Access> access, workspace_here(session));
  if (!access && invocation.has("repo")) return fail(open_workspace(session).error());
  CG_TRY_ASSIGN(const Named named, read_asked(invocation, access ? &*access : nullptr, trust));
  trust.workflow = named.workflow;
  if (access) {
    const std::string workflow = evidence::workflow_of(named.files);
    CG_TRY_ASSIGN(trust.log, read_witness(*access, workflow, invocation, session));
  }
  const BundleReport v = evidence::verify_bundle(named.files, trust);
  const auto problem = report_problem(v, invocation.arguments.at(0), invocation.has("strict"));
  const ExitCode exit = problem ? problem->exit() : ExitCode::ok;
  const std::string commit = trust.commit ? trust.commit->id : "";
  Report report = json_report(
      report_json(v, commit, exit), [v](const cli::Style& style) { return report_text(v, style); },
      exit);
  report.problem = problem;
  return report;
}

}  // namespace

Entry verify_command() {
  return {
      {.path = {"verify"},
       .group = cli::Group::everyday,
       .summary = "Check an evidence bundle, offline",
       .about =
           {"Reads a bundle, a folder or a .tar.zst, without a network. Every file is what the "
            "manifest says and none is added; the events are one chain, name the evidence and "
            "are in a log; every number and claim of the case follows from the events; the "
            "commit names the plan. Then it says what it could not check from what it was "
            "given.",
            "Where there is a workspace, the bundle is held against its audit log too, which "
            "is read and checked in full. A bundle of this log, or one that lies in the "
            "workspace, must be what the log says. Of a copy from elsewhere nobody can tell "
            "without --anchor or --allowed-signers whose log it is.",
            "With --repo the argument is a commit or branch: its message names a plan, the "
            "log names the commit that was proven of that plan, and the evidence of it must "
            "hold.",
            "--allowed-signers demands a signature of the manifest by one of its keys. "
            "--anchor demands that the log is the one of an anchor that you kept elsewhere."},
       .arguments = {{.name = "BUNDLE",
                      .help = "a folder, a .tar.zst or a workflow; with --repo a commit or branch",
                      .touch = cli::Touch::reads}},
       .flags = {{.name = "allowed-signers",
                  .value_name = "FILE",
                  .help = "whose signature counts, as for ssh-keygen"},
                 {.name = "anchor",
                  .value_name = "FILE",
                  .help = "an anchor of the log; its .sig is looked for beside it"},
                 {.name = "repo",
                  .value_name = "REPO_DIR",
                  .help = "check the evidence behind a commit of this repository"},
                 {.name = "strict", .help = "what cannot be checked is a failure too"}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
       .examples = {{"codegenie verify 01JCN4Q0000000000000000000.tar.zst", "is it whole?"},
                    {"codegenie verify bundle --allowed-signers signers --strict", "and by whom?"},
                    {"codegenie verify --repo shop codegenie/cve-2021-44906-minimist-1.2.6",
                     "was this branch proven?"}}},
      run_verify};
}

}  // namespace cg::program
