#include "vuln/formats/samples.h"

namespace cg::formats::test {

findings::Finding qs() {
  findings::Finding f;
  f.advisory = "GHSA-hrpp-h998-j3pp";
  f.aliases = {"CVE-2022-24999"};
  f.summary = "qs vulnerable to Prototype Pollution";
  f.severity = {advisory::Level::high, 75, "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H",
                advisory::SeveritySource::database};
  f.modified = "2022-12-05T20:11:13Z";
  f.cwes = {"CWE-1321"};
  f.references = {"https://vendor.example/qs", "https://advisories.example/GHSA-hrpp-h998-j3pp"};
  f.package = "qs";
  f.version = "6.7.0";
  f.lockfile = "package-lock.json";
  f.location = "node_modules/qs";
  f.integrity = "sha1-qUqJ+R1VLbmLKZhZfFB53TPNNno=";
  f.at = {1412, 5, 50000};
  f.affected = ">=6.7.0 <6.7.3";
  f.fixed_in = {"6.7.3"};
  f.provenance = provenance::AppTransitive{{"express@4.17.1"}};
  f.via = {"express@4.17.1"};
  f.outlook = {findings::Strategy::relock, "6.7.3", ""};
  return f;
}

findings::Suppression ignore(const std::string& justification) {
  return {"CVE-2022-24999", "only our own config",    justification, "@example/web",
          "2027-01-15",     ".codegenie/ignore.yaml", false};
}

findings::Scan empty_scan() {
  findings::Scan s;
  s.tool_version = "0.3.0";
  s.time = {1'794'710'411'042};
  s.index = {"blake3:" + std::string(64, 'a'), {1'794'448'811'000}, 16'204, {"osv"}};
  s.repo = {"examples/shop",
            std::string(40, '4'),
            {{"package-lock.json", "package-lock", "3", 212, 171}}};
  return s;
}

findings::Scan one_finding() {
  findings::Scan s = empty_scan();
  s.findings = {qs()};
  return s;
}

const std::vector<std::string>& nasty_texts() {
  static const std::vector<std::string> all = {
      "",
      "\"quotes\" and \\ and '",
      "line\nbreak\r\n::error::injected",
      "| pipe | a`tick`b \\| ``",
      "<script>alert(1)</script><!-- </details>",
      "![x](https://evil.example/p.png) [link](javascript:x)",
      "@maintainer closes #1 owner/repo#2 www.evil.example http://evil.example a@b.example",
      "\xE2\x80\xAEtxt.exe \xE2\x80\x8B\xEF\xBB\xBF\xC2\x85\xE2\x80\xA8",
      std::string("nul\0 esc\x1B[31m", 13),
      "bad utf-8 \xFF\xC3",
      std::string(100'000, 'A'),
      std::string(5000, '@'),
      "%0A%25,:;",
      "@scope/na/me",
      "{0} {{1}} $x$ ${y} *a* _b_ ~c~",
      "\xF0\x9F\xA7\x9E \xE8\xBC\x83",
      "../../etc//passwd",
      "urn:cdx:x",
  };
  return all;
}

findings::Finding nasty(const std::string& text) {
  findings::Finding f;
  f.advisory = f.summary = f.modified = f.package = f.version = f.alias = text;
  f.aliases = f.cwes = f.references = f.fixed_in = f.via = {text, text};
  f.severity.vector = f.lockfile = f.location = f.integrity = f.affected = text;
  f.provenance = provenance::Unknown{text};
  f.outlook = {findings::Strategy::none, text, text};
  return f;
}

findings::Scan nasty_scan() {
  findings::Scan s = empty_scan();
  for (const std::string& text : nasty_texts()) {
    findings::Finding f = nasty(text);
    f.severity.level = static_cast<advisory::Level>(s.findings.size() % 6);
    f.outlook.strategy = static_cast<findings::Strategy>(s.findings.size() % 6);
    s.findings.push_back(f);
    f.suppression = findings::Suppression{text, text, text, text, text, text, false};
    f.location += "2";
    s.suppressed.push_back(f);
    const std::size_t self = s.components.size();
    s.components.push_back({text, text, text, text, text, false, false, {self, self, 0, 9999}});
    s.warnings.push_back(text);
    s.index.sources.push_back(text);
    s.repo.locks.push_back({text, text, text, 1, 1});
  }
  s.repo.path = "a\xFF\n|b";
  s.repo.head = "<b>\n@x";
  return s;
}

findings::Scan mixed_scan() {
  findings::Scan s = one_finding();
  findings::Finding f = qs();
  f.location = "node_modules/a/node_modules/qs";
  f.at = {1500, 3, 60000};
  s.findings.push_back(f);  // the same package and version, elsewhere
  f.package = "@scope/Mixed.Case";
  f.version = "";
  f.alias = "mixed";
  f.location = "node_modules/mixed";
  f.severity = {advisory::Level::moderate, {}, "", advisory::SeveritySource::database};
  f.fixed_in.clear();
  f.outlook = {findings::Strategy::none, "", "no fixed version"};
  f.suppression = ignore("");
  f.suppression->expired = true;
  s.findings.push_back(f);
  f = qs();
  f.advisory = "MAL-2024-1";
  f.aliases.clear();
  f.malware = true;
  f.severity = {advisory::Level::critical, {}, "", advisory::SeveritySource::malicious};
  f.outlook = {findings::Strategy::remove, "", ""};
  s.findings.push_back(f);
  for (const std::string label :
       {"", "vulnerable_code_not_in_execute_path", "component_not_present",
        "vulnerable_code_not_present", "vulnerable_code_cannot_be_controlled_by_adversary",
        "inline_mitigations_already_exist", "no_such_label"}) {
    f = qs();
    f.version = "6.7." + std::to_string(s.suppressed.size());  // the first is open as well
    f.location += std::to_string(s.suppressed.size());
    f.suppression = ignore(label);
    s.suppressed.push_back(f);
  }
  s.warnings = {"yarn.lock: line 3 was not understood"};
  s.components = {{"express",
                   "4.17.1",
                   "sha512-" + std::string(86, 'A') + "==",
                   "package-lock.json",
                   "node_modules/express",
                   false,
                   false,
                   {1, 1}},
                  {"qs",
                   "6.7.0",
                   "sha1-qUqJ+R1VLbmLKZhZfFB53TPNNno=",
                   "package-lock.json",
                   "node_modules/qs",
                   false,
                   false,
                   {}},
                  {"@scope/dev",
                   "1.0.0-rc.1+b",
                   "sha256-short== md5-x 10c0/abc",
                   "package-lock.json",
                   "node_modules/@scope/dev",
                   true,
                   false,
                   {}}};
  return s;
}

}  // namespace cg::formats::test
