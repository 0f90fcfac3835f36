// A model of the BERT family that is small enough to be made anew by each test, of weights that
// a seed decides. What it says means nothing; what it computes can be compared.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cg::test {

struct TinyModel {
  int hidden = 48;
  int layers = 2;
  int heads = 4;
  int middle = 96;
  int positions = 64;
  unsigned seed = 1;
  std::string prefix = {};  // before the name of every tensor

  /// Changes a tensor before it is written; every one is F32.
  struct Tensor {
    std::vector<int> shape;
    std::vector<float> numbers;
    std::string dtype = "F32";
  };
  std::function<void(std::map<std::string, Tensor>&)> change = {};

  [[nodiscard]] std::string config() const;
  [[nodiscard]] std::string vocab() const;
  [[nodiscard]] std::string model() const;

  /// The ids of `count` words, between a first and a last token; `seed` decides which.
  [[nodiscard]] static std::vector<unsigned> ids(int count, unsigned seed);
  static constexpr int kVocabulary = 40;
};

}  // namespace cg::test
