#include "jail/seal/filter.h"

#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <set>
#include <utility>

#include "base/os/fd.h"

namespace cg::seal {

namespace {

struct ReleaseContext {
  void operator()(void* context) const { seccomp_release(context); }
};
using Context = std::unique_ptr<void, ReleaseContext>;

std::string printed(const Rule& rule) {
  std::string out = rule.call;
  for (const Condition& c : rule.when) {
    out += out.size() == rule.call.size() ? "(" : ", ";
    out += std::to_string(c.argument) + ": " + std::to_string(c.value);
    if (c.mask < 0xffff'ffffU) out += " of mask " + std::to_string(c.mask);
  }
  if (!rule.when.empty()) out += ")";
  if (rule.answer.kind == Answer::Kind::report) return out + " -> reported";
  if (rule.answer.kind == Answer::Kind::allow) return out;
  const char* code = strerrorname_np(rule.answer.code);
  return out + " -> " + (code != nullptr ? code : std::to_string(rule.answer.code));
}

Error rule_error(const Rule& rule, int code) {
  return {Error::Stage::filter_rule, code, printed(rule)};
}

Result<Done, Error> add(const Context& context, const Rule& rule) {
  const int number = seccomp_syscall_resolve_name(rule.call.c_str());
  if (number == __NR_SCMP_ERROR) return fail(rule_error(rule, 0));
  if (number < 0) return Done{};  // not on this architecture
  std::vector<scmp_arg_cmp> comparisons;
  for (const Condition& c : rule.when) {
    comparisons.push_back({c.argument, SCMP_CMP_MASKED_EQ, c.mask, c.value});
  }
  const int code =
      seccomp_rule_add_array(context.get(), SCMP_ACT_ALLOW, number,
                             static_cast<unsigned>(comparisons.size()), comparisons.data());
  if (code != 0) return fail(rule_error(rule, -code));
  return Done{};
}

// libseccomp knows no order among the rules of a call, so it cannot say "these, and for
// any other of this call that". Calls with a rule that does not allow are therefore
// decided by instructions of ours, ahead of libseccomp's program.

sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}
sock_filter equals(std::uint32_t value) { return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 0); }

/// One half of an argument against its mask and value.
void append_half(std::vector<sock_filter>& out, std::size_t offset, std::uint32_t mask,
                 std::uint32_t value) {
  if (mask == 0) return;
  out.push_back(load(offset));
  if (mask != ~0U) out.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask));
  out.push_back(equals(value));
}

std::uint32_t action_of(const Answer& answer) {
  switch (answer.kind) {
    case Answer::Kind::allow:
      return SECCOMP_RET_ALLOW;
    case Answer::Kind::report:
      return SECCOMP_RET_USER_NOTIF;
    case Answer::Kind::fail:
      break;
  }
  return SECCOMP_RET_ERRNO | (static_cast<std::uint32_t>(answer.code) & SECCOMP_RET_DATA);
}

/// "If all of it holds, return": a comparison that fails jumps behind the last instruction.
std::vector<sock_filter> ordered_rule(int number, const Rule& rule) {
  std::vector<sock_filter> out{load(offsetof(seccomp_data, nr)),
                               equals(static_cast<std::uint32_t>(number))};
  for (const Condition& c : rule.when) {
    const std::size_t low = offsetof(seccomp_data, args) + c.argument * sizeof(std::uint64_t);
    append_half(out, low, static_cast<std::uint32_t>(c.mask), static_cast<std::uint32_t>(c.value));
    append_half(out, low + sizeof(std::uint32_t), static_cast<std::uint32_t>(c.mask >> 32U),
                static_cast<std::uint32_t>(c.value >> 32U));
  }
  out.push_back(BPF_STMT(BPF_RET | BPF_K, action_of(rule.answer)));
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (BPF_CLASS(out[i].code) == BPF_JMP)
      out[i].jf = static_cast<std::uint8_t>(out.size() - i - 1);
  }
  return out;
}

bool names_an_argument_twice(const Rule& rule) {
  std::set<unsigned> seen;
  for (const Condition& c : rule.when) {
    if (c.argument > 5 || !seen.insert(c.argument).second) return true;
  }
  return false;
}

