// What codegenie and codegenie-key say to each other has one spelling.
#include <gtest/gtest.h>

#include "model/leaf/key_order.h"

namespace cg::leaf {
namespace {

const StoreReport kHeld{KeyStore::kernel, KeyState::held, "0123456789abcdef", "for this session"};
const StoreReport kLocked{KeyStore::secret_service, KeyState::locked, "", "locked"};

std::vector<KeyAnswer> samples() {
  return {KeyAsked{},
          KeyDone{kHeld, ""},
          KeyDone{kHeld, "fedcba9876543210"},
          KeyListed{},
          KeyListed{{kHeld, kLocked, kHeld, kLocked}},
          KeyRefused{KeyRefused::Reason::locked, KeyStore::systemd, "why"},
          KeyRefused{}};
}

std::string body(const std::string& framed) { return framed.substr(kKeyLengthBytes); }

TEST(KeyMessage, ReadsBackAsItWasWritten) {
  for (const KeyAnswer& answer : samples()) {
    const std::string bytes = write_key_answer(answer);
    ASSERT_EQ(key_message_size(bytes.substr(0, kKeyLengthBytes)), bytes.size() - kKeyLengthBytes);
    EXPECT_EQ(parse_key_answer(body(bytes)), answer);
  }
  for (const KeyVerb verb :
       {KeyVerb::set, KeyVerb::status, KeyVerb::rotate, KeyVerb::remove, KeyVerb::deliver}) {
    const KeyOrder order{verb, KeyStore::env_ci, "a-1"};
    EXPECT_EQ(parse_key_order(body(write_key_order(order))), order);
  }
}

/// Every byte cut off, added or changed: refused, or a message that is written like that.
TEST(KeyMessage, HasNoSecondSpelling) {
  std::vector<std::string> bodies = {body(write_key_order({KeyVerb::set, KeyStore::kernel, "k"}))};
  for (const KeyAnswer& answer : samples()) bodies.push_back(body(write_key_answer(answer)));
  const auto check = [](const std::string& changed) {
    const auto answer = parse_key_answer(changed);
    if (answer) {
      EXPECT_EQ(body(write_key_answer(*answer)), changed);
    }
    const auto order = parse_key_order(changed);
    if (order) {
      EXPECT_EQ(body(write_key_order(*order)), changed);
    }
    return answer || order;
  };
  for (const std::string& whole : bodies) {
    EXPECT_TRUE(check(whole));
    EXPECT_FALSE(check(whole + '\0'));
    for (std::size_t i = 0; i < whole.size(); ++i) {
      EXPECT_FALSE(check(whole.substr(0, i)));
      for (int value = 0; value < 256; ++value) {
        std::string changed = whole;
        changed[i] = static_cast<char>(value);
        static_cast<void>(check(changed));
      }
    }
  }
}

TEST(KeyMessage, CutsAndCleansWhatAStoreSays) {
  const KeyRefused refused{KeyRefused::Reason::unavailable, KeyStore::kernel,
                           "\x1b[31m" + std::string(5000, 'x')};
  const auto answer = parse_key_answer(body(write_key_answer(refused)));
  ASSERT_TRUE(answer.has_value());
  const std::string& detail = std::get<KeyRefused>(*answer).detail;
  EXPECT_LE(detail.size(), kMaxKeyDetail);
  EXPECT_EQ(detail.find('\x1b'), std::string::npos);
}

TEST(KeyMessage, KnowsItsLengths) {
  EXPECT_FALSE(key_message_size(std::string(2, '\0')));
  EXPECT_FALSE(key_message_size("\x04\x01"));
  EXPECT_EQ(key_message_size(std::string("\x04\0", 2)), kMaxKeyMessage);
  EXPECT_FALSE(key_message_size("x"));
}

TEST(KeyMessage, NamesStoresAsTheyAreChosen) {
  for (const KeyStore store :
       {KeyStore::automatic, KeyStore::secret_service, KeyStore::kernel, KeyStore::systemd}) {
    EXPECT_EQ(parse_key_store(name(store)), store);
  }
  EXPECT_FALSE(parse_key_store("env_ci_explicit"));
  EXPECT_FALSE(parse_key_store(""));
  EXPECT_TRUE(is_key_name("anthropic"));
  for (const char* bad : {"", "A", "1a", "a/b", "a b", "..", "a\n"}) EXPECT_FALSE(is_key_name(bad));
  EXPECT_FALSE(is_key_name(std::string(33, 'a')));
}

}  // namespace
}  // namespace cg::leaf
