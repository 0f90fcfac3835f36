#include <map>
#include <set>

#include "base/json/json.h"
#include "fix/report/document.h"
#include "fix/report/report.h"
#include "vuln/formats/formats.h"
#include "vuln/formats/uri.h"
#include "vuln/formats/words.h"

namespace cg::report {

namespace {

using json::Value;

/// "advisory purl" of what a VEX document says already.
std::set<std::string> said(const Value::Array& statements) {
  std::set<std::string> out;
  for (const Value& statement : statements) {
    const Value* vulnerability = statement.find("vulnerability");
    const Value* products = statement.find("products");
    if (vulnerability == nullptr || products == nullptr) continue;
    for (const Value& product : *products->as_array()) {
      out.insert(*vulnerability->find("name")->as_string() + " " +
                 *product.find("@id")->as_string());
    }
  }
  return out;
}

Value fixed_statement(const Case& c, const Copy& copy, const std::string& product) {
  Value::Object vulnerability = {{"name", formats::utf8(copy.advisory)}};
  for (const Advisory& a : c.advisories) {
    if (a.id != copy.advisory) continue;
    formats::add_text(vulnerability, "description", a.summary);
    if (!a.aliases.empty()) vulnerability.emplace_back("aliases", formats::texts(a.aliases));
    break;
  }
  return Value::Object{{"vulnerability", vulnerability},
                       {"status", "fixed"},
                       {"products", Value::Array{Value::Object{{"@id", product}}}}};
}

/// A member replaced, or added at the end.
void put(Value::Object& object, std::string_view key, Value value) {
  for (auto& [name, old] : object) {
    if (name != key) continue;
    old = std::move(value);
    return;
  }
  object.emplace_back(std::string(key), std::move(value));
}

}  // namespace

Value openvex(const Case& c, const findings::Scan& after) {
  Value::Object out = *formats::openvex(after).as_object();
  Value::Array statements;
  for (const auto& [key, value] : out) {
    if (key == "statements") statements = *value.as_array();
  }
  std::set<std::string> known = said(statements);
  for (const Copy* copy : fixed_copies(c)) {
    if (copy->to.empty()) continue;  // what is gone has no version to speak of
    const std::string product = formats::purl(copy->package, copy->to);
    if (!known.insert(formats::utf8(copy->advisory) + " " + product).second) continue;
    statements.push_back(fixed_statement(c, *copy, product));
  }
  put(out, "statements", std::move(statements));
  put(out, "@id", "");
  put(out, "@id", formats::urn_uuid(json::write_json(out)));
  return out;
}

Value cyclonedx_vex(const Case& c, const findings::Scan& before) {
  std::map<std::string, bool, std::less<>> resolved;
  for (const Copy& copy : c.copies) {
    const bool fixed = copy.fate == plan::Fate::fixed;
    const auto [at, fresh] = resolved.emplace(formats::utf8(copy.advisory), fixed);
    if (!fresh) at->second = at->second && fixed;
  }
  findings::Scan bare = before;
  bare.components.clear();
  Value::Object out = *formats::cyclonedx(bare).as_object();
  for (auto& [key, value] : out) {
    if (key != "vulnerabilities") continue;
    Value::Array items = *value.as_array();
    for (Value& item : items) {
      const Value* id = item.find("id");
      const auto found = id == nullptr ? resolved.end() : resolved.find(*id->as_string());
      if (found == resolved.end()) continue;
      Value::Object changed = *item.as_object();
      Value::Object analysis = {{"state", found->second ? "resolved" : "exploitable"}};
      if (found->second) analysis.emplace_back("response", Value::Array{"update"});
      put(changed, "analysis", analysis);
      item = std::move(changed);
    }
    value = std::move(items);
  }
  return out;
}

}  // namespace cg::report
