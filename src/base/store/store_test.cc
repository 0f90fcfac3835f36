#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/store/database.h"
#include "support/support.h"

namespace cg::store {
namespace {

Database open(const std::string& path) {
  auto database = Database::open(path, Access::read_write);
  EXPECT_TRUE(database) << database.error().what;
  EXPECT_TRUE(database->execute(
      "CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, raw BLOB)"));
  return *std::move(database);
}

std::int64_t rows(Database& database) {
  auto count = database.prepare("SELECT count(*) FROM t");
  EXPECT_TRUE(*count->step());
  return *count->integer(0);
}

TEST(Database, KeepsWhatItIsGiven) {
  const test::ScratchDir scratch;
  Database database = open(scratch / "d");
  struct stat s {};
  ASSERT_EQ(stat((scratch / "d").c_str(), &s), 0);
  EXPECT_EQ(s.st_mode & 0777U, 0600U);
  auto insert = database.prepare("INSERT INTO t VALUES (?, ?, ?)");
  ASSERT_TRUE(insert);
  const std::string binary("\0\xff'; DROP TABLE t; --", 21);
  ASSERT_TRUE(insert->bind(1, 7).bind(2, "näme").bind_blob(3, binary).run());
  ASSERT_TRUE(database.prepare("INSERT INTO t VALUES (8, NULL, x'')")->run());
  auto select = database.prepare("SELECT id, name, raw FROM t ORDER BY id");
  ASSERT_TRUE(*select->step());
  EXPECT_EQ(select->integer(0), 7);
  EXPECT_EQ(select->text(1), "näme");
  EXPECT_EQ(select->blob(2), binary);
  EXPECT_EQ(select->text(0), std::nullopt);  // no conversions
  ASSERT_TRUE(*select->step());
  EXPECT_EQ(select->text(1), std::nullopt);
  EXPECT_EQ(select->blob(2), "");
  EXPECT_FALSE(*select->step());
}

TEST(Database, WhatIsNotCommittedDidNotHappen) {
  const test::ScratchDir scratch;
  Database database = open(scratch / "d");
  {
    auto transaction = database.begin();
    ASSERT_TRUE(transaction);
    ASSERT_TRUE(database.execute("INSERT INTO t (id) VALUES (1)"));
  }
  EXPECT_EQ(rows(database), 0);
  auto transaction = database.begin();
  ASSERT_TRUE(database.execute("INSERT INTO t (id) VALUES (1)"));
  ASSERT_TRUE(transaction->commit());
  EXPECT_EQ(rows(database), 1);
}

TEST(Database, SaysWhatIsWrong) {
  const test::ScratchDir scratch;
  EXPECT_EQ(Database::open(scratch / "none", Access::read_only).error().kind,
            Error::Kind::not_found);
  test::write(scratch / "text", std::string(4096, 'x'));
  EXPECT_EQ(Database::open(scratch / "text", Access::read_only).error().kind, Error::Kind::corrupt);
  Database database = open(scratch / "d");
  ASSERT_TRUE(database.execute("INSERT INTO t (id, name) VALUES (1, 'a')"));
  EXPECT_EQ(database.execute("INSERT INTO t (id, name) VALUES (2, 'a')").error().kind,
            Error::Kind::constraint);
  EXPECT_FALSE(database.prepare("SELECT nonsense"));
  EXPECT_EQ(database.prepare("SELECT 1")->bind(9, 1).step().error().kind, Error::Kind::other);
  auto reader = Database::open(scratch / "d", Access::read_only);
  ASSERT_TRUE(reader);
  EXPECT_FALSE(reader->execute("DELETE FROM t"));
}

TEST(Database, FindsDamage) {
  const test::ScratchDir scratch;
  {
    Database database = open(scratch / "d");
    auto insert = database.prepare("INSERT INTO t (name) VALUES (?)");
    for (int i = 0; i < 2000; ++i) ASSERT_TRUE(insert->bind(1, "row " + std::to_string(i)).run());
    EXPECT_TRUE(database.check_integrity());
  }
  std::string bytes = test::read(scratch / "d");
  for (std::size_t i = 5000; i < bytes.size(); i += 97)
    bytes[i] = static_cast<char>(bytes[i] ^ 0x55);
  test::write(scratch / "d", bytes);
  auto database = Database::open(scratch / "d", Access::read_only);
  EXPECT_TRUE(!database || !database->check_integrity());
}

}  // namespace
}  // namespace cg::store
