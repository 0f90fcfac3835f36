// Git: the parent's side of codegenie-git.
//
// codegenie links no git library. For each order it starts codegenie-git, which finds
// the repository, shuts itself in (fetch/gitrepo/policy.h), and only then opens it; the order
// goes in, one answer comes out, and the process ends. What comes back is checked like
// anything from outside.
#pragma once

#include <chrono>
#include <string>

#include "base/base/result.h"
#include "fetch/gitrepo/orders.h"

namespace cg::gitrepo {

/// The program, as base/os/own_programs.h finds it.
[[nodiscard]] Result<std::string, Error> find_program();

class Git {
 public:
  /// `program` absolute; an order that takes longer than `limit` is stopped.
  explicit Git(std::string program, std::chrono::milliseconds limit = std::chrono::minutes(2))
      : program_(std::move(program)), limit_(limit) {}

  [[nodiscard]] Result<Inspection, Error> inspect(const InspectOrder& order);
  [[nodiscard]] Result<Exported, Error> export_files(const ExportOrder& order);
  [[nodiscard]] Result<Prepared, Error> prepare_commit(const PrepareOrder& order);
  /// Objects first, each synced, then the branch in one step. Killed at any point the
  /// branch is where it was or where it should be. HEAD, index, work tree, stash and
  /// all other branches are untouched, no hook runs, no config is obeyed. Refused while
  /// the branch is checked out anywhere.
  [[nodiscard]] Result<Written, Error> write_branch(const WriteOrder& order);
  [[nodiscard]] Result<Shown, Error> show(const ShowOrder& order);

  /// What shut in the last program that answered, as seal::describe() says it.
  [[nodiscard]] const std::string& isolation() const { return isolation_; }

 private:
  [[nodiscard]] Result<Outcome, Error> ask(const Order& order);
  template <class T>
  [[nodiscard]] Result<T, Error> ask_for(const Order& order);

  std::string program_;
  std::chrono::milliseconds limit_;
  std::string isolation_;
};

}  // namespace cg::gitrepo
