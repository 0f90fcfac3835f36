// Fixing one copy: the strategies, each of them a try that is taken back if it fails.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fix/plan/input.h"
#include "fix/plan/market.h"
#include "fix/plan/words.h"
#include "npm/resolve/place.h"

namespace cg::plan {

/// Overrides come when nothing else moves any more: one of them speaks of many copies.
enum class Force { none, overrides };

class Fixing {
 public:
  Fixing(const Input& input, resolve::Tree& tree)
      : input_(input),
        tree_(tree),
        market_(input.source, input.advisories, input.options, installed_in(input.graph)) {}

  /// True if the tree changed such that the copy is safe or gone.
  bool fix(resolve::CopyId id, Force force);
  /// Alive, and an advisory speaks of it.
  [[nodiscard]] bool is_vulnerable(resolve::CopyId id);

  [[nodiscard]] const std::vector<Fix>& fixes() const { return fixes_; }
  [[nodiscard]] const std::vector<OverrideNote>& notes() const { return notes_; }
  [[nodiscard]] const Attempt& attempt(resolve::CopyId id) { return attempts_[id]; }
  /// The fix that changed or removed the copy last; 1-based, 0 if none did.
  [[nodiscard]] std::size_t fix_of(resolve::CopyId id) const;

 private:
  using CopyId = resolve::CopyId;
  using Asker = resolve::Asker;
  /// One version of a package.
  struct Offer {
    Offers* of;
    std::size_t at;
    [[nodiscard]] const semver::Version& version() const { return of->packument().version(at); }
    [[nodiscard]] std::string text() const {
      return of->packument().name() + " " + version().str();
    }
  };
  /// Which releases of a dependent are good enough.
  using Good = std::function<bool(const registry::Release&)>;

  // fixing.cc
  bool stands_aside(CopyId id, Attempt& attempt);
  bool find_safe(CopyId id, Attempt& attempt);
  bool allowed(Strategy strategy) const;
  bool move(CopyId id, const Offer& offer, Attempt& attempt, Strategy strategy);
  void accept(resolve::Tree::Mark mark, CopyId id, Strategy strategy, const char* recipe,
              std::string why);
  void touch_manifest(CopyId id, Fix& fix);
  void note(Attempt& attempt, Strategy strategy, std::string target, std::string answer);
  std::string who(CopyId id) const;
  std::string asks(const Asker& asker) const;
  bool takes(const Asker& asker, const Offer& offer);
  std::vector<Asker> refusing(CopyId id, const Offer& offer);
  [[nodiscard]] Offer offer(std::size_t at) const { return {offers_, at}; }

  // strategies.cc
  bool dedupe(CopyId id);
  bool relock(CopyId id, Attempt& attempt);
  bool bump_direct(CopyId id, Attempt& attempt);
  bool let_importers_take(CopyId id, const Offer& offer);
  void name_blocker(CopyId id, Attempt& attempt);

  // parents.cc
  bool bump_parents(CopyId id, Attempt& attempt);
  bool replace_bundler(CopyId id, Attempt& attempt);
  bool raise(CopyId id, const Good& good, int depth);
  bool raise_askers(CopyId id, const std::vector<Offer>& acceptable, int depth);
  bool land(CopyId id, const std::vector<Offer>& acceptable);
  [[nodiscard]] Good needs_any(resolve::NameId name, const std::vector<Offer>& offers);

  // overrides.cc
  bool override_range(CopyId id, Attempt& attempt);
  bool force(CopyId id, const Offer& offer, Attempt& attempt);
  bool overlap(std::string_view spec, std::string_view other);
  bool add_rule(CopyId id, const Asker& asker, const Offer& offer, Attempt& attempt);
  bool is_worth_it(resolve::Tree::Mark mark, const Offer& offer, Attempt& attempt);
  bool obey_rules(resolve::NameId name, CopyId except);

  const Input& input_;
  resolve::Tree& tree_;
  Market market_;
  std::map<CopyId, Attempt> attempts_;
  std::vector<Fix> fixes_;
  std::vector<OverrideNote> notes_;
  std::map<CopyId, std::size_t> fix_of_;
  std::set<std::string> asked_;  // manifest keys that some fix changed

  // Of the copy being fixed.
  std::size_t first_note_ = 0;  // of the overrides it takes
  Offers* offers_ = nullptr;
  std::vector<std::size_t> safe_;
  std::set<std::string> bounds_;  // at which a search ended
  bool too_far_ = false;          // a dependent was further away than may be raised
};

}  // namespace cg::plan
