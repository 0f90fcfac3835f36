// What an address in a lockfile leads to, as whoever installs would read it.
//
// Package managers forgive: upper case, tabs and line ends inside of a URL, backslashes for
// slashes, one slash for two. What is only nearly a URL must not get past a check that way, so
// the scheme is looked for in all of these, and a host is this machine's only if it is spelt in
// full and nothing else stands there.
#pragma once

#include <string_view>

namespace cg::npm {

/// http, however it is written.
[[nodiscard]] bool is_http(std::string_view url);
/// http or https, likewise.
[[nodiscard]] bool is_web(std::string_view url);

/// An http or https URL whose host is localhost or beneath it, of 127.0.0.0/8, ::1, or what
/// means the same. `127.0.0.1.evil.example` and `127.0.0.1@evil.example` are not.
[[nodiscard]] bool is_loopback(std::string_view url);

}  // namespace cg::npm
