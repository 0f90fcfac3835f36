#include "npm/registry/release_json.h"

#include <algorithm>
#include <set>

#include "base/base/bytes.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "npm/registry/name.h"
#include "npm/registry/release_fields.h"
#include "npm/semver/version.h"

namespace cg::registry {

namespace {

constexpr std::size_t kMaxTarball = 2048;

struct Algorithm {
  std::string_view name;
  std::size_t bytes;
};
constexpr Algorithm kAlgorithms[] = {{"sha512", 64}, {"sha384", 48}, {"sha256", 32}, {"sha1", 20}};

/// One hash of a Subresource Integrity text.
bool is_hash(std::string_view token) {
  token = token.substr(0, token.find('?'));
  for (const Algorithm& algorithm : kAlgorithms) {
    if (!token.starts_with(algorithm.name)) continue;
    token.remove_prefix(algorithm.name.size());
    if (!token.starts_with('-')) return false;
    const auto bytes = from_base64(token.substr(1));
    return bytes && bytes->size() == algorithm.bytes;
  }
  return false;
}

bool is_integrity(std::string_view text) {
  const auto tokens = split(text, ' ');
  return std::all_of(tokens.begin(), tokens.end(), is_hash);
}

bool is_address(std::string_view text) {
  if (text.size() > kMaxTarball) return false;
  if (!text.starts_with("https://") && !text.starts_with("http://")) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

/// Leaves an integrity and a digest in hexadecimal that are either sound or empty.
bool settle_dist(Release& release) {
  const auto sha1 = from_hex<20>(release.shasum);
  if (!sha1) release.shasum.clear();
  if (!is_integrity(release.integrity)) release.integrity.clear();
  if (release.integrity.empty() && sha1) release.integrity = "sha1-" + to_base64(*sha1);
  return !release.integrity.empty() && is_address(release.tarball);
}

/// As npm writes it: beneath the package's own folder, whatever it says.
std::string inner_path(std::string_view path) {
  std::string slashed(path);
  std::replace(slashed.begin(), slashed.end(), '\\', '/');
  std::vector<std::string_view> parts;
  for (const std::string_view part : split(slashed, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (!parts.empty()) {
      parts.pop_back();
    }
  }
  std::string joined;
  for (const std::string_view part : parts) {
    if (!joined.empty()) joined += '/';
    joined += part;
  }
  return joined;
}

/// The last part of a command's name: it becomes a file in one folder.
std::string command_of(std::string_view key) {
  std::string slashed(key);
  std::replace(slashed.begin(), slashed.end(), ':', '/');
  const std::string path = inner_path(slashed);
  return path.substr(path.rfind('/') + 1);
}

void settle_bin(Fields& fields, std::string_view name) {
  Pairs raw = std::move(fields.release.bin);
  if (!fields.bin.empty()) raw = {{std::string(base_of(name)), fields.bin}};
  Pairs bin;
  std::set<std::string> seen;
  for (const auto& [command, path] : raw) {
    std::string key = command_of(command);
    std::string value = inner_path(path);
    if (key.empty() || value.empty() || !seen.insert(key).second) continue;
    bin.emplace_back(std::move(key), std::move(value));
  }
  fields.release.bin = std::move(bin);
}

using Names = std::set<std::string_view>;

Names names_of(const Pairs& pairs) {
  Names names;
  for (const auto& pair : pairs) names.insert(pair.first);
  return names;
}

void settle_bundled(Fields& fields) {
  std::vector<std::string> names = fields.has_bundled ? fields.bundled : fields.bundled2;
  if (fields.bundle_all && names.empty()) {
    for (const auto& pair : fields.dependencies) names.push_back(pair.first);
  }
  Names seen;
  for (const std::string& name : names) {
    if (is_package_name(name) && seen.insert(name).second) fields.release.bundled.push_back(name);
  }
}

void settle_needs(Fields& fields) {
  using npm::EdgeKind;
  const Names optional = names_of(fields.optional);
  const Names relaxed(fields.optional_peers.begin(), fields.optional_peers.end());
  std::vector<Need>& needs = fields.release.needs;
  for (const auto& [name, range] : fields.dependencies) {
    if (!optional.contains(name)) needs.push_back({name, range, EdgeKind::prod});
  }
  for (const auto& [name, range] : fields.optional) {
    needs.push_back({name, range, EdgeKind::optional});
  }
  for (const auto& [name, range] : fields.peers) {
    needs.push_back(
        {name, range, relaxed.contains(name) ? EdgeKind::peer_optional : EdgeKind::peer});
  }
}

bool is_itself(const Fields& fields, std::string_view name, std::string_view version) {
  if (!fields.name.empty() && fields.name != name) return false;
  if (fields.version.empty() || fields.version == version) return true;
  const auto inner = semver::Version::parse(fields.version, {.loose = true});
  const auto outer = semver::Version::parse(version);
  return inner && outer && inner->same_text(*outer);
}

void add_key(std::string& out, std::string_view key) {
  if (out.back() != '{') out += ',';
  add_json(out, key);
  out += ':';
}

void add_text(std::string& out, std::string_view key, std::string_view text) {
  if (text.empty()) return;
  add_key(out, key);
  add_json(out, text);
}

void add_pairs(std::string& out, std::string_view key, const Pairs& pairs) {
  if (pairs.empty()) return;
  add_key(out, key);
  out += '{';
  for (const auto& [name, value] : pairs) {
    add_key(out, name);
    add_json(out, value);
  }
  out += '}';
}

void add_list(std::string& out, std::string_view key, const std::vector<std::string>& list) {
  if (list.empty()) return;
  add_key(out, key);
  for (std::size_t i = 0; i < list.size(); ++i) {
    out += i == 0 ? '[' : ',';
    add_json(out, list[i]);
  }
  out += ']';
}

void add_true(std::string& out, std::string_view key, bool value) {
  if (!value) return;
  add_key(out, key);
  out += "true";
}

void add_needs(std::string& out, const std::vector<Need>& needs) {
  using npm::EdgeKind;
  const auto of = [&](EdgeKind kind, EdgeKind or_kind) {
    Pairs pairs;
    for (const Need& need : needs) {
      if (need.kind == kind || need.kind == or_kind) pairs.emplace_back(need.name, need.range);
    }
    return pairs;
  };
  add_pairs(out, "dependencies", of(EdgeKind::prod, EdgeKind::prod));
  add_pairs(out, "optionalDependencies", of(EdgeKind::optional, EdgeKind::optional));
  add_pairs(out, "peerDependencies", of(EdgeKind::peer, EdgeKind::peer_optional));
  const Pairs relaxed = of(EdgeKind::peer_optional, EdgeKind::peer_optional);
  if (relaxed.empty()) return;
  add_key(out, "peerDependenciesMeta");
  out += '{';
  for (const auto& pair : relaxed) {
    add_key(out, pair.first);
    out += R"({"optional":true})";
  }
  out += '}';
}

}  // namespace

std::optional<Release> read_release(json::JsonReader& reader, std::string_view text,
                                    std::string_view name, std::string_view version) {
  if (reader.peek() != json::JsonReader::Kind::object) {
    static_cast<void>(reader.skip());
    return std::nullopt;
  }
  Fields fields(text);
  json::JsonReader::Key key;
  if (!reader.begin_object()) return std::nullopt;
  while (reader.next_key(key)) read_field(reader, key.text, fields);
  if (!reader.ok() || !is_itself(fields, name, version)) return std::nullopt;
  if (!settle_dist(fields.release)) return std::nullopt;
  settle_bin(fields, name);
  settle_bundled(fields);
  settle_needs(fields);
  const std::vector<Need>& needs = fields.release.needs;
  const bool sound = std::all_of(needs.begin(), needs.end(),
                                 [](const Need& need) { return is_package_name(need.name); });
  if (!sound) return std::nullopt;
  fields.release.name = name;
  fields.release.version = version;
  return std::move(fields.release);
}

void add_json(std::string& out, std::string_view text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= ' ' && c != '"' && c != '\\' && c != '\x7f';
  });
  if (plain) {
    out += '"';
    out += text;
    out += '"';
  } else {
    out += json::write_json(json::Value(text));
  }
}

std::string write_release(const Release& release) {
  std::string out = "{";
  add_key(out, "dist");
  out += '{';
  add_text(out, "tarball", release.tarball);
  add_text(out, "integrity", release.integrity);
  add_text(out, "shasum", release.shasum);
  out += '}';
  add_needs(out, release.needs);
  add_list(out, "bundleDependencies", release.bundled);
  add_text(out, "license", release.license);
  add_text(out, "deprecated", release.deprecated);
  add_pairs(out, "engines", release.engines);
  add_list(out, "os", release.os);
  add_list(out, "cpu", release.cpu);
  add_list(out, "libc", release.libc);
  add_pairs(out, "bin", release.bin);
  if (!release.funding.is_null()) {
    add_key(out, "funding");
    out += json::write_json(release.funding);
  }
  add_true(out, "hasInstallScript", release.install_script);
  add_true(out, "_hasShrinkwrap", release.shrinkwrap);
  if (!release.publisher.empty()) add_pairs(out, "_npmUser", {{"name", release.publisher}});
  return out + "}";
}

}  // namespace cg::registry
