#include "npm/registry/release_fields.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/base/text.h"
#include "base/json/json.h"

namespace cg::registry {

namespace {

using json::JsonReader;
using Kind = JsonReader::Kind;

constexpr std::size_t kMaxMessage = 16U << 10U;
constexpr std::size_t kMaxFunding = 16U << 10U;

/// Passes over anything but a string, which it hands out.
std::string text_or_skip(JsonReader& reader) {
  std::string_view text;
  if (reader.peek() != Kind::string) {
    static_cast<void>(reader.skip());
    return {};
  }
  return reader.read_string(text) ? std::string(text) : std::string();
}

bool true_or_skip(JsonReader& reader) {
  bool value = false;
  if (reader.peek() != Kind::boolean) {
    static_cast<void>(reader.skip());
    return false;
  }
  return reader.read_bool(value) && value;
}

/// The members of an object whose values are texts.
Pairs pairs_or_skip(JsonReader& reader) {
  Pairs pairs;
  JsonReader::Key key;
  if (reader.peek() != Kind::object) {
    static_cast<void>(reader.skip());
    return pairs;
  }
  if (!reader.begin_object()) return pairs;
  while (reader.next_key(key)) {
    std::string name(key.text);
    const bool is_text = reader.peek() == Kind::string;
    std::string value = text_or_skip(reader);
    if (is_text) pairs.emplace_back(std::move(name), std::move(value));
  }
  return pairs;
}

/// The texts of an array, or a single text.
std::vector<std::string> list_or_skip(JsonReader& reader) {
  std::vector<std::string> list;
  if (reader.peek() == Kind::string) {
    list.push_back(text_or_skip(reader));
  } else if (reader.peek() != Kind::array) {
    static_cast<void>(reader.skip());
  } else if (reader.begin_array()) {
    while (reader.next_item()) {
      const bool is_text = reader.peek() == Kind::string;
      std::string item = text_or_skip(reader);
      if (is_text) list.push_back(std::move(item));
    }
  }
  return list;
}

void read_license(JsonReader& reader, Fields& fields) {
  if (reader.peek() != Kind::object) {
    fields.release.license = text_or_skip(reader);
    return;
  }
  for (auto& [key, value] : pairs_or_skip(reader)) {
    if (key == "type") fields.release.license = std::move(value);
  }
}

void read_publisher(JsonReader& reader, Fields& fields) {
  for (auto& [key, value] : pairs_or_skip(reader)) {
    if (key == "name") fields.release.publisher = cut(value, 100);
  }
}

void read_deprecated(JsonReader& reader, Fields& fields) {
  if (reader.peek() == Kind::boolean) {
    if (true_or_skip(reader)) fields.release.deprecated = "deprecated";
    return;
  }
  fields.release.deprecated = cut_utf8(text_or_skip(reader), kMaxMessage);
}

void read_bin(JsonReader& reader, Fields& fields) {
  if (reader.peek() == Kind::string) {
    fields.bin = text_or_skip(reader);
  } else {
    fields.release.bin = pairs_or_skip(reader);
  }
}

/// A list, an object whose keys are the list, or `true` for all of dependencies.
std::vector<std::string> read_bundled(JsonReader& reader, Fields& fields) {
  std::vector<std::string> names;
  JsonReader::Key key;
  switch (reader.peek()) {
    case Kind::boolean:
      if (true_or_skip(reader)) fields.bundle_all = true;
      break;
    case Kind::object:
      if (!reader.begin_object()) break;
      while (reader.next_key(key)) {
        names.emplace_back(key.text);
        static_cast<void>(reader.skip());
      }
      break;
    default:
      names = list_or_skip(reader);
  }
  return names;
}

void read_peers_meta(JsonReader& reader, Fields& fields) {
  JsonReader::Key key;
  if (reader.peek() != Kind::object) {
    static_cast<void>(reader.skip());
    return;
  }
  if (!reader.begin_object()) return;
  while (reader.next_key(key)) {
    std::string name(key.text);
    bool is_optional = false;
    JsonReader::Key inner;
    if (reader.peek() != Kind::object) {
      static_cast<void>(reader.skip());
      continue;
    }
    if (!reader.begin_object()) return;
    while (reader.next_key(inner)) {
      const bool wanted = inner.text == "optional";
      const bool value = true_or_skip(reader);
      if (wanted) is_optional = value;
    }
    if (is_optional) fields.optional_peers.push_back(std::move(name));
  }
}

void read_dist(JsonReader& reader, Fields& fields) {
  for (auto& [key, value] : pairs_or_skip(reader)) {
    if (key == "tarball")
      fields.release.tarball = std::move(value);
    else if (key == "integrity")
      fields.release.integrity = std::move(value);
    else if (key == "shasum")
      fields.release.shasum = lower_ascii(value);
  }
}

void read_scripts(JsonReader& reader, Fields& fields) {
  for (const auto& [key, value] : pairs_or_skip(reader)) {
    const bool runs = key == "preinstall" || key == "install" || key == "postinstall";
    if (runs && !value.empty()) fields.release.install_script = true;
  }
}

void read_funding(JsonReader& reader, Fields& fields) {
  const std::uint32_t begin = reader.next_offset();
  if (!reader.skip()) return;
  const std::size_t size = reader.end_offset() - begin;
  const auto value = json::parse_json(fields.text.substr(begin, size),
                                      {.max_bytes = 2 * kMaxFunding, .max_depth = 8});
  // By what we write, so that reading that again decides the same.
  if (!value || json::write_json(*value).size() > kMaxFunding) return;
  if (value->is_string() || value->is_object() || value->is_array()) {
    fields.release.funding = *value;
  }
}

void read_shrinkwrap(JsonReader& reader, Fields& fields) {
  fields.release.shrinkwrap = true_or_skip(reader);
}

void read_install_script(JsonReader& reader, Fields& fields) {
  if (true_or_skip(reader)) fields.release.install_script = true;
}

struct Reader {
  std::string_view key;
  void (*read)(JsonReader&, Fields&);
};

constexpr Reader kReaders[] = {
    {"_hasShrinkwrap", read_shrinkwrap},
    {"_npmUser", read_publisher},
    {"bin", read_bin},
    {"bundleDependencies",
     [](JsonReader& reader, Fields& fields) {
       fields.has_bundled = true;
       fields.bundled = read_bundled(reader, fields);
     }},
    {"bundledDependencies",
     [](JsonReader& reader, Fields& fields) { fields.bundled2 = read_bundled(reader, fields); }},
    {"cpu", [](JsonReader& reader, Fields& fields) { fields.release.cpu = list_or_skip(reader); }},
    {"dependencies",
     [](JsonReader& reader, Fields& fields) { fields.dependencies = pairs_or_skip(reader); }},
    {"deprecated", read_deprecated},
    {"dist", read_dist},
    {"engines",
     [](JsonReader& reader, Fields& fields) { fields.release.engines = pairs_or_skip(reader); }},
    {"funding", read_funding},
    // What npm runs for a package with a binding.gyp and no script of its own.
    {"gypfile", read_install_script},
    {"hasInstallScript", read_install_script},
    {"libc",
     [](JsonReader& reader, Fields& fields) { fields.release.libc = list_or_skip(reader); }},
    {"license", read_license},
    {"name", [](JsonReader& reader, Fields& fields) { fields.name = text_or_skip(reader); }},
    {"optionalDependencies",
     [](JsonReader& reader, Fields& fields) { fields.optional = pairs_or_skip(reader); }},
    {"os", [](JsonReader& reader, Fields& fields) { fields.release.os = list_or_skip(reader); }},
    {"peerDependencies",
     [](JsonReader& reader, Fields& fields) { fields.peers = pairs_or_skip(reader); }},
    {"peerDependenciesMeta", read_peers_meta},
    {"scripts", read_scripts},
    {"version", [](JsonReader& reader, Fields& fields) { fields.version = text_or_skip(reader); }},
};

}  // namespace

void read_field(JsonReader& reader, std::string_view key, Fields& fields) {
  const auto* const found = std::find_if(std::begin(kReaders), std::end(kReaders),
                                         [&](const Reader& row) { return row.key == key; });
  if (found != std::end(kReaders)) {
    found->read(reader, fields);
  } else {
    static_cast<void>(reader.skip());
  }
}

}  // namespace cg::registry
