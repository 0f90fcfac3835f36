#include "model/prompt/kept.h"

#include <gtest/gtest.h>

namespace cg::prompt {
namespace {

const Kept kSample{"what we say\n", "# Task\n\nadvisory: GHSA-1\npackage: @a/b\n\nThe advisory:\n"};

TEST(Kept, IsReadBackUnderItsDigestAndNoOther) {
  const hash::Digest digest = digest_of(kSample.system, kSample.user);
  std::string bytes = write_kept(kSample);
  EXPECT_EQ(read_kept(bytes, digest), kSample);
  EXPECT_EQ(read_kept(bytes, hash::Digest{}), std::nullopt);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_EQ(read_kept(damaged, digest), std::nullopt) << i;
    EXPECT_EQ(read_kept(bytes.substr(0, i), digest), std::nullopt) << i;
  }
  EXPECT_EQ(read_kept(bytes + "x", digest), std::nullopt);
}

TEST(Kept, WhereOneTextEndsIsPartOfTheDigest) {
  EXPECT_NE(digest_of("ab", "c"), digest_of("a", "bc"));
}

TEST(About, ReadsTheTaskAndNothingBehindIt) {
  const About about = about_of(kSample.user + "package: another\nmanifest: x\n");
  EXPECT_EQ(about.advisory, "GHSA-1");
  EXPECT_EQ(about.package, "@a/b");
  EXPECT_EQ(about.manifest, "");
  EXPECT_EQ(about_of("").package, "");
  EXPECT_EQ(about_of("# Task").package, "");
}

}  // namespace
}  // namespace cg::prompt
