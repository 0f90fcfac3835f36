#include "commands/embeddings/pinning.h"

#include <array>
#include <cstdio>

#include "base/base/text.h"

namespace cg::program {

namespace {

Result<Done, Problem> record_all(const Access& access, const record::Events& events) {
  os::SystemClock clock;
  CG_TRY_ASSIGN(audit::Log log, open_log(access, clock));
  CG_TRY(log.append(events));
  CG_TRY(log.checkpoint());
  return Done{};
}

}  // namespace

Problem told(const Access& access, pinned::Refusal refusal) {
  if (refusal.events.empty()) return std::move(refusal.problem);
  const auto recorded = record_all(access, refusal.events);
  if (!recorded) refusal.problem.where.emplace_back("not recorded", recorded.error().what);
  return std::move(refusal.problem);
}

Result<pinned::Model, Problem> open_pinned(const Access& access) {
  auto opened = pinned::open(access.workspace.home);
  if (!opened) return fail(told(access, std::move(opened).error()));
  if (opened->has_value()) return **std::move(opened);
  return fail(Problem{ErrorCode::embed_none,
                      "no model is pinned",
                      {{"workspace", access.workspace.path}},
                      "no vector was made",
                      {"codegenie embeddings bootstrap --from DIR"}});
}

json::Value files_json(const pinned::Lock& lock) {
  json::Value::Array out;
  for (const pinned::LockedFile& file : lock.files) {
    out.push_back(json::Value::Object{{"name", file.name}, {"sha256", to_hex(file.sha256)}});
  }
  return out;
}

std::string files_text(const pinned::Lock& lock, const std::string& what, const cli::Style& style) {
  constexpr std::size_t kShown = 6;  // digits, to compare by eye
  std::vector<std::vector<cli::Cell>> rows;
  for (const pinned::LockedFile& file : lock.files) {
    rows.push_back(
        {{std::string(style.glyph(cli::Glyph::ok)), cli::Role::good},
         {file.name},
         {"sha256 " + to_hex(file.sha256).substr(0, kShown) + std::string(style.ellipsis())},
         {what}});
  }
  return cli::layout({{}, {}, {}, {}}, rows, style);
}

std::string cosine_text(std::int64_t ten_thousandths) {
  std::array<char, 32> out{};
  std::snprintf(out.data(), out.size(), "%.4f", static_cast<double>(ten_thousandths) / 10'000);
  return out.data();
}

}  // namespace cg::program
