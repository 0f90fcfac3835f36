#include "lockdown/filter.h"

#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <utility>

#include "os/fd.h"

namespace cg::lockdown {

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
  return out;
}

Error rule_error(const Rule& rule, int code) {
  return {Error::Step::filter_rule, code, printed(rule)};
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

Error build_error(const std::string& name, int code) {
  return {Error::Step::filter_build, code, name};
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
  for (const Rule& rule : rules) CG_TRY(add(context, rule));
  CG_TRY_ASSIGN(std::vector<sock_filter> program, exported(context, name));
  return Filter(std::move(name), std::move(rules), otherwise, std::move(program));
}

std::string Filter::print() const {
  std::string out = name_ + ", " + std::to_string(program_.size()) + " instructions; ";
  out += otherwise_ == Otherwise::kill ? "all else ends the process\n" : "all else is refused\n";
  for (const Rule& rule : rules_) out += "  " + printed(rule) + "\n";
  return out;
}

}  // namespace cg::lockdown
