#include <algorithm>
#include <array>
#include <set>

#include "base/base/text.h"
#include "prove/preflight/parts.h"

namespace cg::preflight {

namespace {

constexpr std::string_view kCompared =
    "nothing, if they are few: what fails at the base is compared by name; else keep such tests "
    "out "
    "of `npm test`";

/// A package that tells by its name what tests do with it.
struct PackageRow {
  std::string_view name;  // or all of a scope: "@testcontainers/"
  enum class Reach { direct, anywhere } reach;
  Kind kind;
  std::string_view does;
};
using Reach = PackageRow::Reach;
constexpr PackageRow kPackages[] = {
    {"testcontainers", Reach::direct, Kind::service, "starts containers"},
    {"@testcontainers/", Reach::direct, Kind::service, "starts containers"},
    {"dockerode", Reach::direct, Kind::service, "talks to docker"},
    {"mongodb-memory-server", Reach::anywhere, Kind::service, "downloads a MongoDB and starts it"},
    {"mongodb-memory-server-core", Reach::direct, Kind::service,
     "downloads a MongoDB and starts it"},
    {"redis-memory-server", Reach::anywhere, Kind::service, "downloads a Redis and starts it"},
    {"embedded-postgres", Reach::anywhere, Kind::service, "starts a PostgreSQL"},
    {"@databases/pg-test", Reach::direct, Kind::service, "starts a PostgreSQL in a container"},
    {"@databases/mysql-test", Reach::direct, Kind::service, "starts a MySQL in a container"},
    {"puppeteer", Reach::direct, Kind::browser, "starts a browser that its install downloads"},
    {"puppeteer-core", Reach::direct, Kind::browser, "starts a browser"},
    {"playwright", Reach::direct, Kind::browser, "starts browsers that have to be downloaded"},
    {"@playwright/test", Reach::direct, Kind::browser,
     "starts browsers that have to be downloaded"},
    {"cypress", Reach::direct, Kind::browser, "starts a browser that its install downloads"},
    {"selenium-webdriver", Reach::direct, Kind::browser, "drives a browser"},
    {"webdriverio", Reach::direct, Kind::browser, "drives a browser"},
    {"@wdio/cli", Reach::direct, Kind::browser, "drives a browser"},
    {"nightwatch", Reach::direct, Kind::browser, "drives a browser"},
    {"protractor", Reach::direct, Kind::browser, "drives a browser"},
    {"testcafe", Reach::direct, Kind::browser, "starts a browser"},
    {"@web/test-runner", Reach::direct, Kind::browser, "starts a browser"},
    {"@vitest/browser", Reach::direct, Kind::browser, "starts a browser"},
    {"karma-chrome-launcher", Reach::direct, Kind::browser, "starts Chrome"},
    {"karma-firefox-launcher", Reach::direct, Kind::browser, "starts Firefox"},
    {"karma-safari-launcher", Reach::direct, Kind::browser, "starts Safari"},
    {"karma-edge-launcher", Reach::direct, Kind::browser, "starts Edge"},
};

/// A word of a script that tests, and what it means.
struct WordRow {
  std::string_view word;  // a name, or the beginning of one if it ends in '_'
  std::string_view does;
};
constexpr WordRow kWords[] = {
    {"docker", "calls docker"},
    {"docker-compose", "calls docker"},
    {"MONGO_URL", "names a MongoDB"},
    {"MONGO_URI", "names a MongoDB"},
    {"MONGODB_URL", "names a MongoDB"},
    {"MONGODB_URI", "names a MongoDB"},
    {"DATABASE_URL", "names a database"},
    {"DB_HOST", "names a database"},
    {"PGHOST", "names a PostgreSQL"},
    {"PGDATABASE", "names a PostgreSQL"},
    {"PGUSER", "names a PostgreSQL"},
    {"PGPORT", "names a PostgreSQL"},
    {"POSTGRES_", "names a PostgreSQL"},
    {"MYSQL_", "names a MySQL"},
    {"REDIS_URL", "names a Redis"},
    {"REDIS_HOST", "names a Redis"},
    {"AMQP_URL", "names a message broker"},
    {"RABBITMQ_", "names a message broker"},
    {"KAFKA_", "names a Kafka"},
    {"ELASTICSEARCH_", "names an Elasticsearch"},
};

// In the image of a compose file: what tests of a repository talk to, rather than what is deployed.
constexpr std::array<std::string_view, 14> kImages = {
    "mongo",     "postgres",      "mysql",      "mariadb",    "redis", "rabbitmq",  "kafka",
    "memcached", "elasticsearch", "opensearch", "localstack", "minio", "cassandra", "dynamodb"};
constexpr std::size_t kMaxImages = 6;

bool is_of(std::string_view name, const PackageRow& row) {
  return row.name.ends_with('/') ? name.starts_with(row.name) : name == row.name;
}

void look_at_packages(const Facts& facts, std::vector<Obstacle>& out) {
  std::set<std::string_view> there;
  for (const npm::Node& node : facts.graph.nodes()) there.insert(node.name);
  for (const PackageRow& row : kPackages) {
    std::string where;
    for (const npm::Manifest& manifest : facts.manifests) {
      for (const npm::Dependency& one : manifest.dependencies) {
        if (where.empty() && is_of(one.name, row)) where = manifest.path;
      }
    }
    if (where.empty() && row.reach == Reach::anywhere && there.contains(row.name)) {
      where = facts.lockfile;
    }
    if (where.empty()) continue;
    out.push_back({row.kind, Severity::may_fail, "", shown(where),
                   "has " + std::string(row.name) + ", which " + std::string(row.does) +
                       "; the sandbox has no network and nothing of the kind in it",
                   std::string(kCompared)});
  }
}

bool names(std::string_view command, std::string_view word) {
  if (!word.ends_with('_')) return has_word(command, word);
  const std::size_t at = command.find(word);
  return at != std::string_view::npos &&
         (at == 0 || std::string_view(" '\"&;|").find(command[at - 1]) != std::string_view::npos);
}

void look_at_test_scripts(const Facts& facts, std::vector<Obstacle>& out) {
  for (const npm::Manifest& manifest : facts.manifests) {
    std::set<std::string_view> told;
    for (const auto& [name, command] : manifest.scripts) {
      if (name.find("test") == std::string::npos) continue;
      for (const WordRow& row : kWords) {
        if (!names(command, row.word) || !told.insert(row.does).second) continue;
        out.push_back({Kind::service, Severity::may_fail, "", shown(manifest.path),
                       "its script " + shown(name) + " " + std::string(row.does) + " (" +
                           std::string(row.word) + "), and the sandbox has none",
                       std::string(kCompared)});
      }
    }
  }
}

/// "postgres:14" of each line `image: postgres:14`.
std::vector<std::string> images_of(std::string_view text) {
  std::vector<std::string> out;
  for (std::string_view line : split(text, '\n')) {
    line = trim(line);
    if (!line.starts_with("image:")) continue;
    std::string_view image = trim(line.substr(line.find(':') + 1));
    image = image.substr(0, image.find(" #"));
    std::string plain = shown(image);
    std::erase_if(plain, [](char c) { return c == '"' || c == '\''; });
    if (std::find(out.begin(), out.end(), plain) == out.end()) out.push_back(std::move(plain));
  }
  return out;
}

bool is_service(const std::string& image) {
  return std::any_of(kImages.begin(), kImages.end(),
                     [&](std::string_view word) { return image.find(word) != std::string::npos; });
}

void look_at_compose(const Facts& facts, std::vector<Obstacle>& out) {
  for (const TextFile& file : facts.compose_files) {
    const std::vector<std::string> images = images_of(file.text);
    const bool services = std::any_of(images.begin(), images.end(), is_service);
    std::string list;
    for (std::size_t i = 0; i < std::min(images.size(), kMaxImages); ++i) {
      list += (list.empty() ? "" : ", ") + images[i];
    }
    if (images.size() > kMaxImages) list += " …";
    out.push_back({Kind::service, services ? Severity::may_fail : Severity::note, "",
                   shown(file.path),
                   "starts " + (list.empty() ? std::string("containers") : list) +
                       " elsewhere; the sandbox has none of it, if tests need it",
                   services ? std::string(kCompared) : ""});
  }
}

}  // namespace

void look_at_services(const Facts& facts, std::vector<Obstacle>& out) {
  look_at_packages(facts, out);
  look_at_test_scripts(facts, out);
  look_at_compose(facts, out);
}

}  // namespace cg::preflight
