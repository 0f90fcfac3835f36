// codegenie rag rescan
#include "base/base/text.h"
#include "commands.h"
#include "commands/rag/rag_words.h"

namespace cg::program {

namespace {

constexpr std::size_t kMaxPatternsFile = 256U << 10U;

Result<std::vector<rag::Phrase>, Problem> read_phrases(const cli::Invocation& invocation) {
  const auto file = invocation.value("patterns");
  if (!file) return std::vector<rag::Phrase>();
  CG_TRY_ASSIGN(const std::string text, read_user_file(*file, kMaxPatternsFile));
  auto phrases = rag::parse_phrases(text);
  if (phrases) return *std::move(phrases);
  return fail(bad_value("the file of patterns cannot be used: " + phrases.error(),
                        "codegenie rag rescan --help"));
}

Result<Report, Problem> run_rag_rescan(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(const std::vector<rag::Phrase> phrases, read_phrases(invocation));
  CG_TRY_ASSIGN(const StoreAccess store, open_store(invocation, session));
  CG_TRY_ASSIGN(std::vector<rag::Found> found, store.writer->rescan(phrases));
  CG_TRY_ASSIGN(const Findings findings, findings_of(store, std::move(found)));
  return findings_report(findings);
}

}  // namespace

Entry rag_rescan_command() {
  return {
      {.path = {"rag", "rescan"},
       .summary = "Look for orders to a model in older solved examples",
       .about = {"Runs the patterns of this version over all texts of all records, and puts what "
                 "matches into quarantine with the pattern's id. Do it after every update, and "
                 "once in a quarter.",
                 "--patterns names a file of further phrases: an id, a space and the phrase in "
                 "each line. Case, spacing and characters that look alike make no difference.",
                 "Exits with 4 if something was put into quarantine."},
       .flags = {{.name = "patterns", .value_name = "FILE", .help = "look for these phrases too"}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
       .examples = {{"codegenie rag rescan", "with what is known today"}}},
      run_rag_rescan};
}

}  // namespace cg::program
