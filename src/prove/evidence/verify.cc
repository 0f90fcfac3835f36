#include "prove/evidence/verify.h"

#include <map>

#include "base/base/text.h"
#include "base/json/json.h"
#include "prove/evidence/manifest.h"
#include "prove/evidence/verify_parts.h"
#include "trust/audit/layout.h"
#include "trust/hash/blake3.h"
#include "trust/hash/sha256.h"
#include "trust/sign/sshsig.h"

namespace cg::evidence {

namespace {

using json::Value;

/// What the manifest claims of one file.
struct Claim {
  std::int64_t bytes = 0;
  std::string sha256;
  std::string blake3;
};
using Claims = std::map<std::string, Claim, std::less<>>;

std::string text_at(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value != nullptr && value->is_string() ? *value->as_string() : "";
}

/// Whatever can be read of it; its exact bytes are compared at the end.
Claims read_claims(std::string_view manifest) {
  Claims out;
  const auto parsed = json::parse_json(manifest);
  const Value* files = parsed ? parsed->find("files") : nullptr;
  if (files == nullptr || !files->is_array()) return out;
  for (const Value& row : *files->as_array()) {
    const Value* bytes = row.find("bytes");
    const std::int64_t size = bytes != nullptr ? bytes->as_int().value_or(-1) : -1;
    out[text_at(row, "path")] = {size, text_at(row, "sha256"), text_at(row, "blake3")};
  }
  return out;
}

void judge_digests(const Files& files, BundleReport& out) {
  const auto manifest = files.find(kManifest);
  if (manifest == files.end()) {
    out.breaks.push_back({std::string(kManifest), "is missing"});
    return;
  }
  const Claims claims = read_claims(manifest->second);
  if (claims.empty()) out.breaks.push_back({std::string(kManifest), "is not a manifest"});
  for (const auto& [path, claim] : claims) {
    const auto found = files.find(path);
    if (found == files.end()) {
      const bool named = !path.empty();
      out.breaks.push_back({named ? printable(path) : std::string(kManifest),
                            named ? "is missing" : "has a row without a path"});
      continue;
    }
    const ByteView bytes = as_bytes(found->second);
    const bool same = claim.bytes == static_cast<std::int64_t>(bytes.size()) &&
                      claim.sha256 == to_hex(hash::sha256(bytes)) &&
                      claim.blake3 == to_hex(hash::blake3(bytes));
    if (!same) out.breaks.push_back({printable(path), "is not what the manifest says"});
  }
  for (const auto& [path, bytes] : files) {
    if (path != kManifest && path != kSignature && !claims.contains(path)) {
      out.breaks.push_back({printable(path), "is not in the manifest"});
    }
  }
}

/// The manifest follows from the other files, byte for byte.
void judge_manifest(const Files& files, const report::Case& c, BundleReport& out) {
  if (manifest_text(files, c.workflow, c.tool) != files.find(kManifest)->second) {
    out.breaks.push_back({std::string(kManifest), "does not follow from the files"});
    return;
  }
  out.checked.push_back(counted(files.size(), "file", "files") + " as the manifest says");
}

void judge_signature(const Files& files, const Trust& trust, Time when, BundleReport& out) {
  const auto signature = files.find(kSignature);
  if (signature == files.end()) {
    if (trust.signers) {
      out.breaks.push_back({std::string(kManifest), "is not signed"});
    } else {
      out.unchecked.emplace_back("who vouches for the bundle: the manifest is not signed");
    }
    return;
  }
  const auto key = sign::ssh_verify(signature->second, kNamespace, files.find(kManifest)->second);
  if (!key) {
    out.breaks.push_back({std::string(kSignature), sign::describe(key.error())});
    return;
  }
  out.signer = sign::ssh_fingerprint(*key);
  if (!trust.signers) {
    out.unchecked.push_back("whose key " + out.signer + " is: give --allowed-signers");
    return;
  }
  const auto who = sign::find_signer(*trust.signers, *key, kNamespace, when);
  if (!who) {
    out.breaks.push_back(
        {std::string(kSignature), "is by " + out.signer + ", which may not sign evidence"});
    return;
  }
  out.signer = *who;
  out.checked.push_back("signed by " + printable(*who));
}

/// A branch whose case says that the gates passed has a document for each of them.
void judge_gates(const Files& files, const report::Case& c, BundleReport& out) {
  if (c.gates.empty()) {
    out.unchecked.emplace_back("install, build and tests: no gate has run");
    return;
  }
  std::size_t passed = 0;
  for (std::size_t i = 0; i < c.branches.size(); ++i) {
    const std::string folder = branch_folder(i, c.branches.size()) + "gates/";
    bool any = false;
    for (const report::Gate& gate : c.gates) {
      if (gate.branch != c.branches[i].name) continue;
      any = true;
      if (gate.required && !gate.passed) {
        out.breaks.push_back(
            {std::string(kCase),
             printable(gate.branch) + " is a branch, and did not pass " + printable(gate.signal)});
      }
      if (gate.passed) ++passed;
    }
    const auto document = files.lower_bound(folder);
    if (!any || document == files.end() || !document->first.starts_with(folder)) {
      out.breaks.push_back({folder, "has nothing about the gates of its branch"});
    }
  }
  if (out.breaks.empty()) {
    out.checked.push_back("every branch passed its gates, " + std::to_string(passed) +
                          " in all, isolation " + printable(c.isolation_class));
  }
}

}  // namespace

BundleReport verify_bundle(const Files& files, const Trust& trust) {
  BundleReport out;
  out.files = files.size();
  for (const auto& [path, bytes] : files) out.bytes += bytes.size();
  judge_digests(files, out);
  if (!out.breaks.empty()) return out;
  out.manifest = "sha256:" + to_hex(hash::sha256(as_bytes(files.find(kManifest)->second)));
  const auto text = files.find(kCase);
  const auto c = text != files.end()
                     ? report::from_json(text->second)
                     : Result<report::Case, std::string>(fail(std::string("is missing")));
  if (!c) {
    out.breaks.push_back({std::string(kCase), printable(c.error())});
    return out;
  }
  out.workflow = c->workflow;
  judge_manifest(files, *c, out);
  judge_plan(files, *c, out);
  judge_commits(files, *c, out);
  judge_events(files, *c, out);
  judge_proof(files, *c, trust, out);
  judge_signature(files, trust, c->ended, out);
  judge_gates(files, *c, out);
  return out;
}

}  // namespace cg::evidence
