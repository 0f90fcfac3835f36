#include <set>

#include "base/base/text.h"
#include "prove/evidence/manifest.h"
#include "prove/evidence/verify_parts.h"
#include "trust/audit/layout.h"
#include "trust/audit/walk.h"
#include "trust/record/event_codec.h"
#include "trust/record/proof.h"
#include "trust/sign/sshsig.h"

namespace cg::evidence {

namespace {

/// Follows the workflow's lines. Nothing if they do not hold, which is told.
std::optional<audit::Walker> walk(const Files& files, const report::Case& c, BundleReport& out,
                                  audit::Walker::OnHeld on_held) {
  const auto lines = files.find(kEvents);
  if (lines == files.end()) {
    out.breaks.push_back({std::string(kEvents), "is missing"});
    return std::nullopt;
  }
  audit::Walker walker("", c.workflow, record::Home::workflow, std::move(on_held));
  const auto held = walker.feed(lines->second, std::string(kEvents));
  if (!held) {
    out.breaks.push_back({std::string(kEvents), held.error().what});
    return std::nullopt;
  }
  return walker;
}

struct Ended {
  std::string log;
  record::WorkflowEnded event;
};

std::optional<Ended> parse_ended(std::string_view line) {
  const auto entry = record::parse_entry(line);
  if (!entry || entry->stream != record::kSpanning) return std::nullopt;
  const auto event = record::decode_body(entry->kind, entry->body);
  const auto* ended = event ? event->as<record::WorkflowEnded>() : nullptr;
  if (ended == nullptr) return std::nullopt;
  return Ended{std::string(entry->log), *ended};
}

std::string_view without_newline(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

void judge_anchor(const record::TreeHead& proven, const sign::NoteKey& key, const Trust& trust,
                  Time when, BundleReport& out) {
  const auto head = record::open_checkpoint(trust.anchor, key);
  if (!head) {
    out.breaks.push_back(
        {std::string(kLogKey), "is not the key of the anchor: " + record::describe(head.error())});
    return;
  }
  if (head->size == proven.size && head->root != proven.root) {
    out.breaks.push_back({std::string(kProof), "leads to another log than the anchor"});
    return;
  }
  out.checked.emplace_back("the log's key is the anchor's");
  if (head->size != proven.size) {
    out.unchecked.push_back("that the anchor covers the entry: it is of " +
                            counted(head->size, "entry", "entries") + ", the proof of " +
                            grouped(proven.size));
  }
  const auto signer =
      sign::ssh_verify(trust.anchor_signature, audit::kAnchorNamespace, trust.anchor);
  const auto who = signer && trust.signers
                       ? sign::find_signer(*trust.signers, *signer, audit::kAnchorNamespace, when)
                       : std::nullopt;
  if (who) {
    out.checked.push_back("the anchor is signed by " + printable(*who));
  } else {
    out.unchecked.emplace_back("who vouches for the anchor");
  }
}

}  // namespace

void judge_events(const Files& files, const report::Case& c, BundleReport& out) {
  std::set<std::string> commits;
  for (const report::Branch& branch : c.branches) commits.insert(branch.commit);
  const hash::Digest content = content_digest(files);
  bool named = false;
  bool other_content = false;
  std::string other_commit;
  const auto walker = walk(files, c, out, [&](const audit::Held& held) {
    if (const auto* written = held.event.as<record::EvidenceWritten>()) {
      named = true;
      other_content = other_content || written->digest != content;
    } else if (const auto* branch = held.event.as<record::BranchWritten>()) {
      if (!commits.contains(branch->commit)) other_commit = branch->commit;
    }
  });
  if (!walker) return;
  if (other_content) {
    out.breaks.push_back({std::string(kEvents), "names evidence of another digest"});
  }
  if (!other_commit.empty()) {
    out.breaks.push_back(
        {std::string(kEvents), "names commit " + printable(other_commit) + ", the case does not"});
  }
  out.checked.push_back(counted(walker->entries(), "event", "events") + " in one chain");
  if (named) {
    out.checked.emplace_back("the events name the digest of the evidence");
  } else {
    out.unchecked.emplace_back("that the files are those of the workflow: no event names them");
  }
}

void judge_proof(const Files& files, const report::Case& c, const Trust& trust, BundleReport& out) {
  const auto entry = files.find(kEntry);
  const auto text = files.find(kProof);
  const auto key_text = files.find(kLogKey);
  if (entry == files.end() || text == files.end() || key_text == files.end()) {
    out.unchecked.emplace_back("that the workflow is in an audit log: there is no proof");
    if (!trust.anchor.empty()) out.breaks.push_back({std::string(kProof), "is missing"});
    return;
  }
  const std::string_view line = without_newline(entry->second);
  const auto ended = parse_ended(line);
  if (!ended || ended->event.workflow != c.workflow) {
    out.breaks.push_back({std::string(kEntry), "is not the end of this workflow"});
    return;
  }
  const auto walker = walk(files, c, out, [](const audit::Held&) {});
  if (!walker) return;
  const bool same_log = walker->entries() == 0 || walker->log() == ended->log;
  if (!same_log || walker->entries() != ended->event.count || walker->head() != ended->event.head) {
    out.breaks.push_back({std::string(kEvents), "is not the stream that the log says ended"});
    return;
  }
  const auto key = sign::NoteKey::parse(without_newline(key_text->second));
  if (!key || key->name() != record::origin_of(ended->log)) {
    out.breaks.push_back({std::string(kLogKey), "is not a key of this log"});
    return;
  }
  const auto proof = record::parse_proof(text->second);
  const auto head = proof ? record::check_proof(*proof, line, *key)
                          : Result<record::TreeHead, record::ProofError>(fail(proof.error()));
  if (!head) {
    out.breaks.push_back({std::string(kProof), record::describe(head.error())});
    return;
  }
  out.checked.push_back("the workflow's end is in the log of " +
                        counted(head->size, "entry", "entries"));
  if (trust.anchor.empty()) {
    out.unchecked.emplace_back("whose log it is: give --anchor");
  } else {
    judge_anchor(*head, *key, trust, c.ended, out);
  }
}

}  // namespace cg::evidence
