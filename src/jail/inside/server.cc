#include "jail/inside/server.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "jail/inside/cell_inside.h"
#include "jail/inside/collect.h"
#include "jail/inside/running_step.h"
#include "jail/inside/shelf.h"
#include "jail/sandbox/places.h"

namespace cg::inside {

Server::~Server() {
  if (!next_) return;
  kill_all(*next_);
  reap(next_->pid);
}

Result<SelfReport, sandbox::Error> Server::prepare() {
  if (!next_) {
    CG_TRY_ASSIGN(Cell cell, make_cell(site_, nullptr));
    next_.emplace(std::move(cell));
  }
  return next_->report;
}

Result<Cell, sandbox::Error> Server::cell_for(const OwnTree* own) {
  if (own != nullptr) return make_cell(site_, own);
  CG_TRY(prepare());
  Cell cell = *std::move(next_);
  next_.reset();
  return cell;
}

sandbox::Message Server::run(const sandbox::Step& step) {
  // Without isolation there is one tree, and nothing that a step shows counts.
  if (step.tree == sandbox::Tree::shared || !site_.namespaces) {
    auto cell = cell_for(nullptr);
    return cell ? run_in(*std::move(cell), step, nullptr) : sandbox::Message(cell.error());
  }
  const auto own = own_trees_.make(step);
  if (!own) return own.error();
  auto cell = cell_for(&*own);
  sandbox::Message answer =
      cell ? run_in(*std::move(cell), step, &*own) : sandbox::Message(cell.error());
  if (auto* ran = std::get_if<sandbox::Ran>(&answer)) ran->altered = own_trees_.altered(*own);
  own_trees_.finish(*own, step);
  return answer;
}

sandbox::Message Server::run_in(Cell cell, const sandbox::Step& step, const OwnTree* own) {
  std::optional<ShelfProgram> shelf;
  if (step.shelf == sandbox::Shelf::open) {
    auto started = ShelfProgram::start(site_);
    if (!started) {
      kill_all(cell);
      reap(cell.pid);
      return started.error();
    }
    shelf.emplace(*std::move(started));
  }
  sandbox::Step here = step;
  here.folder = placed(step.folder, site_.work);
  RunningStep running(std::move(cell), here, link_);
  auto ran = running.finish();
  if (!site_.namespaces) end_descendants();  // the shelf too
  if (!ran) return ran.error();
  shelf.reset();
  if (own != nullptr) {
    ran->own_tree = own_trees_.how();
    ran->no_git = own->no_git;
  }
  ran->collected = collect(step.collect, step.max_collected, [&](const std::string& path) {
    return own != nullptr ? found_at(path, *own) : placed(path, site_.work);
  });
  return *std::move(ran);
}

bool Server::serve() {
  for (;;) {
    auto message = link_.receive();
    if (!message) return message.error() == sandbox::LinkError::closed;
    const auto* step = std::get_if<sandbox::Step>(&*message);
    if (step == nullptr) return false;
    sandbox::Message answer = run(*step);
    if (!link_.send(answer)) return true;
    if (std::holds_alternative<sandbox::Error>(answer)) return false;
  }
}

}  // namespace cg::inside
