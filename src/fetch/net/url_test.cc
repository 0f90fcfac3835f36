// What may be fetched from, and what is no address at all.
#include "fetch/net/url.h"

#include <gtest/gtest.h>

#include <optional>

#include "fetch/net/address.h"

namespace cg::net {
namespace {

TEST(Url, Parse) {
  using enum UrlError;
  const struct {
    std::string text;
    std::optional<UrlError> error;  // empty: must parse
    std::string written = {};       // if not as given
  } cases[] = {
      {"https://registry.example/left-pad", {}},
      {"https://registry.example/@scope%2fname?x=1&y=%20", {}},
      {"https://registry.example", {}, "https://registry.example/"},
      {"https://registry.example?q", {}, "https://registry.example/?q"},
      {"https://Registry.Example:443/A", {}, "https://registry.example/A"},
      {"https://registry.example:8443/", {}},
      {"https://192.0.2.7/", {}},
      {"https://[2001:db8::1]:8443/", {}},
      {"http://localhost:4873/", {}},
      {"http://a.localhost/", {}},
      {"http://127.0.0.1:80/", {}, "http://127.0.0.1/"},
      {"http://127.9.9.9:8080/", {}},
      {"http://[::1]:8080/", {}},
      {"http://registry.example/", plain_http},
      {"http://10.0.0.1/", plain_http},
      {"http://localhost.example/", plain_http},
      {"http://127.0.0.1.example/", plain_http},
      {"ftp://registry.example/", scheme},
      {"HTTPS://registry.example/", scheme},
      {"https:/registry.example/", scheme},
      {"//registry.example/", scheme},
      {"file:///etc/passwd", scheme},
      {"", scheme},
      {"https://user@registry.example/", user_info},
      {"https://user:secret@registry.example/", user_info},
      {"https://localhost@registry.example/", user_info},
      {"https:///x", host},
      {"https://.example/", host},
      {"https://registry..example/", host},
      {"https://registry.example./", host},
      {"https://-a.example/", host},
      {"https://a_b.example/", {}},
      {"https://reg istry.example/", host},
      {"https://r\xc3\xa9gistry.example/", host},
      {"https://127.1/", host},
      {"https://2130706433/", host},
      {"https://0x7f.0.0.1/", host},
      {"https://0177.0.0.1/", host},
      {"https://1.2.3.4.5/", host},
      {"https://[::1/", host},
      {"https://[::1]x/", host},
      {"https://[127.0.0.1]/", host},
      {"https://[fe80::1%25eth0]/", host},
      {"https://" + std::string(64, 'a') + ".example/", host},
      {"https://registry.example:/", port},
      {"https://registry.example:0/", port},
      {"https://registry.example:65536/", port},
      {"https://registry.example:4a/", port},
      {"https://registry.example:1:2/", port},
      {"https://registry.example/a b", target},
      {"https://registry.example/a\\b", target},
      {"https://registry.example/a\r\nHost: x", target},
      {"https://registry.example/%", target},
      {"https://registry.example/%2", target},
      {"https://registry.example/%zz", target},
      {"https://registry.example/\xc3\xa9", target},
      {"https://registry.example/#top", has_fragment},
      {"https://registry.example#top", has_fragment},
      {"https://registry.example/" + std::string(4096, 'a'), too_long},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    const auto url = Url::parse(c.text);
    EXPECT_EQ(url ? std::nullopt : std::optional(url.error()), c.error);
    if (url) {
      EXPECT_EQ(url->str(), c.written.empty() ? c.text : c.written);
    } else {
      EXPECT_FALSE(describe(url.error()).empty());
    }
  }
}

TEST(Url, WhatItWritesItReadsAsTheSame) {
  for (const char* text :
       {"https://[2001:DB8::1]/x", "http://LOCALHOST:1/?", "https://a.example"}) {
    const auto once = Url::parse(text);
    ASSERT_TRUE(once.has_value());
    EXPECT_EQ(*Url::parse(once->str()), *once);
  }
}

TEST(Origin, KnowsAddressesFromNames) {
  EXPECT_TRUE(Url::parse("https://192.0.2.7/")->origin().is_address());
  EXPECT_TRUE(Url::parse("https://[::1]/")->origin().is_address());
  EXPECT_FALSE(Url::parse("https://registry.example/")->origin().is_address());
  EXPECT_EQ(Url::parse("https://[::1]:8443/")->origin().authority(), "[::1]:8443");
}

TEST(Address, Classify) {
  using enum AddressClass;
  const struct {
    std::string text;
    AddressClass found;
  } cases[] = {
      {"8.8.8.8", global},
      {"172.15.255.255", global},
      {"172.32.0.0", global},
      {"10.1.2.3", private_network},
      {"172.16.0.0", private_network},
      {"172.31.255.255", private_network},
      {"192.168.1.1", private_network},
      {"100.64.0.1", private_network},
      {"127.0.0.1", loopback},
      {"127.255.255.255", loopback},
      {"169.254.169.254", link_local},
      {"0.0.0.0", special},
      {"192.0.2.1", special},
      {"198.19.0.1", special},
      {"224.0.0.1", special},
      {"255.255.255.255", special},
      {"2606:4700::1", global},
      {"::1", loopback},
      {"::", special},
      {"fe80::1", link_local},
      {"fd00:ec2::254", private_network},
      {"ff02::1", special},
      {"2001:db8::1", special},
      {"2001::1", special},
      {"2002:7f00:1::", special},
      {"::ffff:127.0.0.1", loopback},
      {"::ffff:169.254.169.254", link_local},
      {"::ffff:8.8.8.8", global},
      {"64:ff9b::7f00:1", loopback},
      {"64:ff9b::a9fe:a9fe", link_local},
      {"::7f00:1", special},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    const auto address = Address::parse(c.text);
    ASSERT_TRUE(address.has_value());
    EXPECT_EQ(address->classify(), c.found);
    const Address::Dialable to = address->at_port(443);
    const auto back = Address::from(reinterpret_cast<const sockaddr&>(to.bytes));
    EXPECT_EQ(back, address);
  }
  EXPECT_FALSE(Address::parse("registry.example").has_value());
}

TEST(Address, LoopbackHostsLeadToLoopbackAlone) {
  using enum AddressClass;
  for (const Addresses allowed : {Addresses::global, Addresses::any}) {
    EXPECT_TRUE(may_dial(loopback, true, allowed));
    for (const AddressClass other : {global, private_network, link_local, special}) {
      EXPECT_FALSE(may_dial(other, true, allowed));
    }
  }
}

TEST(Address, ANameOfTheOperatorsLeadsAnywhereAndOthersToPublicOnes) {
  using enum AddressClass;
  for (const AddressClass found : {global, private_network, loopback, link_local, special}) {
    EXPECT_EQ(may_dial(found, false, Addresses::global), found == global);
    EXPECT_TRUE(may_dial(found, false, Addresses::any));
  }
}

}  // namespace
}  // namespace cg::net
