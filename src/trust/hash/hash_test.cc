#include <gtest/gtest.h>

#include <random>

#include "support/support.h"
#include "trust/hash/blake3.h"
#include "trust/hash/merkle.h"
#include "trust/hash/sha256.h"
#include "trust/hash/tree_digest.h"

namespace cg::hash {
namespace {

std::string hex(const Digest& digest) { return to_hex(digest); }

/// The input of the official BLAKE3 vectors: 0, 1, …, 250, 0, 1, …
std::string counting(std::size_t n) {
  std::string out(n, '\0');
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<char>(i % 251);
  return out;
}

TEST(Blake3, KnownValues) {
  EXPECT_EQ(hex(blake3({})), "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
}

/// One value of the official vectors file, found by plain text search so that the
/// oracle does not depend on a parser of ours.
std::string field(const std::string& json, std::size_t from, const std::string& name) {
  const std::size_t at = json.find("\"" + name + "\": \"", from) + name.size() + 5;
  return json.substr(at, 64);
}

TEST(Blake3, OfficialVectors) {
  const auto data = test::data_dir();
  if (!data) {
    GTEST_SKIP() << "the data folder is not there: official vectors not read";
  }
  const std::string json = test::read(*data / "vectors/blake3/test_vectors.json");
  const std::string context = "BLAKE3 2019-12-27 16:29:52 test vectors context";
  int seen = 0;
  for (std::size_t at = json.find("\"input_len\": "); at != std::string::npos;
       at = json.find("\"input_len\": ", at + 1)) {
    const std::size_t length = std::stoul(json.substr(at + 13));
    const std::string input = counting(length);
    EXPECT_EQ(hex(blake3(as_bytes(input))), field(json, at, "hash")) << length;
    EXPECT_EQ(hex(Blake3(context).update(as_bytes(input)).finish()), field(json, at, "derive_key"))
        << length;
    ++seen;
  }
  EXPECT_EQ(seen, 35);
}

TEST(Blake3, ChainStepIsTheWrittenFormula) {
  const Digest head = blake3(as_bytes("head"));
  for (const std::size_t n : {0UL, 1UL, 300UL, 984UL, 985UL, 5000UL}) {
    const std::string entry = counting(n);
    const Digest slow = Blake3("test context")
                            .update(head)
                            .update(to_le64(entry.size()))
                            .update(as_bytes(entry))
                            .finish();
    EXPECT_EQ(ChainHash("test context").next(head, as_bytes(entry)), slow) << n;
  }
}

TEST(Hash, AgreesWithB3sumAndSha256sum) {
  std::mt19937_64 random(20261115);
  const test::ScratchDir scratch;
  for (const std::size_t size :
       {0UL, 1UL, 63UL, 64UL, 65UL, 1023UL, 1024UL, 1025UL, 4096UL, 100'003UL, 3'000'017UL}) {
    std::string bytes(size, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    const std::string path = scratch / "f";
    test::write(path, bytes);
    EXPECT_EQ(test::run({"b3sum", "--no-names", path}).out, hex(blake3(as_bytes(bytes))) + "\n");
    EXPECT_EQ(test::run({"sha256sum", path}).out.substr(0, 64), hex(sha256(as_bytes(bytes))));
  }
}

// The eight entries and the roots of the reference tree that RFC 6962's authors
// published with certificate-transparency's test suite.
std::vector<std::string> reference_entries() {
  std::vector<std::string> entries;
  for (const std::string text : {"", "00", "10", "2021", "3031", "40414243", "5051525354555657",
                                 "606162636465666768696a6b6c6d6e6f"}) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); i += 2) {
      bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
    }
    entries.push_back(bytes);
  }
  return entries;
}

std::vector<Digest> leaves_of(const std::vector<std::string>& entries) {
  std::vector<Digest> leaves;
  for (const std::string& e : entries) leaves.push_back(leaf_hash(as_bytes(e)));
  return leaves;
}

TEST(Merkle, Rfc6962ReferenceRoots) {
  const std::vector<Digest> leaves = leaves_of(reference_entries());
  const std::string roots[] = {
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
      "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
      "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
      "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
      "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
      "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
  };
  for (std::size_t n = 0; n <= 8; ++n) {
    EXPECT_EQ(hex(tree_root(std::span(leaves).first(n))), roots[n]) << n;
  }
}

TEST(Merkle, InclusionProvesExactlyItsOwnLeafIndexAndSize) {
  std::vector<std::string> entries;
  for (int i = 0; i < 67; ++i) entries.push_back("entry " + std::to_string(i));
  const std::vector<Digest> leaves = leaves_of(entries);
  for (std::size_t size = 1; size <= leaves.size(); ++size) {
    const auto tree = std::span(leaves).first(size);
    const Digest root = tree_root(tree);
    for (std::size_t index = 0; index < size; ++index) {
      std::vector<Digest> path = inclusion_path(tree, index);
      ASSERT_TRUE(proves_inclusion(leaves[index], index, size, path, root));
      EXPECT_FALSE(proves_inclusion(leaves[index], index + 1, size, path, root));
      // Another size may have the same path shape, but never this root as well
      // as the right shape for a different tree: only the sizes whose shape for
      // this leaf is the same can pass, and those must keep the shape.
      EXPECT_FALSE(proves_inclusion(leaves[(index + 1) % leaves.size()], index, size, path, root));
      if (size > 1) {
        EXPECT_FALSE(proves_inclusion(leaves[index], index, size, {}, root));
        std::vector<Digest> damaged = path;
        damaged.back()[0] ^= 1U;
        EXPECT_FALSE(proves_inclusion(leaves[index], index, size, damaged, root));
        damaged = path;
        damaged.pop_back();
        EXPECT_FALSE(proves_inclusion(leaves[index], index, size, damaged, root));
      }
      path.push_back(root);
      EXPECT_FALSE(proves_inclusion(leaves[index], index, size, path, root));
    }
  }
}

TEST(TreeDigest, DependsOnEveryPartAndNotOnOrder) {
  const TreeEntry a{"a", TreeEntry::Kind::file, blake3(as_bytes("1"))};
  const TreeEntry b{"b", TreeEntry::Kind::file, blake3(as_bytes("2"))};
  const Digest both = tree_digest({a, b});
  EXPECT_EQ(tree_digest({b, a}), both);
  TreeEntry changed = b;
  changed.path = "c";
  EXPECT_NE(tree_digest({a, changed}), both);
  changed = b;
  changed.kind = TreeEntry::Kind::executable;
  EXPECT_NE(tree_digest({a, changed}), both);
  changed = b;
  changed.content = a.content;
  EXPECT_NE(tree_digest({a, changed}), both);
  EXPECT_NE(tree_digest({a}), both);
}

}  // namespace
}  // namespace cg::hash
