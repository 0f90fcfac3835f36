#include "flow/history/kept.h"

#include <algorithm>
#include <map>

#include "base/archive/stream.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "flow/history/entries.h"
#include "flow/history/workflows.h"
#include "flow/workspace/prompts.h"
#include "prove/evidence/bundle.h"
#include "prove/evidence/verify.h"
#include "prove/recall/kept.h"
#include "trust/hash/blake3.h"
#include "trust/hash/sha256.h"

namespace cg::history {

namespace {

using Holds = KeptThing::Holds;

constexpr std::size_t kMostNames = 100'000;
constexpr std::size_t kMostThings = 100;
constexpr std::uint64_t kMostUnpacked = 256U << 20U;
constexpr const char* kSteps = "cache/steps";
constexpr const char* kEvidence = "evidence";

Holds if_holds(bool holds) { return holds ? Holds::yes : Holds::no; }

/// What the streams of all workflows say of digests.
struct Told {
  struct Step {
    std::string step;
    std::vector<hash::Digest> files;  // each run that kept it wrote its own
  };
  std::map<std::string, Step> steps;           // by key
  std::map<std::string, std::string> bundles;  // digest of evidence -> workflow
};

Result<Told, Problem> read_told(const workspace::Access& access) {
  Told out;
  CG_TRY_ASSIGN(const Workflows workflows, read_workflows(access));
  if (workflows.problem) return fail(*workflows.problem);
  for (const Workflow& workflow : workflows.all) {
    CG_TRY_ASSIGN(const auto problem,
                  for_each_entry_of(access, workflow.id, [&](const audit::Held& held) {
                    if (const auto* kept = held.event.as<record::StepKept>()) {
                      Told::Step& step = out.steps[to_hex(kept->key)];
                      step.step = kept->step;
                      step.files.push_back(kept->digest);
                    }
                    if (const auto* written = held.event.as<record::EvidenceWritten>()) {
                      out.bundles[to_hex(written->digest)] = workflow.id;
                    }
                  }));
    if (problem) return fail(*problem);
  }
  return out;
}

class Search {
 public:
  Search(const workspace::Access& access, std::string_view prefix, const Told& told)
      : access_(access), home_(access.workspace.home), prefix_(prefix), told_(told) {}

  std::vector<KeptThing> run() && {
    prompts();
    steps();
    for (const std::string& name : names(kEvidence)) {
      if (const auto workflow = WorkflowId::parse(name)) bundle(*workflow);
    }
    return std::move(out_);
  }

 private:
  bool is_wanted(std::string_view digest) const { return digest.starts_with(prefix_); }
  std::vector<std::string> names(const std::string& folder) const {
    auto found = home_.list(folder, kMostNames);
    return found ? *std::move(found) : std::vector<std::string>();
  }
  void add(std::string_view digest, std::string what, std::string path, Holds holds) {
    if (out_.size() < kMostThings) {
      out_.push_back({std::string(digest), std::move(what), std::move(path), holds});
    }
  }

  void prompts() {
    for (const std::string& name : names(workspace::kPrompts)) {
      const auto digest = is_wanted(name) ? hash::parse_digest(name) : std::nullopt;
      if (!digest) continue;
      const auto kept = workspace::read_prompt(access_.workspace, *digest);
      add(name, "a question to a model", workspace::prompt_path(*digest),
          if_holds(kept && kept->has_value()));
    }
  }

  void steps() {
    for (const auto& [key, step] : told_.steps) {
      const std::string path = std::string(kSteps) + "/" + key;
      const bool by_file = std::any_of(step.files.begin(), step.files.end(),
                                       [&](const auto& one) { return is_wanted(to_hex(one)); });
      if (!by_file && !is_wanted(key)) continue;
      const auto bytes = home_.read(path, recall::kMaxKeptBytes);
      if (!bytes) continue;  // what is old is removed
      const hash::Digest file = hash::sha256(as_bytes(*bytes));
      const bool vouched =
          std::find(step.files.begin(), step.files.end(), file) != step.files.end();
      if (vouched && !is_wanted(key) && !is_wanted(to_hex(file))) continue;  // of an older run
      add(is_wanted(key) ? key : to_hex(file), "what the step " + step.step + " showed", path,
          if_holds(vouched));
    }
  }

  void bundle(const WorkflowId& workflow) {
    const std::string folder = evidence::folder_of(workflow.str());
    const auto files = evidence::read_bundle(home_, workflow);
    if (!files) return;
    for (const auto& [digest, of] : told_.bundles) {
      if (of != workflow.str() || !is_wanted(digest)) continue;
      add(digest, "the evidence of workflow " + of, folder,
          if_holds(evidence::verify_bundle(*files, {}).breaks.empty()));
    }
    documents(*files, folder);
    printed(*files, folder);
  }

  /// By the digests that the manifest has.
  void documents(const evidence::Files& files, const std::string& folder) {
    const auto manifest = files.find("manifest.json");
    if (manifest == files.end()) return;
    const auto parsed = json::parse_json(manifest->second, {.max_bytes = manifest->second.size()});
    const json::Value* rows = parsed ? parsed->find("files") : nullptr;
    if (rows == nullptr || !rows->is_array()) return;
    for (const json::Value& row : *rows->as_array()) {
      if (!row.is_object()) continue;
      const auto file = files.find(std::string(row.text("path")));
      for (const char* kind : {"sha256", "blake3"}) {
        const std::string digest(row.text(kind));
        if (digest.empty() || !is_wanted(digest)) continue;
        const bool sha = std::string_view(kind) == "sha256";
        const bool holds =
            file != files.end() && digest == to_hex(sha ? hash::sha256(as_bytes(file->second))
                                                        : hash::blake3(as_bytes(file->second)));
        add(digest, "a document of evidence", folder + "/" + std::string(row.text("path")),
            if_holds(holds));
      }
    }
  }

  /// Logs bear the digest of what a step printed.
  void printed(const evidence::Files& files, const std::string& folder) {
    for (const auto& [path, bytes] : files) {
      const std::string_view name = path;
      if (!name.starts_with("logs/") || !name.ends_with(".zst")) continue;
      const std::string digest(name.substr(5, name.find('.') - 5));
      if (!is_wanted(digest) || !hash::parse_digest(digest)) continue;
      const std::string place = folder + "/" + path;
      if (name.ends_with(".part.zst")) {
        add(digest, "the start and the end of what a step printed", place, Holds::unknown);
        continue;
      }
      archive::Limits limits;
      limits.max_output = limits.free_output = kMostUnpacked;
      const auto text = archive::unzstd(bytes, limits);
      add(digest, "what a step printed", place,
          if_holds(text && to_hex(hash::sha256(as_bytes(*text))) == digest));
    }
  }

  const workspace::Access& access_;
  const os::Dir& home_;
  std::string prefix_;
  const Told& told_;
  std::vector<KeptThing> out_;
};

}  // namespace

std::string_view name(KeptThing::Holds holds) {
  switch (holds) {
    case Holds::yes:
      return "yes";
    case Holds::no:
      return "no";
    case Holds::unknown:
      break;
  }
  return "unknown";
}

Result<std::vector<KeptThing>, Problem> kept_under(const workspace::Access& access,
                                                   std::string_view prefix) {
  CG_TRY_ASSIGN(const Told told, read_told(access));
  return Search(access, prefix, told).run();
}

}  // namespace cg::history
