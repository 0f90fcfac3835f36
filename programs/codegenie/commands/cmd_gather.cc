// codegenie gather
#include "access.h"
#include "base/base/text.h"
#include "commands.h"
#include "flow/repository/context.h"
#include "flow/scan/scan.h"

namespace cg::program {

namespace {

std::string context_text(const repository::RepoContext& facts, const cli::Style& style) {
  std::vector<std::vector<cli::Cell>> rows;
  const auto row = [&](std::string what, std::string value) {
    rows.push_back({{std::move(what)}, {std::move(value)}});
  };
  row("manifests", std::to_string(facts.manifests.size()));
  for (const repository::PackageManager& manager : facts.managers) {
    row("manager", manager.name + (manager.version.empty() ? "" : " " + manager.version) + " (" +
                       manager.source + ")" +
                       (manager.folder.empty() ? "" : " in " + manager.folder));
  }
  for (const repository::LockFact& lock : facts.locks) {
    row("lockfile", lock.path + ", " + std::string(npm::name(lock.kind)) + " " + lock.lock_version +
                        ", " + counted(lock.packages, "package", "packages") +
                        (lock.authoritative ? "" : ", stray"));
    row("", "graph " + blake3_name(lock.graph));
  }
  for (const repository::Script& script : facts.scripts) {
    row("script",
        std::string(name(script.purpose)) + ": " + script.name + " (" + script.manifest + ")");
  }
  for (const std::string& path : facts.tsconfigs) row("tsconfig", path);
  for (const repository::DockerFact& docker : facts.dockerfiles) {
    for (const repository::Stage& stage : docker.file.stages) {
      if (!stage.base)
        row("image", stage.image + " (" + docker.path + ":" + std::to_string(stage.line) + ")");
    }
  }
  if (!facts.git.commit.empty()) row("git", facts.git.commit + " " + facts.git.ref);
  for (const repository::LanguageShare& share : facts.languages) {
    row("language", std::string(share.language) + ", " + counted(share.files, "file", "files"));
  }
  if (!facts.disagreements.empty()) {
    row("disagreements", std::to_string(facts.disagreements.size()));
  }
  for (const repository::FileError& error : facts.errors)
    row("broken", repository::describe(error));
  return cli::layout({{}, {.max_width = 100}}, rows, style);
}

Result<Report, Problem> run_gather(const cli::Invocation& invocation, Session&) {
  CG_TRY_ASSIGN(const os::Dir repo, scan::open_repository(invocation.argument(0).value_or(".")));
  const repository::RepoContext facts = repository::gather(repo);
  Report report = json_report(repository::to_json(facts), [facts](const cli::Style& style) {
    return context_text(facts, style);
  });
  if (!facts.errors.empty()) {
    report.exit = ExitCode::usage;
    report.problem = Problem{ErrorCode::repo_file,
                             "a file of the repository cannot be used",
                             {{"file", repository::describe(facts.errors.front())}},
                             "the context is not complete",
                             {}};
  }
  return report;
}

}  // namespace

Entry gather_command() {
  return {
      {.path = {"gather"},
       .group = cli::Group::data,
       .summary = "Record the facts of a repository (no network, no model)",
       .about = {"What later stages ask for, as one value: manifests, package manager and "
                 "version, lockfiles with the digest of their graph, scripts for test, build and "
                 "type check, tsconfig files, base images of Dockerfiles, the git head and the "
                 "mix of languages. Nothing is run and no symbolic link is followed."},
       .arguments = {{.name = "REPO_DIR",
                      .help = "the repository; the current folder if none is given",
                      .presence = cli::Presence::optional}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage},
       .examples = {{"codegenie gather shop --json -o json=context.json", "keep it"}}},
      run_gather};
}

}  // namespace cg::program
