#include "libsecret.h"

#include <dlfcn.h>

namespace cg::key {

namespace {

template <class Function>
bool find(void* library, const char* name, Function& to) {
  to = reinterpret_cast<Function>(dlsym(library, name));
  return to != nullptr;
}

}  // namespace

std::optional<Libsecret> Libsecret::load() {
  // All of it now: after the seal no file can be opened.
  void* library = dlopen("libsecret-1.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  Libsecret out{};
  const bool whole =
      find(library, "secret_service_get_sync", out.service_get_sync) &&
      find(library, "secret_service_get_session_algorithms", out.service_get_session_algorithms) &&
      find(library, "secret_collection_for_alias_sync", out.collection_for_alias_sync) &&
      find(library, "secret_collection_get_locked", out.collection_get_locked) &&
      find(library, "secret_password_search_sync", out.password_search_sync) &&
      find(library, "secret_item_get_locked", out.item_get_locked) &&
      find(library, "secret_password_lookup_nonpageable_sync",
           out.password_lookup_nonpageable_sync) &&
      find(library, "secret_password_store_sync", out.password_store_sync) &&
      find(library, "secret_password_clear_sync", out.password_clear_sync) &&
      find(library, "secret_password_free", out.password_free);
  if (!whole) return std::nullopt;
  return out;
}

}  // namespace cg::key
