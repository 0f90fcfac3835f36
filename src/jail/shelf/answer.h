// Answer: the file that a request gets, or what it is told instead.
#pragma once

#include <cstdint>
#include <string>

#include "base/os/dir.h"
#include "jail/shelf/request.h"

namespace cg::shelf {

/// The document of a folder: what is said of a package lies in the folder of its name,
/// beside its tarballs.
inline constexpr const char* kDocument = "index.json";

struct Answer {
  std::string head;        // status line and headers; for errors, a short text after them
  os::Fd file;             // closed if there is nothing to send of one
  std::uint64_t size = 0;  // of it
  bool keep_alive = false;
};

/// Opens what is asked for beneath `folder`: plain files, and of folders their document.
/// No link is followed and nothing above is reached, however the path is written.
[[nodiscard]] Answer answer_to(const Request& request, const os::Dir& folder);
[[nodiscard]] Answer answer_to(Refusal refusal);

}  // namespace cg::shelf
