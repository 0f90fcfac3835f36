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

void judge_signature(const Files& files, const Trust& trust, const Tale& tale, Time when,
                     BundleReport& out) {
  const std::string named = tale.signers.empty() ? "" : tale.signers.front().signer;
  const auto signature = files.find(kSignature);
  const auto wrong = [&](std::string what) {
    out.breaks.push_back({std::string(kSignature), std::move(what)});
  };
  if (signature == files.end()) {
    if (!named.empty()) return wrong("is missing: the events name key " + printable(named));
    if (trust.signers) return wrong("is missing: nobody has signed the manifest");
    out.unchecked.emplace_back("who vouches for the bundle: the manifest is not signed");
    return;
  }
  const auto key = sign::ssh_verify(signature->second, kNamespace, files.find(kManifest)->second);
  if (!key) return wrong(sign::describe(key.error()));
  if (!sign::is_plain_armour(signature->second)) return wrong("is laid out in another way");
  out.signer = sign::ssh_fingerprint(*key);
  if (!named.empty() && named != out.signer) {
    return wrong("is by " + out.signer + ", the events name key " + printable(named));
  }
  if (!trust.signers) {
    if (named.empty()) return wrong("is by " + out.signer + ", which no event names");
    out.unchecked.push_back("whose key " + out.signer + " is: give --allowed-signers");
    return;
  }
  const auto who = sign::find_signer(*trust.signers, *key, kNamespace, when);
  if (!who) return wrong("is by " + out.signer + ", which may not sign evidence");
  out.signer = *who;
  out.checked.push_back("signed by " + printable(*who));
}

}  // namespace

std::string workflow_of(const Files& files) {
  const auto text = files.find(kCase);
  const auto c = text != files.end() ? report::from_json(text->second)
                                     : Result<report::Case, std::string>(fail(std::string()));
  return c ? c->workflow : "";
}

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
  if (!trust.workflow.empty() && c->workflow != trust.workflow) {
    out.breaks.push_back({std::string(kCase), "is of workflow " + printable(c->workflow)});
  }
  judge_manifest(files, *c, out);
  judge_plan(files, *c, out);
  judge_commits(files, *c, trust, out);
  const auto tale = judge_events(files, *c, out);
  judge_proof(files, *c, trust, out);
  if (!tale) return out;
  judge_case(files, *c, *tale, out);
  judge_findings(files, *c, *tale, out);
  judge_gates(files, *c, *tale, out);
  judge_attempts(files, *tale, out);
  judge_texts(files, *c, *tale, out);
  judge_signature(files, trust, *tale, c->ended, out);
  return out;
}

}  // namespace cg::evidence
