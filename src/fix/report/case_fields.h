// The fields of a case under their names in JSON, listed once for both directions.
// For case_writer.h and case_json.cc only.
#pragma once

#include "fix/report/case.h"

namespace cg::report {

/// Fields<T>::visit(value, f) calls f(name, member) for each member of a T.
template <class T>
struct Fields;

template <>
struct Fields<plan::Considered> {
  template <class T, class F>
  static void visit(T& v, F& f) {
    f("strategy", v.strategy);
    f("target", v.target);
    f("answer", v.answer);
    f("chosen", v.chosen);
  }
};

template <>
struct Fields<Copy> {
  template <class T, class F>
  static void visit(T& v, F& f) {
    f("advisory", v.advisory);
    f("package", v.package);
    f("lockfile", v.lockfile);
    f("location", v.location);
    f("from", v.from);
    f.nullable("to", v.to);
    f("severity", v.level);
    f("verdict", v.fate);
    f("strategy", v.strategy);
    f("blocker", v.blocker);
    f("reason", v.reason);
    f("considered", v.considered);
    f("step", v.fix);
  }
};

template <>
struct Fields<Fix> {
  template <class T, class F>
  static void visit(T& v, F& f) {
    f("strategy", v.strategy);
    f("package", v.package);
    f("lockfile", v.lockfile);
    f("from", v.from);
    f("to", v.to);
    f("recipe", v.recipe);
    f("why", v.why);
    f("touched", v.touched);
  }
};

template <>
struct Fields<plan::OverrideNote> {
  template <class T, class F>
  static void visit(T& v, F& f) {
    f("path", v.path);
    f("value", v.value);
    f("reason", v.reason);
    f("advisories", v.advisories);
    f("days", v.days);
  }
};

template <>
struct Fields<Advisory> {
  template <class T, class F>
  static void visit(T& v, F& f) {
    f("id", v.id);
    f("aliases", v.aliases);
    f("summary", v.summary);
    f("severity", v.level);
  }
};

template <>
struct Fields<Branch> {
  template <class T, class F>
  static void visit(T& v, F& f) {
    f("branch", v.name);
    f.nullable("commit", v.commit);
    f("steps", v.fixes);
    f("attempts", v.attempts);
    f("changes", v.changes);
    f.nullable("example", v.example);
    f.nullable("kind", v.kind);
    f.nullable("rationale", v.rationale);
    f.nullable("outcome", v.outcome);
  }
};

template <>
struct Fields<Gate> {
  template <class T, class F>
  static void visit(T& v, F& f) {
    f("branch", v.branch);
    f("signal", v.signal);
    f("state", v.state);
    f("required", v.required);
    f("passed", v.passed);
    f("before", v.before);
    f("after", v.after);
    f("words", v.words);
    f("reasons", v.reasons);
    f.nullable("weak", v.weak);
    f.nullable("side", v.side);
    f.nullable("test", v.test);
  }
};

template <>
struct Fields<Unprovable> {
  template <class T, class F>
  static void visit(T& v, F& f) {
    f("lockfile", v.lockfile);
    f("cause", v.cause);
  }
};

template <>
struct Fields<FileChange> {
  template <class T, class F>
  static void visit(T& v, F& f) {
    f("path", v.path);
    f("added", v.added);
    f("removed", v.removed);
    f("author", v.author);
  }
};

template <>
struct Fields<Moved> {
  template <class T, class F>
  static void visit(T& v, F& f) {
    f("package", v.package);
    f.nullable("from", v.from);
    f.nullable("to", v.to);
    f.nullable("published", v.published);
    f("install_scripts", v.scripts);
    f.nullable("host_before", v.host_before);
    f.nullable("host", v.host);
    f.nullable("integrity", v.integrity);
    f.nullable("publisher_before", v.publisher_before);
    f.nullable("publisher", v.publisher);
    f("news", v.news);
  }
};

template <>
struct Fields<Findings> {
  template <class T, class F>
  static void visit(T& v, F& f) {
    f("before", v.before);
    f("after", v.after);
    f("introduced", v.introduced);
  }
};

template <>
struct Fields<Cost> {
  template <class T, class F>
  static void visit(T& v, F& f) {
    f("tokens", v.tokens);
    f("usd", v.usd);
  }
};

template <>
struct Fields<Spend> {
  template <class T, class F>
  static void visit(T& v, F& f) {
    f("tokens", v.tokens);
    f("usd", v.usd);
    f("replayed", v.replayed);
  }
};

template <>
struct Fields<findings::IndexFacts> {
  template <class T, class F>
  static void visit(T& v, F& f) {
    f("digest", v.digest);
    f("built", v.built);
    f("advisories", v.advisories);
    f("sources", v.sources);
  }
};

}  // namespace cg::report
