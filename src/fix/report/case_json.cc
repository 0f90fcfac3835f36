#include <algorithm>
#include <array>

#include "base/base/text.h"
#include "base/domain/ids.h"
#include "base/domain/money.h"
#include "base/json/json.h"
#include "fix/report/case_writer.h"

namespace cg::report {

namespace {

using json::Value;
using plan::Blocker;
using plan::Fate;
using plan::Strategy;

template <class E>
struct All;
template <>
struct All<Outcome> {
  static constexpr std::array values = {
      Outcome::fixed,    Outcome::partly_fixed, Outcome::weak,
      Outcome::unproven, Outcome::planned,      Outcome::not_applicable,
      Outcome::refused,  Outcome::not_fixed,    Outcome::interrupted};
};
template <>
struct All<Tier> {
  static constexpr std::array values = {Tier::none, Tier::recipe, Tier::rag, Tier::llm};
};
template <>
struct All<Author> {
  static constexpr std::array values = {Author::engine, Author::model, Author::example};
};
template <>
struct All<Subject> {
  static constexpr std::array values = {Subject::plain, Subject::conventional};
};
template <>
struct All<Scripts> {
  static constexpr std::array values = {Scripts::unknown, Scripts::none, Scripts::unchanged,
                                        Scripts::added, Scripts::removed};
};
template <>
struct All<Strategy> {
  static constexpr std::array values = {Strategy::relock, Strategy::direct_bump,
                                        Strategy::parent_bump, Strategy::override_rule,
                                        Strategy::callsite_rewrite};
};
template <>
struct All<Fate> {
  static constexpr std::array values = {Fate::fixed, Fate::blocked, Fate::no_fix, Fate::handed_on};
};
template <>
struct All<Blocker> {
  static constexpr std::array values = {
      Blocker::range,    Blocker::override_rule, Blocker::bundled, Blocker::shrinkwrap,
      Blocker::peer,     Blocker::engine,        Blocker::policy,  Blocker::source,
      Blocker::major,    Blocker::no_version,    Blocker::malware, Blocker::unsupported,
      Blocker::registry, Blocker::ignored,       Blocker::gates,   Blocker::unproven};
};
template <>
struct All<advisory::Level> {
  static constexpr std::array values = {advisory::Level::none,     advisory::Level::low,
                                        advisory::Level::moderate, advisory::Level::high,
                                        advisory::Level::critical, advisory::Level::unknown};
};

/// Members out of an object. The first thing that is not as written is remembered with
/// its path; after it nothing is read.
class Reader {
 public:
  Reader(const Value& value, std::string path, std::string& error)
      : object_(value.as_object()), path_(std::move(path)), error_(&error) {
    if (object_ == nullptr) wrong("", "is not an object");
  }

  template <class T>
  void operator()(std::string_view key, T& out) {
    if (const Value* value = member(key)) read(*value, key, out);
  }
  void nullable(std::string_view key, std::string& out) {
    const Value* value = member(key);
    if (value == nullptr || value->is_null()) return;
    read(*value, key, out);
    if (out.empty()) wrong(key, "is empty");
  }
  [[nodiscard]] const Value* member(std::string_view key) {
    if (object_ == nullptr || !error_->empty()) return nullptr;
    for (const auto& [name, value] : *object_) {
      if (name != key) continue;
      ++read_;
      return &value;
    }
    wrong(key, "is missing");
    return nullptr;
  }
  void wrong(std::string_view key, std::string_view what) {
    if (error_->empty()) *error_ = path_ + std::string(key) + " " + std::string(what);
  }
  /// To be called last: no other member may be there.
  void finish() {
    if (error_->empty() && read_ != object_->size()) wrong("", "has a key that is not known");
  }

