#include "model/cassette/lock.h"

#include <utility>

namespace cg::cassette {

namespace {

constexpr hash::PinFile kLock{"codegenie/cassettes-lock/v1\n", kMaxCassettes, is_cassette_name};

}  // namespace

bool is_cassette_name(std::string_view name) {
  constexpr std::string_view kEnding = ".jsonl";
  return name.size() > kEnding.size() && name.size() <= 100 && name.ends_with(kEnding) &&
         name.front() != '.' && name.front() != '-' &&
         name.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
             std::string_view::npos;
}

std::optional<std::vector<Pin>> parse_lock(std::string_view text) {
  return hash::parse_pins(kLock, text);
}

std::string write_lock(std::vector<Pin> pins) { return hash::write_pins(kLock, std::move(pins)); }

}  // namespace cg::cassette
