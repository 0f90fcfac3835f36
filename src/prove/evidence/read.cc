#include <algorithm>

#include "base/archive/stream.h"
#include "base/archive/tar.h"
#include "base/base/text.h"
#include "prove/evidence/bundle.h"
#include "prove/evidence/manifest.h"
#include "trust/audit/problems.h"

namespace cg::evidence {

namespace {

constexpr std::size_t kMaxFiles = 10'000;
constexpr std::size_t kMaxBytes = 1U << 30U;  // of all files
constexpr std::size_t kMaxFile = 256U << 20U;
constexpr std::size_t kMaxDepthRead = 4;

Problem broken(const std::string& file, const std::string& what) {
  return {ErrorCode::evidence_broken,
          "evidence does not hold: " + what,
          {{"file", printable(file)}},
          "nothing in the bundle can be relied on",
          {"take the bundle again from where it was written"}};
}

Problem missing(const std::string& what, const std::string& place) {
  return {ErrorCode::evidence_missing, what, {{"path", printable(place)}}, "nothing was done", {}};
}

Problem unreadable(const os::Error& error) {
  if (error.kind == os::Error::Kind::not_found) {
    return missing("no such evidence", error.path);
  }
  return broken(error.path, os::describe(error));
}

/// Adds what lies beneath `dir`, whose path in the bundle is `prefix`.
Result<Done, Problem> read_folder(const os::Dir& dir, const std::string& prefix, std::size_t depth,
                                  std::size_t& room, Files& files) {
  const auto entries = dir.entries(kMaxFiles);
  if (!entries) return fail(unreadable(entries.error()));
  for (const os::Entry& entry : *entries) {
    const std::string path = prefix + entry.name;
    if (entry.type == os::FileInfo::Type::folder && depth < kMaxDepthRead) {
      const auto inner = dir.open_dir(entry.name);
      if (!inner) return fail(unreadable(inner.error()));
      CG_TRY(read_folder(*inner, path + "/", depth + 1, room, files));
      continue;
    }
    if (entry.type != os::FileInfo::Type::file) {
      return fail(broken(path, "not a plain file"));
    }
    if (files.size() == kMaxFiles) return fail(broken(path, "too many files"));
    auto bytes = dir.read(entry.name, std::min(room, kMaxFile));
    if (!bytes) return fail(unreadable(bytes.error()));
    room -= bytes->size();
    files.emplace(path, *std::move(bytes));
  }
  return Done{};
}

Result<Files, Problem> read_archive(std::string_view packed, const std::string& path) {
  archive::Limits limits;
  limits.max_output = kMaxBytes;
  limits.max_entries = kMaxFiles;
  limits.max_entry = kMaxFile;
  const auto bytes = archive::unzstd(packed, limits);
  if (!bytes) return fail(broken(path, archive::describe(bytes.error())));
  Files files;
  std::string root;
  std::string stranger;
  const auto read = archive::read_tar(*bytes, limits, [&](const archive::Entry& entry) {
    const std::size_t slash = entry.name.find('/');
    const std::string first(entry.name.substr(0, std::min(slash, entry.name.size())));
    if (root.empty()) root = first;
    if (slash == std::string_view::npos || first != root) stranger = entry.name;
    if (stranger.empty()) files.emplace(entry.name.substr(slash + 1), entry.content);
    return stranger.empty() ? archive::Next::more : archive::Next::stop;
  });
  if (!read) return fail(broken(path, archive::describe(read.error())));
  if (!stranger.empty()) return fail(broken(stranger, "outside of the bundle's folder"));
  if (!WorkflowId::parse(root)) return fail(broken(path, "not a bundle of evidence"));
  // Links, modes, owners, order, twins, trailing bytes: whatever tar can say besides.
  if (tar_of(files, root) != *bytes) {
    return fail(broken(path, "an entry that is not a plain file, or not as codegenie writes it"));
  }
  return files;
}

struct Split {
  std::string folder;
  std::string name;
};
Split split_path(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {".", path};
  return {path.substr(0, slash + 1), path.substr(slash + 1)};
}

}  // namespace

Result<Files, Problem> read_bundle(const std::string& path) {
  const Split parts = split_path(path);
  const auto folder = os::Dir::open(path);
  if (folder) {
    Files files;
    std::size_t room = kMaxBytes;
    CG_TRY(read_folder(*folder, "", 0, room, files));
    if (!files.contains(kManifest)) return fail(broken(path, "no manifest.json"));
    return files;
  }
  const auto above = os::Dir::open_for_lookup(parts.folder);
  if (!above) return fail(unreadable(above.error()));
  const auto bytes = above->read(parts.name, kMaxFile);
  if (!bytes) return fail(unreadable(bytes.error()));
  return read_archive(*bytes, path);
}

Result<Files, Problem> read_bundle(const os::Dir& home, const WorkflowId& workflow) {
  const auto folder = home.open_dir(folder_of(workflow.str()));
  if (!folder) return fail(unreadable(folder.error()));
  Files files;
  std::size_t room = kMaxBytes;
  CG_TRY(read_folder(*folder, "", 0, room, files));
  return files;
}

Result<report::Case, std::string> case_of(const Files& files, const hash::Digest& digest) {
  if (content_digest(files) != digest) return fail(std::string("is not what the log knows it as"));
  const auto text = files.find(kCase);
  if (text == files.end()) return fail(std::string("has no case"));
  return report::from_json(text->second);
}

Result<WorkflowId, Problem> find_workflow(const os::Dir& home, std::string_view text) {
  constexpr std::size_t kShortest = 7;
  constexpr std::size_t kMostWorkflows = 1'000'000;
  std::string wanted(text);
  for (char& c : wanted) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  const auto none = [&](const std::string& what) {
    Problem problem = missing(what, home.path_of("evidence"));
    problem.help = {"codegenie audit log --kind workflow_started"};
    return problem;
  };
  if (text != "latest" && wanted.size() < kShortest) {
    return fail(none("a workflow is named by at least 7 characters of its id, or `latest`"));
  }
  const auto names = home.list("evidence", kMostWorkflows);
  if (!names && names.error().kind != os::Error::Kind::not_found) {
    return fail(audit::reading(names.error()));
  }
  std::vector<WorkflowId> found;
  for (const std::string& name : names ? *names : std::vector<std::string>{}) {
    const auto id = WorkflowId::parse(name);
    if (id && (text == "latest" || name.starts_with(wanted))) found.push_back(*id);
  }
  if (found.empty()) return fail(none("no evidence of `" + printable(cut_utf8(text, 40)) + "`"));
  if (found.size() > 1 && text != "latest") {
    return fail(none("several workflows begin with `" + printable(cut_utf8(text, 40)) + "`"));
  }
  return found.back();  // sorted by time
}

}  // namespace cg::evidence
