// A small command table for the tests of this module.
#pragma once

#include "flow/cli/command.h"

namespace cg::cli {

inline CommandTable sample_table() {
  return {
      .program = "codegenie",
      .version = "9.9.9",
      .summary = "fix known vulnerabilities in npm repositories, with evidence",
      .nouns = {{.word = "audit",
                 .alias = "au",
                 .group = Group::trust,
                 .summary = "Verify, search and anchor the audit chain"}},
      .commands =
          {
              {.path = {"scan"},
               .group = Group::everyday,
               .summary = "List vulnerable packages",
               .arguments = {{.name = "DIR", .help = "the folder", .presence = Presence::optional}},
               .flags = {{.name = "fail-on",
                          .value_name = "LEVEL",
                          .choices = {"low", "high"},
                          .help = "exit 1 at this level"}},
               .formats = {Format::table, Format::json, Format::jsonl},
               .exits = {ExitCode::ok, ExitCode::findings, ExitCode::usage}},
              {.path = {"audit", "verify"},
               .summary = "Check the whole chain",
               .about = {"Reads every entry. `--strict` also refuses warnings — always."},
               .flags = {{.name = "explain", .value_name = "N", .help = "show one entry"},
                         {.name = "strict", .short_name = 's', .help = "refuse warnings"}},
               .formats = {Format::table, Format::json},
               .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity},
               .examples = {{"codegenie audit verify", "all of it"}}},
              {.path = {"audit", "anchor", "publish"}, .summary = "Write an anchor"},
              {.path = {"audit", "anchor", "verify"}, .summary = "Check anchors"},
              {.path = {"self-check"},
               .alias = "doctor",
               .group = Group::trust,
               .summary = "Check the machine",
               .arguments = {{.name = "WHAT",
                              .help = "one check",
                              .presence = Presence::optional,
                              .choices = {"egress", "clock"}}}},
              {.path = {"explain"},
               .group = Group::everyday,
               .summary = "Explain a code",
               .arguments = {{.name = "CODE", .help = "the code"}}},
              {.path = {"help"},
               .summary = "Show help",
               .arguments =
                   {{.name = "TOPIC", .help = "what about", .presence = Presence::any_number}}},
          },
  };
}

}  // namespace cg::cli
