#include "flow/propose/overrun.h"

#include <algorithm>

#include "base/base/text.h"
#include "base/yaml/yaml.h"
#include "flow/history/workflows.h"
#include "trust/hash/sha256.h"
#include "trust/sign/allowed_signers.h"
#include "trust/sign/sshsig.h"

namespace cg::propose {

namespace {

constexpr std::size_t kMaxStatement = 4096;
constexpr std::size_t kMaxSigners = 1U << 20U;
constexpr std::int64_t kMaxTokens = 100'000'000;

Problem refused(const std::string& file, std::string what) {
  return {ErrorCode::model_overrun,
          std::move(what),
          {{"file", file}},
          "no model was asked",
          {"codegenie explain CG-MODEL-003"}};
}

struct Statement {
  std::string repo;
  std::uint64_t tokens = 0;
  Money usd;
  Time expires;
};

/// Every key, no other.
Result<Statement, std::string> parse_statement(std::string_view text) {
  const auto document = yaml::parse_yaml(text);
  if (!document) return fail(json::describe(document.error()));
  if (!document->is_object() || document->as_object()->size() != 5) {
    return fail(std::string("schema, repo, tokens, usd and expires must be there, nothing else"));
  }
  const auto word = [&](const char* key) { return document->text(key); };
  const json::Value* tokens = document->find("tokens");
  const std::int64_t count = tokens != nullptr ? tokens->as_int().value_or(-1) : -1;
  const auto usd = Money::parse(word("usd"));
  const auto expires = parse_date(word("expires"));
  if (word("schema") != "codegenie/overrun/v1") return fail(std::string("another schema"));
  if (count < 0 || count > kMaxTokens) return fail(std::string("tokens is no count"));
  if (!usd) return fail(std::string("usd is no amount"));
  if (!expires) return fail(std::string("expires is no date"));
  return Statement{word("repo"), static_cast<std::uint64_t>(count), *usd, *expires};
}

/// The workflow that the log says it was used in; nothing if it was not.
Result<std::optional<std::string>, Problem> used_by(const workspace::Access& access,
                                                    const hash::Digest& statement) {
  CG_TRY_ASSIGN(const history::Workflows workflows, history::read_workflows(access));
  if (workflows.problem) return fail(*workflows.problem);
  for (const history::Workflow& workflow : workflows.all) {
    if (workflow.task != "remediate") continue;
    CG_TRY_ASSIGN(const history::Story story, history::read_story(access, workflow));
    if (story.problem) return fail(*story.problem);
    for (const record::BudgetOverrideGranted& one : story.overruns) {
      if (one.statement == statement) return std::optional(workflow.id);
    }
  }
  return std::optional<std::string>();
}

}  // namespace

Result<record::BudgetOverrideGranted, Problem> allow_overrun(const workspace::Access& access,
                                                             const std::string& file,
                                                             const std::string& repo, Time now,
                                                             budget::Caps& caps) {
  CG_TRY_ASSIGN(const std::string text, workspace::read_user_file(file, kMaxStatement));
  CG_TRY_ASSIGN(const std::string signature,
                workspace::read_user_file(file + ".sig", kMaxStatement));
  const auto key = sign::ssh_verify(signature, kBudgetNamespace, text);
  if (!key) return fail(refused(file, "its signature: " + sign::describe(key.error())));
  const auto list = access.workspace.home.read("policy/allowed_signers", kMaxSigners);
  const auto signers = sign::parse_allowed_signers(list ? *list : std::string());
  if (!signers) return fail(refused(file, "allowed_signers: " + signers.error().what));
  if (!sign::find_signer(*signers, *key, kBudgetNamespace, now)) {
    return fail(refused(file, "who signed it may not: " + sign::ssh_fingerprint(*key)));
  }
  const auto statement = parse_statement(text);
  if (!statement) return fail(refused(file, statement.error()));
  if (statement->repo != repo) {
    return fail(refused(file, "it is about another repository than " + printable(repo)));
  }
  if (statement->expires.ms < now.ms) return fail(refused(file, "it has run out"));
  const hash::Digest digest = hash::sha256(as_bytes(text));
  CG_TRY_ASSIGN(const auto used, used_by(access, digest));
  if (used) return fail(refused(file, "it was used already, by workflow " + *used));
  caps.tokens = std::max(caps.tokens, statement->tokens);
  caps.usd = std::max(caps.usd, statement->usd);
  return record::BudgetOverrideGranted{sign::ssh_fingerprint(*key), digest, caps.tokens,
                                       caps.usd.str()};
}

}  // namespace cg::propose
