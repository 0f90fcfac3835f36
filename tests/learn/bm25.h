// Bm25: what SQLite's full-text search finds, to be held against.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

struct sqlite3;

namespace cg::quality {

class Bm25 {
 public:
  /// A row per text, FTS5 with its own tokenizer.
  explicit Bm25(const std::vector<std::string>& texts);
  ~Bm25();
  Bm25(const Bm25&) = delete;
  Bm25& operator=(const Bm25&) = delete;
  /// The rows that have any word of `text`, the best first, at most `count`.
  [[nodiscard]] std::vector<std::size_t> find(const std::string& text, std::size_t count) const;

 private:
  sqlite3* database_ = nullptr;
};

}  // namespace cg::quality