/// The calls that our own instructions decide.
std::set<std::string> ordered_calls(const std::vector<Rule>& rules) {
  std::set<std::string> out;
  for (const Rule& rule : rules) {
    if (rule.answer.kind != Answer::Kind::allow) out.insert(rule.call);
  }
  return out;
}

/// Passed over as a whole by a call of another architecture, which what follows ends.
Result<std::vector<sock_filter>, Error> ordered_part(const std::vector<Rule>& rules,
                                                     const std::set<std::string>& calls) {
  std::vector<sock_filter> body;
  for (const Rule& rule : rules) {
    if (!calls.contains(rule.call)) continue;
    const int number = seccomp_syscall_resolve_name(rule.call.c_str());
    if (number == __NR_SCMP_ERROR || names_an_argument_twice(rule))
      return fail(rule_error(rule, 0));
    if (number < 0) continue;
    const auto added = ordered_rule(number, rule);
    body.insert(body.end(), added.begin(), added.end());
  }
  if (body.empty()) return body;
  std::vector<sock_filter> out{load(offsetof(seccomp_data, arch)), equals(seccomp_arch_native()),
                               BPF_STMT(BPF_JMP | BPF_JA, static_cast<std::uint32_t>(body.size()))};
  out[1].jt = 1;
  out.insert(out.end(), body.begin(), body.end());
  return out;
}

Error build_error(const std::string& name, int code) {
  return {Error::Stage::filter_build, code, name};
}

/// libseccomp gives its program to a descriptor only.
Result<std::vector<sock_filter>, Error> exported(const Context& context, const std::string& name) {
  const os::Fd file(memfd_create("filter", MFD_CLOEXEC));
  if (!file.is_open()) return fail(build_error(name, errno));
  const int code = seccomp_export_bpf(context.get(), file.get());
  if (code != 0) return fail(build_error(name, -code));
  const off_t size = lseek(file.get(), 0, SEEK_END);
  if (size <= 0 || static_cast<std::size_t>(size) > BPF_MAXINSNS * sizeof(sock_filter)) {
    return fail(build_error(name, E2BIG));
  }
  if (static_cast<std::size_t>(size) % sizeof(sock_filter) != 0) {
    return fail(build_error(name, EIO));  // a write that was cut short
  }
  std::vector<sock_filter> program(static_cast<std::size_t>(size) / sizeof(sock_filter));
  if (pread(file.get(), program.data(), static_cast<std::size_t>(size), 0) != size) {
    return fail(build_error(name, EIO));
  }
  return program;
}

}  // namespace

Filter::Filter(std::string name, std::vector<Rule> rules, Otherwise otherwise,
               std::vector<sock_filter> program)
    : name_(std::move(name)),
      rules_(std::move(rules)),
      otherwise_(otherwise),
      program_(std::move(program)) {}

Result<Filter, Error> Filter::build(std::string name, std::vector<Rule> rules,
                                    Otherwise otherwise) {
  const std::uint32_t action =
      otherwise == Otherwise::kill ? SCMP_ACT_KILL_PROCESS : SCMP_ACT_ERRNO(EPERM);
  const Context context(seccomp_init(action));
  if (context == nullptr) return fail(build_error(name, ENOMEM));
  const int code = seccomp_attr_set(context.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
  if (code != 0) return fail(build_error(name, -code));
  // A tree of comparisons instead of a row: the kernel tries each call once on loading.
  seccomp_attr_set(context.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2);
  const std::set<std::string> ordered = ordered_calls(rules);
  for (const Rule& rule : rules) {
    if (!ordered.contains(rule.call)) CG_TRY(add(context, rule));
  }
  CG_TRY_ASSIGN(std::vector<sock_filter> program, ordered_part(rules, ordered));
  CG_TRY_ASSIGN(const std::vector<sock_filter> rest, exported(context, name));
  program.insert(program.end(), rest.begin(), rest.end());
  if (program.size() > BPF_MAXINSNS) return fail(build_error(name, E2BIG));
  return Filter(std::move(name), std::move(rules), otherwise, std::move(program));
}

std::string Filter::print() const {
  std::string out = name_ + ", " + std::to_string(program_.size()) + " instructions; ";
  out += otherwise_ == Otherwise::kill ? "all else ends the process\n" : "all else is refused\n";
  for (const Rule& rule : rules_) out += "  " + printed(rule) + "\n";
  return out;
}

}  // namespace cg::seal
