#include "flow/repository/dockerfile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cg::repository {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Dockerfile parse(std::string_view text) {
  const auto file = parse_dockerfile(text);
  EXPECT_TRUE(file) << (file ? "" : file.error().what);
  return file ? *file : Dockerfile{};
}

std::vector<std::string> images(const Dockerfile& file) {
  std::vector<std::string> out;
  for (const Stage& stage : file.stages) out.push_back(stage.image);
  return out;
}

TEST(Dockerfile, StagesNameEachOther) {
  const Dockerfile file = parse(
      "FROM node:18-alpine AS Deps\nRUN npm ci\n\nFROM deps as build\nFROM scratch\n"
      "COPY --from=build /out /\nCOPY --from=0 /x /\nCOPY --from=busybox:1 /bin/sh /sh\n");
  ASSERT_EQ(file.stages.size(), 3U);
  EXPECT_EQ(file.stages[0].name, "deps");
  EXPECT_EQ(file.stages[1].base, 0U);
  EXPECT_EQ(file.stages[1].line, 4U);
  EXPECT_EQ(file.origin(file.stages[1]).image, "node:18-alpine");
  EXPECT_TRUE(file.stages[2].scratch);
  ASSERT_EQ(file.copies.size(), 1U);
  EXPECT_EQ(file.copies[0].image, "busybox:1");
  EXPECT_EQ(file.copies[0].line, 8U);
}

TEST(Dockerfile, AStageMayBeCalledLikeTheImageItBuildsOn) {
  const Dockerfile file = parse("FROM node AS node\nFROM node\n");
  EXPECT_EQ(file.stages[0].base, std::nullopt);
  EXPECT_EQ(file.stages[1].base, 0U);
}

TEST(Dockerfile, DefaultsOfArgumentsArePutIn) {
  const struct {
    std::string text;
    std::string image;
    bool resolved;
  } cases[] = {
      {"ARG V=18\nFROM node:$V\n", "node:18", true},
      {"ARG V=18\nFROM node:${V}-slim\n", "node:18-slim", true},
      {"ARG V=\"18\" W='x'\nFROM node:$V$W\n", "node:18x", true},
      {"ARG V=18\nARG I=node:${V}\nFROM $I\n", "node:18", true},
      {"ARG V\nFROM node:$V\n", "node:", false},
      {"FROM node:${V:-20}\n", "node:20", true},
      {"FROM node:${V:-${W:-21}}\n", "node:21", true},
      {"ARG V=1\nFROM node:${V:+22}\n", "node:22", true},
      {"ARG V=\nFROM node:${V:-20}\n", "node:20", true},
      {"ARG V=\nFROM node:18${V-20}\n", "node:18", true},
      {"FROM node:${V?x}\n", "node:", false},
      {"FROM node:${V\n", "node:", false},
      {"FROM $V\n", "", false},
      {"FROM node\nARG V=18\nFROM node:$V\n", "node:", false},  // not a global one
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    const Dockerfile file = parse(c.text);
    ASSERT_FALSE(file.stages.empty());
    EXPECT_EQ(file.stages.back().image, c.image);
    EXPECT_EQ(file.stages.back().resolved, c.resolved);
  }
}

TEST(Dockerfile, LinesGoOnAndCommentsBetweenThemDoNotCount) {
  EXPECT_THAT(images(parse("FROM \\\n# a comment\n\n  node:18 \\  \n AS x\nRUN a \\\nFROM no\n")),
              ElementsAre("node:18"));
  EXPECT_THAT(images(parse("# escape=`\nFROM `\nnode:18\nRUN c:\\\nFROM b\n")),
              ElementsAre("node:18", "b"));
  EXPECT_THAT(images(parse("# a\n# escape=`\nFROM a\\\nb\n")), ElementsAre("ab"));
  EXPECT_THAT(images(parse("\xEF\xBB\xBF"
                           "FROM a\r\nfrom b\r\n")),
              ElementsAre("a", "b"));
}

TEST(Dockerfile, HereDocumentsAreNoInstructions) {
  EXPECT_THAT(images(parse("FROM a\nRUN <<EOF\nFROM b\nEOF\nFROM c\n")), ElementsAre("a", "c"));
  EXPECT_THAT(images(parse("FROM a\nRUN cat <<-\"E\" && x\n\tFROM b\n\tE\nFROM c\n")),
              ElementsAre("a", "c"));
  EXPECT_THAT(images(parse("FROM a\nCOPY <<A <<B /x/\nFROM b\nA\nFROM b\nB\nFROM c\n")),
              ElementsAre("a", "c"));
  EXPECT_THAT(images(parse("FROM a\nRUN cat <<<word\nRUN echo '<<EOF'\nENV X=<<EOF\nFROM c\n")),
              ElementsAre("a", "c"));
  const auto open = parse_dockerfile("FROM a\nRUN <<EOF\nFROM b\n");
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().line, 2U);
  EXPECT_THAT(open.error().what, HasSubstr("EOF"));
}

TEST(Dockerfile, PlatformsAndOptionsAreNotImages) {
  const Dockerfile file =
      parse("ARG P=linux/arm64\nFROM --platform=$P node\nFROM --platform=$BUILDPLATFORM node\n");
  EXPECT_EQ(file.stages[0].platform, "linux/arm64");
  EXPECT_EQ(file.stages[1].platform, "$BUILDPLATFORM");
}

TEST(Dockerfile, BadOnesAreRefusedWithTheirLine) {
  for (const char* text : {"FROM\n", "RUN x\nFROM a b\n", "FROM a as\n", "FROM a of b\n"}) {
    SCOPED_TRACE(text);
    ASSERT_FALSE(parse_dockerfile(text));
    EXPECT_GT(parse_dockerfile(text).error().line, 0U);
  }
  EXPECT_FALSE(parse_dockerfile("FROM \xff\n"));
  EXPECT_FALSE(parse_dockerfile(std::string(kMaxDockerfileBytes + 1, '#')));
  std::string many;
  for (std::size_t i = 0; i <= kMaxStages; ++i) many += "FROM a\n";
  EXPECT_FALSE(parse_dockerfile(many));
  EXPECT_THAT(images(parse("")), IsEmpty());
}

TEST(Dockerfile, SubstitutionCannotGrowWithoutBound) {
  std::string text = "ARG A=" + std::string(4000, 'x') + "\n";
  for (char c = 'B'; c < 'Z'; ++c) {
    text += std::string("ARG ") + c + "=$" + static_cast<char>(c - 1) + "$" +
            static_cast<char>(c - 1) + "\n";
  }
  EXPECT_FALSE(parse(text + "FROM $Y\n").stages[0].resolved);
  EXPECT_FALSE(parse_dockerfile("ARG A=" + std::string(4000, 'x') + "\nFROM $A$A\n"));
}

TEST(ImageName, HasPartsAndAPortIsNoTag) {
  EXPECT_EQ(split_image("node:18"), (ImageName{"node", "18", ""}));
  EXPECT_EQ(split_image("host.example:5000/a/b"), (ImageName{"host.example:5000/a/b", "", ""}));
  EXPECT_EQ(split_image("host.example:5000/a:1@sha256:00"),
            (ImageName{"host.example:5000/a", "1", "sha256:00"}));
}

}  // namespace
}  // namespace cg::repository
