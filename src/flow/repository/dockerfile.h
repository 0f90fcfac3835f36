// Dockerfile: which images a Dockerfile builds on.
//
// Reads FROM, ARG and COPY --from, and passes over the rest the way docker does:
// continued lines, comments inside them, here-documents (whose text is not
// instructions), the escape directive. It runs nothing and asks nobody: an image is
// what the text says with the defaults of its ARGs. Pure, bounded by kMaxBytes and
// kMaxStages.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"

namespace cg::repository {

inline constexpr std::size_t kMaxDockerfileBytes = 1U << 20U;
inline constexpr std::size_t kMaxStages = 1'000;

/// "ghcr.example/team/node:18-alpine@sha256:…" in its parts; empty where absent.
struct ImageName {
  std::string repository;
  std::string tag;
  std::string digest;  // "sha256:…"
  friend bool operator==(const ImageName&, const ImageName&) = default;
};
[[nodiscard]] ImageName split_image(std::string_view image);

/// One FROM.
struct Stage {
  std::string name;      // of AS, lower case; empty if it has none
  std::string written;   // the image as the text has it
  std::string image;     // with the defaults of ARGs put in
  std::string platform;  // of --platform
  std::size_t line = 0;
  /// The earlier stage that `image` names. Then it is no image.
  std::optional<std::size_t> base;
  bool scratch = false;
  /// False if a variable without default is in it: then `image` has a gap.
  bool resolved = true;
};

/// An image that files are copied from, without building on it.
struct CopySource {
  std::string image;
  std::size_t line = 0;
};

struct Dockerfile {
  std::vector<Stage> stages;
  std::vector<CopySource> copies;

  /// The stage at whose FROM the image of `stage` enters: follows `base`.
  [[nodiscard]] const Stage& origin(const Stage& stage) const;
};

struct DockerfileError {
  std::size_t line = 0;
  std::string what;  // one line, printable
};

[[nodiscard]] Result<Dockerfile, DockerfileError> parse_dockerfile(std::string_view text);

}  // namespace cg::repository
