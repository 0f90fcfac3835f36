#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/archive/stream.h"
#include "base/base/assert.h"
#include "fix/report/case.h"
#include "prove/evidence/bundle.h"
#include "prove/evidence/manifest.h"
#include "prove/evidence/witness.h"
#include "trust/audit/problems.h"
#include "trust/hash/sha256.h"
#include "trust/sign/sshsig.h"

namespace cg::evidence {

namespace {

const std::string kFolder = "evidence";
constexpr std::string_view kPartial = ".partial-";
constexpr std::size_t kMaxEntries = 1'000'000;
constexpr std::size_t kMaxDepthWritten = 8;

/// Takes away a folder that a killed process left, with all that is in it.
Result<Done, os::Error> remove_tree(const os::Dir& dir, const std::string& name,
                                    std::size_t depth) {
  CG_TRY_ASSIGN(const os::Dir inner, dir.open_dir(name));
  CG_TRY_ASSIGN(const auto entries, inner.entries(kMaxEntries));
  for (const os::Entry& entry : entries) {
    if (entry.type == os::FileInfo::Type::folder && depth < kMaxDepthWritten) {
      CG_TRY(remove_tree(inner, entry.name, depth + 1));
    } else {
      CG_TRY(inner.remove(entry.name));
    }
  }
  if (unlinkat(dir.fd().get(), name.c_str(), AT_REMOVEDIR) != 0) {
    return fail(os::from_errno(errno, dir.path_of(name)));
  }
  return Done{};
}

/// Every bundle is written under the lock of the folder, so what is partial was left.
Result<Done, os::Error> remove_leftovers(const os::Dir& dir) {
  CG_TRY_ASSIGN(const auto entries, dir.entries(kMaxEntries));
  for (const os::Entry& entry : entries) {
    if (os::is_leftover(entry.name)) {
      CG_TRY(dir.remove(entry.name));
    } else if (entry.name.starts_with(kPartial) && entry.type == os::FileInfo::Type::folder) {
      CG_TRY(remove_tree(dir, entry.name, 0));
    }
  }
  return Done{};
}

Result<Done, os::Error> write_files(const os::Dir& dir, const Files& files) {
  for (const auto& [path, bytes] : files) {
    const std::size_t slash = path.rfind('/');
    if (slash != std::string::npos) CG_TRY(dir.make_dir(path.substr(0, slash)));
    CG_TRY(dir.write_new(path, bytes));
  }
  return Done{};
}

/// The archive before the folder: the folder in its place says that all is there.
Result<Done, os::Error> put_in_place(const os::Dir& home, const std::string& workflow,
                                     const Files& files, const std::string& archive) {
  CG_TRY(home.make_dir(kFolder));
  CG_TRY_ASSIGN(const os::Dir dir, home.open_dir(kFolder));
  CG_TRY_ASSIGN(const os::Lock lock,
                os::Lock::hold(dir.fd(), os::Lock::Mode::exclusive, dir.path()));
  CG_TRY(remove_leftovers(dir));
  if (dir.stat(workflow)) {
    return fail(os::Error{os::Error::Kind::exists, dir.path_of(workflow), 0});
  }
  const std::string partial = std::string(kPartial) + workflow;
  CG_TRY(dir.make_dir(partial));
  CG_TRY_ASSIGN(const os::Dir inner, dir.open_dir(partial));
  CG_TRY(write_files(inner, files));
  CG_TRY(dir.write_atomic(workflow + ".tar.zst", archive));
  return dir.rename(partial, workflow);
}

std::string tool_of(const Files& files) {
  const auto c = report::from_json(files.at(std::string(kCase)));
  CG_ASSERT(c.has_value());
  return c->tool;
}

}  // namespace

Result<Written, Problem> write_bundle(const os::Dir& home, Draft draft,
                                      const std::optional<sign::Seed>& key) {
  CG_TRY_ASSIGN(const Slice slice, read_slice(home, draft.workflow));
  Files& files = draft.files;
  files[std::string(kEvents)] = slice.lines;
  files[std::string(kLogKey)] = slice.key;
  files[std::string(kEntry)] = slice.entry + "\n";
  files[std::string(kProof)] = slice.proof;
  const std::string manifest = manifest_text(files, draft.workflow, tool_of(files));
  files[std::string(kManifest)] = manifest;
  if (key) files[std::string(kSignature)] = sign::ssh_sign(*key, kNamespace, manifest);
  const std::string archive = archive::zstd_compress(tar_of(files, draft.workflow));
  const auto placed = put_in_place(home, draft.workflow, files, archive);
  if (!placed) return fail(audit::writing(placed.error()));
  const std::string folder = folder_of(draft.workflow);
  return Written{folder, folder + ".tar.zst", "sha256:" + to_hex(hash::sha256(as_bytes(archive)))};
}

}  // namespace cg::evidence
