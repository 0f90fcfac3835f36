// The completion scripts, in the shells they are for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/text.h"
#include "binary.h"

namespace cg::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

using Lines = std::vector<std::string>;

Lines lines_of(const Ran& ran) {
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  Lines lines;
  for (const std::string_view line : split(ran.out, '\n')) {
    if (!line.empty()) lines.emplace_back(line);
  }
  return lines;
}

/// What bash offers after `words`; the last word is the one being typed.
Lines bash(const std::string& words, const std::string& set_up = ":") {
  const ScratchDir scratch;
  return lines_of(
      run_script(set_up + "\nsource <(codegenie completion bash)\nCOMP_WORDS=(codegenie " + words +
                     ")\nCOMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))\n_codegenie\n"
                     "printf '%s\\n' \"${COMPREPLY[@]}\"",
                 scratch));
}

TEST(BashCompletion, CommandsAndFlags) {
  EXPECT_THAT(bash("''"), AllOf(Contains("config"), Contains("explain"), Contains("help"),
                                Not(Contains(StartsWith("-")))));
  EXPECT_THAT(bash("conf"), ElementsAre("config"));
  EXPECT_THAT(bash("config ''"), ElementsAre("show"));
  EXPECT_THAT(bash("config show --or"), ElementsAre("--origin"));
  EXPECT_THAT(bash("version --or"), IsEmpty());
  EXPECT_THAT(bash("--co"), UnorderedElementsAre("--color", "--config"));
  EXPECT_THAT(bash("--color never conf"), ElementsAre("config"));
  EXPECT_THAT(bash("--color = never conf"), ElementsAre("config"));
}

TEST(BashCompletion, Values) {
  EXPECT_THAT(bash("--color ''"), ElementsAre("auto", "always", "never"));
  EXPECT_THAT(bash("--color ="), ElementsAre("auto", "always", "never"));
  EXPECT_THAT(bash("--color = n"), ElementsAre("never"));
  EXPECT_THAT(bash("version --format ''"), ElementsAre("table", "json"));
  EXPECT_THAT(bash("completion ''"), ElementsAre("bash", "zsh", "fish"));
  EXPECT_THAT(bash("schema err"), ElementsAre("error"));
  EXPECT_THAT(bash("explain CG-CON"), Each(StartsWith("CG-CONFIG-")));
  EXPECT_THAT(bash("help audit-"), ElementsAre("audit-recovery"));
  EXPECT_THAT(bash("version -o ''"), ElementsAre("table=", "json="));
}

TEST(BashCompletion, FilesAndFolders) {
  const std::string set_up = "mkdir 'a dir'; touch 'a file'";
  EXPECT_THAT(bash("--home a", set_up), ElementsAre("a dir"));
  EXPECT_THAT(bash("--config a", set_up), UnorderedElementsAre("a dir", "a file"));
  EXPECT_THAT(bash("version -o json = a", set_up), UnorderedElementsAre("a dir", "a file"));
  EXPECT_THAT(bash("-o json = x conf", set_up), ElementsAre("config"));
}

/// The script run with stand-ins for the functions of zsh's completion system,
/// which print what they would offer.
Lines zsh(const std::string& words) {
  const ScratchDir scratch;
  const std::string script =
      "functions[compdef]='' \n"
      "compadd() { while [[ $1 == -* && $1 != -- ]]; do [[ $1 == -S ]] && shift; shift; done; "
      "shift;"
      " for w in $@; do [[ $w == $PREFIX* ]] && print -r -- $w; done; return 0 }\n"
      "_describe() { for w in $list; do w=${w%%:*}; [[ $w == $PREFIX* ]] && print -r -- $w; done; "
      "return 0 }\n"
      "_files() { print -r -- files $@ }\n"
      "compset() { [[ $PREFIX == *=* ]] || return 1; PREFIX=${PREFIX#*=} }\n"
      "source ./_codegenie\n"
      "words=(codegenie " +
      words + "); CURRENT=$#words; PREFIX=$words[-1]\n_codegenie";
  return lines_of(
      run_script("codegenie completion zsh > _codegenie && zsh -n _codegenie && zsh -f -c " +
                     shell_quoted(script),
                 scratch));
}

TEST(ZshCompletion, CommandsFlagsAndValues) {
  EXPECT_THAT(zsh("conf"), ElementsAre("config"));
  EXPECT_THAT(zsh("config ''"), ElementsAre("show"));
  EXPECT_THAT(zsh("config show --or"), ElementsAre("--origin"));
  EXPECT_THAT(zsh("--color never conf"), ElementsAre("config"));
  EXPECT_THAT(zsh("--color n"), ElementsAre("never"));
  EXPECT_THAT(zsh("--color=n"), ElementsAre("never"));
  EXPECT_THAT(zsh("version --format ''"), ElementsAre("table", "json"));
  EXPECT_THAT(zsh("completion f"), ElementsAre("fish"));
  EXPECT_THAT(zsh("--home ''"), ElementsAre("files -/"));
  EXPECT_THAT(zsh("--config ''"), ElementsAre("files"));
  EXPECT_THAT(zsh("version -o j"), ElementsAre("json="));
  EXPECT_THAT(zsh("version -o json=x"), ElementsAre("files"));
}

Lines fish(const std::string& line) {
  const ScratchDir scratch;
  const std::string script = "source ./codegenie.fish; complete -C " +
                             shell_quoted("codegenie " + line) +
                             " | string replace -r '\\t.*' ''; true";
  return lines_of(
      run_script("mkdir adir; touch afile; codegenie completion fish > codegenie.fish && fish "
                 "--no-config -c " +
                     shell_quoted(script),
                 scratch));
}

TEST(FishCompletion, CommandsFlagsAndValues) {
  EXPECT_THAT(fish("conf"), ElementsAre("config"));
  EXPECT_THAT(fish("config "), ElementsAre("show"));
  EXPECT_THAT(fish("config show --or"), ElementsAre("--origin"));
  EXPECT_THAT(fish("version --or"), IsEmpty());
  EXPECT_THAT(fish("--color never conf"), ElementsAre("config"));
  EXPECT_THAT(fish("--color "), UnorderedElementsAre("always", "auto", "never"));
  EXPECT_THAT(fish("--color=n"), ElementsAre("--color=never"));
  EXPECT_THAT(fish("version --format "), UnorderedElementsAre("json", "table"));
  EXPECT_THAT(fish("completion "), UnorderedElementsAre("bash", "fish", "zsh"));
  EXPECT_THAT(fish("--home a"), ElementsAre("adir/"));
  EXPECT_THAT(fish("--config a"), UnorderedElementsAre("adir/", "afile"));
  EXPECT_THAT(fish("help exit"), ElementsAre("exit-codes"));
}

}  // namespace
}  // namespace cg::test
