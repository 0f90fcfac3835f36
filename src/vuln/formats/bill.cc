#include "vuln/formats/bill.h"

#include <array>

#include "base/base/assert.h"
#include "base/base/bytes.h"
#include "base/base/text.h"
#include "vuln/formats/uri.h"
#include "vuln/formats/words.h"

namespace cg::formats {

namespace {

using json::Value;

struct Algorithm {
  std::string_view sri;
  std::string_view name;
  std::size_t bytes;
};
constexpr std::array<Algorithm, 5> kAlgorithms = {{{"md5-", "MD5", 16},
                                                   {"sha1-", "SHA-1", 20},
                                                   {"sha256-", "SHA-256", 32},
                                                   {"sha384-", "SHA-384", 48},
                                                   {"sha512-", "SHA-512", 64}}};

/// The hashes of an integrity string of npm. Other locks have other checksums, of
/// archives of their own; those are left out.
Value::Array hashes_of(std::string_view integrity) {
  Value::Array out;
  for (std::string_view part : split(integrity, ' ')) {
    part = part.substr(0, part.find('?'));
    for (const Algorithm& algorithm : kAlgorithms) {
      if (!part.starts_with(algorithm.sri)) continue;
      const auto bytes = from_base64(part.substr(algorithm.sri.size()));
      if (!bytes || bytes->size() != algorithm.bytes) continue;
      out.emplace_back(
          Value::Object{{"alg", algorithm.name}, {"content", to_hex(as_bytes(*bytes))}});
    }
  }
  return out;
}

Value property(std::string_view name, std::string_view value) {
  return Value::Object{{"name", name}, {"value", utf8(value)}};
}

/// Names with `cdx:` are CycloneDX's own for npm.
Value::Array properties_of(const findings::Component& component) {
  Value::Array out{property("cdx:npm:package:path", component.location),
                   property("codegenie:lockfile", component.lockfile)};
  if (component.dev) out.push_back(property("cdx:npm:package:development", "true"));
  return out;
}

void add_name(Value::Object& out, const findings::Component& component) {
  const std::string& name = component.package;
  const std::size_t slash = name.find('/');
  if (name.starts_with('@') && slash != std::string::npos) {
    out.emplace_back("group", utf8(name.substr(0, slash)));
    out.emplace_back("name", utf8(name.substr(slash + 1)));
    return;
  }
  out.emplace_back("name", utf8(name));
}

Value component_of(const findings::Component& component, const std::string& ref) {
  constexpr std::size_t kLongestVersion = 1024;  // says the schema
  Value::Object out{{"type", "library"}, {"bom-ref", ref}};
  add_name(out, component);
  add_text(out, "version", cut_utf8(component.version, kLongestVersion));
  out.emplace_back("scope", component.dev || component.optional ? "optional" : "required");
  if (Value::Array hashes = hashes_of(component.integrity); !hashes.empty()) {
    out.emplace_back("hashes", std::move(hashes));
  }
  if (!component.package.empty()) {
    out.emplace_back("purl", purl(component.package, component.version));
  }
  out.emplace_back("properties", properties_of(component));
  return out;
}

}  // namespace

Bill::Bill(const findings::Scan& scan) {
  taken_.emplace(kRepository);
  for (const findings::Component& component : scan.components) {
    add(component);
    depends_on_.push_back(component.depends_on);
  }
  add_copies(scan.findings);
  add_copies(scan.suppressed);
}

void Bill::add(const findings::Component& component) {
  const std::string ref = fresh_ref(utf8(component.lockfile) + "#" + utf8(component.location));
  by_copy_.emplace(
      key(component.lockfile, component.location, component.package, component.version),
      components_.size());
  components_.push_back(component_of(component, ref));
  refs_.push_back(ref);
}

void Bill::add_copies(const std::vector<findings::Finding>& findings) {
  for (const findings::Finding& f : findings) {
    if (by_copy_.contains(key(f.lockfile, f.location, f.package, f.version))) continue;
    add({f.package, f.version, f.integrity, f.lockfile, f.location, f.dev, f.optional, {}});
  }
}

Value::Array Bill::dependencies() const {
  Value::Array out;
  for (std::size_t i = 0; i < depends_on_.size(); ++i) {
    std::set<std::string_view> unique;
    Value::Array on;
    for (const std::size_t other : depends_on_[i]) {
      if (other < refs_.size() && unique.insert(refs_[other]).second) on.emplace_back(refs_[other]);
    }
    out.emplace_back(Value::Object{{"ref", refs_[i]}, {"dependsOn", std::move(on)}});
  }
  return out;
}

const std::string& Bill::ref(const findings::Finding& finding) const {
  const auto found =
      by_copy_.find(key(finding.lockfile, finding.location, finding.package, finding.version));
  CG_ASSERT(found != by_copy_.end());
  return refs_[found->second];
}

std::string Bill::fresh_ref(const std::string& wish) {
  std::string ref = wish;
  for (std::size_t n = 2; !taken_.insert(ref).second; ++n) {
    ref = wish + "~" + std::to_string(n);
  }
  return ref;
}

std::string Bill::key(std::string_view lockfile, std::string_view location,
                      std::string_view package, std::string_view version) {
  std::string out;
  for (const std::string_view part : {lockfile, location, package, version}) {
    out += std::to_string(part.size()) + ":";
    out += part;
  }
  return out;
}

}  // namespace cg::formats
