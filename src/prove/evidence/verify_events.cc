#include <span>

#include "base/base/text.h"
#include "prove/evidence/manifest.h"
#include "prove/evidence/verify_parts.h"
#include "trust/audit/layout.h"
#include "trust/audit/walk.h"
#include "trust/hash/merkle.h"
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
  if (!lines->second.empty() && !lines->second.ends_with('\n')) {
    out.breaks.push_back({std::string(kEvents), "ends within a line"});
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

/// The lines are those of the log of this workspace, and the log is the one that was signed.
/// False if the log is another, and so says nothing of this bundle.
bool judge_witness(const Files& files, const record::TreeHead& proven, const Trust& trust,
                   BundleReport& out) {
  const Witness& log = *trust.log;
  const bool same_log = files.find(kLogKey)->second == log.key;
  if (!log.known) {
    if (same_log) {
      out.breaks.push_back({std::string(kEvents), "is of a workflow that the log does not know"});
    } else if (!trust.workflow.empty()) {
      out.breaks.push_back({std::string(kLogKey), "is not the key of the log of this workspace"});
    }
    return same_log;
  }
  const std::size_t before = out.breaks.size();
  const auto compare = [&](std::string_view path, const std::string& logged) {
    if (files.find(path)->second == logged) return;
    out.breaks.push_back({std::string(path), "is not what the log of this workspace has"});
  };
  compare(kLogKey, log.key);
  compare(kEvents, log.lines);
  compare(kEntry, log.entry + "\n");
  const bool has_all = proven.size <= log.leaves.size();
  if (!has_all || hash::tree_root(std::span(log.leaves).first(proven.size)) != proven.root) {
    out.breaks.push_back({std::string(kProof), "leads to another log than that of this workspace"});
  }
  if (out.breaks.size() == before) {
    out.checked.emplace_back("the log of this workspace has the same events");
  }
  return true;
}

/// What the events must say of the bundle itself, as their last word.
void judge_naming(const Files& files, const report::Case& c, const Tale& tale, BundleReport& out) {
  const auto wrong = [&](const char* what) { out.breaks.push_back({std::string(kEvents), what}); };
  if (tale.evidence.size() != 1 || !tale.ends_with_evidence) {
    return wrong("does not end with the one event that names the evidence");
  }
  const record::EvidenceWritten& named = tale.evidence.front();
  if (named.digest != content_digest(files)) return wrong("names evidence of another digest");
  if (named.path != folder_of(c.workflow) || c.evidence != named.path) {
    return wrong("names evidence of another workflow");
  }
  out.checked.emplace_back("the events name the digest of the evidence");
}

struct ProvenEnd {
  record::TreeHead head;
  sign::NoteKey key;
};

/// Nothing if there is no proof that holds, which is told.
std::optional<ProvenEnd> prove_end(const Files& files, const report::Case& c, BundleReport& out) {
  const auto wrong = [&](std::string_view file, std::string what) {
    out.breaks.push_back({std::string(file), std::move(what)});
    return std::nullopt;
  };
  for (const std::string_view path : {kEntry, kProof, kLogKey}) {
    if (!files.contains(path)) return wrong(path, "is missing: nothing shows that a log has this");
  }
  // One spelling each: the digest of the evidence does not reach these files.
  const std::string_view entry = files.find(kEntry)->second;
  const std::string_view line = entry.substr(0, entry.size() - (entry.ends_with('\n') ? 1 : 0));
  const auto ended = parse_ended(line);
  if (!ended || line.size() == entry.size() || ended->event.workflow != c.workflow ||
      ended->event.outcome != report::name(c.outcome)) {
    return wrong(kEntry, "is not the end of this workflow");
  }
  const auto walker = walk(files, c, out, [](const audit::Held&) {});
  if (!walker) return std::nullopt;
  if (walker->log() != ended->log || walker->entries() != ended->event.count ||
      walker->head() != ended->event.head) {
    return wrong(kEvents, "is not the stream that the log says ended");
  }
  const std::string& key_text = files.find(kLogKey)->second;
  const auto key = sign::NoteKey::parse(key_text.substr(0, key_text.find('\n')));
  if (!key || key->str() + "\n" != key_text || key->name() != record::origin_of(ended->log)) {
    return wrong(kLogKey, "is not a key of this log");
  }
  const auto proof = record::parse_proof(files.find(kProof)->second);
  const auto head = proof ? record::check_proof(*proof, line, *key)
                          : Result<record::TreeHead, record::ProofError>(fail(proof.error()));
  if (!head) return wrong(kProof, record::describe(head.error()));
  if (record::write_proof(*proof) != files.find(kProof)->second) {
    return wrong(kProof, "is laid out in another way");
  }
  return ProvenEnd{*head, *key};
}

}  // namespace

std::optional<Tale> judge_events(const Files& files, const report::Case& c, BundleReport& out) {
  Telling telling;
  const auto walker =
      walk(files, c, out, [&](const audit::Held& held) { telling.take(held.event); });
  if (!walker) return std::nullopt;
  out.checked.push_back(counted(walker->entries(), "event", "events") + " in one chain");
  Tale tale = std::move(telling).finish();
  judge_naming(files, c, tale, out);
  return tale;
}

void judge_proof(const Files& files, const report::Case& c, const Trust& trust, BundleReport& out) {
  const auto proven = prove_end(files, c, out);
  if (!proven) return;
  out.checked.push_back("the workflow's end is in the log of " +
                        counted(proven->head.size, "entry", "entries"));
  const bool own = trust.log && judge_witness(files, proven->head, trust, out);
  if (!trust.anchor.empty()) {
    judge_anchor(proven->head, proven->key, trust, c.ended, out);
  } else if (!own) {
    out.unchecked.emplace_back(trust.log
                                   ? "whose log it is, it is not this workspace's: give --anchor"
                                   : "whose log it is: give --anchor");
  }
}

}  // namespace cg::evidence
