#include "remediation/branches.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/base/assert.h"
#include "fetch/gitrepo/names.h"
#include "fix/report/report.h"
#include "trust/audit/anchor.h"
#include "trust/sign/sshsig.h"

namespace cg::program {

namespace {

const gitrepo::Person kAuthor{"codegenie", "codegenie@localhost"};

/// Sets of steps that grow together.
class Sets {
 public:
  explicit Sets(std::size_t size) : above_(size) { std::iota(above_.begin(), above_.end(), 0U); }
  std::size_t find(std::size_t i) {
    while (above_[i] != i) i = above_[i] = above_[above_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    above_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> above_;
};

Result<std::string, Problem> signature_for(const std::string& how, const std::string& text) {
  if (how.empty()) return std::string();
  if (!how.starts_with("ssh:")) {
    return fail(bad_value("--sign takes ssh:KEYFILE", "codegenie remediate --help"));
  }
  CG_TRY_ASSIGN(const sign::Seed seed, audit::read_signing_key(how.substr(4)));
  return sign::ssh_sign(seed, "git", text);
}

/// The bytes that git names the commit after: the signature is the last of its headers.
std::string object_of(const gitrepo::Shown& shown) {
  const std::size_t end = shown.text.find("\n\n");
  if (shown.signature.empty() || end == std::string::npos) return shown.text;
  std::string header = "gpgsig ";
  for (const char c : shown.signature) {
    header += c;
    if (c == '\n') header += ' ';
  }
  return shown.text.substr(0, end + 1) + header + shown.text.substr(end);
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

std::vector<std::vector<std::size_t>> group_steps(const std::vector<report::Step>& steps,
                                                  Grouping grouping) {
  Sets sets(steps.size());
  std::map<std::string, std::size_t> first;
  const auto link = [&](const std::string& key, std::size_t i) {
    const auto [at, is_new] = first.emplace(key, i);
    if (!is_new) sets.join(at->second, i);
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (grouping == Grouping::one) link("", i);
    link("package " + steps[i].package, i);
    for (const std::string& touched : steps[i].touched) link(steps[i].lockfile + " " + touched, i);
  }
  std::map<std::size_t, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < steps.size(); ++i) groups[sets.find(i)].push_back(i + 1);
  std::vector<std::vector<std::size_t>> out;
  for (auto& [root, members] : groups) out.push_back(std::move(members));
  return out;
}

std::string name_branch(const report::Case& c, const std::vector<std::size_t>& steps,
                        const std::string& prefix) {
  const report::Copy* worst = nullptr;
  const auto rank = [](const report::Copy& copy) {
    return copy.level == advisory::Level::unknown ? 0 : static_cast<int>(copy.level);
  };
  for (const report::Copy& copy : c.copies) {
    if (std::find(steps.begin(), steps.end(), copy.step) == steps.end()) continue;
    if (worst == nullptr || rank(copy) > rank(*worst)) worst = &copy;
  }
  if (worst == nullptr) {
    const report::Step& step = c.steps[steps.front() - 1];
    return gitrepo::branch_name(prefix, "fix", step.package, step.to.empty() ? "removed" : step.to);
  }
  return gitrepo::branch_name(prefix, report::label(c, worst->advisory), worst->package,
                              worst->to.empty() ? "removed" : worst->to);
}

Result<gitrepo::Prepared, Problem> prepare_commit(const Checkout& checkout,
                                                  const EditedFiles& files,
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

Result<gitrepo::Written::Outcome, Problem> write_branch(
    const Writing& writing, const report::Case& one, report::Branch& branch,
    const EditedFiles& files, std::vector<gate::Passed> proof,
    std::vector<evidence::Commit>& commits, record::Events& events) {
  CG_ASSERT(!proof.empty());  // the types say of what; this, that there is some
  CG_TRY_ASSIGN(const gitrepo::Prepared prepared,
                prepare_commit(writing.checkout, files, report::commit_message(one, branch)));
  CG_TRY_ASSIGN(const std::string signature, signature_for(writing.request.sign, prepared.text));
  const plugin::GitScope& scope = writing.right.use("write " + branch.name, events);
  gitrepo::Git git(*gitrepo::find_program());
  const auto written = git.write_branch({scope.repo, prepared.text, prepared.objects, signature,
                                         branch.name, scope.branch_namespace});
  if (!written) return fail(gitrepo::to_problem(written.error(), writing.request.repo));
  branch.commit = written->commit.hex();
  // What git has: of a branch that was found, the commit of the earlier run.
  const auto shown = git.show({scope.repo, branch.commit});
  commits.push_back({shown ? object_of(*shown) : prepared.text, prepared.diff});
  events.emplace_back(
      record::BranchWritten{branch.name, branch.commit, std::string(state_name(written->outcome))});
  return written->outcome;
}

}  // namespace cg::program
