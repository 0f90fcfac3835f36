// The problems of the audit log, each made in one place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/domain/error.h"
#include "base/os/error.h"
#include "trust/hash/digest.h"

namespace cg::audit {

/// Something about the log that does not hold. `file` is where.
[[nodiscard]] Problem broken(ErrorCode code, std::string what, const std::string& file);
/// The same, with what was expected and what was found instead.
[[nodiscard]] Problem broken(ErrorCode code, std::string what, const std::string& file,
                             std::string expected, std::string found);

/// An operating-system error while reading the log: what cannot be read cannot be
/// verified (exit 4), a symbolic link is refused (exit 6).
[[nodiscard]] Problem reading(const os::Error& error);
/// The same while writing: a full disk, a read-only workspace.
[[nodiscard]] Problem writing(const os::Error& error);

/// "9f31c2aa77d0…": enough of a digest to compare by eye.
[[nodiscard]] std::string abbreviated(const hash::Digest& digest);

}  // namespace cg::audit
