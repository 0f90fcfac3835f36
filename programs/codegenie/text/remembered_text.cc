#include "text/remembered_text.h"

#include "base/base/text.h"

namespace cg::program {

namespace {

/// Where a model's plan is a branch already, that nobody was asked.
std::string recalled_lines(const remediate::Remediation& done) {
  std::string out;
  for (const std::string& branch : done.recalled) {
    out += "No model was asked about " + printable(branch) + ": an earlier run was, and it holds\n";
  }
  return out.empty() ? out : out + "\n";
}

/// What was carried over without a question, and what others need no question for now.
std::string learned_lines(const remediate::Remediation& done) {
  std::string out;
  for (const report::Branch& branch : done.outcome.branches) {
    if (branch.example.empty()) continue;
    out += "No model was asked about " + printable(branch.name) + ": solved example " +
           branch.example + " fits\n";
  }
  for (const std::string& record : done.learned) {
    out += "Remembered as " + record +
           ", for code that uses the package alike: codegenie rag show " + record + "\n";
  }
  return out.empty() ? out : out + "\n";
}

}  // namespace

std::string remembered_text(const remediate::Remediation& done) {
  return recalled_lines(done) + learned_lines(done);
}

}  // namespace cg::program
