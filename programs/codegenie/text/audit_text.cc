#include "text/audit_text.h"

#include "base/base/text.h"
#include "base/json/json.h"
#include "trust/audit/problems.h"
#include "trust/record/event_any.h"
#include "trust/record/event_codec.h"

namespace cg::program {

namespace {

// One for each event; without it this does not compile.
std::string words(const record::LogCreated& e) { return "log begins, by " + printable(e.tool); }
std::string words(const record::TailRepaired& e) {
  return "cut off " + grouped(e.dropped) + " bytes of an unfinished write";
}
std::string words(const record::OperatorNoted& e) { return printable(e.text); }
std::string words(const record::AnchorPublished& e) {
  return printable(e.file) + ", " + counted(e.size, "entry", "entries") + ", " +
         printable(e.method);
}
std::string words(const record::WorkflowStarted& e) {
  return printable(e.workflow) + " " + printable(e.task);
}
std::string words(const record::WorkflowEnded& e) {
  return printable(e.workflow) + " " + printable(e.outcome) + ", " +
         counted(e.count, "entry", "entries");
}
std::string words(const record::CheckRan& e) {
  return printable(e.check) + " " + printable(e.status) + ": " + printable(e.detail);
}
std::string words(const record::AdvisoryIndexReplaced& e) {
  return counted(e.advisories, "advisory", "advisories") + " by " + printable(e.origin);
}
std::string words(const record::EmbedderInitialized& e) {
  return printable(e.model) + ", pinned " + printable(e.pinned);
}
std::string words(const record::EmbedderHashMismatch& e) {
  return printable(e.file) + " of " + printable(e.model) + " is another one";
}
std::string words(const record::RemediationStarted& e) {
  return printable(e.repo) + (e.head.empty() ? "" : " at " + printable(cut_utf8(e.head, 12))) +
         ": " + printable(e.request);
}
std::string words(const record::ContextGathered& e) {
  return counted(e.packages, "package", "packages") + " in " +
         counted(e.locks, "lockfile", "lockfiles");
}
std::string words(const record::RegistryConsulted& e) {
  return counted(e.packages, "package", "packages") + " looked up";
}
std::string words(const record::ProvenanceClassified& e) {
  return printable(e.advisory) + " " + printable(e.kind) + ", " +
         counted(e.count, "copy", "copies") +
         (e.location.empty() ? "" : ", " + printable(e.location));
}
std::string words(const record::RecipeAnswered& e) {
  return printable(e.recipe) + " " + printable(e.applies) + " for " + printable(e.package) +
         " at " + printable(e.location) + ": " + printable(e.reason);
}
std::string words(const record::PlanMade& e) {
  return grouped(e.fixed) + " fixed, " + grouped(e.blocked) + " blocked, " + grouped(e.handed_on) +
         " handed on, " + grouped(e.no_fix) + " without a fix; " +
         counted(e.entries, "lock entry changes", "lock entries change");
}
std::string words(const record::OverrideAdded& e) {
  return printable(e.path) + " = " + printable(e.value) + ": " + printable(e.reason);
}
std::string words(const record::PluginLoaded& e) {
  return printable(e.plugin) + " " + audit::abbreviated(e.digest);
}
std::string words(const record::CapabilityMinted& e) {
  return printable(e.capability) + " for " + printable(e.scope);
}
std::string words(const record::CapabilityUsed& e) {
  return printable(e.capability) + " to " + printable(e.purpose);
}
std::string words(const record::EditsApplied& e) {
  return counted(e.files, "file", "files") + " changed";
}
std::string words(const record::BranchWritten& e) {
  return printable(e.branch) + " " + printable(cut_utf8(e.commit, 12)) + ", " + printable(e.state);
}
std::string words(const record::UnprovenWritten& e) {
  return printable(e.branch) + " " + printable(cut_utf8(e.commit, 12)) + ", " + printable(e.state) +
         ", not proven";
}
std::string words(const record::PlanCommitted& e) {
  return printable(cut_utf8(e.commit, 12)) + " names plan " + audit::abbreviated(e.plan);
}
std::string words(const record::EvidenceSigned& e) { return "by " + printable(e.signer); }
std::string words(const record::EvidenceWritten& e) {
  return printable(e.path) + " " + audit::abbreviated(e.digest);
}
std::string words(const record::HandoffWritten& e) { return printable(e.path); }
std::string words(const record::EgressViolation& e) {
  return printable(e.call) + " " + printable(e.detail) + " was refused";
}
std::string words(const record::PluginRejected& e) {
  return printable(e.reason) + (e.where.empty() ? "" : ": " + printable(e.where));
}
std::string words(const record::FilesystemRaceDetected& e) {
  return printable(e.path) + ": " + printable(e.what);
}
std::string words(const record::PreflightDone& e) {
  std::string out = e.blocks > 0 ? "nothing can be installed" : "nothing known to be in the way";
  if (e.may_fail > 0) out += ", " + std::to_string(e.may_fail) + " that tests may fail for";
  return out + (e.worst.empty() ? "" : ": " + printable(e.worst));
}
std::string words(const record::ManagerFetched& e) {
  return printable(e.package) + " " + printable(e.version) + " for " + printable(e.lockfile);
}
std::string words(const record::PackagesStocked& e) {
  return printable(e.lockfile) + ": " + counted(e.count, "package", "packages") + ", " +
         std::to_string(e.fetched) + " fetched";
}
std::string words(const record::SandboxOpened& e) {
  return printable(e.isolation) + " for the " + printable(e.side);
}
std::string words(const record::StepRan& e) {
  return printable(e.step) + " of the " + printable(e.side) + ": " + printable(e.ending) + ", " +
         std::to_string(e.ms) + " ms";
}
std::string words(const record::StepKept& e) {
  return printable(e.step) + " under " + audit::abbreviated(e.key);
}
std::string words(const record::StepRecalled& e) {
  return printable(e.step) + " of the " + printable(e.side) + ": " + printable(e.ending) +
         ", as workflow " + printable(e.workflow) + " saw it";
}
std::string words(const record::RecallRefused& e) {
  return audit::abbreviated(e.key) + ": " + printable(e.reason);
}
std::string words(const record::SignalJudged& e) {
  std::string out = printable(e.signal) + (e.passed == "yes" ? " passed" : " did not pass");
  if (!e.before.empty() || !e.after.empty()) {
    out += ": " + printable(e.before) + " -> " + printable(e.after);
  }
  return out + (e.reason.empty() ? "" : "; " + printable(e.reason));
}
std::string words(const record::ProofWeak& e) {
  return printable(e.signal) + " says little: " + printable(e.reason);
}
std::string words(const record::BaseUnprovable& e) {
  return printable(e.lockfile) + ": " + printable(e.cause);
}
std::string words(const record::AnswerForged& e) {
  return printable(e.signal) + " was answered by whom it judges: " + printable(e.reason);
}
std::string words(const record::AttemptEnded& e) {
  const std::string number = "attempt " + std::to_string(e.attempt);
  if (e.failing.empty()) return number + " passed";
  return number + " was turned down by " + printable(e.failing);
}
std::string words(const record::RemediationRefused& e) {
  return "exit " + std::to_string(e.exit) + ": " + printable(e.reason);
}

std::string words(const record::RecipeMissed& e) {
  return printable(e.package) + " at " + printable(e.location) + ": " + printable(e.reason);
}
std::string words(const record::RagHit& e) {
  return printable(e.record) + " is like it by " + printable(e.similarity) + ", " +
         printable(e.status);
}
std::string words(const record::RagMiss& e) { return printable(e.reason); }
std::string words(const record::FenceCreated& e) {
  return printable(e.kind) + ", " + grouped(e.bytes) + " of " + grouped(e.given) + " bytes";
}
std::string words(const record::CanaryCollision& e) {
  return printable(e.kind) + " has " + printable(e.pattern) + " at byte " + grouped(e.offset) +
         ", " + (e.whole == "yes" ? "all of it" : grouped(e.bytes) + " bytes") + " taken out";
}
std::string words(const record::SecretsRedacted& e) {
  return counted(e.found, "secret", "secrets") + " in " + printable(e.kind) + ", " +
         grouped(e.bytes) + " bytes taken out: " + printable(e.rules);
}
std::string words(const record::PayloadTruncated& e) {
  return printable(e.kind) + " cut from " + grouped(e.given) + " to " + grouped(e.bytes) + " bytes";
}
std::string words(const record::SegmentDropped& e) {
  return printable(e.kind) + " " + printable(e.label) + ", " + grouped(e.given) + " bytes";
}
std::string words(const record::BudgetPrecharged& e) {
  return "call " + std::to_string(e.call) + ": " + grouped(e.tokens) + " tokens, $" +
         printable(e.usd) + " set aside";
}
std::string words(const record::BudgetReconciled& e) {
  return "call " + std::to_string(e.call) + ": " +
         (e.known == "no" ? "nobody knows what it cost"
                          : grouped(e.input + e.output + e.cache_read + e.cache_write) +
                                " tokens, $" + printable(e.usd));
}
std::string words(const record::BudgetReconciledOver& e) {
  return "call " + std::to_string(e.call) + ": " + grouped(e.tokens) + " tokens, $" +
         printable(e.usd) + " where " + grouped(e.set_aside_tokens) + ", $" +
         printable(e.set_aside_usd) + " was set aside";
}
std::string words(const record::BudgetWarned& e) {
  return grouped(e.tokens) + " of " + grouped(e.cap_tokens) + " tokens, $" + printable(e.usd) +
         " of $" + printable(e.cap_usd);
}
std::string words(const record::BudgetExceeded& e) { return printable(e.detail); }
std::string words(const record::BudgetOverrideGranted& e) {
  return grouped(e.tokens) + " tokens, $" + printable(e.usd) + ", signed by " + printable(e.signer);
}
std::string words(const record::LeafKeyLoaded& e) {
  return "from " + printable(e.source) + " into " + printable(e.memory);
}
std::string words(const record::LeafInvoked& e) {
  return printable(e.model) + ", call " + std::to_string(e.call) + ", prompt " +
         audit::abbreviated(e.digest);
}
std::string words(const record::LeafReturned& e) {
  return printable(e.outcome) + " from " + printable(e.model) + ", " + grouped(e.input) + " in, " +
         grouped(e.output) + " out";
}
std::string words(const record::LeafFailed& e) {
  return printable(e.kind) + ": " + printable(e.detail);
}
std::string words(const record::EgressCertPinFailed& e) {
  return printable(e.host) + ": " + printable(e.detail);
}
std::string words(const record::CassetteLoaded& e) {
  return printable(e.file) + ", " + counted(e.exchanges, "exchange", "exchanges");
}
std::string words(const record::CassetteMissed& e) {
  return printable(e.file) + " has no answer to " + audit::abbreviated(e.digest);
}
std::string words(const record::CassetteRecorded& e) {
  return printable(e.file) + ", " + counted(e.exchanges, "exchange", "exchanges");
}
std::string words(const record::PlanProposalAccepted& e) {
  return printable(e.kind) + " for attempt " + std::to_string(e.attempt);
}
std::string words(const record::PlanProposalRejected& e) {
  return printable(e.reason) + (e.where.empty() ? "" : " at " + printable(e.where));
}
std::string words(const record::PlanRecalled& e) {
  return printable(e.kind) + " of " + printable(e.workflow) + ", " + printable(e.branch);
}
std::string words(const record::BranchStale& e) {
  return printable(e.branch) + " starts from " + printable(cut_utf8(e.base, 12));
}
std::string part_of(std::uint64_t part, std::uint64_t parts) {
  return parts == 1 ? "" : ", part " + grouped(part) + " of " + grouped(parts);
}
std::string words(const record::SolvedExampleWritten& e) {
  return printable(e.record) + part_of(e.part, e.parts) + ", of " + printable(e.workflow);
}
std::string words(const record::SolvedExampleImported& e) {
  return printable(e.record) + part_of(e.part, e.parts) + ", of log " +
         printable(cut_utf8(e.log, 12)) + ", signed by " + printable(e.signer);
}
std::string words(const record::SolvedExampleSkipped& e) {
  return printable(e.reason) + (e.record.empty() ? "" : ": " + printable(e.record));
}
std::string words(const record::PersonsFixRead& e) {
  return printable(cut_utf8(e.commit, 12)) + ", signed by " + printable(e.signer);
}
std::string words(const record::RagEmbedded& e) {
  return printable(e.record) + " by " + printable(e.model);
}
std::string words(const record::RagQuery& e) {
  return counted(e.compared, "record", "records") + " compared by " + printable(e.model);
}
std::string words(const record::RagRecordChainOrphan& e) {
  return printable(e.record) + " " + printable(e.status) + ": " + printable(e.reason);
}
std::string words(const record::RagQuarantined& e) {
  return printable(e.record) + ": " + printable(e.reason) +
         (e.pattern.empty() ? "" : ", pattern " + printable(e.pattern));
}
std::string words(const record::RagReleased& e) {
  return printable(e.record) + ", signed by " + printable(e.signer) + ": " + printable(e.reason);
}
std::string words(const record::RagRepaired& e) {
  return counted(e.made, "file", "files") + " made, " + grouped(e.moved) + " moved, manifest " +
         printable(e.manifest);
}

}  // namespace

std::string summary_of(const record::Event& event) {
  return std::visit([](const auto& e) { return words(e); }, event.any().value);
}

json::Value entry_json(const audit::Held& held) {
  const auto body = json::parse_json(held.entry.body);
  return json::Value::Object{{"stream", held.entry.stream},
                             {"seq", number(held.entry.seq)},
                             {"t", to_iso(held.entry.t)},
                             {"kind", held.entry.kind},
                             {"body", body ? *body : json::Value()},
                             {"prev", blake3_name(held.entry.prev)},
                             {"head", blake3_name(held.head)}};
}

Result<sign::NoteKey, Problem> log_verifier(const Access& access) {
  std::optional<sign::NoteKey> key;
  CG_TRY_ASSIGN(const auto problem, for_each_entry(access, [&](const audit::Held& held) {
                  const auto* created = held.event.as<record::LogCreated>();
                  if (created != nullptr && held.entry.seq == 0)
                    key = sign::NoteKey::parse(created->key);
                }));
  if (key) return *key;
  if (problem) return fail(*problem);
  return fail(audit::broken(ErrorCode::audit_key,
                            "the first entry does not name the key of the log",
                            access.workspace.path));
}

Result<Time, Problem> parse_since(const std::string& text, Time now) {
  if (const auto time = parse_iso(text)) return *time;
  if (const auto day = parse_date(text)) return *day;
  const auto count = text.empty() ? std::nullopt : parse_u64(text.substr(0, text.size() - 1));
  if (count && *count < 100'000) {
    const auto n = static_cast<std::int64_t>(*count);
    if (text.back() == 'd') return Time{now.ms - n * 86'400'000};
    if (text.back() == 'h') return Time{now.ms - n * 3'600'000};
    if (text.back() == 'm') return Time{now.ms - n * 60'000};
  }
  return fail(bad_value("not a time: " + printable(cut_utf8(text, 40)),
                        "write 2026-11-15, 2026-11-15T02:40:11.000Z, 7d, 12h or 30m"));
}

}  // namespace cg::program
