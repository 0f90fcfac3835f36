// What is a credential in the sources, READMEs and outputs of a repository, and what is not.
// model/cassette/clean_test.cc has every shape in every disguise.
#include "model/secrets/secrets.h"

#include <gtest/gtest.h>

#include "base/base/text.h"

namespace cg::secrets {
namespace {

// From pieces, so that nobody who looks for keys stumbles over this file.
const std::string kTail = "Zq7Xw2Vb9Lk4Tn6Rp1Hd8Gs3Fy5Jm0Cx";

std::string mark(std::string_view rule) { return "[removed: " + std::string(rule) + "]"; }

TEST(Secrets, AreFoundInSourcesByShapeAndByName) {
  const std::string pem = std::string("-----BEGIN RSA ") + "PRIVATE KEY-----";
  const struct {
    std::string text;
    std::string secret;
  } cases[] = {
      {"const t = '" + std::string("ghp_") + kTail + "';", kTail},
      {"stripe(`" + std::string("sk_") + "live_" + kTail + "`)", kTail},
      {std::string("xapp-") + "1-" + kTail, kTail},
      {std::string("ASIA") + "ABCDEFGH12345678", "ABCDEFGH12345678"},
      {std::string("SG.") + kTail + "." + kTail, kTail},
      {"secretAccessKey: '" + kTail + "'", kTail},
      {"const client_secret_key = \"" + kTail + "\"", kTail},
      {"{ \"private_key\": \"" + kTail + "\" }", kTail},
      {"password: 'hunter2hunter2'", "hunter2hunter2"},
      {"passphrase = \"p!ss-w0rd#\"", "p!ss-w0rd#"},
      {"export API_TOKEN=" + kTail + "\n", kTail},
      {"AWS_SECRET_ACCESS_KEY=" + kTail, kTail},
      {"Authorization: Bearer " + kTail, kTail},
      {"postgres://app:" + kTail + "@db.example/x", kTail},
      {"'" + pem + "\\n' +\n '" + kTail + "\\n' +\n '-----END RSA PRIVATE KEY-----'", kTail},
      {pem + "\n" + kTail + "\nand no end", kTail},
  };
  for (const auto& c : cases) {
    const Redacted redacted = redact(c.text, mark);
    EXPECT_EQ(redacted.found, 1U) << c.text;
    EXPECT_EQ(redacted.text.find(c.secret), std::string::npos) << redacted.text;
    EXPECT_NE(redacted.text.find("[removed: "), std::string::npos) << redacted.text;
    ASSERT_EQ(redacted.rules.size(), 1U);
    EXPECT_GE(redacted.bytes, c.secret.size());
    EXPECT_TRUE(find_secrets(redacted.text).empty()) << redacted.text;
  }
}

TEST(Secrets, HonestSourcesStayAsTheyAre) {
  for (const std::string text :
       {"const password = process.env.PASSWORD2; secret = getSecret1(token);",
        "secret: 'keyboard-cat', password: 'example', passphrase: ''",
        "region: 'asia-northeast1-docker-registry', host: 'asia-southeast1'",
        "password: '${DB_PASSWORD_1}', token: `<token-of-32-characters-000000>`",
        "tokenizer: 'bert-base-uncased-v2-0000', tokens=20, max_tokens: 4096",
        "hf_model sk_test_ pypi-server sg.example.com ya29 whsec_",
        "if (token=== other) {} const accessKey=this.key;",
        "import secretStorage from 'secret-storage-2'; passwordField=someField;",
        "integrity=sha512-short", "signature: 'a short one'"}) {
    EXPECT_EQ(redact(text, mark).text, text);
  }
}

TEST(Secrets, SeveralAreCountedAndNamedOnce) {
  const std::string one = std::string("ghp_") + kTail;
  const Redacted redacted = redact(one + " " + one + " npm_" + kTail, mark);
  EXPECT_EQ(redacted.found, 3U);
  EXPECT_EQ(redacted.rules, (std::vector<std::string_view>{"github-token", "npm-token"}));
  EXPECT_EQ(redacted.text, "[removed: github-token] [removed: github-token] [removed: npm-token]");
}

TEST(Secrets, ManyNamesInALineTakeNoLongerThanTheyShould) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "token=secret:'password=\"";
  EXPECT_FALSE(scrub(text).empty());
}

}  // namespace
}  // namespace cg::secrets
