// Planted credentials of every shape, in every place and disguise.
#include "model/cassette/clean.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "base/base/bytes.h"
#include "base/base/text.h"
#include "base/json/canonical.h"
#include "base/json/json.h"
#include "model/cassette/cassette.h"
#include "model/secrets/secrets.h"

namespace cg::cassette {
namespace {

using secrets::find_secrets;
using secrets::kFiltered;
using secrets::scrub;
using testing::HasSubstr;
using testing::Not;

// From pieces, so that nobody who looks for keys stumbles over this file.
const std::string kTail = "Zq7Xw2Vb9Lk4Tn6Rp1Hd8Gs3Fy5Jm0Cx";
const std::string kKey = std::string("sk-") + "ant-" + "api03-" + kTail;

std::string json_text(const std::string& text) {
  std::string out;
  json::append_canonical_string(out, text);
  return out;
}

struct Shape {
  std::string rule;
  std::string text;   // with what is around it
  std::string value;  // the secret in it
};

std::vector<Shape> shapes() {
  const std::string jwt = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiI0MiJ9." + kTail;
  const std::string pem = std::string("-----BEGIN EC ") + "PRIVATE KEY-----\n" + kTail +
                          "\n-----END EC PRIVATE KEY-----";
  return {{"anthropic-key", kKey, kKey},
          {"anthropic-key", std::string("x") + "sk-" + "ant-" + "a", std::string("sk-") + "ant-a"},
          {"sk-key", std::string("sk-") + "proj-" + kTail, kTail},
          {"claude-token", std::string("claude_") + kTail, kTail},
          {"github-token", std::string("ghp_") + kTail, kTail},
          {"github-token", std::string("github_") + "pat_" + kTail, kTail},
          {"npm-token", std::string("npm_") + kTail, kTail},
          {"gitlab-token", std::string("glpat-") + kTail, kTail},
          {"slack-token", std::string("xoxb-") + kTail, kTail},
          {"aws-key", std::string("AKIA") + "ABCDEFGH12345678", "ABCDEFGH12345678"},
          {"google-key", std::string("AIza") + kTail, kTail},
          {"web-token", jwt, jwt},
          {"private-key", pem, kTail},
          {"bearer", "Bearer " + kTail, kTail},
          {"url-credential", "https://host.example/p?a=1&api_key=" + kTail + "&b=2", kTail},
          {"url-credential", "https://host.example/?access_token=abcdefgh", "abcdefgh"},
          {"url-password", "https://user:" + kTail + "@host.example/", kTail},
          {"named-credential", "const apiKey = '" + kTail + "';", kTail},
          {"named-credential", "\"password\": \"" + kTail + "\"", kTail}};
}

struct Disguise {
  std::string name;
  std::function<std::string(const std::string&)> wear;
};

std::string each(const std::string& text, const std::function<std::string(unsigned char)>& as) {
  std::string out;
  for (const char c : text) out += as(static_cast<unsigned char>(c));
  return out;
}

std::string hex_of(unsigned char c) { return to_hex(ByteView(&c, 1)); }

std::vector<Disguise> disguises() {
  const auto same = [](const std::string& text) { return text; };
  const auto base64 = [](const std::string& text) { return to_base64(as_bytes(text)); };
  const auto hex = [](const std::string& text) { return to_hex(as_bytes(text)); };
  const auto json = [](const std::string& text) {
    return each(text, [](unsigned char c) { return "\\u00" + hex_of(c); });
  };
  const auto percent = [](const std::string& text) {
    return each(text, [](unsigned char c) { return "%" + hex_of(c); });
  };
  return {
      {"plain", same},
      {"in a sentence", [](const std::string& text) { return "It is `" + text + "`, she said."; }},
      {"JSON escapes", json},
      {"JSON escapes twice",
       [json](const std::string& text) {
         return each(json(text), [](unsigned char c) {
           return c == '\\' ? std::string("\\\\") : std::string(1, static_cast<char>(c));
         });
       }},
      {"percent", percent},
      {"percent twice", [percent](const std::string& text) { return percent(percent(text)); }},
      {"entities",
       [](const std::string& text) {
         return each(text, [](unsigned char c) { return "&#" + std::to_string(c) + ";"; });
       }},
      {"hexadecimal entities",
       [](const std::string& text) {
         return each(text, [](unsigned char c) { return "&#x" + hex_of(c) + ";"; });
       }},
      {"zero width",
       [](const std::string& text) {
         return each(text, [](unsigned char c) {
           return std::string(1, static_cast<char>(c)) + "\xe2\x80\x8b";
         });
       }},
      {"base64", base64},
      {"base64 of a header",
       [base64](const std::string& text) { return base64("x-api-key: " + text); }},
      {"base64 behind other letters",
       [base64](const std::string& text) { return "abcde" + base64(text); }},
      {"base64url",
       [base64](const std::string& text) {
         std::string out = base64(text);
         for (char& c : out) c = c == '+' ? '-' : c == '/' ? '_' : c;
         while (out.ends_with('=')) out.pop_back();
         return out;
       }},
      {"base64 twice", [base64](const std::string& text) { return base64(base64(text)); }},
      {"hexadecimal", hex},
      {"percent in base64",
       [base64, percent](const std::string& text) { return base64(percent(text)); }},
  };
}

Exchange exchange() {
  return {R"({"messages":[{"content":"hello","role":"user"}],"model":"m"})",
          {200, {{"content-type", "application/json"}}, R"({"content":[]})"}};
}

/// The exchange with `text` in one of its places.
struct Place {
  std::string name;
  std::function<void(Exchange&, const std::string&)> plant;
};
std::vector<Place> places() {
  return {{"request",
           [](Exchange& e, const std::string& text) {
             e.request = R"({"messages":[{"content":)" + json_text(text) + R"(,"role":"user"}]})";
           }},
          {"request name",
           [](Exchange& e, const std::string& text) {
             e.request = "{\"a\":{" + json_text(text) + ":1}}";
           }},
          {"response JSON",
           [](Exchange& e, const std::string& text) {
             e.response.body = R"({"content":[{"text":)" + json_text(text) + R"(,"type":"text"}]})";
           }},
          {"JSON in JSON",
           [](Exchange& e, const std::string& text) {
             e.response.body = "{\"text\":" + json_text("{\"a\":" + json_text(text) + "}") + "}";
           }},
          {"response text",
           [](Exchange& e, const std::string& text) { e.response.body = "<p>" + text + "</p>"; }},
          {"event stream",
           [](Exchange& e, const std::string& text) {
             e.response.body = "event: x\ndata: {\"t\":" + json_text(text) + "}\n\n";
           }},
          {"cut-off JSON", [](Exchange& e, const std::string& text) {
             e.response.body = "{\"t\":" + json_text(text) + ",";
           }}};
}

Cassette of(const Exchange& one) { return {{}, "model-1", {one}}; }

/// Recording takes it out; a file that has it is refused without repeating it.
void expect_caught(const Exchange& planted, const std::string& text, const std::string& value) {
  const auto read = parse(write(of(planted)));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, Error::Kind::unclean) << read.error().what;
  EXPECT_THAT(read.error().what, Not(HasSubstr(value)));
  EXPECT_THAT(read.error().what, HasSubstr("line 2: "));

