#include "jail/spawn/places.h"

#include "base/os/own_programs.h"

namespace cg::spawn {

Result<Places, os::Error> places_of_this_program() {
  Places places;
  CG_TRY_ASSIGN(places.folders, os::program_folders());
  return places;
}

}  // namespace cg::spawn
