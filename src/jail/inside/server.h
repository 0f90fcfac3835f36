// The step server: carries out steps, one after the other, in a place that is furnished.
//
// It knows nothing of how the place came about (jail/inside/furnish.h, or the init of a
// microVM) nor of what carries the frames (jail/sandbox/link.h).
#pragma once

#include "base/base/result.h"
#include "jail/inside/cell.h"
#include "jail/inside/own_tree.h"
#include "jail/sandbox/link.h"

namespace cg::inside {

/// What a first cell shows to be in force for every step: the layers that are the cell's.
/// Kept for the first step.
class Server {
 public:
  Server(Site site, sandbox::Link& link) : site_(std::move(site)), link_(link), own_trees_(site_) {}
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();  // a cell that no step came for ends

  /// Makes the first cell. Call before serve(), if its report is wanted.
  [[nodiscard]] Result<SelfReport, sandbox::Error> prepare();

  /// Answers steps until the other side is gone (true) or says something else (false).
  [[nodiscard]] bool serve();

 private:
  [[nodiscard]] sandbox::Message run(const sandbox::Step& step);
  [[nodiscard]] Result<Cell, sandbox::Error> cell_for(const OwnTree* own);
  [[nodiscard]] sandbox::Message run_in(Cell cell, const sandbox::Step& step, const OwnTree* own);

  Site site_;
  sandbox::Link& link_;
  OwnTrees own_trees_;
  std::optional<Cell> next_;  // with the shared tree
};

}  // namespace cg::inside
