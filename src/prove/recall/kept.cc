#include "prove/recall/kept.h"

#include <algorithm>

#include "base/archive/stream.h"
#include "base/base/text.h"
#include "base/domain/ids.h"
#include "jail/sandbox/wire.h"

namespace cg::recall {

namespace {

constexpr std::string_view kMagic = "codegenie step 1\n";
constexpr std::uint64_t kMaxUnpacked = 256U << 20U;

std::string_view take_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

template <class M>
std::optional<M> take_frame(std::string_view& rest) {
  const auto header = sandbox::read_header(rest.substr(0, sandbox::kFrameHeader));
  if (!header || rest.size() - sandbox::kFrameHeader < header->size) return std::nullopt;
  auto message =
      sandbox::read_fields(header->kind, rest.substr(sandbox::kFrameHeader, header->size));
  if (!message || !std::holds_alternative<M>(*message)) return std::nullopt;
  rest.remove_prefix(sandbox::kFrameHeader + header->size);
  return std::get<M>(*std::move(message));
}

}  // namespace

std::optional<std::string> write_kept(const Kept& kept) {
  const auto in_force = sandbox::write_frame(kept.in_force);
  const auto ran = sandbox::write_frame(kept.ran);
  if (!in_force || !ran) return std::nullopt;
  std::string bytes(kMagic);
  bytes += kept.workflow + "\n" + to_iso(kept.at) + "\n" + *in_force + *ran;
  if (bytes.size() > kMaxUnpacked) return std::nullopt;
  std::string packed = archive::zstd_compress(bytes, 3);
  if (packed.size() > kMaxKeptBytes) return std::nullopt;
  return packed;
}

std::optional<Kept> read_kept(std::string_view packed) {
  archive::Limits limits;
  limits.max_output = kMaxUnpacked;
  limits.free_output = kMaxUnpacked;  // output of tests repeats itself without end
  const auto bytes = archive::unzstd(packed, limits);
  if (!bytes || !bytes->starts_with(kMagic)) return std::nullopt;
  std::string_view rest = std::string_view(*bytes).substr(kMagic.size());
  Kept out;
  const auto workflow = WorkflowId::parse(take_line(rest));
  const auto at = parse_iso(take_line(rest));
  if (!workflow || !at) return std::nullopt;
  auto in_force = take_frame<sandbox::InForce>(rest);
  if (!in_force) return std::nullopt;
  auto ran = take_frame<sandbox::Ran>(rest);
  if (!ran || !rest.empty()) return std::nullopt;
  return Kept{workflow->str(), *at, *std::move(in_force), *std::move(ran)};
}

}  // namespace cg::recall
