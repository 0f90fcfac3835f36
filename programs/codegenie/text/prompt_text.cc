#include "text/prompt_text.h"

#include <algorithm>

#include "base/base/text.h"
#include "base/json/json.h"
#include "report.h"

namespace cg::program {

namespace {

using json::Value;

std::string_view name(PromptPage::State state) {
  switch (state) {
    case PromptPage::State::unsent:
      return "judged";
    case PromptPage::State::unsent_without_gates:
      return "left_out";
    case PromptPage::State::sent:
      break;
  }
  return "sent";
}

Value to_json(const prompt::Segment& one) {
  return Value::Object{{"kind", name(one.kind)},
                       {"path", text_or_null(one.label)},
                       {"given", json::number(one.given)},
                       {"bytes", json::number(one.bytes)},
                       {"cut", one.fate == prompt::Segment::Fate::cut},
                       {"dropped", one.fate == prompt::Segment::Fate::dropped},
                       {"redactions", json::number(one.secrets)},
                       {"collisions", json::number(one.orders)},
                       {"pattern", text_or_null(one.pattern)}};
}

std::string segment_table(const PromptPage& page, const cli::Style& style) {
  std::vector<std::vector<cli::Cell>> rows;
  for (const prompt::Segment& one : page.segments) {
    const bool marked = prompt::is_marked(one);
    rows.push_back({{std::string(style.glyph(marked ? cli::Glyph::warn : cli::Glyph::ok)),
                     marked ? cli::Role::warning : cli::Role::good},
                    {std::string(cg::name(one.kind))},
                    {printable(one.label)},
                    {grouped(one.bytes)},
                    {prompt::words(one)}});
  }
  return cli::layout({{}, {.title = "KIND"}, {.title = "PATH"}, {.title = "BYTES"}, {}}, rows,
                     style, 2);
}

std::string heading(const PromptPage& page) {
  const bool sent = page.state == PromptPage::State::sent;
  std::string out = sent ? "Sent by workflow " + page.workflow.substr(0, 10) : "Not sent";
  out +=
      ": attempt " + std::to_string(page.attempt) + " of the model at " + printable(page.package);
  std::string ids;
  for (const std::string& id : page.advisories) ids += (ids.empty() ? "" : ", ") + printable(id);
  if (!ids.empty()) out += " (" + ids + ")";
  return out + "\n";
}

std::string part(const std::string& title, const std::string& text, const cli::Style& style) {
  const bool ends = text.ends_with('\n');
  return "\n" + title + ", " + counted(text.size(), "byte", "bytes") + "\n\n" +
         style.foreign(text + (ends ? "" : "\n"));
}

/// ", part 2 of 3", where files are asked about in several questions.
std::string part_of(const remediate::Shown& one) {
  if (one.parts == 1) return "";
  return ", part " + std::to_string(one.part) + " of " + std::to_string(one.parts);
}

}  // namespace

PromptPage page_of(const remediate::Remediation& done, const job::Showing& showing) {
  PromptPage out;
  bool first = true;
  for (const remediate::Shown& one : done.shown) {
    if (!first || !one.prompt || one.part != showing.part) {
      out.others.push_back(one.about.package + " in " + one.about.manifest + part_of(one) +
                           (one.prompt ? ": another question" : ": " + one.why));
      continue;
    }
    first = false;
    const tiers::Preview& prompt = *one.prompt;
    out.state = showing.gates ? PromptPage::State::unsent : PromptPage::State::unsent_without_gates;
    out.workflow = done.outcome.workflow;
    out.attempt = one.attempt;
    out.package = one.about.package;
    out.manifest = one.about.manifest;
    out.advisories = one.about.advisories;
    out.model = prompt.model;
    out.system = prompt.system;
    out.user = prompt.user;
    out.input = prompt.input;
    out.output = prompt.output;
    out.usd = prompt.usd.str();
    out.over = prompt.over;
    out.segments = prompt.segments;
  }
  return out;
}

PromptPage page_of(const std::string& workflow, const history::SentPrompt& sent) {
  const history::Question& question = sent.question;
  PromptPage out;
  out.state = PromptPage::State::sent;
  out.workflow = workflow;
  out.attempt = remediate::model_attempt(question.invoked.attempt);
  out.package = sent.about.package;
  out.manifest = sent.about.manifest;
  out.advisories = {sent.about.advisory};
  out.model = question.invoked.model;
  out.system = sent.text.system;
  out.user = sent.text.user;
  out.output = question.invoked.max_tokens;
  out.input = question.reserved.tokens - std::min(question.reserved.tokens, out.output);
  out.usd = question.reserved.usd;
  out.segments = sent.segments;
  return out;
}

std::string prompt_text(const PromptPage& page, const cli::Style& style) {
  std::string out = heading(page);
  out += "  model   " + printable(page.model) + "\n";
  out += "  tokens  at most " + grouped(page.input) + " in and " + grouped(page.output) + " out\n";
  out += "  price   at most $" + printable(page.usd) + "\n";
  if (page.state == PromptPage::State::unsent_without_gates) {
    out += "  gates   not run: what they say to the version alone is left out\n";
  }
  if (!page.over.empty()) {
    out += "  " + style.paint(cli::Role::warning, "budget") +
           "  would not let it be sent: " + printable(page.over) + "\n";
  }
  out += "\n" + segment_table(page, style);
  for (const std::string& other : page.others) out += "\n  also: " + printable(other) + "\n";
  return out + part("System", page.system, style) + part("User", page.user, style);
}

Value prompt_json(const PromptPage& page) {
  Value::Array segments;
  for (const prompt::Segment& one : page.segments) segments.push_back(to_json(one));
  return Value::Object{{"schema", "codegenie/prompt/v1"},
                       {"workflow", page.workflow},
                       {"sent", page.state == PromptPage::State::sent},
                       {"gates", name(page.state)},
                       {"attempt", json::number(page.attempt)},
                       {"package", page.package},
                       {"manifest", text_or_null(page.manifest)},
                       {"advisories", Value::Array(page.advisories.begin(), page.advisories.end())},
                       {"model", page.model},
                       {"system", page.system},
                       {"user", page.user},
                       {"tokens", json::number(page.input + page.output)},
                       {"tokens_in", json::number(page.input)},
                       {"tokens_out", json::number(page.output)},
                       {"usd_worst", page.usd},
                       {"budget", text_or_null(page.over)},
                       {"segments", std::move(segments)},
                       {"others", Value::Array(page.others.begin(), page.others.end())}};
}

std::string asking_text(const remediate::Asking& asking) {
  std::string out = "A model may be asked, " + printable(asking.model);
  if (asking.packages.empty()) return out + ": recipes leave it nothing\n\n";
  out += ", if the version alone does not pass\n";
  for (const std::string& package : asking.packages) out += "  " + printable(package) + "\n";
  out += "  at most " + counted(asking.questions, "question", "questions") + " and " +
         counted(asking.most.calls - asking.questions, "repair", "repairs") + ", " +
         grouped(asking.most.tokens) + " tokens, $" + asking.most.usd.str();
  if (asking.replayed) out += " if they were not answered by a cassette: $0.00 spent";
  return out + "\n\n";
}

Value asking_json(const remediate::Asking& asking) {
  return Value::Object{{"model", asking.model},
                       {"packages", Value::Array(asking.packages.begin(), asking.packages.end())},
                       {"questions", json::number(asking.questions)},
                       {"calls", json::number(asking.most.calls)},
                       {"tokens", json::number(asking.most.tokens)},
                       {"usd", asking.replayed ? "0.00" : asking.most.usd.str()},
                       {"replayed", asking.replayed}};
}

}  // namespace cg::program
