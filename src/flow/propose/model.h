// What asking a model takes, opened once for a workflow as request and policy have it.
#pragma once

#include <memory>
#include <string>

#include "flow/cli/config.h"
#include "flow/history/interrupted.h"
#include "flow/job/request.h"
#include "flow/propose/situation.h"
#include "flow/workspace/recording.h"
#include "model/cassette/folder.h"
#include "model/leaf/process_leaf.h"
#include "model/prompt/nonces.h"
#include "model/tiers/asking.h"

namespace cg::propose {

/// Where the ledger of a workflow lies, beneath the workspace.
[[nodiscard]] std::string ledger_path(const std::string& workflow);

/// Events first, then the file: whoever is killed between leaves a log that knows more.
class LedgerFile final : public tiers::Journal {
 public:
  LedgerFile(const workspace::Access& access, workspace::Recording& recording)
      : access_(access), recording_(recording) {}
  [[nodiscard]] Result<Done, Problem> keep(const prompt::Kept& prompt) override;
  [[nodiscard]] Result<Done, Problem> keep(const budget::Ledger& ledger) override;

 private:
  const workspace::Access& access_;
  workspace::Recording& recording_;
};

/// Exchanges from a file, or into one.
class CassetteTape final : public leaf::Tape {
 public:
  CassetteTape(os::Dir folder, std::string file)
      : folder_(std::move(folder)), file_(std::move(file)) {}
  [[nodiscard]] Result<Done, Problem> open();                       // to play
  void start(const std::array<Byte, 32>& seed, std::string model);  // to record
  [[nodiscard]] std::optional<net::Play> find(std::string_view request) override;
  bool keep(const net::Recorded& exchange) override;
  /// Writes what was recorded.
  [[nodiscard]] Result<Done, Problem> finish();

  [[nodiscard]] const cassette::Cassette& cassette() const;
  [[nodiscard]] const std::string& file() const { return file_; }
  /// A question that the tape had no answer to.
  [[nodiscard]] const std::optional<hash::Digest>& missed() const { return missed_; }

 private:
  os::Dir folder_;
  std::string file_;
  std::optional<cassette::Tape> playing_;
  std::optional<cassette::Recorder> recording_;
  std::optional<hash::Digest> missed_;
};

/// All of it; nothing in here moves once it is made.
struct Model {
  std::string name;
  os::SystemRandom random;
  leaf::SystemPause pause;
  std::unique_ptr<CassetteTape> tape;  // null: none
  bool recording = false;
  std::unique_ptr<prompt::NonceSource> nonces;
  std::unique_ptr<leaf::Leaf> leaf;
  std::unique_ptr<tiers::Journal> journal;
  std::unique_ptr<tiers::Asking> asking;
  std::vector<std::string> warnings;

  /// After the last question: what was recorded is written.
  [[nodiscard]] Result<Done, Problem> finish(record::Events& events);
};

/// What one workflow may spend, as policy and request have it.
[[nodiscard]] budget::Caps caps_of(const job::Request& request, const workspace::Policy& policy);
/// That policy names, and what it costs; a Problem if it names none, or no price.
struct Named {
  std::string model;
  Price price;
};
[[nodiscard]] Result<Named, Problem> named_model(const workspace::Policy& policy);

/// One that only says what it would ask: it has no way to anybody, takes no key and writes no
/// ledger. A Problem as open_model() has it.
[[nodiscard]] Result<std::unique_ptr<Model>, Problem> open_mute_model(
    const job::Request& request, const Situation& situation, const workspace::Access& access,
    const history::Interrupted& left, tiers::Retrieval& retrieval, workspace::Recording& recording);

/// A Problem if policy names no model or no price, if what an earlier run spent (`left`) cannot
/// be told, or if a cassette does not hold. Nothing is asked or dialled yet.
[[nodiscard]] Result<std::unique_ptr<Model>, Problem> open_model(
    const job::Request& request, const Situation& situation, const workspace::Access& access,
    const cli::Environment& environment, const history::Interrupted& left,
    tiers::Retrieval& retrieval, workspace::Recording& recording);

}  // namespace cg::propose
