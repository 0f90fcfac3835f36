#include "jail/sandbox/chamber.h"

#include <cstdlib>

#include "base/base/text.h"

namespace cg::sandbox {

namespace {

std::string_view words(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::missing:
      return "something it takes is missing";
    case Error::Kind::setup:
      return "the sandbox could not be set up";
    case Error::Kind::broken:
      return "the sandbox ended unexpectedly";
    case Error::Kind::scene:
      return "the files for the sandbox cannot be used";
  }
  std::abort();
}

}  // namespace

std::string_view name(Isolation isolation) {
  switch (isolation) {
    case Isolation::none:
      return "none";
    case Isolation::namespaces:
      return "namespaces";
    case Isolation::microvm_emulated:
      return "microvm_emulated";
    case Isolation::microvm:
      return "microvm";
  }
  std::abort();
}

std::string describe(const InForce& in_force) {
  std::string held;
  std::string lacking;
  for (const Layer& layer : in_force.layers) {
    std::string& list = layer.held ? held : lacking;
    list += (list.empty() ? "" : ", ") + layer.name;
  }
  return held + (lacking.empty() ? "" : "; without " + lacking);
}

std::string describe(const Error& error) {
  return std::string(words(error.kind)) + ": " + printable(error.what);
}

}  // namespace cg::sandbox
