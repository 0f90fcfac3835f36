#include "prove/gate/signal_json.h"

#include "base/base/bytes.h"
#include "base/base/match.h"

namespace cg::gate {

namespace {

using json::Value;
using Object = Value::Object;

/// Counts are far below 2^63; a Value has no larger integers.
Value number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

Value numbers_json(const Numbers& numbers) {
  return match(
      numbers,
      [](const StepNumbers& n) {
        return Value(Object{{"ending", n.ending}});
      },
      [](const TestNumbers& n) {
        return Value(Object{{"ending", n.ending},
                            {"failed", number(n.totals.failed)},
                            {"passed", number(n.totals.passed)},
                            {"runner", n.runner},
                            {"skipped", number(n.totals.skipped)}});
      },
      [](const TypeNumbers& n) {
        return Value(Object{{"errors", number(n.errors)}});
      },
      [](const LockNumbers& n) {
        return Value(Object{{"entries", number(n.entries)},
                            {"foreign", number(n.foreign)},
                            {"lies", number(n.lies)},
                            {"without_integrity", number(n.without_integrity)}});
      },
      [](const AdvisoryNumbers& n) {
        return Value(Object{{"advisories", number(n.advisories)}, {"copies", number(n.copies)}});
      },
      [](const TraceNumbers& n) {
        return Value(
            Object{{"connections", number(n.connections)}, {"executables", number(n.executables)}});
      });
}

Value optional_json(const std::optional<Numbers>& numbers) {
  return numbers ? numbers_json(*numbers) : Value();
}

Value texts(const std::vector<std::string>& list) {
  Value::Array out;
  for (const std::string& text : list) out.emplace_back(text);
  return out;
}

Value step_json(const std::optional<StepFacts>& step) {
  if (!step) return {};
  return Object{{"ending", step->ending},
                {"exit", step->exit ? Value(*step->exit) : Value()},
                {"duration_ms", static_cast<std::int64_t>(step->wall.count())},
                {"stdout_sha256", to_hex(step->out)},
                {"stderr_sha256", to_hex(step->err)}};
}

Object members(const Signal& signal) {
  return {{"signal", signal.name},
          {"state", name(signal.state)},
          {"passed", signal.passed()},
          {"required", signal.required},
          {"before", optional_json(signal.before)},
          {"after", optional_json(signal.after)},
          {"reasons", texts(signal.reasons)},
          {"weak", signal.weak}};
}

}  // namespace

json::Value to_json(const Signal& signal) { return members(signal); }

json::Value to_json(const std::vector<Signal>& signals) {
  Value::Array out;
  for (const Signal& signal : signals) out.push_back(to_json(signal));
  return out;
}

json::Value gate_document(const Signal& signal, sandbox::Isolation isolation) {
  Object out = {{"schema", "codegenie/gate/v1"}, {"isolation_class", name(isolation)}};
  for (auto& member : members(signal)) out.push_back(std::move(member));
  out.emplace_back("command", signal.command);
  out.emplace_back("base", step_json(signal.base_step));
  out.emplace_back("fix", step_json(signal.fix_step));
  out.emplace_back("side", signal.side().empty() ? Value() : Value(signal.side()));
  out.emplace_back("failing_tests", texts(signal.failing_tests));
  out.emplace_back("excerpt", signal.excerpt);
  return out;
}

}  // namespace cg::gate
