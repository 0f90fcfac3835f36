// Texts are run in chunks of about one length and of some hundred tokens, so that a weight that
// was read serves many rows. Threads take the next chunk that nobody has; each text gives the same
// bits in any chunk, so neither their number nor their order shows.
#include "learn/pinned/model.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <system_error>
#include <thread>

#include "base/base/text.h"
#include "base/json/json.h"
#include "learn/tensor/kernels.h"
#include "trust/hash/sha256.h"

namespace cg::pinned {

namespace {

constexpr std::size_t kChunkTokens = 256;
constexpr std::size_t kMaxThreads = 16;
constexpr std::size_t kMaxSettings = 1U << 20U;

Problem unusable(const std::string& file, const std::string& found) {
  return {ErrorCode::embed_model,
          "the model cannot be used",
          {{"file", file}, {"found", found}},
          "nothing was made with it, and nothing was changed",
          {"codegenie explain CG-EMBED-002"}};
}

const ModelFile* find(std::span<const ModelFile> files, std::string_view name) {
  const auto at = std::find_if(files.begin(), files.end(),
                               [&](const ModelFile& file) { return file.name == name; });
  return at == files.end() ? nullptr : &*at;
}

std::optional<json::Value> read_settings(std::string_view text) {
  auto out = json::parse_json(text, {kMaxSettings, 32, 100'000});
  if (!out || !out->is_object()) return std::nullopt;
  return *std::move(out);
}

/// What vocab.txt does not say of itself.
std::optional<tokenizer::Rules> read_rules(const ModelFile* settings) {
  tokenizer::Rules rules;
  if (settings == nullptr) return rules;
  const auto all = read_settings(settings->bytes);
  if (!all) return std::nullopt;
  const auto flag = [&](std::string_view key, bool& to) {
    const json::Value* found = all->find(key);
    if (found == nullptr || found->is_null()) return true;
    to = found->as_bool().value_or(false);
    return found->is_bool();
  };
  if (!flag("do_lower_case", rules.lowers)) return std::nullopt;
  rules.strips_accents = rules.lowers;
  if (!flag("strip_accents", rules.strips_accents)) return std::nullopt;
  if (!flag("tokenize_chinese_chars", rules.spaces_ideographs)) return std::nullopt;
  return rules;
}

Result<tokenizer::Tokenizer, Problem> read_tokenizer(std::span<const ModelFile> files) {
  if (const ModelFile* json = find(files, "tokenizer.json")) {
    auto made = tokenizer::Tokenizer::from_json(json->bytes);
    if (!made) return fail(unusable(json->name, made.error().what));
    return *std::move(made);
  }
  const ModelFile* vocab = find(files, "vocab.txt");
  if (vocab == nullptr)
    return fail(unusable("tokenizer.json", "neither it nor vocab.txt is there"));
  const auto rules = read_rules(find(files, "tokenizer_config.json"));
  if (!rules) return fail(unusable("tokenizer_config.json", "not an object with true and false"));
  auto made = tokenizer::Tokenizer::from_vocab(vocab->bytes, *rules);
  if (!made) return fail(unusable(vocab->name, made.error().what));
  return *std::move(made);
}

/// Sentence encoders are published with how a vector is made of those of all tokens.
Result<Done, Problem> check_pooling(const os::Dir& folder) {
  const std::string path = "1_Pooling/config.json";
  const auto text = folder.read(path, kMaxSettings);
  if (!text && text.error().kind == os::Error::Kind::not_found) return Done{};
  if (!text) return fail(unusable(folder.path_of(path), os::describe(text.error())));
  const auto all = read_settings(*text);
  const json::Value* mean = all ? all->find("pooling_mode_mean_tokens") : nullptr;
  if (mean != nullptr && mean->as_bool() == true) return Done{};
  return fail(unusable(folder.path_of(path), "its vectors are not the mean of all tokens"));
}

}  // namespace

Result<std::vector<ModelFile>, Problem> read_files(const os::Dir& folder) {
  CG_TRY(check_pooling(folder));
  std::vector<ModelFile> out;
  for (const std::string_view name : kFileNames) {
    auto bytes = folder.read(std::string(name), kMaxModelBytes);
    if (!bytes && bytes.error().kind == os::Error::Kind::not_found) continue;
    if (!bytes) {
      return fail(unusable(folder.path_of(std::string(name)), os::describe(bytes.error())));
    }
    out.push_back({std::string(name), *std::move(bytes)});
  }
  return out;
}

std::vector<LockedFile> digests(std::span<const ModelFile> files) {
  std::vector<LockedFile> out;
  for (const ModelFile& file : files) {
    out.push_back({file.name, hash::sha256(as_bytes(file.bytes))});
  }
  return out;
}

Model::Model(Lock lock, tokenizer::Tokenizer tokenizer, encoder::Encoder encoder)
    : lock_(std::move(lock)),
      id_(lock_.id()),
      tokenizer_(std::move(tokenizer)),
      encoder_(std::move(encoder)),
      max_tokens_(std::min(encoder_.config().positions,
                           tokenizer_.max_length().value_or(encoder_.config().positions))) {}

Result<Model, Problem> Model::load(Lock lock, std::vector<ModelFile> files) {
  const ModelFile* settings = find(files, "config.json");
  if (settings == nullptr) return fail(unusable("config.json", "it is not there"));
  const auto config = encoder::parse_config(settings->bytes);
  if (!config) return fail(unusable(settings->name, config.error().what));
  CG_TRY_ASSIGN(tokenizer::Tokenizer tokenizer, read_tokenizer(files));
  if (tokenizer.id_end() > config->vocabulary) {
    return fail(unusable(settings->name, "its `vocab_size` is smaller than the vocabulary"));
  }
  const auto weights = std::find_if(files.begin(), files.end(), [](const ModelFile& file) {
    return file.name == "model.safetensors";
  });
  if (weights == files.end()) return fail(unusable("model.safetensors", "it is not there"));
  auto encoder =
      encoder::Encoder::make(*config, std::move(weights->bytes), lock.precision, tensor::kernels());
  if (!encoder) return fail(unusable("model.safetensors", encoder.error().what));
  lock.dims = config->hidden;
  return Model(std::move(lock), std::move(tokenizer), *std::move(encoder));
}

encoder::Ids Model::ids(std::string_view text) const { return tokenizer_.ids(text, max_tokens_); }

std::vector<embedding::Vector> Model::vectors(std::span<const encoder::Ids> texts) const {
  std::vector<std::size_t> order(texts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return texts[a].size() > texts[b].size(); });
  std::vector<std::span<const std::size_t>> chunks;
  for (std::size_t from = 0; from < order.size();) {
    const std::size_t fit = std::max<std::size_t>(1, kChunkTokens / texts[order[from]].size());
    const std::size_t count = std::min(fit, order.size() - from);
    chunks.push_back(std::span(order).subspan(from, count));
    from += count;
  }
  std::vector<embedding::Vector> out(texts.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    encoder::Scratch scratch;
    for (std::size_t i = next++; i < chunks.size(); i = next++) {
      std::vector<const encoder::Ids*> some;
      for (const std::size_t index : chunks[i]) some.push_back(&texts[index]);
      auto made = encoder_.run(some, scratch);
      for (std::size_t k = 0; k < some.size(); ++k) out[chunks[i][k]] = std::move(made[k]);
    }
  };
  const std::size_t most = std::min<std::size_t>(
      {chunks.size(), kMaxThreads, std::max(1U, std::thread::hardware_concurrency())});
  std::vector<std::thread> helpers;
  try {
    while (helpers.size() + 1 < most) helpers.emplace_back(work);
  } catch (const std::system_error&) {
    // The user has as many threads as may be: those that are there do all of it.
  }
  work();
  for (std::thread& helper : helpers) helper.join();
  return out;
}

Result<std::vector<embedding::Vector>, Problem> Model::embed(
    std::span<const std::string_view> texts) {
  std::vector<encoder::Ids> all;
  all.reserve(texts.size());
  for (const std::string_view text : texts) all.push_back(ids(text));
  return vectors(all);
}

std::int64_t Model::self_test() const {
  const std::vector<encoder::Ids> texts = {ids("prototype pollution"), ids("__proto__ merge")};
  const auto made = vectors(texts);
  return std::llround(embedding::cosine(made[0], made[1]) * 10'000);
}

}  // namespace cg::pinned