  const Cleaned cleaned = clean(planted);
  ASSERT_FALSE(cleaned.found.empty());
  const std::string kept = write(of(cleaned.exchange));
  EXPECT_THAT(kept, Not(HasSubstr(value)));
  EXPECT_THAT(kept, Not(HasSubstr(text)));
  EXPECT_THAT(kept, HasSubstr(kFiltered));
  const auto again = parse(kept);  // which cleans it once more, and refuses any change
  ASSERT_TRUE(again) << again.error().what;
  EXPECT_EQ(again->exchanges.front(), cleaned.exchange);
}

/// Shorter than any key, and too short to be looked for in a decoded run.
bool is_too_short(const Shape& shape, const Disguise& disguise) {
  const bool is_run =
      disguise.name.find("64") != std::string::npos || disguise.name == "hexadecimal";
  return is_run && shape.text.size() < 15;
}

TEST(Clean, FindsEveryShapeInEveryPlaceAndDisguise) {
  // The first shape in all places and disguises, the others in all disguises and place by place.
  std::size_t cases = 0;
  std::size_t turn = 0;
  const std::vector<Place> all = places();
  for (const Shape& shape : shapes()) {
    for (const Disguise& disguise : disguises()) {
      ++turn;
      for (std::size_t i = 0; i < all.size(); ++i) {
        const bool is_due = shape.text == kKey || turn % all.size() == i;
        if (!is_due || is_too_short(shape, disguise)) continue;
        SCOPED_TRACE(shape.rule + ", " + disguise.name + ", " + all[i].name);
        const std::string worn = disguise.wear(shape.text);
        Exchange planted = exchange();
        all[i].plant(planted, worn);
        const bool spelled_out = worn.find(shape.value) != std::string::npos;
        expect_caught(planted, spelled_out ? shape.value : disguise.wear(shape.value), shape.value);
        ++cases;
      }
    }
  }
  EXPECT_GE(cases, 390U);
  RecordProperty("cases", static_cast<int>(cases));
}

TEST(Clean, CaseDoesNotHideAKey) {
  for (const std::string& key : {std::string("SK-") + "ANT-" + "API03-XYZ",
                                 std::string("Sk-") + "aNt-" + "x1", std::string("CLAUDE_") + kTail,
                                 std::string("Sk-") + kTail, "HTTPS://HOST/?API_KEY=" + kTail}) {
    EXPECT_FALSE(find_secrets(key).empty()) << key;
  }
}

TEST(Clean, AKeySplitByEscapesIsWhole) {
  const std::string rest = kKey.substr(1);
  for (const std::string& text : {"\\u0073" + rest, "\\u0053" + rest, "\\x73" + rest, "%73" + rest,
                                  "&#115;" + rest, "&#x73" + rest, "\\\\u0073" + rest,
                                  "s\xc2\xad" + rest, "%2573" + rest, "\\u0026#115;" + rest}) {
    EXPECT_EQ(scrub("a " + text + " b"), "a <<filtered>> b") << text;
  }
  // In JSON the escape is one of the body itself.
  Exchange planted = exchange();
  planted.request = "{\"a\":\"\\u0073" + rest + "\"}";
  EXPECT_EQ(clean(planted).exchange.request, R"({"a":"<<filtered>>"})");
}

TEST(Clean, OfTheHeadersOnlyHarmlessOnesStay) {
  Exchange planted = exchange();
  planted.response.headers = {{"Authorization", "x"},
                              {"X-API-Key", "x"},
                              {"cookie", "a=b"},
                              {"Set-Cookie", "session=1"},
                              {"anthropic-api-key", "x"},
                              {"Proxy-Authorization", "x"},
                              {"Date", "today"},
                              {"Content-Type", "text/plain"},
                              {"request-id", "req_011CSHo"},
                              {"retry-after", "7"}};
  const Cleaned cleaned = clean(planted);
  EXPECT_EQ(cleaned.exchange.response.headers, (std::vector<Header>{{"content-type", "text/plain"},
                                                                    {"request-id", "req_011CSHo"},
                                                                    {"retry-after", "7"}}));
  for (const Header& header : planted.response.headers) {
    Exchange one = exchange();
    one.response.headers = {header};
    const bool kept = header.first == "request-id" || header.first == "retry-after";
    const auto read = parse(write(of(one)));
    EXPECT_EQ(read.has_value(), kept) << header.first;
    if (kept) continue;
    EXPECT_EQ(read.error().kind, Error::Kind::unclean);
  }
}

TEST(Clean, AHeaderValueMayNotBeLongNorHideAKey) {
  const std::string forty = "abcdefghijklmnopqrstuvwxyzabcdefghijklmn";
  ASSERT_EQ(forty.size(), 40U);
  for (const std::string& bad :
       {forty, "id=" + forty.substr(3) + "==", "a " + forty + " b", kKey, "%73" + kKey.substr(1),
        to_base64(as_bytes(kKey)), to_base64(as_bytes(kKey.substr(0, 20))), std::string("a\nb"),
        std::string("a\x7f"), std::string("\xc3\xa9"), std::string(201, ' ')}) {
    Exchange planted = exchange();
    planted.response.headers = {{"request-id", bad}};
    expect_caught(planted, bad, bad);
    if (bad != kKey) continue;
    EXPECT_EQ(clean(planted).found.front().where, "response header request-id");
  }
  Exchange fine = exchange();
  fine.response.headers = {{"request-id", forty.substr(1)}};
  EXPECT_TRUE(clean(fine).found.empty());
}

TEST(Clean, FieldsWithATellingNameLoseTheirValueWhateverItIs) {
  for (const std::string name : {"api_key", "apiKey", "API-KEY", "x-api-key", "anthropic_api_key",
                                 "password", "passWord", "secret", "client_secret", "token",
                                 "access_token", "authorization", "Set-Cookie", "to\\u006ben"}) {
    for (const std::string value : {"\"x\"", "1", "true", "null", "[\"a\"]", "{\"a\":1}"}) {
      Exchange planted = exchange();
      planted.request = "{\"a\":[{\"" + name + "\":" + value + "}]}";
      const Cleaned cleaned = clean(planted);
      EXPECT_THAT(cleaned.exchange.request, HasSubstr(":\"<<filtered>>\"}")) << name << value;
      EXPECT_EQ(cleaned.found.front().rule, "secret-field");
      EXPECT_EQ(parse(write(of(planted))).error().kind, Error::Kind::unclean);
      EXPECT_TRUE(parse(write(of(cleaned.exchange))));
    }
  }
}

TEST(Clean, WhatBecomesJsonByCleaningIsCleanedAsJson) {
  Exchange planted = exchange();
  planted.response.body = std::string("{\"password\":1,\"a\":\"-----BEGIN ") +
                          "PRIVATE KEY-----\n-----END PRIVATE KEY-----\"}";
  const Cleaned cleaned = clean(planted);
  EXPECT_EQ(cleaned.exchange.response.body, R"({"password":"<<filtered>>","a":"<<filtered>>"})");
  EXPECT_TRUE(parse(write(of(cleaned.exchange))));
}

TEST(Clean, LeavesOrdinaryTextAsItIsToTheByte) {
  const std::string integrity = "sha512-" + to_base64(as_bytes(std::string(64, '\x9b'))) + " ";
  for (const std::string& text :
       {std::string("task-management-tool-2000 and disk-usage-statistics-2024"),
        std::string("sk-fading-circle sk-cube-grid claude_desktop claude_model_name"),
        std::string("const token = process.env.API_TOKEN; const secret = getSecret1();"),
        std::string("let password = ''; token: \"short1\"; apiKey: `${key}`"),
        std::string("https://host.example/?token=${token}&password=<password>"),
        std::string("npm_config_registry npm_package_name ghp_ akia eyJ bearer of news"),
        std::string("https://host.example:8080/a@b and git+ssh://git@host.example/a/b.git"),
        integrity + integrity, to_hex(as_bytes(std::string(64, '\x73'))),
        std::string("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"),
        std::string("100 % of \\d+ &amp; &#8364; \\u00e9 \xc3\xa9 \xe2\x82\xac <<filtered>>")}) {
    EXPECT_EQ(scrub(text), text);
    Exchange one = exchange();
    one.request = "{ \"max_tokens\" : 4096, \"text\" :\t" + json_text(text) + " }";
    one.response.body = "{\"usage\":{\"input_tokens\":1.50e1},\"text\":" + json_text(text) + "}\n";
    const Cleaned cleaned = clean(one);
    EXPECT_TRUE(cleaned.found.empty()) << text << cleaned.found.front().rule;
    EXPECT_EQ(cleaned.exchange, one);
  }
}

TEST(Scrub, OfWhatItMadeNothingIsFoundWhateverTheText) {
  const std::vector<std::string> pieces = {"sk-",
                                           "ant-",
                                           "s",
                                           "k",
                                           "\\u0073",
                                           "%73",
                                           "%25",
                                           "&#115;",
                                           "claude_",
                                           kTail,
                                           "token",
                                           "=",
                                           "\"",
                                           ":",
                                           "?",
                                           "&",
                                           "\\",
                                           " ",
                                           "A",
                                           "0",
                                           "\xe2\x80\x8b",
                                           "<<filtered>>",
                                           "filtered",
                                           "<",
                                           to_base64(as_bytes(kKey)),
                                           to_hex(as_bytes(kKey)),
                                           "://u:p@",
                                           "bearer ",
                                           "eyJ",
                                           ".",
                                           to_base64(as_bytes(to_base64(as_bytes(kKey)))),
                                           "-----begin private key",
                                           "c2st",
                                           "YW50"};
  std::mt19937 random(7);
  for (int i = 0; i < 1'000; ++i) {
    std::string text;
    for (auto n = 1 + random() % 12; n > 0; --n) text += pieces[random() % pieces.size()];
    const std::string once = scrub(text);
    ASSERT_TRUE(find_secrets(once).empty()) << text;
    ASSERT_EQ(scrub(once), once) << text;
    ASSERT_TRUE(is_utf8(once)) << text;
    const std::string body = clean_body("{" + json_text(text) + ":" + json_text(text) + "}");
    ASSERT_EQ(clean_body(body), body) << text;
  }
}

}  // namespace
}  // namespace cg::cassette
