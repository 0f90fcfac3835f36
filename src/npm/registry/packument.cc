#include "npm/registry/packument.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/base/text.h"
#include "base/json/json_reader.h"
#include "npm/registry/name.h"
#include "npm/registry/release_json.h"
#include "npm/registry/stored.h"

namespace cg::registry {

namespace {

/// Takes the text up to `separator` off the front of `rest`; nothing if it is not there.
std::optional<std::string_view> take(std::string_view& rest, char separator) {
  const auto* const end =
      static_cast<const char*>(std::memchr(rest.data(), separator, rest.size()));
  if (end == nullptr) return std::nullopt;
  const auto size = static_cast<std::size_t>(end - rest.data());
  const std::string_view taken = rest.substr(0, size);
  rest.remove_prefix(size + 1);
  return taken;
}

PackumentError broken(std::string what) { return {PackumentError::Kind::syntax, std::move(what)}; }

}  // namespace

/// Reads the lines of npm/registry/stored.h.
class PackumentReader {
 public:
  static Result<Packument, PackumentError> read(std::string_view name, std::string stored) {
    if (stored.size() > kMaxPackumentBytes) {
      return fail(PackumentError{PackumentError::Kind::too_large, "more than 96 MiB"});
    }
    Packument made;
    made.name_ = name;
    made.text_ = std::make_unique<std::string>(std::move(stored));
    PackumentReader reader(made);
    CG_TRY(reader.run());
    made.releases_.resize(made.rows_.size());
    return made;
  }

 private:
  using Checked = Result<Done, PackumentError>;

  explicit PackumentReader(Packument& made) : made_(made), rest_(*made.text_) {}

  Checked run() {
    const auto magic = take(rest_, '\t');
    if (!magic || *magic != kStoredMagic) return fail(broken("not lines of a packument"));
    const auto name = take(rest_, '\t');
    const auto left_out = take(rest_, '\t');
    const auto tags = take(rest_, '\n');
    if (!name || !left_out || !tags) return fail(broken("its first line is cut off"));
    if (*name != made_.name_) {
      return fail(PackumentError{PackumentError::Kind::name,
                                 "it is of `" + printable(cut_utf8(*name, 100)) + "`"});
    }
    const auto count = parse_u64(*left_out);
    if (!count) return fail(broken("its first line has no count"));
    made_.left_out_ = *count;
    while (!rest_.empty()) CG_TRY(read_row());
    return read_tags(*tags);
  }

  PackumentError bad_row(std::string_view what) const {
    return broken("line " + std::to_string(made_.rows_.size() + 2) + ": " + std::string(what));
  }

  Checked read_row() {
    std::vector<Packument::Row>& rows = made_.rows_;
    const auto version_text = take(rest_, '\t');
    const auto flags = take(rest_, '\t');
    const auto published = take(rest_, '\t');
    const auto json = take(rest_, '\n');
    if (!version_text || !flags || !published || !json) return fail(bad_row("cut off"));
    if (rows.size() >= kMaxReleases) return fail(bad_row("too many"));
    auto version = semver::Version::parse(*version_text);
    if (!version) return fail(bad_row("not a version"));
    if (!rows.empty() && rows.back().version.compare_build(*version) >= 0) {
      return fail(bad_row("not above the version before it"));
    }
    Packument::Row row{*std::move(version), *json, {}};
    row.deprecated = flags->starts_with('d');
    row.install_script = flags->ends_with('s');
    if (!published->empty()) {
      std::int64_t ms = 0;
      const char* const end = published->data() + published->size();
      const auto parsed = std::from_chars(published->data(), end, ms);
      if (parsed.ec != std::errc() || parsed.ptr != end) return fail(bad_row("not a time"));
      row.published = Time{ms};
    }
    rows.push_back(std::move(row));
    return Done{};
  }

  Checked read_tags(std::string_view json) {
    json::JsonReader reader(json, {.max_bytes = kMaxPackumentBytes});
    json::JsonReader::Key key;
    if (reader.begin_object()) {
      while (reader.next_key(key)) {
        std::string_view text;
        if (!reader.read_string(text)) break;
        const auto version = semver::Version::parse(text);
        const auto found = version ? made_.find(*version) : std::nullopt;
        if (found) made_.tags_.emplace_back(key.text, *found);
      }
    }
    if (!reader.ok() || !reader.finish()) return fail(broken("its dist-tags cannot be read"));
    return Done{};
  }

  Packument& made_;
  std::string_view rest_;
};

Result<Packument, PackumentError> Packument::parse(std::string_view name, std::string_view json) {
  if (!is_package_name(name)) {
    return fail(PackumentError{PackumentError::Kind::name, "no package can be called that"});
  }
  CG_TRY_ASSIGN(std::string lines, stored_lines(name, json));
  return PackumentReader::read(name, std::move(lines));
}

Result<Packument, PackumentError> Packument::read(std::string_view name, std::string stored) {
  return PackumentReader::read(name, std::move(stored));
}

std::optional<std::size_t> Packument::find(const semver::Version& version) const {
  const auto less = [](const Row& row, const semver::Version& wanted) {
    return row.version.compare(wanted) < 0;
  };
  const auto first = std::lower_bound(rows_.begin(), rows_.end(), version, less);
  if (first == rows_.end() || first->version != version) return std::nullopt;
  // Builds do not count, but where several differ in theirs the same one is meant.
  auto found = first;
  for (auto row = first; row != rows_.end() && row->version == version; ++row) {
    if (row->version.compare_build(version) == 0) found = row;
  }
  return static_cast<std::size_t>(found - rows_.begin());
}

std::optional<std::size_t> Packument::tag(std::string_view name) const {
  for (const auto& [tag, index] : tags_) {
    if (tag == name) return index;
  }
  return std::nullopt;
}

const Release& Packument::release(std::size_t i) const {
  std::unique_ptr<Release>& kept = releases_[i];
  if (kept == nullptr) {
    const Row& row = rows_[i];
    const std::string version = row.version.raw();
    json::JsonReader reader(row.json, {.max_bytes = kMaxPackumentBytes});
    auto release = read_release(reader, row.json, name_, version);
    // Lines that are not ours: a release that cannot be installed, as it has no address.
    if (!release || !reader.finish()) release = Release{.name = name_, .version = version};
    kept = std::make_unique<Release>(*std::move(release));
  }
  return *kept;
}

bool is_sound(const Packument& packument) {
  std::string_view text = packument.stored();
  text.remove_prefix(text.find('\n') + 1);
  for (std::size_t i = 0; i < packument.size(); ++i) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() + 1);
    const Release& release = packument.release(i);
    if (release.tarball.empty() || !line.ends_with("\t" + write_release(release))) return false;
    if (packument.deprecated(i) == release.deprecated.empty()) return false;
    if (packument.install_script(i) != release.install_script) return false;
  }
  return true;
}

}  // namespace cg::registry
