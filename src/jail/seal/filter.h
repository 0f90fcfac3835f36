// Filter: which system calls a process may still make, as a value.
//
// A filter is a list of rules and what becomes of every call that none is about. build()
// turns it into the program that the kernel runs; evaluate() runs that same
// program here, so a policy is tested without being in force, and print() says it
// in words. Once built it cannot be changed.
//
// The program checks the architecture first: a call made through another one
// (32-bit, x32) ends the process.
#pragma once

#include <linux/filter.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "jail/seal/error.h"

namespace cg::seal {

/// (argument number `argument`, from 0) & `mask` == `value`.
struct Condition {
  unsigned argument;
  std::uint64_t mask;
  std::uint64_t value;
};

/// For int arguments. The kernel reads only their low half, so a filter that
/// compared all 64 bits could be told one number and the kernel another.
[[nodiscard]] constexpr Condition int_is(unsigned argument, std::uint32_t value) {
  return {argument, 0xffff'ffffU, value};
}
/// (`argument` & `mask`) == `value`, of an int.
[[nodiscard]] constexpr Condition int_bits(unsigned argument, std::uint32_t mask,
                                           std::uint32_t value) {
  return {argument, mask, value};
}
[[nodiscard]] constexpr Condition is_null(unsigned argument) { return {argument, ~0ULL, 0}; }

/// What becomes of a call that a rule is about.
struct Answer {
  enum class Kind {
    allow,
    fail,    // with the errno `code`
    report,  // whoever holds the filter's listener decides (SECCOMP_RET_USER_NOTIF)
  };
  Kind kind = Kind::allow;
  int code = 0;
};
[[nodiscard]] constexpr Answer fails_with(int code) { return {Answer::Kind::fail, code}; }
[[nodiscard]] constexpr Answer reported() { return {Answer::Kind::report, 0}; }

/// `answer` is given if every condition holds. A rule may name each argument once.
/// Several rules for one call: the first that holds.
struct Rule {
  std::string call;
  std::vector<Condition> when = {};
  Answer answer = {};
};

/// What becomes of a call that no rule is about.
enum class Otherwise {
  kill,    // the whole process, by SIGSYS
  refuse,  // the call fails with EPERM
};

/// A call as the kernel shows it to a filter, of this machine's architecture.
struct Call {
  std::string name;
  std::array<std::uint64_t, 6> args{};
};

/// What a filter does to a call.
enum class Reaction {
  allow,
  kill,
  refuse,  // see Filter::code()
  report,
  unknown,  // no such call, or a program we cannot read: never seen from build()
};

class Filter {
 public:
  /// Rules for calls that this architecture does not have are passed over (poll
  /// on arm64); a name that no architecture has is an error.
  [[nodiscard]] static Result<Filter, Error> build(std::string name, std::vector<Rule> rules,
                                                   Otherwise otherwise);

  [[nodiscard]] Reaction evaluate(const Call& call) const;
  /// The same for a call of a foreign architecture, by number.
  [[nodiscard]] Reaction evaluate_raw(std::uint32_t architecture, std::uint32_t number) const;
  /// The errno of a call that is refused, 0 for any other.
  [[nodiscard]] int code(const Call& call) const;

  /// One line per rule: "sendto(0: 1, 3: 16384)", "clone3 -> ENOSYS", "execve -> reported".
  [[nodiscard]] std::string print() const;
  [[nodiscard]] std::string_view name() const { return name_; }
  [[nodiscard]] std::span<const sock_filter> program() const { return program_; }

 private:
  Filter(std::string name, std::vector<Rule> rules, Otherwise otherwise,
         std::vector<sock_filter> program);

  std::string name_;
  std::vector<Rule> rules_;
  Otherwise otherwise_;
  std::vector<sock_filter> program_;
};

}  // namespace cg::seal
