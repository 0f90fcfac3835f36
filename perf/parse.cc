// Rows 7 and 8: reading lockfiles into our graph, against node, simdjson and libyaml.
#include <malloc.h>
#include <simdjson.h>
#include <yaml.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/base/text.h"
#include "base/yaml/reader.h"
#include "npm/lockfile/lock.h"
#include "perf.h"

namespace {

using namespace cg;
using namespace cg::perf;
namespace fs = std::filesystem;

constexpr int kRounds = 10;  // a measured body reads the text this often

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) give_up("cannot read " + path.string());
  return text.str();
}

/// Every body reads its own copy, as a file is read once.
void read_npm(const std::string& text) {
  for (int i = 0; i < kRounds; ++i) {
    const auto graph = lockfile::read_package_lock(npm::LockKind::package_lock, text, nullptr);
    if (!graph || graph->nodes().size() < 100) give_up("the lock was not read");
  }
}

void read_pnpm(const std::string& text) {
  for (int i = 0; i < kRounds; ++i) {
    const auto graph = lockfile::read_pnpm_lock(text);
    if (!graph || graph->nodes().size() < 100) give_up("the lock was not read");
  }
}

void read_events(const std::string& text) {
  for (int i = 0; i < kRounds; ++i) {
    yaml::YamlReader reader(text, {.max_bytes = text.size(), .max_nodes = text.size()});
    std::size_t events = 0;
    while (reader.next().type != yaml::YamlEvent::Type::stream_end) {
      if (reader.event().type == yaml::YamlEvent::Type::failed) give_up("the YAML was not read");
      ++events;
    }
    if (events < 1000) give_up("the YAML was not read");
  }
}

void read_libyaml(const std::string& text) {
  for (int i = 0; i < kRounds; ++i) {
    yaml_parser_t parser;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
    bool end = false;
    while (!end) {
      yaml_event_t event;
      if (yaml_parser_parse(&parser, &event) == 0) give_up("libyaml failed");
      end = event.type == YAML_STREAM_END_EVENT;
      yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
  }
}

/// Goes over every value, as a reader that builds nothing must.
void walk(simdjson::ondemand::value value) {
  switch (value.type().value_unsafe()) {
    case simdjson::ondemand::json_type::object:
      for (auto field : value.get_object()) {
        static_cast<void>(field.unescaped_key());
        walk(field.value());
      }
      break;
    case simdjson::ondemand::json_type::array:
      for (auto item : value.get_array()) walk(item.value_unsafe());
      break;
    default:
      static_cast<void>(value.raw_json_token());
  }
}

void read_simdjson(const std::string& text) {
  for (int i = 0; i < kRounds; ++i) {
    simdjson::ondemand::parser parser;
    const simdjson::padded_string padded(text);
    auto document = parser.iterate(padded);
    for (auto field : document.get_object()) walk(field.value());
  }
}

Pair measured(std::size_t repeats, const std::function<void()>& ours,
              const std::function<void()>& other) {
  const auto costs =
      interleave(repeats, {[&] { return cost_of(ours); }, [&] { return cost_of(other); }});
  return {summary(costs[0], Clock::cpu), summary(costs[1], Clock::cpu)};
}

/// node reads the file itself and times JSON.parse alone; best and median of its rounds,
/// for as many rounds as one of our bodies has.
Summary node_parse(const std::string& node, const fs::path& file, std::size_t repeats) {
  const std::string script =
      "const t=require('fs').readFileSync(process.argv[1],'utf8');const s=[];"
      "for(let i=0;i<" +
      std::to_string(repeats + 5) +
      ";i++){const c=process.cpuUsage();"
      "for(let k=0;k<" +
      std::to_string(kRounds) +
      ";k++)JSON.parse(t);"
      "const u=process.cpuUsage(c);if(i>=5)s.push((u.user+u.system)/1e6)}"
      "s.sort((a,b)=>a-b);console.log(s[0]+' '+s[s.length>>1])";
  std::istringstream out(output_of({node, "-e", script, file}));
  Summary summary;
  out >> summary.min >> summary.median;
  return summary;
}

}  // namespace

int main(int argc, char** argv) {
  // Memory that was freed stays with the process, for all of us: node's heap is warm too,
  // and what the kernel takes to hand out a page is not reading.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  const Arguments arguments(argc, argv, {"--quick"}, {"--repeats"});
  const std::size_t repeats = arguments.number("--repeats", arguments.has("--quick") ? 2 : 31);
  const Bar four_times{Bar::Kind::at_least, 4};
  const Bar half{Bar::Kind::at_least, 0.5};
  const Bar as_fast{Bar::Kind::at_least, 1};
  const char* data = std::getenv("CG_DATA");
  if (data == nullptr) {
    report_absent({"7", "package-lock to graph", "node JSON.parse", four_times}, "no CG_DATA");
    report_absent({"8", "pnpm-lock to graph", "libyaml events", as_fast}, "no CG_DATA");
    return 0;
  }
  const fs::path repos = fs::path(data) / "repos";
  const auto node = find_program("node");
  for (const char* name : {"HabitRPG__habitica", "facebook__create-react-app", "lerna__lerna"}) {
    const fs::path file = repos / name / "package-lock.json";
    const std::string text = slurp(file);
    const Row row{"7", std::string("lock to graph, ") + name, "node JSON.parse", four_times};
    const auto ours = [&] {
      const auto costs = interleave(repeats, {[&] { return cost_of([&] { read_npm(text); }); }});
      return summary(costs[0], Clock::cpu);
    };
    if (node) {
      report(row, [&] { return Pair{ours(), node_parse(*node, file, repeats)}; });
    } else {
      report_absent(row, "node is not in $PATH");
    }
    report({"7", std::string("stretch: ") + name, "bare simdjson", half}, [&] {
      return measured(
          repeats, [&] { read_npm(text); }, [&] { read_simdjson(text); });
    });
  }
  const std::string ghost = slurp(repos / "TryGhost__Ghost" / "pnpm-lock.yaml");
  report({"8", "YAML events, Ghost's pnpm-lock", "libyaml events", as_fast}, [&] {
    return measured(
        repeats, [&] { read_events(ghost); }, [&] { read_libyaml(ghost); });
  });
  report({"8", "pnpm-lock to graph, Ghost", "libyaml events", as_fast}, [&] {
    return measured(
        repeats, [&] { read_pnpm(ghost); }, [&] { read_libyaml(ghost); });
  });
}
