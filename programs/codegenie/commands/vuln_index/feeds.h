// Feeds from the network, through codegenie-fetch.
#pragma once

#include <optional>
#include <string>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "flow/cli/config.h"
#include "flow/cli/parse.h"
#include "session.h"

namespace cg::program {

struct Download {
  std::string url;
  std::string body;
};

/// Nothing if the setting of this source says `none` and more than one was asked for.
[[nodiscard]] Result<std::optional<Download>, Problem> download_feed(
    const std::string& source, const cli::Settings& settings, const cli::Invocation& invocation,
    const Session& session);

}  // namespace cg::program
