#include "flow/remediate/branches.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/base/text.h"
#include "fetch/gitrepo/names.h"
#include "fix/report/report.h"
#include "trust/audit/anchor.h"
#include "trust/sign/sshsig.h"

namespace cg::remediate {

namespace {

const gitrepo::Person kAuthor{"codegenie", "codegenie@localhost"};

Result<std::string, Problem> signature_for(const std::string& how, const std::string& text) {
  if (how.empty()) return std::string();
  if (!how.starts_with("ssh:")) {
    return fail(bad_value("--sign takes ssh:KEYFILE", "codegenie remediate --help"));
  }
  CG_TRY_ASSIGN(const sign::Seed seed, audit::read_signing_key(how.substr(4)));
  return sign::ssh_sign(seed, "git", text);
}

/// Lines that one text has and the other has not, however they are ordered.
report::FileChange change_of(const std::string& path, std::string_view before,
                             std::string_view after) {
  std::map<std::string_view, std::int64_t> lines;
  for (const std::string_view line : split(before, '\n')) --lines[line];
  for (const std::string_view line : split(after, '\n')) ++lines[line];
  report::FileChange out{path};
  for (const auto& [line, count] : lines) {
    if (count > 0) out.added += static_cast<std::uint64_t>(count);
    if (count < 0) out.removed += static_cast<std::uint64_t>(-count);
  }
  return out;
}

constexpr std::size_t kDigestDigits = 12;

/// Several packages, all of them inside the ranges of who needs them.
bool is_in_range(const report::Case& c, const std::vector<std::size_t>& fixes) {
  std::set<std::string_view> packages;
  for (const std::size_t number : fixes) {
    const report::Fix& fix = c.fixes[number - 1];
    if (fix.strategy != plan::Strategy::relock) return false;
    packages.insert(fix.package);
  }
  return packages.size() > 1;
}

std::string_view state_name(gitrepo::Written::Outcome outcome) {
  switch (outcome) {
    case gitrepo::Written::Outcome::created:
      return "created";
    case gitrepo::Written::Outcome::found:
      return "found";
    case gitrepo::Written::Outcome::replaced:
      break;
  }
  return "replaced";
}

}  // namespace

std::string name_branch(const report::Case& c, const std::vector<std::size_t>& fixes,
                        job::Grouping grouping, const std::string& prefix) {
  if (grouping == job::Grouping::safe && is_in_range(c, fixes)) {
    const std::string digest = report::plan_digest(c, {.name = "", .commit = "", .fixes = fixes});
    return prefix + "in-range-" + digest.substr(digest.find(':') + 1, kDigestDigits);
  }
  const report::Copy* worst = nullptr;
  const auto rank = [](const report::Copy& copy) {
    return copy.level == advisory::Level::unknown ? 0 : static_cast<int>(copy.level);
  };
  for (const report::Copy& copy : c.copies) {
    if (std::find(fixes.begin(), fixes.end(), copy.fix) == fixes.end()) continue;
    if (worst == nullptr || rank(copy) > rank(*worst)) worst = &copy;
  }
  if (worst == nullptr) {
    const report::Fix& fix = c.fixes[fixes.front() - 1];
    return gitrepo::branch_name(prefix, "fix", fix.package, fix.to.empty() ? "removed" : fix.to);
  }
  return gitrepo::branch_name(prefix, report::label(c, worst->advisory), worst->package,
                              worst->to.empty() ? "removed" : worst->to);
}

Authors authors_of(const propose::Candidate& candidate) {
  Authors out;
  const auto by = candidate.example.empty() ? report::Author::model : report::Author::example;
  for (const auto& [path, text] : candidate.rewritten) out[path] = by;
  return out;
}

Result<gitrepo::Prepared, Problem> prepare_commit(const job::Checkout& checkout,
                                                  const job::EditedFiles& files,
                                                  const std::string& message) {
  const gitrepo::Inspection& at = checkout.git();
  gitrepo::PrepareOrder order{checkout.repository(), at.base, {}, message, kAuthor, kAuthor,
                              at.committed,          0};
  for (const auto& [path, bytes] : files) order.changes.push_back({checkout.in_git(path), bytes});
  gitrepo::Git git(*gitrepo::find_program());
  auto prepared = git.prepare_commit(order);
  if (!prepared) return fail(gitrepo::to_problem(prepared.error(), checkout.repository()));
  return *std::move(prepared);
}

Result<Difference, Problem> difference(const job::Checkout& checkout, const job::EditedFiles& files,
                                       const Authors& authors) {
  Difference out;
  if (files.empty()) return out;
  std::map<std::string, const gitrepo::LineCount*> by_path;
  gitrepo::Prepared prepared;
  if (checkout.has_git()) {
    CG_TRY_ASSIGN(prepared, prepare_commit(checkout, files, "preview\n"));
    for (const gitrepo::LineCount& count : prepared.counts) by_path[count.path] = &count;
  }
  for (const auto& [path, bytes] : files) {
    report::FileChange change{path};
    if (!checkout.has_git()) {
      const auto old = checkout.files().read(path, 64U << 20U);
      change = change_of(path, old ? *old : std::string(), bytes);
    } else if (const auto* count = by_path[checkout.in_git(path)]) {
      change = {path, count->added, count->removed};
    } else {
      continue;  // git sees no difference
    }
    if (const auto by = authors.find(path); by != authors.end()) change.author = by->second;
    out.changes.push_back(std::move(change));
  }
  out.diff = std::move(prepared.diff);
  return out;
}

namespace {

Result<WrittenBranch, Problem> write_commit(const BranchOrder& order,
                                            const plugin::GitScope& scope) {
  report::Branch branch = order.one.branches.front();
  CG_TRY_ASSIGN(Difference made, difference(order.checkout, order.files, order.authors));
  branch.changes = std::move(made.changes);
  CG_TRY_ASSIGN(
      const gitrepo::Prepared prepared,
      prepare_commit(order.checkout, order.files, report::commit_message(order.one, branch)));
  CG_TRY_ASSIGN(const std::string signature, signature_for(order.request.sign, prepared.text));
  gitrepo::Git git(*gitrepo::find_program());
  const auto written = git.write_branch({scope.repo, prepared.text, prepared.objects, signature,
                                         branch.name, scope.branch_namespace});
  if (!written) return fail(gitrepo::to_problem(written.error(), order.request.repo));
  branch.commit = written->commit.hex();
  // What git has: of a branch that was found, the commit of the earlier run.
  const auto shown = git.show({scope.repo, branch.commit});
  return WrittenBranch{std::move(branch),
                       written->outcome,
                       {shown ? gitrepo::object_of(*shown) : prepared.text, prepared.diff}};
}

}  // namespace

Result<WrittenBranch, Problem> write_branch(const BranchOrder& order, Proven proof,
                                            const plugin::GitLocalOps& right,
                                            record::Events& events) {
  const plugin::GitScope& scope = right.use("write " + order.one.branches.front().name, events);
  CG_TRY_ASSIGN(WrittenBranch out, write_commit(order, scope));
  events.emplace_back(record::BranchWritten{out.branch.name, out.branch.commit,
                                            std::string(state_name(out.outcome))});
  out.proof = std::move(proof).spend();
  return out;
}

Result<WrittenBranch, Problem> write_branch(const BranchOrder& order, const Unproven& why,
                                            const plugin::GitUnprovenOps& right,
                                            record::Events& events) {
  static_cast<void>(why);  // that there is one is what it takes
  const plugin::GitScope& scope = right.use("write " + order.one.branches.front().name, events);
  CG_TRY_ASSIGN(WrittenBranch out, write_commit(order, scope));
  events.emplace_back(record::UnprovenWritten{out.branch.name, out.branch.commit,
                                              std::string(state_name(out.outcome))});
  return out;
}

}  // namespace cg::remediate
