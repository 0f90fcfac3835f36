// The part of classic BPF that seccomp programs are made of, run in user space.
#include <linux/seccomp.h>
#include <seccomp.h>

#include <cstring>
#include <optional>

#include "jail/seal/filter.h"

namespace cg::seal {

namespace {

bool jumps(unsigned operation, std::uint32_t a, std::uint32_t k) {
  switch (operation) {
    case BPF_JEQ:
      return a == k;
    case BPF_JGT:
      return a > k;
    case BPF_JGE:
      return a >= k;
    default:
      return (a & k) != 0;
  }
}

bool is_comparison(unsigned operation) {
  return operation == BPF_JEQ || operation == BPF_JGT || operation == BPF_JGE ||
         operation == BPF_JSET;
}

/// The action the program returns; nothing if it has an instruction we do not
/// know or runs past its end. Jumps only go forward, so it always ends.
std::optional<std::uint32_t> run(std::span<const sock_filter> program, const seccomp_data& data) {
  std::uint32_t a = 0;
  for (std::size_t at = 0; at < program.size(); ++at) {
    const sock_filter& i = program[at];
    if (i.code == (BPF_LD | BPF_W | BPF_ABS)) {
      if (i.k > sizeof data - sizeof a) return std::nullopt;
      std::memcpy(&a, reinterpret_cast<const char*>(&data) + i.k, sizeof a);
    } else if (i.code == (BPF_ALU | BPF_AND | BPF_K)) {
      a &= i.k;
    } else if (i.code == (BPF_JMP | BPF_JA)) {
      at += i.k;
    } else if (BPF_CLASS(i.code) == BPF_JMP && is_comparison(BPF_OP(i.code)) &&
               BPF_SRC(i.code) == BPF_K) {
      at += jumps(BPF_OP(i.code), a, i.k) ? i.jt : i.jf;
    } else if (i.code == (BPF_RET | BPF_K)) {
      return i.k;
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

Reaction reaction_of(std::optional<std::uint32_t> action) {
  if (!action) return Reaction::unknown;
  switch (*action & SECCOMP_RET_ACTION_FULL) {
    case SECCOMP_RET_ALLOW:
      return Reaction::allow;
    case SECCOMP_RET_KILL_PROCESS:
      return Reaction::kill;
    case SECCOMP_RET_ERRNO:
      return Reaction::refuse;
    case SECCOMP_RET_USER_NOTIF:
      return Reaction::report;
    default:
      return Reaction::unknown;
  }
}

std::optional<std::uint32_t> action_for(std::span<const sock_filter> program, const Call& call) {
  const int number = seccomp_syscall_resolve_name(call.name.c_str());
  if (number < 0) return std::nullopt;
  seccomp_data data{};
  data.nr = number;
  data.arch = seccomp_arch_native();
  for (std::size_t i = 0; i < call.args.size(); ++i) data.args[i] = call.args[i];
  return run(program, data);
}

}  // namespace

Reaction Filter::evaluate(const Call& call) const {
  return reaction_of(action_for(program_, call));
}

int Filter::code(const Call& call) const {
  const auto action = action_for(program_, call);
  if (reaction_of(action) != Reaction::refuse) return 0;
  return static_cast<int>(*action & SECCOMP_RET_DATA);
}

Reaction Filter::evaluate_raw(std::uint32_t architecture, std::uint32_t number) const {
  seccomp_data data{};
  data.nr = static_cast<int>(number);
  data.arch = architecture;
  return reaction_of(run(program_, data));
}

}  // namespace cg::seal
