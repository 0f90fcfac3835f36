#include "hostile/table.h"

#include <algorithm>
#include <charconv>

#include "base/base/text.h"

namespace cg::hostile {

namespace {

/// <<hh>> as a byte; <<cut>> takes the newline behind it away.
std::string decoded(std::string_view text) {
  std::string plain(text);
  replace_all(plain, "<<cut>>\n", "");
  std::string out;
  constexpr std::size_t kLength = 6;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const std::string_view rest = std::string_view(plain).substr(i);
    unsigned byte = 0;
    const bool escape = rest.size() >= kLength && rest.starts_with("<<") &&
                        rest.substr(4, 2) == ">>" &&
                        std::from_chars(&rest[2], &rest[2] + 2, byte, 16).ptr == &rest[2] + 2;
    out += escape ? static_cast<char>(byte) : plain[i];
    if (escape) i += kLength - 1;
  }
  return out;
}

}  // namespace

const std::map<std::string, std::string, std::less<>>& shown_files() {
  static const std::map<std::string, std::string, std::less<>> all = {
      {"src/app.js",
       "const menu = require('menu');\n\nfunction list(items) {\n"
       "  return menu.render(items, { flat: true });\n}\n\nmodule.exports = { list };\n"},
      {"src/view.tsx",
       "import { Menu } from 'menu';\n\nexport function View(props: { items: string[] }) {\n"
       "  // @ts-ignore\n  return Menu(props.items, true);\n}\n"},
      {"src/win.js", "var menu = require('menu');\r\nmenu.open();\r\n"},
      {"src/end.js", "const m = require('menu')\nm.go()"},
      {"src/checked.js", "// @ts-check\nconst m = require('menu');\nm.a();\n"},
      {"src/prepare.js", "require('menu').prepare();\n"},
      {"packages/site/src/my page.ts", "import menu from 'menu';\nmenu.show();\n"},
      {"src/server.js",
       "const fs = require('fs');\n"
       "const assert = require('assert');\n"
       "const { exec } = require('child_process');\n"
       "const menu = require('menu');\n"
       "\n"
       "const root = globalThis;\n"
       "const table = { a: 1 };\n"
       "const listing = 'ls';\n"
       "\n"
       "function save(file, items, key) {\n"
       "  if (!items) throw new TypeError('no items');\n"
       "  const text = menu.render(items);\n"
       "  fs.writeFileSync(file, text);\n"
       "  setTimeout(tick, 10);\n"
       "  exec(listing);\n"
       "  return table[key] + process.env.HOME + Object.keys(items).length;\n"
       "}\n"
       "\n"
       "function tick() {\n"
       "  root.ticks = menu.count();\n"
       "}\n"
       "\n"
       "assert.equal(menu.render([]), '');\n"
       "assert(Object.keys(table).length);\n"
       "module.exports = { save };\n"},
      {"src/types.ts",
       "import { Menu } from 'menu';\n"
       "import { readFile } from 'node:fs/promises';\n"
       "\n"
       "interface Row {\n"
       "  name: string;\n"
       "}\n"
       "\n"
       "export async function load(file: string): Promise<Row[]> {\n"
       "  const text = await readFile(file, 'utf8');\n"
       "  const rows = Menu(text) satisfies Row[];\n"
       "  return rows;\n"
       "}\n"},
      {"tools/pack.js",
       "const menu = require('menu');\n"
       "menu.open();\n"
       "module.exports = 1;\n"},
      {"serve.js",
       "const menu = require('menu');\n"
       "menu.open();\n"
       "module.exports = 1;\n"},
      {"lib/rules.js",
       "const menu = require('menu');\n"
       "menu.open();\n"
       "module.exports = 1;\n"},
  };
  return all;
}

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

std::vector<Block> blocks(std::string text) {
  std::vector<Block> out;
  if (text.ends_with('\n')) text.pop_back();
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with("== ")) {
      Block block;
      for (std::size_t at = 3; at <= line.size();) {
        const std::size_t bar = std::min(line.find(" | ", at), line.size());
        block.head.emplace_back(line.substr(at, bar - at));
        at = bar + 3;
      }
      out.push_back(std::move(block));
    } else if (!out.empty()) {
      out.back().body += std::string(line) + "\n";
    }
  }
  for (Block& block : out) block.body = decoded(block.body);
  return out;
}

std::string json_text(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      out += "\\u00";
      out += kDigits[byte >> 4U];
      out += kDigits[byte & 0xFU];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string bump(const std::string& manifest, const std::string& package,
                 const std::string& version) {
  return R"({"kind":"dep_bump","manifest_path":")" + manifest + R"(","package":")" + package +
         R"(","target_version":")" + version + R"(","rationale":"x"})";
}

std::string override_to(const std::string& manifest, const std::string& package,
                        const std::string& version) {
  return R"({"kind":"override","manifest_path":")" + manifest + R"(","package":")" + package +
         R"(","forced_version":")" + version + R"(","rationale":"x"})";
}

std::string rewrite(const std::string& files, const std::string& diff) {
  return R"({"kind":"callsite_rewrite","manifest_path":"package.json","files":[)" + files +
         R"(],"diff":)" + diff + R"(,"rationale":"x"})";
}

}  // namespace cg::hostile
