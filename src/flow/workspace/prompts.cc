#include "flow/workspace/prompts.h"

#include <algorithm>

#include "base/base/text.h"

namespace cg::workspace {

namespace {

/// For one more: the oldest go.
void make_room(const os::Dir& home) {
  constexpr std::size_t kMostListed = 10 * kMaxPrompts;
  const auto names = home.list(kPrompts, kMostListed);
  if (!names || names->size() < kMaxPrompts) return;
  std::vector<std::pair<Time, std::string>> all;
  for (const std::string& name : *names) {
    const std::string path = std::string(kPrompts) + "/" + name;
    if (const auto info = home.stat(path)) all.emplace_back(info->changed, path);
  }
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i + kMaxPrompts <= all.size(); ++i) {
    static_cast<void>(home.remove(all[i].second));
  }
}

Problem io(std::string what, const os::Error& error) {
  return {ErrorCode::home_io,
          std::move(what),
          {{"path", os::describe(error)}},
          "no model was asked",
          {}};
}

}  // namespace

std::string prompt_path(const hash::Digest& digest) {
  return std::string(kPrompts) + "/" + to_hex(digest);
}

Result<Done, Problem> keep_prompt(const Workspace& workspace, const prompt::Kept& kept) {
  const std::string path = prompt_path(prompt::digest_of(kept.system, kept.user));
  auto made = workspace.home.make_dir(kPrompts);
  make_room(workspace.home);
  if (made) made = workspace.home.write_atomic(path, prompt::write_kept(kept));
  if (!made) return fail(io("a question to a model cannot be kept", made.error()));
  return Done{};
}

Result<std::optional<prompt::Kept>, Problem> read_prompt(const Workspace& workspace,
                                                         const hash::Digest& digest) {
  const std::string path = prompt_path(digest);
  const auto bytes = workspace.home.read(path, prompt::kMaxKeptPrompt);
  if (!bytes && bytes.error().kind == os::Error::Kind::not_found) {
    return std::optional<prompt::Kept>();
  }
  auto kept = bytes ? prompt::read_kept(*bytes, digest) : std::nullopt;
  if (kept) return kept;
  return fail(Problem{ErrorCode::model_prompt,
                      "a kept prompt is not the one that the log names",
                      {{"file", printable(workspace.home.path_of(path))}},
                      "nothing was shown of it",
                      {"codegenie explain CG-MODEL-008"}});
}

}  // namespace cg::workspace
