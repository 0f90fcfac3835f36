#include "trust/audit/problems.h"

#include <cstdlib>

#include "base/base/text.h"

namespace cg::audit {

namespace {

Problem about_file(ErrorCode code, const os::Error& error, std::string effect,
                   std::vector<std::string> help) {
  return {code,
          std::string(row(code).title) + ": " + os::describe(error),
          {{"file", printable(error.path)}},
          std::move(effect),
          std::move(help)};
}

}  // namespace

std::string abbreviated(const hash::Digest& digest) { return to_hex(digest).substr(0, 12) + "…"; }

Problem broken(ErrorCode code, std::string what, const std::string& file) {
  return {code,
          std::move(what),
          {{"file", printable(file)}},
          "no workflow will run; nothing was changed",
          {"codegenie audit verify", "codegenie help audit-recovery"}};
}

Problem broken(ErrorCode code, std::string what, const std::string& file, std::string expected,
               std::string found) {
  Problem problem = broken(code, std::move(what), file);
  problem.where.emplace_back("expected", std::move(expected));
  problem.where.emplace_back("found", std::move(found));
  return problem;
}

Problem reading(const os::Error& error) {
  switch (error.kind) {
    case os::Error::Kind::symlink:
    case os::Error::Kind::not_a_file:
      return about_file(ErrorCode::home_symlink, error, "nothing was read or changed",
                        {"replace it by what belongs there, or choose another --home"});
    case os::Error::Kind::not_found:
    case os::Error::Kind::exists:
      return about_file(ErrorCode::audit_missing, error,
                        "no workflow will run; nothing was changed",
                        {"codegenie help audit-recovery"});
    case os::Error::Kind::denied:
    case os::Error::Kind::too_big:
    case os::Error::Kind::no_space:
    case os::Error::Kind::read_only:
    case os::Error::Kind::io:
      return about_file(ErrorCode::audit_unreadable, error,
                        "no workflow will run; nothing was changed",
                        {"codegenie help audit-recovery"});
  }
  std::abort();
}

Problem writing(const os::Error& error) {
  const std::string effect = "nothing was acknowledged and nothing is half written";
  switch (error.kind) {
    case os::Error::Kind::symlink:
    case os::Error::Kind::not_a_file:
    case os::Error::Kind::not_found:
      return reading(error);
    case os::Error::Kind::denied:
    case os::Error::Kind::read_only:
      return about_file(ErrorCode::home_read_only, error, effect,
                        {"choose another workspace with --home, or make this one writable"});
    case os::Error::Kind::no_space:
      return about_file(ErrorCode::home_no_space, error, effect,
                        {"free space, then run the command again"});
    case os::Error::Kind::exists:
    case os::Error::Kind::too_big:
    case os::Error::Kind::io:
      return about_file(ErrorCode::home_io, error, effect, {"codegenie self-check"});
  }
  std::abort();
}

}  // namespace cg::audit
