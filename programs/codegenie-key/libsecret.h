// The few functions of libsecret and GLib that are used, found at run time: this program starts
// and works without either.
#pragma once

#include <cstdint>
#include <optional>

namespace cg::key {

struct GError {
  std::uint32_t domain;
  int code;
  char* message;
};
struct GList {
  void* data;
  GList* next;
  GList* prev;
};
/// SecretSchema, as libsecret 0.x lays it out.
struct Schema {
  struct Attribute {
    const char* name;
    int type;  // 0: a string
  };
  const char* name;
  int flags;
  Attribute attributes[32];
  int reserved;
  void* more[7];
};

struct Libsecret {
  static constexpr int kOpenSession = 1 << 1;  // SECRET_SERVICE_OPEN_SESSION

  void* (*service_get_sync)(int flags, void* cancel, GError** error);
  const char* (*service_get_session_algorithms)(void* service);
  void* (*collection_for_alias_sync)(void* service, const char* alias, int flags, void* cancel,
                                     GError** error);
  int (*collection_get_locked)(void* collection);
  /// From here on, names and values of attributes follow, and a null.
  GList* (*password_search_sync)(const Schema*, int flags, void* cancel, GError** error, ...);
  int (*item_get_locked)(void* item);
  char* (*password_lookup_nonpageable_sync)(const Schema*, void* cancel, GError** error, ...);
  int (*password_store_sync)(const Schema*, const char* collection, const char* label,
                             const char* password, void* cancel, GError** error, ...);
  int (*password_clear_sync)(const Schema*, void* cancel, GError** error, ...);
  void (*password_free)(char* password);  // wipes it first

  /// None: it is not installed, or lacks one of them.
  [[nodiscard]] static std::optional<Libsecret> load();
};

}  // namespace cg::key
