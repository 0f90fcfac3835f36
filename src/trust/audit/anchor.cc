#include "trust/audit/anchor.h"

#include <fcntl.h>

#include <algorithm>

#include "base/base/text.h"
#include "trust/audit/layout.h"
#include "trust/audit/problems.h"
#include "trust/sign/sshsig.h"

namespace cg::audit {

namespace {

constexpr std::size_t kMaxAnchors = 100'000;
constexpr int kMaxPerDay = 1000;

Problem bad(const std::string& why, const std::string& path) {
  return broken(ErrorCode::audit_anchor, "anchor " + why, path);
}

/// The day an anchor is named after: signatures are judged at that time.
std::optional<Time> day_of(const std::string& file) { return parse_date(file.substr(0, 10)); }

Result<Done, Problem> judge_signature(const os::Dir& dir, const sign::AllowedSigners& signers,
                                      AnchorStatus& anchor) {
  const auto sig = dir.read(anchor.file + ".sig", kMaxSmallFile);
  if (!sig && sig.error().kind != os::Error::Kind::not_found) return fail(reading(sig.error()));
  if (!sig) {
    anchor.vouched = dir.stat(anchor.file + ".asc") ? Vouched::by_gpg : Vouched::by_nobody;
    return Done{};
  }
  const auto key = sign::ssh_verify(*sig, kAnchorNamespace, anchor.bytes);
  if (!key) return fail(bad("signature: " + sign::describe(key.error()), anchor.path + ".sig"));
  const auto who =
      sign::find_signer(signers, *key, kAnchorNamespace, day_of(anchor.file).value_or(Time{}));
  anchor.vouched = who ? Vouched::by_signer : Vouched::by_stranger;
  anchor.signer = who ? *who : sign::ssh_fingerprint(*key);
  return Done{};
}

Result<AnchorStatus, Problem> read_anchor(const os::Dir& dir, const std::string& file,
                                          const sign::NoteKey& key,
                                          const sign::AllowedSigners& signers) {
  auto bytes = dir.read(file, kMaxSmallFile);
  if (!bytes) return fail(reading(bytes.error()));
  const auto head = record::open_checkpoint(*bytes, key);
  if (!head) return fail(bad(record::describe(head.error()), dir.path_of(file)));
  if (!day_of(file)) return fail(bad("is not named after a day", dir.path_of(file)));
  AnchorStatus anchor{file, dir.path_of(file), *std::move(bytes), *head, Vouched::by_nobody, ""};
  CG_TRY(judge_signature(dir, signers, anchor));
  return anchor;
}

}  // namespace

Result<Anchors, Problem> read_anchors(const std::string& anchor_dir, const sign::NoteKey& key,
                                      const sign::AllowedSigners& signers) {
  Anchors out;
  const std::string log = key.name().substr(record::origin_of("").size());
  const auto dir = os::Dir::open(anchor_dir + "/" + log);
  if (!dir && dir.error().kind == os::Error::Kind::not_found) return out;
  if (!dir) return fail(reading(dir.error()));
  const auto names = dir->list(".", kMaxAnchors);
  if (!names) return fail(reading(names.error()));
  for (const std::string& name : *names) {
    if (os::is_leftover(name) || !name.ends_with(".note")) continue;
    auto anchor = read_anchor(*dir, name, key, signers);
    if (anchor) {
      out.anchors.push_back(*std::move(anchor));
    } else {
      out.problems.push_back(anchor.error());
    }
  }
  std::stable_sort(out.anchors.begin(), out.anchors.end(),
                   [](const auto& a, const auto& b) { return a.head.size < b.head.size; });
  for (std::size_t i = 1; i < out.anchors.size(); ++i) {
    const AnchorStatus& a = out.anchors[i - 1];
    const AnchorStatus& b = out.anchors[i];
    if (a.head.size != b.head.size || a.head == b.head) continue;
    out.problems.push_back(broken(
        ErrorCode::audit_anchors_disagree,
        "two anchors disagree on the first " + grouped(a.head.size) + " entries", a.path,
        abbreviated(a.head.root) + " in " + a.file, abbreviated(b.head.root) + " in " + b.file));
  }
  return out;
}

Result<sign::AllowedSigners, Problem> read_allowed_signers(const os::Dir& home) {
  const auto text = home.read(kAllowedSigners, kMaxSmallFile);
  if (!text && text.error().kind == os::Error::Kind::not_found) return sign::AllowedSigners{};
  if (!text) return fail(reading(text.error()));
  auto signers = sign::parse_allowed_signers(*text);
  if (!signers) {
    return fail(Problem{
        ErrorCode::sign_allowed,
        "allowed_signers cannot be used: " + signers.error().what,
        {{"file", home.path_of(kAllowedSigners) + ":" + std::to_string(signers.error().line)}},
        "no signature was accepted",
        {"mend the line; its form is that of ssh-keygen(1), ALLOWED SIGNERS"}});
  }
  return *std::move(signers);
}

Result<sign::Seed, Problem> read_signing_key(const std::string& path) {
  const auto problem = [&](const std::string& why) {
    return Problem{ErrorCode::sign_key,
                   "cannot sign with this key: " + why,
                   {{"file", printable(path)}},
                   "nothing was published",
                   {"codegenie explain CG-SIGN-001"}};
  };
  const std::size_t slash = path.rfind('/');
  const auto dir =
      os::Dir::open_for_lookup(slash == std::string::npos ? "." : path.substr(0, slash + 1));
  if (!dir) return fail(problem(os::describe(dir.error())));
  const auto text =
      dir->read(slash == std::string::npos ? path : path.substr(slash + 1), kMaxSmallFile);
  if (!text) return fail(problem(os::describe(text.error())));
  const auto seed = sign::parse_ssh_private_key(*text);
  if (!seed) return fail(problem(sign::describe(seed.error())));
  return *seed;
}

Result<std::string, Problem> publish_anchor(const std::string& anchor_dir, const std::string& log,
                                            const std::string& date, const std::string& note,
                                            const std::optional<AnchorSignature>& signature) {
  const auto dir = os::Dir::make(anchor_dir + "/" + log);
  if (!dir) return fail(writing(dir.error()));
  for (int n = 1; n <= kMaxPerDay; ++n) {
    const std::string file = date + (n == 1 ? "" : "-" + std::to_string(n)) + ".note";
    if (dir->stat(file)) continue;
    auto written = signature ? dir->write_atomic(file + signature->suffix, signature->bytes)
                             : Result<Done, os::Error>(Done{});
    if (written) written = dir->write_new(file, note);
    if (!written) return fail(writing(written.error()));
    return file;
  }
  return fail(Problem{ErrorCode::cli_arguments,
                      "too many anchors in one day",
                      {},
                      "nothing was published",
                      {"publish at most once a day"}});
}

}  // namespace cg::audit
