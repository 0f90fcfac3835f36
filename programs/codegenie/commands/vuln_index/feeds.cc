#include "commands/vuln_index/feeds.h"

#include "base/base/text.h"
#include "fetch/net/process_fetcher.h"
#include "progress.h"

namespace cg::program {

namespace {

constexpr std::uint64_t kMaxFeedBytes = 512ULL << 20U;
constexpr std::chrono::minutes kLimit{10};

cli::Key key_of(const std::string& source) {
  if (source == "ghsa") return cli::Key::feeds_ghsa;
  if (source == "nvd") return cli::Key::feeds_nvd;
  return cli::Key::feeds_osv;
}

ErrorCode code_of(net::Error::Kind kind) {
  switch (kind) {
    case net::Error::Kind::setup:
    case net::Error::Kind::violation:
      return ErrorCode::data_fetch_stopped;
    case net::Error::Kind::storage:
      return ErrorCode::home_io;
    case net::Error::Kind::request:
      return ErrorCode::config_bad;
    case net::Error::Kind::unresolved:
    case net::Error::Kind::unreachable:
    case net::Error::Kind::timeout:
    case net::Error::Kind::tls:
    case net::Error::Kind::http_status:
    case net::Error::Kind::redirect:
    case net::Error::Kind::too_large:
    case net::Error::Kind::protocol:
      break;
  }
  return ErrorCode::data_unreachable;
}

Problem not_fetched(const net::Error& error, const std::string& url) {
  return {code_of(error.kind),
          "the feed could not be fetched",
          {{"url", url}, {"found", net::describe(error)}},
          "the index is as it was",
          {"codegenie vuln-index refresh --from FILE    (a file fetched elsewhere)"}};
}

}  // namespace

Result<std::optional<Download>, Problem> download_feed(const std::string& source,
                                                       const cli::Settings& settings,
                                                       const cli::Invocation& invocation,
                                                       const Session& session) {
  const cli::Setting& setting = settings.at(key_of(source));
  if (setting.value == "none") {
    if (invocation.value("source") == "all") return std::optional<Download>();
    return fail(Problem{ErrorCode::config_bad,
                        "no address for " + source + ": the setting feeds." + source + " is none",
                        {{"from", cli::describe(setting.origin)}},
                        "the index is as it was",
                        {"codegenie vuln-index refresh --source " + source + " --from FILE"}});
  }
  const auto url = net::Url::parse(setting.value);
  if (!url) {
    return fail(Problem{ErrorCode::config_bad,
                        "feeds." + source + " is not a URL that can be used: " +
                            std::string(net::describe(url.error())),
                        {{"from", cli::describe(setting.origin)}},
                        "the index is as it was",
                        {"https, or http to this machine"}});
  }
  ProgressLine line(invocation, session);
  line.say("fetching " + setting.value);
  auto programs = net::find_programs();
  if (!programs) {
    return fail(Problem{ErrorCode::data_fetch_stopped,
                        "the programs that fetch are not installed",
                        {{"file", os::describe(programs.error())}},
                        "the index is as it was",
                        {"codegenie vuln-index refresh --from FILE"}});
  }
  net::ProcessFetcher fetcher(*std::move(programs));
  net::Request request{*url};
  request.max_bytes = kMaxFeedBytes;
  request.limit = kLimit;
  auto fetched = net::get_text(fetcher, request);
  if (!fetched) return fail(not_fetched(fetched.error(), setting.value));
  return std::optional(Download{setting.value, std::move(fetched->text)});
}

}  // namespace cg::program
