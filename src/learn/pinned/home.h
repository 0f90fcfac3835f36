// Home: the model of a workspace.
//
//   rag/embeddings_model.lock      which one: lock.h
//   rag/model/<digits>/            its files, by the digits of the lock's id, and sbom.cdx.json
//
// The lock is written last, so a bootstrap that is killed leaves the model that was there. Each
// time a model is opened its files are compared with the lock, before anything is read from them.
#pragma once

#include <optional>
#include <string>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "learn/pinned/lock.h"
#include "learn/pinned/model.h"
#include "trust/record/event.h"

namespace cg::pinned {

/// Why a model is not used, and what the log is to hear of it.
struct Refusal {
  Problem problem;
  record::Events events;
};

/// By what the files of a model were pinned.
enum class Pinned { as_read, by_lock, by_workspace };
[[nodiscard]] std::string_view name(Pinned how);

/// Nothing if no model is pinned. `home` is the workspace's folder.
[[nodiscard]] Result<std::optional<Lock>, Problem> read_lock(const os::Dir& home);

/// Where the files of a locked model lie.
[[nodiscard]] std::string folder_of(const Lock& lock);

/// The model of the workspace, its files compared with the lock; nothing if none is pinned.
[[nodiscard]] Result<std::optional<Model>, Refusal> open(const os::Dir& home);

/// The model of any folder, pinned by nothing, under the folder's name.
[[nodiscard]] Result<Model, Problem> open_unpinned(const std::string& folder,
                                                   encoder::Precision precision);

struct Bootstrap {
  std::string from;                                  // a folder
  std::optional<Lock> lock = {};                     // the operator's
  std::optional<encoder::Precision> precision = {};  // nothing: the lock's, or fp32
};
struct Bootstrapped {
  Model model;
  Pinned how;
  record::Event event;  // for the log, once
};

/// Puts the model of a folder into the workspace. Compared with the operator's lock, else with the
/// workspace's own, else pinned as read. After a refusal nothing is changed.
[[nodiscard]] Result<Bootstrapped, Refusal> bootstrap(const os::Dir& home, const Bootstrap& wish);

/// Whether a model still computes what its lock says; `found` is 0 if that is no number at all.
[[nodiscard]] bool passes_self_test(const Model& model, std::int64_t& found);

}  // namespace cg::pinned
