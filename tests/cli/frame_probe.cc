// A program with the frame of codegenie and commands that misbehave on purpose.
#include <stdexcept>

#include "base/assert.h"
#include "start.h"

namespace {

using cg::ExitCode;
using cg::Problem;
using cg::Result;
using cg::cli::Command;
using cg::cli::Format;
using cg::cli::Invocation;
using cg::program::Report;
using cg::program::Session;

Result<Report, Problem> run_broken(const Invocation&, Session&) {
  Report report = cg::program::json_report(
      cg::codec::Value::Object{{"integrity", "broken"}},
      [](const cg::cli::Style& style) {
        return std::string(style.glyph(cg::cli::Glyph::fail)) + " chain  broken\n";
      },
      ExitCode::integrity);
  report.problem =
      Problem{cg::ErrorCode::config_bad, "chain broken at entry 4", {{"file", "log"}}, "none", {}};
  report.warnings = {"the clock went back"};
  report.hints = {"read `codegenie help audit-recovery`"};
  return report;
}

Result<Report, Problem> run_assert(const Invocation&, Session&) {
  CG_ASSERT(1 + 1 == 3);
  return cg::program::text_report("");
}

Result<Report, Problem> run_throw(const Invocation&, Session&) {
  throw std::runtime_error("out of luck");
}

Result<Report, Problem> run_mistyped(const Invocation& invocation, Session&) {
  return cg::program::text_report(invocation.has("jsno") ? "yes\n" : "no\n");
}

Command command(std::string_view word) {
  return {.path = {word},
          .summary = "Misbehave",
          .formats = {Format::table, Format::json, Format::jsonl}};
}

const cg::program::CommandSet& probe_commands() {
  static const auto set = cg::program::make_command_set({.program = "frame_probe",
                                                         .version = "0.0.0",
                                                         .summary = "misbehave",
                                                         .nouns = {},
                                                         .commands = {}},
                                                        {{command("broken"), run_broken},
                                                         {command("assert"), run_assert},
                                                         {command("throw"), run_throw},
                                                         {command("mistyped"), run_mistyped}});
  return set;
}

}  // namespace

int main(int argc, char** argv) { return cg::program::start(probe_commands, argc, argv); }
