// What codegenie-git does, one function per order. All run sealed.
#pragma once

#include "base/base/result.h"
#include "fetch/gitrepo/orders.h"
#include "repository.h"

namespace cg::git {

[[nodiscard]] Result<gitrepo::Inspection, Error> inspect(const Location& location,
                                                         const gitrepo::InspectOrder& order);
[[nodiscard]] Result<gitrepo::Exported, Error> export_files(const Location& location,
                                                            const gitrepo::ExportOrder& order);
[[nodiscard]] Result<gitrepo::Prepared, Error> prepare(const Location& location,
                                                       const gitrepo::PrepareOrder& order);
[[nodiscard]] Result<gitrepo::Written, Error> write_branch(const Location& location,
                                                           const gitrepo::WriteOrder& order);
[[nodiscard]] Result<gitrepo::Shown, Error> show(const Location& location,
                                                 const gitrepo::ShowOrder& order);

[[nodiscard]] gitrepo::Outcome carry_out(const Location& location, const gitrepo::Order& order);
/// The repository that the order names.
[[nodiscard]] const std::string& repo_of(const gitrepo::Order& order);

}  // namespace cg::git
