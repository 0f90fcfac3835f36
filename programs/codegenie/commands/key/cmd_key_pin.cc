// codegenie key pin
#include <algorithm>

#include "access.h"
#include "base/base/text.h"
#include "base/os/dir.h"
#include "base/os/ports.h"
#include "commands.h"
#include "model/leaf/pins.h"

namespace cg::program {

namespace {

constexpr const char* kFile = "policy/leaf-pins.yaml";
constexpr std::size_t kMaxPinFile = 64U << 10U;
constexpr std::size_t kMaxPem = 1U << 20U;
constexpr std::size_t kMaxNote = 200;
constexpr const char* kUse = "codegenie key pin --from-pem PEM_FILE --not-after 2027-01-31";

Problem bad_file(const std::string& path, const std::string& what) {
  return {ErrorCode::config_bad,
          "the pins of the model's server cannot be used",
          {{"file", path}, {"found", what}},
          "nothing was pinned",
          {"codegenie key pin --help"}};
}

Result<leaf::Pins, Problem> read_pins(const os::Dir& workspace) {
  const auto text = workspace.read(kFile, kMaxPinFile);
  if (!text && text.error().kind == os::Error::Kind::not_found) return leaf::Pins{};
  if (!text) return fail(bad_file(workspace.path_of(kFile), os::describe(text.error())));
  auto pins = leaf::parse_pins(*text);
  if (!pins) return fail(bad_file(workspace.path_of(kFile), pins.error()));
  return *std::move(pins);
}

Result<Done, Problem> write_pins(const os::Dir& workspace, const leaf::Pins& pins) {
  const auto folder = os::Dir::make(workspace.path_of("policy"));
  if (!folder) return fail(bad_file(workspace.path_of(kFile), os::describe(folder.error())));
  const auto written = workspace.write_atomic(kFile, leaf::write_pins(pins));
  if (!written) return fail(bad_file(workspace.path_of(kFile), os::describe(written.error())));
  return Done{};
}

Result<std::string, Problem> read_pem(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const auto dir = os::Dir::open_for_lookup(folder);
  if (!dir) return fail(bad_file(path, os::describe(dir.error())));
  auto text = dir->read(slash == std::string::npos ? path : path.substr(slash + 1), kMaxPem);
  if (!text) return fail(bad_file(path, os::describe(text.error())));
  return *std::move(text);
}

struct Wish {
  std::optional<Time> not_after;
  std::string note;
};

Result<Wish, Problem> read_wish(const cli::Invocation& invocation) {
  Wish wish;
  if (const auto date = invocation.value("not-after")) {
    wish.not_after = parse_date(*date);
    if (!wish.not_after) return fail(bad_value("--not-after takes a day: 2027-01-31", kUse));
  }
  wish.note = invocation.value("note").value_or("");
  if (wish.note.size() > kMaxNote || printable(wish.note) != wish.note) {
    return fail(bad_value("--note takes up to 200 printable bytes", kUse));
  }
  return wish;
}

void put(leaf::Pins& pins, const leaf::PinnedKey& key) {
  const auto same = std::find_if(pins.keys.begin(), pins.keys.end(),
                                 [&](const auto& old) { return old.spki == key.spki; });
  if (same != pins.keys.end()) {
    *same = key;
  } else {
    pins.keys.push_back(key);
  }
}

Result<Done, Problem> add(const cli::Invocation& invocation, leaf::Pins& pins) {
  const std::string path = *invocation.value("from-pem");
  CG_TRY_ASSIGN(const Wish wish, read_wish(invocation));
  CG_TRY_ASSIGN(const std::string pem, read_pem(path));
  const auto keys = leaf::spki_of_pem(pem);
  if (!keys) return fail(bad_file(path, keys.error()));
  for (const leaf::PemKey& key : *keys) {
    const auto day = wish.not_after ? wish.not_after : key.not_after;
    if (!day) {
      return fail(
          bad_value("a public key has no day of its own: --not-after says until when", kUse));
    }
    // By day: the file knows no hours.
    const auto midnight = parse_date(to_date(*day));
    std::string note = wish.note.empty() ? std::string(cut_utf8(key.subject, kMaxNote)) : wish.note;
    put(pins, {key.spki, midnight.value_or(*day), std::move(note)});
  }
  if (pins.keys.size() > net::kMaxPins) {
    return fail(bad_value("too many pins: remove those that are no longer needed",
                          "codegenie key pin --list"));
  }
  return Done{};
}

Result<Done, Problem> remove(const std::string& text, leaf::Pins& pins) {
  const auto spki = leaf::parse_spki(text);
  const auto old = std::find_if(pins.keys.begin(), pins.keys.end(),
                                [&](const auto& key) { return spki && key.spki == *spki; });
  if (old == pins.keys.end()) {
    return fail(bad_value("there is no such pin", "codegenie key pin --list"));
  }
  pins.keys.erase(old);
  return Done{};
}

std::string pins_text(const leaf::Pins& pins, const cli::Style& style) {
  if (pins.keys.empty()) return "No key is pinned\n";
  std::vector<std::vector<cli::Cell>> rows;
  for (const leaf::PinnedKey& key : pins.keys) {
    rows.push_back({{leaf::to_text(key.spki)}, {to_date(key.not_after)}, {key.note}});
  }
  return cli::layout({{"SPKI"}, {"NOT AFTER"}, {"NOTE"}}, rows, style);
}

json::Value pins_json(const leaf::Pins& pins, const std::string& file) {
  json::Value::Array keys;
  for (const leaf::PinnedKey& key : pins.keys) {
    keys.emplace_back(json::Value::Object{{"not_after", to_date(key.not_after)},
                                          {"note", key.note},
                                          {"spki", leaf::to_text(key.spki)}});
  }
  return json::Value::Object{
      {"schema", "codegenie/key-pins/v1"}, {"file", printable(file)}, {"pins", std::move(keys)}};
}

Result<Report, Problem> run_pin(const cli::Invocation& invocation, Session& session) {
  const std::size_t wishes =
      invocation.count("from-pem") + invocation.count("list") + invocation.count("remove");
  if (wishes != 1) return fail(bad_value("one of --from-pem, --list and --remove", kUse));
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  const auto workspace = os::Dir::open(access.workspace.path);
  if (!workspace) return fail(bad_file(access.workspace.path, os::describe(workspace.error())));
  CG_TRY_ASSIGN(leaf::Pins pins, read_pins(*workspace));
  if (invocation.has("from-pem")) CG_TRY(add(invocation, pins));
  if (const auto spki = invocation.value("remove")) CG_TRY(remove(*spki, pins));
  if (!invocation.has("list")) CG_TRY(write_pins(*workspace, pins));
  os::SystemClock clock;
  Report report = json_report(pins_json(pins, workspace->path_of(kFile)),
                              [pins](const cli::Style& style) { return pins_text(pins, style); });
  report.warnings = leaf::warnings(pins, clock.now());
  return report;
}

}  // namespace

Entry key_pin_command() {
  return {{.path = {"key", "pin"},
           .summary = "Say which public keys the model's server may have",
           .about = {"The key of the model goes to a server only if its certificate, or one above "
                     "it, has a public key that is pinned in policy/leaf-pins.yaml, besides being "
                     "trusted by the system. None is shipped: take the certificate by a way that "
                     "you trust, and pin it. Without a pin no model is asked.",
                     "Every certificate and public key in PEM_FILE is pinned, until the day that "
                     "its certificate ends or --not-after names. Pin a second one as a backup."},
           .flags = {{.name = "from-pem",
                      .value_name = "PEM_FILE",
                      .help = "pin what is in this file: certificates or public keys"},
                     {.name = "list", .help = "only show what is pinned"},
                     {.name = "not-after",
                      .value_name = "DAY",
                      .help = "the last day on which the pin counts, as 2027-01-31"},
                     {.name = "note", .value_name = "TEXT", .help = "for people"},
                     {.name = "remove",
                      .value_name = "SPKI",
                      .help = "take a pin away: sha256/… as --list shows it"}},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
           .examples = {{"codegenie key pin --from-pem intermediate.pem --not-after 2027-01-31",
                         "that authority, until then"},
                        {"codegenie key pin --list", "what is pinned?"}}},
          run_pin};
}

}  // namespace cg::program
