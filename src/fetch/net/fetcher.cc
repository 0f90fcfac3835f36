#include "fetch/net/fetcher.h"

#include <cstdlib>

namespace cg::net {

namespace {

std::string kind_text(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::request:
      return "the request cannot be sent";
    case Error::Kind::unresolved:
      return "the host has no address that may be used";
    case Error::Kind::unreachable:
      return "the host cannot be reached";
    case Error::Kind::timeout:
      return "no complete answer in time";
    case Error::Kind::tls:
      return "the host did not prove its identity";
    case Error::Kind::http_status:
      return "the server answered with a status other than 200";
    case Error::Kind::redirect:
      return "the server points elsewhere, and redirects are not followed";
    case Error::Kind::too_large:
      return "the answer is larger than allowed";
    case Error::Kind::protocol:
      return "the answer is not proper HTTP";
    case Error::Kind::storage:
      return "the answer could not be stored";
    case Error::Kind::setup:
      return "the network programs could not be started";
    case Error::Kind::violation:
      return "a network program did what it must not and was ended";
  }
  std::abort();
}

}  // namespace

std::string describe(const Error& error) {
  std::string out = kind_text(error.kind);
  if (error.status != 0) out += " (status " + std::to_string(error.status) + ")";
  if (!error.detail.empty()) out += ": " + error.detail;
  if (!error.location.empty()) out += " (" + error.location + ")";
  return out;
}

Result<FetchedText, Error> get_text(Fetcher& fetcher, const Request& request) {
  TextSink sink;
  CG_TRY_ASSIGN(Answer answer, fetcher.get(request, sink));
  return FetchedText{std::move(answer), sink.take()};
}

}  // namespace cg::net
