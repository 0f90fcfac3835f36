#include "fetch/gitrepo/client.h"

#include <utility>

#include "base/base/match.h"
#include "base/os/child.h"
#include "base/os/own_programs.h"
#include "fetch/gitrepo/wire.h"
#include "jail/spawn/host.h"

namespace cg::gitrepo {

namespace {

using Kind = Error::Kind;

Error stopped(std::string what) { return {Kind::stopped, std::move(what)}; }

Error ended_badly(const os::Ending& ending) {
  return match(
      ending,
      [](const os::Exited& e) {
        return stopped("codegenie-git ended with " + std::to_string(e.code));
      },
      [](const os::Signalled& e) {
        return stopped("codegenie-git was ended by signal " + std::to_string(e.signal));
      },
      [](const os::TimedOut&) { return stopped("codegenie-git took too long"); },
      [](const os::TooMuchOutput&) { return stopped("codegenie-git answered too much"); });
}

bool ended_well(const os::Ending& ending) {
  const auto* exited = std::get_if<os::Exited>(&ending);
  return exited != nullptr && exited->code == 0;
}

}  // namespace

Result<std::string, Error> find_program() {
  const auto folder = os::folder_with({"codegenie-git"});
  if (!folder) return fail(Error{Kind::missing_program, folder.error().path + " is not there"});
  return *folder + "/codegenie-git";
}

Result<Outcome, Error> Git::ask(const Order& order) {
  auto input = write_order(order);
  if (!input) return fail(Error{Kind::too_large, "the order is too large"});
  os::Command command;
  command.argv = {program_};
  command.input = *std::move(input);
  command.limit = limit_;
  command.max_output = kMaxMessage + kLengthBytes;
  const auto ran = os::run(command, spawn::launcher(spawn::Program::git));
  if (!ran) return fail(Error{Kind::missing_program, program_ + ": " + os::describe(ran.error())});
  if (!ended_well(ran->ending)) return fail(ended_badly(ran->ending));
  auto answer = read_answer(ran->out);
  if (!answer) return fail(stopped("codegenie-git gave an answer that is none"));
  isolation_ = std::move(answer->isolation);
  return std::move(answer->outcome);
}

template <class T>
Result<T, Error> Git::ask_for(const Order& order) {
  CG_TRY_ASSIGN(Outcome outcome, ask(order));
  if (auto* error = std::get_if<Error>(&outcome)) return fail(std::move(*error));
  if (auto* value = std::get_if<T>(&outcome)) return std::move(*value);
  return fail(stopped("codegenie-git answered another question"));
}

Result<Inspection, Error> Git::inspect(const InspectOrder& order) {
  return ask_for<Inspection>(order);
}
Result<Exported, Error> Git::export_files(const ExportOrder& order) {
  return ask_for<Exported>(order);
}
Result<Prepared, Error> Git::prepare_commit(const PrepareOrder& order) {
  return ask_for<Prepared>(order);
}
Result<Written, Error> Git::write_branch(const WriteOrder& order) {
  return ask_for<Written>(order);
}
Result<Shown, Error> Git::show(const ShowOrder& order) { return ask_for<Shown>(order); }

}  // namespace cg::gitrepo
