// Settings: what the small files beside a model say of how it is to be used.
//
// What they ask for is done, or refused with its name: a vector that is made in another way than
// its makers make it lies elsewhere.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "learn/tokenizer/tokenizer.h"

namespace cg::pinned {

struct ModelFile {
  std::string name;
  std::string bytes;
};

/// nullptr: it is not among them.
[[nodiscard]] const ModelFile* find_file(std::span<const ModelFile> files, std::string_view name);

[[nodiscard]] Problem unusable(const std::string& file, const std::string& found);

/// Of what is not pinned and decides nothing here: modules.json, how the vectors of all tokens
/// become one, and what is put before a text. An error if that is not what is computed. Nothing is
/// asked of a folder without them.
[[nodiscard]] Result<Done, Problem> check_modules(const os::Dir& folder);

/// By tokenizer.json, else by vocab.txt with tokenizer_config.json. Where tokenizer.json and
/// tokenizer_config.json both say something it has to be the same.
[[nodiscard]] Result<tokenizer::Tokenizer, Problem> read_tokenizer(
    std::span<const ModelFile> files);

/// The most tokens of a text: what sentence_bert_config.json says, as those who publish such
/// encoders run them; else what both `tokenizer` and tokenizer_config.json allow. At most
/// `positions`. An error if a file asks for what is not done.
[[nodiscard]] Result<std::size_t, Problem> read_length(std::span<const ModelFile> files,
                                                       const tokenizer::Tokenizer& tokenizer,
                                                       std::size_t positions);

}  // namespace cg::pinned
