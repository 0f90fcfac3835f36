// Texts are run in chunks of about one length and of some hundred tokens, so that a weight that
// was read serves many rows. Threads take the next chunk that nobody has; each text gives the same
// bits in any chunk, so neither their number nor their order shows.
#include "learn/pinned/model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

#include "learn/pinned/share.h"
#include "learn/tensor/kernels.h"
#include "trust/hash/sha256.h"

namespace cg::pinned {

namespace {

constexpr std::size_t kChunkTokens = 256;
constexpr std::size_t kMaxThreads = 16;

}  // namespace

Result<std::vector<ModelFile>, Problem> read_files(const os::Dir& folder) {
  CG_TRY(check_modules(folder));
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

Model::Model(Lock lock, tokenizer::Tokenizer tokenizer, encoder::Encoder encoder,
             std::size_t max_tokens)
    : lock_(std::move(lock)),
      id_(lock_.id()),
      tokenizer_(std::move(tokenizer)),
      encoder_(std::move(encoder)),
      max_tokens_(max_tokens) {}

Result<Model, Problem> Model::load(Lock lock, std::vector<ModelFile> files) {
  const ModelFile* settings = find_file(files, "config.json");
  if (settings == nullptr) return fail(unusable("config.json", "it is not there"));
  const auto config = encoder::parse_config(settings->bytes);
  if (!config) return fail(unusable(settings->name, config.error().what));
  CG_TRY_ASSIGN(tokenizer::Tokenizer tokenizer, read_tokenizer(files));
  if (tokenizer.id_end() > config->vocabulary) {
    return fail(unusable(settings->name, "its `vocab_size` is smaller than the vocabulary"));
  }
  CG_TRY_ASSIGN(const std::size_t length, read_length(files, tokenizer, config->positions));
  const auto weights = std::find_if(files.begin(), files.end(), [](const ModelFile& file) {
    return file.name == "model.safetensors";
  });
  if (weights == files.end()) return fail(unusable("model.safetensors", "it is not there"));
  auto encoder =
      encoder::Encoder::make(*config, std::move(weights->bytes), lock.precision, tensor::kernels());
  if (!encoder) return fail(unusable("model.safetensors", encoder.error().what));
  lock.dims = config->hidden;
  return Model(std::move(lock), std::move(tokenizer), *std::move(encoder), length);
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
  const std::size_t most = std::min<std::size_t>(
      {chunks.size(), kMaxThreads, std::max(1U, std::thread::hardware_concurrency())});
  share_out(chunks.size(), most, [&](const Next& next) {
    encoder::Scratch scratch;
    while (const auto chunk = next()) {
      std::vector<const encoder::Ids*> some;
      for (const std::size_t index : chunks[*chunk]) some.push_back(&texts[index]);
      auto made = encoder_.run(some, scratch);
      for (std::size_t k = 0; k < some.size(); ++k) out[chunks[*chunk][k]] = std::move(made[k]);
    }
  });
  return out;
}

/// Vectors that are numbers, or none of them.
Result<std::vector<embedding::Vector>, Problem> Model::sound(
    std::span<const encoder::Ids> texts) const {
  auto out = vectors(texts);
  for (const embedding::Vector& vector : out) {
    if (std::all_of(vector.begin(), vector.end(), [](float x) { return std::isfinite(x); }))
      continue;
    return fail(unusable("model.safetensors",
                         "its weights overflow: a vector that it gives is of no numbers"));
  }
  return out;
}

Result<std::vector<embedding::Vector>, Problem> Model::embed(
    std::span<const std::string_view> texts) {
  std::vector<encoder::Ids> all;
  all.reserve(texts.size());
  for (const std::string_view text : texts) all.push_back(ids(text));
  return sound(all);
}

Result<std::int64_t, Problem> Model::self_test() const {
  const std::vector<encoder::Ids> texts = {ids("prototype pollution"), ids("__proto__ merge")};
  CG_TRY_ASSIGN(const auto made, sound(texts));
  return std::llround(embedding::cosine(made[0], made[1]) * 10'000);
}

}  // namespace cg::pinned
