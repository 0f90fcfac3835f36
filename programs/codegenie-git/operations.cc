#include "operations.h"

#include "base/base/match.h"

namespace cg::git {

namespace {

template <class T>
gitrepo::Outcome outcome_of(Result<T, Error> result) {
  if (!result) return std::move(result).error();
  return *std::move(result);
}

}  // namespace

gitrepo::Outcome carry_out(const Location& location, const gitrepo::Order& order) {
  return match(
      order, [&](const gitrepo::InspectOrder& o) { return outcome_of(inspect(location, o)); },
      [&](const gitrepo::ExportOrder& o) { return outcome_of(export_files(location, o)); },
      [&](const gitrepo::PrepareOrder& o) { return outcome_of(prepare(location, o)); },
      [&](const gitrepo::WriteOrder& o) { return outcome_of(write_branch(location, o)); },
      [&](const gitrepo::ShowOrder& o) { return outcome_of(show(location, o)); });
}

const std::string& repo_of(const gitrepo::Order& order) {
  return std::visit([](const auto& o) -> const std::string& { return o.repo; }, order);
}

}  // namespace cg::git