 private:
  void read(const Value& value, std::string_view key, std::string& out) {
    if (const std::string* text = value.as_string()) {
      out = *text;
    } else {
      wrong(key, "is not a text");
    }
  }
  void read(const Value& value, std::string_view key, bool& out) {
    const auto found = value.as_bool();
    if (!found) return wrong(key, "is not true or false");
    out = *found;
  }
  void read(const Value& value, std::string_view key, int& out) {
    const auto found = value.as_int();
    if (!found || *found < 0 || *found > 100'000) return wrong(key, "is not a small number");
    out = static_cast<int>(*found);
  }
  void read(const Value& value, std::string_view key, std::uint64_t& out) {
    const auto found = value.as_int();
    if (!found || *found < 0) return wrong(key, "is not a count");
    out = static_cast<std::uint64_t>(*found);
  }
  void read(const Value& value, std::string_view key, Time& out) {
    const auto time = value.is_string() ? parse_iso(*value.as_string()) : std::nullopt;
    if (!time) return wrong(key, "is not a time");
    out = *time;
  }
  /// Numbers and words by name: what a gate counted.
  void read(const Value& value, std::string_view key, Value& out) {
    if (value.is_object()) {
      for (const auto& [name, member] : *value.as_object()) {
        if (!member.is_string() && !member.as_int()) return wrong(key, "is not a list of numbers");
      }
    } else if (!value.is_null()) {
      return wrong(key, "is not an object");
    }
    out = value;
  }
  void read(const Value& value, std::string_view key, Blocker& out) {
    if (!value.is_null()) read_word(value, key, out);
  }
  template <class E>
  void read_word(const Value& value, std::string_view key, E& out) {
    const std::string* word = value.as_string();
    for (const E candidate : All<E>::values) {
      if (word == nullptr || name(candidate) != *word) continue;
      out = candidate;
      return;
    }
    wrong(key, "is not a known word");
  }
  template <class T>
  void read(const Value& value, std::string_view key, std::optional<T>& out) {
    if (!value.is_null()) read(value, key, out.emplace());
  }
  template <class T>
  void read(const Value& value, std::string_view key, std::vector<T>& out) {
    const Value::Array* items = value.as_array();
    if (items == nullptr) return wrong(key, "is not a list");
    out.reserve(items->size());
    for (const Value& item : *items) read(item, key, out.emplace_back());
  }
  template <class T>
  void read(const Value& value, std::string_view key, T& out) {
    if constexpr (std::is_enum_v<T>) {
      read_word(value, key, out);
    } else {
      Reader inner(value, path_ + std::string(key) + ".", *error_);
      Fields<T>::visit(out, inner);
      inner.finish();
    }
  }

  const Value::Object* object_;
  std::string path_;
  std::string* error_;
  std::size_t read_ = 0;
};

/// The members behind those of the contract.
template <class T, class F>
void visit_rest(T& c, F& f) {
  f.nullable("repo", c.repo);
  f.nullable("base", c.base);
  f("index", c.index);
  f("advisories", c.advisories);
  f("steps", c.fixes);
  f("overrides", c.overrides);
  f("commits", c.branches);
  f("changes", c.changes);
  f("moved", c.moved);
  f("findings", c.findings);
  f("not_checked", c.not_checked);
  f("skipped", c.skipped);
  f("withheld", c.withheld);
  f("subject", c.subject);
  f("tool", c.tool);
  f("started", c.started);
  f("ended", c.ended);
}

Value branch_names(const Case& c) {
  Value::Array names;
  for (const Branch& branch : c.branches) names.emplace_back(formats::utf8(branch.name));
  return names;
}

bool is_commit(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// What the types leave open; empty if all of it holds.
std::string fault(const Case& c) {
  if (!c.workflow.empty() && !WorkflowId::parse(c.workflow)) return "workflow is not an id";
  if (!c.base.empty() && !is_commit(c.base)) return "base is not a commit";
  if (c.exit > 255) return "exit is not an exit code";
  if (!Money::parse(c.spend.usd)) return "spend.usd is not an amount";
  if (!Money::parse(c.spend.replayed.usd)) return "spend.replayed.usd is not an amount";
  const auto is_fix = [&](std::size_t n) { return n > 0 && n <= c.fixes.size(); };
  for (const Copy& copy : c.copies) {
    if (copy.fix != 0 && !is_fix(copy.fix)) return "copies.step is not the number of a step";
  }
  for (const Branch& branch : c.branches) {
    if (!branch.commit.empty() && !is_commit(branch.commit)) return "commits.commit is not one";
    if (!std::all_of(branch.fixes.begin(), branch.fixes.end(), is_fix))
      return "commits.steps is not the number of a step";
  }
  return "";
}

}  // namespace

Value to_json(const Case& c) {
  Writer f;
  f("schema", std::string("codegenie/remediate/v1"));
  f.nullable("workflow", c.workflow);
  f("outcome", c.outcome);
  f("tier", c.tier);
  f("branches", branch_names(c));
  f("copies", c.copies);
  f("gates", c.gates);
  f("unproven", c.unproven);
  f.nullable("isolation_class", c.isolation_class);
  f("spend", c.spend);
  f.nullable("evidence", c.evidence);
  f("exit", c.exit);
  visit_rest(c, f);
  return std::move(f).take();
}

Result<Case, std::string> from_json(std::string_view text) {
  json::Limits limits;
  limits.max_bytes = kMaxCaseBytes;
  limits.max_nodes = 8'000'000;
  limits.max_depth = 8;
  const auto parsed = json::parse_json(text, limits);
  if (!parsed) return fail(json::describe(parsed.error()));
  std::string error;
  Case c;
  Reader f(*parsed, "", error);
  std::string schema;
  f("schema", schema);
  if (schema != "codegenie/remediate/v1") f.wrong("schema", "is another");
  f.nullable("workflow", c.workflow);
  f("outcome", c.outcome);
  f("tier", c.tier);
  const Value* branches = f.member("branches");
  f("copies", c.copies);
  f("gates", c.gates);
  f("unproven", c.unproven);
  f.nullable("isolation_class", c.isolation_class);
  f("spend", c.spend);
  f.nullable("evidence", c.evidence);
  f("exit", c.exit);
  visit_rest(c, f);
  f.finish();
  if (error.empty()) error = fault(c);
  if (error.empty() && *branches != branch_names(c)) error = "branches are not those of commits";
  if (!error.empty()) return fail(printable(error));
  return c;
}

}  // namespace cg::report
