#include "model/cassette/folder.h"

#include <algorithm>
#include <map>

#include "base/base/text.h"
#include "base/json/json.h"
#include "trust/hash/blake3.h"

namespace cg::cassette {

namespace {

using Kind = Error::Kind;

constexpr std::size_t kMaxLock = kMaxCassettes * 170 + 100;
constexpr std::size_t kMaxEntries = 2 * kMaxCassettes;

Error unreadable(const os::Error& error) {
  const Kind kind = error.kind == os::Error::Kind::too_big ? Kind::too_large : Kind::unreadable;
  return {kind, os::describe(error)};
}

/// No lock: no pins.
Result<std::vector<Pin>, Error> read_lock(const os::Dir& dir) {
  const auto text = dir.read(std::string(kLockFile), kMaxLock);
  if (!text && text.error().kind == os::Error::Kind::not_found) return std::vector<Pin>();
  if (!text) return fail(Error{Kind::unreadable, "cassettes.lock: " + os::describe(text.error())});
  auto pins = parse_lock(*text);
  if (!pins) return fail(Error{Kind::malformed, "cassettes.lock is not one"});
  return *std::move(pins);
}

const Pin* find(const std::vector<Pin>& pins, std::string_view file) {
  for (const Pin& pin : pins) {
    if (pin.name == file) return &pin;
  }
  return nullptr;
}

/// The digest comes first: what was changed is not read any further.
Result<Cassette, Error> load_pinned(const os::Dir& dir, const std::string& file, const Pin* pin) {
  if (pin == nullptr) return fail(Error{Kind::unpinned, "cassettes.lock has no line for it"});
  const auto text = dir.read(file, kMaxFile);
  if (!text) return fail(unreadable(text.error()));
  if (hash::blake3(as_bytes(*text)) != pin->digest) {
    return fail(Error{Kind::changed, "it does not have the digest in cassettes.lock"});
  }
  return parse(*text);
}

Row::State state_of(Kind kind) {
  switch (kind) {
    case Kind::unreadable:
      return Row::State::unreadable;
    case Kind::unclean:
      return Row::State::unclean;
    case Kind::unpinned:
      return Row::State::unpinned;
    case Kind::changed:
      return Row::State::changed;
    case Kind::malformed:
    case Kind::too_large:
    case Kind::not_text:
      break;
  }
  return Row::State::malformed;
}

/// A file without a pin, or with another digest, is looked at all the same: a credential in it
/// is the worse news.
Row look_at(const os::Dir& dir, const std::string& file, const Pin* pin) {
  const auto loaded = load_pinned(dir, file, pin);
  if (loaded) return {file, Row::State::good, "", loaded->exchanges.size()};
  Error error = loaded.error();
  const auto text = dir.read(file, kMaxFile);
  if (text && error.kind != Kind::unclean) {
    const auto parsed = parse(*text);
    if (!parsed && parsed.error().kind == Kind::unclean) error = parsed.error();
  }
  return {file, state_of(error.kind), error.what, 0};
}

bool has_no_row(std::string_view name) {
  return name == kLockFile || name == "README.md" || os::is_leftover(name);
}

}  // namespace

Result<Cassette, Error> load(const os::Dir& dir, const std::string& file) {
  if (!is_cassette_name(file)) return fail(Error{Kind::unpinned, "not the name of a cassette"});
  CG_TRY_ASSIGN(const std::vector<Pin> pins, read_lock(dir));
  return load_pinned(dir, file, find(pins, file));
}

std::string_view name(Row::State state) {
  switch (state) {
    case Row::State::good:
      return "good";
    case Row::State::unpinned:
      return "unpinned";
    case Row::State::missing:
      return "missing";
    case Row::State::changed:
      return "changed";
    case Row::State::malformed:
      return "malformed";
    case Row::State::unclean:
      return "unclean";
    case Row::State::unreadable:
      return "unreadable";
    case Row::State::stray:
      break;
  }
  return "stray";
}

bool Checked::good() const {
  return std::all_of(rows.begin(), rows.end(),
                     [](const Row& row) { return row.state == Row::State::good; });
}

Result<Checked, Error> check_folder(const os::Dir& dir) {
  CG_TRY_ASSIGN(const std::vector<Pin> pins, read_lock(dir));
  const auto names = dir.list(".", kMaxEntries);
  if (!names) return fail(unreadable(names.error()));
  std::map<std::string, Row> rows;
  for (const Pin& pin : pins) {
    rows[pin.name] = {pin.name, Row::State::missing, "there is no such file", 0};
  }
  for (const std::string& file : *names) {
    if (has_no_row(file)) continue;
    if (is_cassette_name(file)) {
      rows[file] = look_at(dir, file, find(pins, file));
    } else {
      const std::string shown = printable(cut_utf8(file, 100));
      rows[shown] = {shown, Row::State::stray, "only cassettes belong here", 0};
    }
  }
  Checked out;
  for (auto& [file, row] : rows) out.rows.push_back(std::move(row));
  return out;
}

Recorder::Recorder(const std::array<Byte, 32>& seed, std::string model) {
  cassette_.seed = seed;
  cassette_.model = std::move(model);
}

Result<Done, Error> Recorder::add(Exchange exchange) {
  if (cassette_.exchanges.size() == kMaxExchanges) {
    return fail(Error{Kind::too_large, "more than 1000 exchanges"});
  }
  if (std::max(exchange.request.size(), exchange.response.body.size()) > kMaxBody) {
    return fail(Error{Kind::too_large, "a body of more than 1 MiB"});
  }
  const bool is_text = is_utf8(exchange.response.body) &&
                       json::parse_json(exchange.request, {.max_bytes = kMaxBody});
  if (!is_text)
    return fail(Error{Kind::not_text, "the request is not JSON, or the answer no text"});
  if (exchange.response.status < 100 || exchange.response.status > 599) {
    return fail(Error{Kind::malformed, "no status from 100 to 599"});
  }
  Cleaned cleaned = clean(std::move(exchange));
  // Read back alone, so that what cannot be kept is known now and not when all is done.
  Cassette alone = {cassette_.seed, cassette_.model, {std::move(cleaned.exchange)}};
  const std::string text = write(alone);
  const auto again = parse(text);
  if (!again) return fail(again.error());
  if (size_ + text.size() > kMaxFile) return fail(Error{Kind::too_large, "more than 16 MiB"});
  size_ += text.size();
  cassette_.exchanges.push_back(std::move(alone.exchanges.front()));
  for (const Found& found : cleaned.found) {
    const bool counts = found.rule != "other-header" && found.rule != "header-case";
    if (counts && found_.size() < kMaxFinds) found_.push_back(found);
  }
  return Done{};
}

Result<Done, Error> Recorder::finish(const os::Dir& dir, const std::string& file) const {
  if (!is_cassette_name(file)) return fail(Error{Kind::malformed, "not the name of a cassette"});
  const std::string text = write(cassette_);
  if (const auto again = parse(text); !again) return fail(again.error());
  const auto lock = os::Lock::hold(dir.fd(), os::Lock::Mode::exclusive, dir.path());
  if (!lock) return fail(unreadable(lock.error()));
  CG_TRY_ASSIGN(std::vector<Pin> pins, read_lock(dir));
  std::erase_if(pins, [&file](const Pin& pin) { return pin.name == file; });
  if (pins.size() == kMaxCassettes) return fail(Error{Kind::too_large, "too many cassettes"});
  pins.push_back({file, hash::blake3(as_bytes(text))});
  if (const auto done = dir.write_atomic(file, text); !done) return fail(unreadable(done.error()));
  const auto done = dir.write_atomic(std::string(kLockFile), write_lock(std::move(pins)));
  if (!done) return fail(unreadable(done.error()));
  return Done{};
}

}  // namespace cg::cassette
