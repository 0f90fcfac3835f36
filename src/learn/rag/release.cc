#include "learn/rag/release.h"

#include "base/yaml/yaml.h"
#include "learn/rag/record_file.h"
#include "trust/hash/sha256.h"
#include "trust/sign/sshsig.h"

namespace cg::rag {

Result<Release, std::string> read_release(std::string_view text, std::string_view signature,
                                          const sign::AllowedSigners& signers,
                                          const std::string& log, Time now) {
  const auto key = sign::ssh_verify(signature, kReleaseNamespace, text);
  if (!key) return fail("its signature: " + sign::describe(key.error()));
  if (!sign::find_signer(signers, *key, kReleaseNamespace, now)) {
    return fail("who signed it may not: " + sign::ssh_fingerprint(*key));
  }
  const auto document = yaml::parse_yaml(text);
  if (!document) return fail(json::describe(document.error()));
  if (!document->is_object() || document->as_object()->size() != 5 ||
      document->text("schema") != "codegenie/rag-release/v1") {
    return fail(std::string("schema, record, log, reason and expires must be there, nothing else"));
  }
  const auto expires = parse_date(document->text("expires"));
  if (!expires) return fail(std::string("expires is no date"));
  if (expires->ms < now.ms) return fail(std::string("it has run out"));
  if (document->text("log") != log) return fail(std::string("it is about another log"));
  if (!is_record_id(document->text("record"))) return fail(std::string("record is no id of one"));
  if (document->text("reason").empty()) return fail(std::string("it gives no reason"));
  return Release{document->text("record"), document->text("reason"), sign::ssh_fingerprint(*key),
                 hash::sha256(as_bytes(text))};
}

}  // namespace cg::rag
