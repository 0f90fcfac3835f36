// The key that signs a log's checkpoints.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "trust/sign/note.h"

namespace cg::audit {

/// "PRIVATE+KEY+name+id+base64", the private form of a signed-note key.
struct LogKey {
  sign::NoteKey verifier;
  sign::Seed seed{};
};

[[nodiscard]] LogKey make_log_key(const std::string& log, const sign::Seed& seed);
[[nodiscard]] std::string write_log_key(const LogKey& key);
[[nodiscard]] Result<LogKey, Problem> read_log_key(const os::Dir& home);

}  // namespace cg::audit
