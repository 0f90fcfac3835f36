// Why an override is there is remembered as long as the override is.
#include "flow/propose/override_notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/support.h"

namespace cg::propose {
namespace {

using Paths = std::vector<std::vector<std::string>>;

class Notes : public testing::Test {
 protected:
  OverrideNotes read() const { return OverrideNotes(*os::Dir::open(scratch_.path())); }
  void keep(const std::string& text) const {
    std::filesystem::create_directories(scratch_ / ".codegenie");
    test::write(scratch_ / kOverrideNotes, text);
  }
  static plan::Plan forced(std::vector<std::string> path, const std::string& value = "1.2.6") {
    plan::Plan out;
    out.lockfile = "package-lock.json";
    plan::OverrideNote note;
    note.path = std::move(path);
    note.value = value;
    note.reason = "nothing else reaches it";
    note.advisories = {"CVE-2021-44906"};
    note.days = 90;
    out.overrides = {note};
    return out;
  }
  test::ScratchDir scratch_;
};

constexpr Time kDay{1'794'448'811'000};  // 2026-11-12

TEST_F(Notes, SayWhyAndWhenToLookAgain) {
  OverrideNotes notes = read();
  notes.add(forced({"mkdirp", "minimist"}), kDay);
  const std::string text = notes.text();
  EXPECT_THAT(text, testing::HasSubstr("\"codegenie/overrides/v1\""));
  EXPECT_THAT(text, testing::HasSubstr("\"2027-02-10\""));  // 90 days on
  keep(text);
  EXPECT_EQ(read().paths("package-lock.json"), (Paths{{"mkdirp", "minimist"}}));
  EXPECT_EQ(read().paths("web/package-lock.json"), Paths{});
  EXPECT_EQ(read().text(), text);
}

TEST_F(Notes, OfTheSameRuleAreReplaced) {
  OverrideNotes notes = read();
  notes.add(forced({"minimist"}), kDay);
  notes.add(forced({"minimist"}, "1.2.8"), kDay);
  EXPECT_EQ(notes.paths("package-lock.json"), (Paths{{"minimist"}}));
  EXPECT_THAT(notes.text(), testing::HasSubstr("1.2.8"));
  EXPECT_THAT(notes.text(), testing::Not(testing::HasSubstr("1.2.6")));
}

TEST_F(Notes, GoWithTheRuleAndOthersStay) {
  OverrideNotes notes = read();
  notes.add(forced({"minimist"}), kDay);
  notes.add(forced({"qs"}, "6.7.3"), kDay);
  plan::Plan gone;
  gone.lockfile = "package-lock.json";
  gone.redundant = {{"minimist"}};
  notes.add(gone, kDay);
  EXPECT_EQ(notes.paths("package-lock.json"), (Paths{{"qs"}}));
  gone.lockfile = "web/package-lock.json";
  gone.redundant = {{"qs"}};
  notes.add(gone, kDay);
  EXPECT_EQ(notes.paths("package-lock.json"), (Paths{{"qs"}}));
}

/// The repository may have anything there. What cannot be read is not followed.
TEST_F(Notes, ThatAreNoneAreNone) {
  for (const char* text :
       {"", "[]", "{\"overrides\": 1}", "{\"overrides\": [1, {}, []]}", "{",
        "{\"overrides\": [{\"lockfile\": \"package-lock.json\", \"path\": [1]}]}"}) {
    keep(text);
    EXPECT_EQ(read().paths("package-lock.json"), Paths{}) << text;
  }
}

}  // namespace
}  // namespace cg::propose
