#include "text/gate_text.h"

#include <algorithm>

#include "base/archive/stream.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "vuln/formats/words.h"

namespace cg::program {

namespace {

using json::Value;

constexpr std::size_t kLastLines = 40;
constexpr std::size_t kTestLines = 30;

/// The name that a document is kept under, where it is one: "" for "gates/tests.json", the path of
/// its lockfile before it, and the folder that it lies in.
bool is_gate_file(std::string_view path) {
  return path.ends_with(".json") && (path.starts_with("gates/") || path.contains("/gates/"));
}

std::string folder_of_gate(std::string_view path) {
  return std::string(path.substr(0, path.rfind("gates/")));
}

std::string log_of(const evidence::Files& files, const std::string& digest) {
  if (digest.empty()) return "";
  for (const char* end : {".zst", ".part.zst"}) {
    const auto found = files.find("logs/" + digest + end);
    if (found == files.end()) continue;
    const auto text = archive::unzstd(found->second);
    return text ? *text : "";
  }
  return "";
}

std::string text_at(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value != nullptr && value->is_string() ? *value->as_string() : "";
}

std::string owner_of(const evidence::Files& files, const std::string& folder) {
  if (folder.starts_with("attempts/")) {
    const auto head = files.find(folder + "attempt.json");
    const auto parsed = head == files.end() ? Result<Value, json::ParseError>(Value())
                                            : json::parse_json(head->second);
    const Value* number = parsed ? parsed->find("attempt") : nullptr;
    return "attempt " + std::to_string(number != nullptr ? number->as_int().value_or(0) : 0) +
           " without a branch, failing: " + (parsed ? text_at(*parsed, "failing") : "");
  }
  const auto text = files.find("case.json");
  const auto c = text == files.end() ? Result<report::Case, std::string>(fail(std::string()))
                                     : report::from_json(text->second);
  std::size_t number = 1;
  if (folder.starts_with("branches/"))
    number = parse_u64(folder.substr(9, folder.size() - 10)).value_or(0);
  if (!c || number == 0 || number > c->branches.size()) return folder;
  return "branch " + c->branches[number - 1].name;
}

/// What a log has from the first line on that names the test.
std::string about_test(const std::string& log, const std::string& test) {
  const std::size_t last = test.rfind(" > ");
  const std::string name = last == std::string::npos ? test : test.substr(last + 3);
  if (name.empty()) return "";
  std::string out;
  std::size_t told = 0;
  for (const std::string_view line : split(log, '\n')) {
    if (told == 0 && line.find(name) == std::string_view::npos) continue;
    if (++told > kTestLines) break;
    out += std::string(line) + "\n";
  }
  return out;
}

std::string last_lines(const std::string& text) {
  const std::vector<std::string_view> lines = split(text, '\n');
  const std::size_t from = lines.size() > kLastLines + 1 ? lines.size() - kLastLines - 1 : 0;
  std::string out = from > 0 ? "[" + counted(from, "line", "lines") + " before]\n" : "";
  for (std::size_t i = from; i < lines.size(); ++i) {
    if (i + 1 < lines.size() || !lines[i].empty()) out += std::string(lines[i]) + "\n";
  }
  return out;
}

void add_quoted(std::string& out, const std::string& title, const std::string& text,
                const cli::Style& style) {
  if (text.empty()) return;
  out += "  " + title + "\n";
  std::string lines;
  for (const std::string_view line : split(text, '\n')) {
    if (!line.empty()) lines += "    | " + printable(line) + "\n";
  }
  out += style.foreign(std::move(lines));
}

std::string numbers_of(const Value& view, std::string_view key) {
  const Value* numbers = view.find(key);
  return numbers == nullptr || numbers->is_null() ? "nothing was run" : json::write_json(*numbers);
}

void add_list(std::string& out, const std::string& title, const Value* list) {
  if (list == nullptr || !list->is_array()) return;
  for (const Value& one : *list->as_array()) {
    if (one.is_string()) out += "  " + title + " " + printable(*one.as_string()) + "\n";
  }
}

}  // namespace

std::vector<std::string> gate_names(const evidence::Files& files) {
  std::vector<std::string> out;
  for (const auto& [path, bytes] : files) {
    if (!is_gate_file(path)) continue;
    const auto parsed = json::parse_json(bytes);
    const std::string name = parsed ? text_at(*parsed, "signal") : "";
    if (!name.empty() && std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  }
  return out;
}

std::vector<GateView> gate_views(const evidence::Files& files, std::string_view gate,
                                 const std::optional<std::string>& side) {
  std::vector<GateView> out;
  for (const auto& [path, bytes] : files) {
    if (!is_gate_file(path)) continue;
    auto parsed = json::parse_json(bytes);
    if (!parsed || text_at(*parsed, "signal") != gate) continue;
    GateView view;
    view.of = owner_of(files, folder_of_gate(path));
    view.document = *std::move(parsed);
    const std::string wrong = text_at(view.document, "side");
    view.side = side.value_or(wrong.empty() ? "fix" : wrong);
    if (const Value* step = view.document.find(view.side); step != nullptr && step->is_object()) {
      view.out = log_of(files, text_at(*step, "stdout_sha256"));
      view.err = log_of(files, text_at(*step, "stderr_sha256"));
    }
    const Value* failing = view.document.find("failing_tests");
    if (failing != nullptr && failing->is_array() && !failing->as_array()->empty()) {
      if (const std::string* first = failing->as_array()->front().as_string()) view.test = *first;
      view.test_text = about_test(view.out + "\n" + view.err, view.test);
    }
    out.push_back(std::move(view));
  }
  return out;
}

Value gates_json(const std::string& workflow, const std::string& gate,
                 const std::vector<GateView>& views) {
  const auto text = [](const std::string& value) {
    return value.empty() ? Value() : Value(formats::utf8(value));
  };
  Value::Array results;
  for (const GateView& view : views) {
    results.emplace_back(Value::Object{
        {"of", formats::utf8(view.of)},
        {"result", view.document},
        {"first_failing_test", text(view.test)},
        {"its_output", text(view.test_text)},
        {"log", Value::Object{
                    {"side", view.side}, {"stdout", text(view.out)}, {"stderr", text(view.err)}}}});
  }
  return Value::Object{{"schema", "codegenie/workflow-gate/v1"},
                       {"workflow", workflow},
                       {"gate", gate},
                       {"results", std::move(results)}};
}

std::string gates_text(const std::string& gate, const std::vector<GateView>& views,
                       const cli::Style& style) {
  std::string out;
  for (const GateView& view : views) {
    const Value& document = view.document;
    const std::string wrong = text_at(document, "side");
    out += (out.empty() ? "" : "\n") + gate + ": " + text_at(document, "state");
    if (!wrong.empty()) out += wrong == "base" ? ", at the base" : ", with the fix";
    out += " (" + printable(view.of) + ")\n";
    const std::string command = text_at(document, "command");
    if (!command.empty()) out += "  command  " + printable(command) + "\n";
    out += "  base     " + printable(numbers_of(document, "before")) + "\n";
    out += "  fix      " + printable(numbers_of(document, "after")) + "\n";
    if (const std::string weak = text_at(document, "weak"); !weak.empty()) {
      out += "  weak     " + printable(weak) + "\n";
    }
    add_list(out, "why     ", document.find("reasons"));
    add_list(out, "fails   ", document.find("failing_tests"));
    add_quoted(out, "first failing test: " + printable(view.test), view.test_text, style);
    const std::string of = view.side == "base" ? " at the base" : " with the fix";
    add_quoted(out, "standard output" + of + ", its end", last_lines(view.out), style);
    add_quoted(out, "standard error" + of + ", its end", last_lines(view.err), style);
    if (view.out.empty() && view.err.empty()) out += "  no log is kept" + of + "\n";
  }
  return out;
}

std::string gate_table(const std::vector<report::Gate>& gates, std::string_view branch,
                       const cli::Style& style) {
  std::vector<std::vector<cli::Cell>> rows;
  for (const report::Gate& gate : gates) {
    if (gate.branch != branch) continue;
    const bool absent = gate.state == "absent";
    const auto glyph = gate.passed ? cli::Glyph::ok : absent ? cli::Glyph::none : cli::Glyph::fail;
    const auto role = gate.passed ? cli::Role::good : cli::Role::warning;
    rows.push_back({{std::string(style.glyph(glyph)), role},
                    {printable(gate.signal)},
                    {printable(gate.words)}});
    if (gate.passed && !gate.weak.empty()) {
      rows.push_back({{""}, {""}, {"weak: " + printable(gate.weak)}});
    }
    if (gate.passed || absent) continue;
    for (std::size_t i = 0; i < std::min<std::size_t>(gate.reasons.size(), 5); ++i) {
      rows.push_back({{""}, {""}, {printable(gate.reasons[i])}});
    }
  }
  return cli::layout({{}, {}, {.max_width = 100}}, rows, style, 2);
}

}  // namespace cg::program
