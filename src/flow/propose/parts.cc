#include "flow/propose/parts.h"

#include <algorithm>

#include "base/base/match.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "flow/propose/question.h"
#include "trust/hash/blake3.h"

namespace cg::propose {

namespace {

bool is_path_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("._-@$").find(c) != std::string_view::npos;
}

/// "at src/a.js", "./src/a.js", "file:///src/a.js"; not "lib/src/a.js", which is another file.
bool begins_at(std::string_view text, std::size_t at) {
  if (at == 0) return true;
  if (text[at - 1] != '/') return !is_path_char(text[at - 1]);
  std::string_view before = text.substr(0, at - 1);
  if (before.ends_with('.')) before.remove_suffix(1);
  return before.empty() || !is_path_char(before.back());
}

bool ends_at(std::string_view text, std::size_t end) {
  if (end == text.size()) return true;
  if (text[end] == '/') return false;
  // A full stop ends a sentence, unless a name goes on behind it.
  if (text[end] == '.') return end + 1 == text.size() || !is_path_char(text[end + 1]);
  return !is_path_char(text[end]);
}

bool names_some(std::string_view text, const PartAsked& part, std::string_view folder) {
  return std::any_of(part.files.begin(), part.files.end(), [&](const auto& file) {
    const std::string_view path = file.first;
    return names_path(text, path) || (!folder.empty() && path.starts_with(folder) &&
                                      names_path(text, path.substr(folder.size())));
  });
}

std::string rationale_of(const proposal::Proposal& said) {
  return match(
      said, [](const proposal::DepBump& one) { return one.rationale; },
      [](const proposal::Override& one) { return one.rationale; },
      [](const proposal::CallsiteRewrite& one) { return one.rationale; },
      [](const proposal::Refuse& one) { return one.rationale; });
}

json::Value::Object answer_of(const tiers::Planned& planned) {
  using json::Value;
  const leaf::Trace& trace = planned.trace;
  return {{"prompt", hash::blake3_name(planned.prompt)},
          {"request", hash::blake3_name(trace.request)},
          {"response", hash::blake3_name(trace.response)},
          {"tokens", Value::Object{{"input", json::number(trace.usage.input)},
                                   {"output", json::number(trace.usage.output)},
                                   {"cache_write", json::number(trace.usage.cache_write)},
                                   {"cache_read", json::number(trace.usage.cache_read)}}}};
}

/// An answer that nothing was wrong with stays for the next attempt.
json::Value question_of(const PartAsked& part) {
  json::Value::Object out = {{"attempt", json::number(part.said->attempt)}};
  for (auto& member : answer_of(part.said->planned)) out.push_back(std::move(member));
  json::Value::Array files;
  for (const auto& [path, text] : part.files) files.emplace_back(path);
  out.emplace_back("files", std::move(files));
  return out;
}

}  // namespace

bool names_path(std::string_view text, std::string_view path) {
  for (std::size_t at = text.find(path); at != text.npos; at = text.find(path, at + 1)) {
    if (begins_at(text, at) && ends_at(text, at + path.size())) return true;
  }
  return false;
}

Parts::Parts(const tiers::Question& common, const Sources& sources) : group_(common.group) {
  const std::size_t files = sources.files();
  for (const Part& part : sources.parts) {
    PartAsked& one = all_.emplace_back(PartAsked{common, {part.texts.begin(), part.texts.end()}});
    for (const auto& [path, text] : part.texts) one.question.task.files.push_back(path);
    one.question.task.elsewhere = files - part.texts.size();
    one.question.texts.insert(one.question.texts.end(), part.snippets.begin(), part.snippets.end());
  }
}

std::map<std::string, std::string, std::less<>> Parts::files() const {
  std::map<std::string, std::string, std::less<>> out;
  for (const PartAsked& part : all_) out.insert(part.files.begin(), part.files.end());
  return out;
}

std::vector<std::size_t> Parts::due(const std::vector<gate::AttemptSummary>& history,
                                    std::string_view folder) const {
  std::vector<std::size_t> out;
  const auto add_if = [&](const auto& is_due) {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (!all_[i].said || is_due(all_[i])) out.push_back(i);
    }
  };
  const bool turned_down =
      !history.empty() && std::any_of(all_.begin(), all_.end(), [&](const PartAsked& part) {
        return part.told.contains(history.back().number);
      });
  if (turned_down) {
    add_if([](const PartAsked&) { return false; });
    return out;
  }
  std::string text;
  if (!history.empty()) {
    text = history.back().errors;
    for (const std::string& test : history.back().failing_tests) text += "\n" + test;
  }
  const auto is_named = [&](const PartAsked& part) { return names_some(text, part, folder); };
  const bool any = std::any_of(all_.begin(), all_.end(), is_named);
  add_if([&](const PartAsked& part) { return !any || is_named(part); });
  return out;
}

std::vector<tiers::Text> Parts::failure_of(std::size_t number,
                                           const std::vector<gate::AttemptSummary>& history) const {
  const PartAsked& part = all_[number];
  std::vector<gate::AttemptSummary> own = history;
  const auto is_of_another = [&](const gate::AttemptSummary& one) {
    return !part.told.contains(one.number) &&
           std::any_of(all_.begin(), all_.end(),
                       [&](const PartAsked& other) { return other.told.contains(one.number); });
  };
  while (!own.empty() && is_of_another(own.back())) own.pop_back();
  if (!own.empty()) {
    const auto told = part.told.find(own.back().number);
    if (told != part.told.end()) own.back().told = told->second;
  }
  return failure_texts(own, part.diff);
}

std::optional<tiers::Rejected> apart(const proposal::Accepted& accepted,
                                     const std::string& target) {
  const bool fits = match(
      accepted.what(), [&](const proposal::Bump& bump) { return bump.to.str() == target; },
      [](const proposal::Force&) { return false; }, [](const proposal::Rewrite&) { return true; },
      [](const proposal::Declined&) { return true; });
  if (fits) return std::nullopt;
  return tiers::Rejected{"not_of_a_part", "kind",
                         "other files are asked about in other questions, for the target " +
                             target +
                             ": only a callsite_rewrite fits with those, or dep_bump to the target "
                             "if nothing here has to change"};
}

std::string rationale_of(const Parts& parts) {
  std::string out;
  for (const PartAsked& part : parts.all()) {
    const std::string one = rationale_of(part.said->planned.proposal);
    if (!one.empty()) out += (out.empty() ? "" : "\n\n") + one;
  }
  return out;
}

std::string document_of(const Parts& parts, std::string_view kind, unsigned number,
                        const tiers::Asking::Bill& so_far) {
  using json::Value;
  const tiers::Planned& first = parts.all().front().said->planned;
  Value::Object out = {{"schema", "codegenie/evidence-model/v1"},
                       {"model", printable(first.trace.model)},
                       {"kind", kind},
                       {"attempt", json::number(number)}};
  if (!parts.several()) {
    for (auto& member : answer_of(first)) out.push_back(std::move(member));
  } else {
    Value::Array questions;
    for (const PartAsked& part : parts.all()) questions.push_back(question_of(part));
    out.emplace_back("questions", std::move(questions));
  }
  out.emplace_back("spent_so_far", "$" + so_far.paid.usd.str());
  out.emplace_back("replayed_so_far", "$" + so_far.replayed.usd.str());
  out.emplace_back("isolation", first.trace.isolation);
  return json::write_json_pretty(Value(std::move(out)));
}

}  // namespace cg::propose
