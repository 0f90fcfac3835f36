#include "flow/precedent/precedents.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/base/text.h"
#include "learn/carry/carry.h"
#include "npm/semver/version.h"

namespace cg::precedent {

namespace {

using retrieve::Band;

struct Step {
  std::uint64_t major = 0;
  std::uint64_t minor = 0;  // below 1.0.0, where each may break
  friend bool operator==(const Step&, const Step&) = default;
};

std::optional<Step> step_of(const std::string& text) {
  const auto version = semver::Version::parse(text, {.loose = true});
  if (!version) return std::nullopt;
  return Step{version->major(), version->major() == 0 ? version->minor() : 0};
}

retrieve::Case case_of(const example::Example& lesson, retrieve::Row vector) {
  retrieve::Case out;
  out.partition = lesson.partition;
  out.aliases = lesson.aliases;
  out.aliases.push_back(lesson.advisory);
  out.weaknesses = lesson.weaknesses;
  out.package = lesson.package;
  out.from = lesson.from;
  out.to = lesson.to;
  out.breaks = lesson.breaks;
  out.changed = lesson.changed;
  out.vector = vector;
  return out;
}

void add(std::string& out, std::string_view head, std::string_view text) {
  if (text.empty()) return;
  out += std::string(head) + "\n" + std::string(text) + "\n\n";
}

/// The rules of one example: all of a language together where they can be, and each file's alone.
Result<std::vector<carry::Template>, std::string> patterns_of(const example::Example& example) {
  std::vector<carry::Template> each;
  for (const std::string& text : example.templates) {
    auto one = carry::parse(text);
    if (!one) return fail(one.error());
    each.push_back(*std::move(one));
  }
  std::vector<carry::Template> out;
  for (const syntax::Language language :
       {syntax::Language::javascript, syntax::Language::typescript, syntax::Language::tsx}) {
    std::vector<carry::Template> same;
    for (const carry::Template& one : each) {
      if (one.language == language) same.push_back(one);
    }
    if (same.size() < 2) continue;
    if (auto joined = carry::join(same)) out.push_back(*std::move(joined));
  }
  std::move(each.begin(), each.end(), std::back_inserter(out));
  return out;
}

/// What an example gives for all files, or the first file that it does not fit, and why.
Result<Texts, std::string> carried_over(const example::Example& example, const Texts& files,
                                        const exports::Api* api) {
  CG_TRY_ASSIGN(const std::vector<carry::Template> patterns, patterns_of(example));
  Texts out;
  for (const auto& [path, text] : files) {
    const auto language = syntax::language_of(path);
    std::string why;
    std::optional<std::string> fits;
    for (const carry::Template& one : patterns) {
      if (fits || !language || one.language != *language) continue;
      auto now = carry::apply(one, {text, *language, example.package}, api);
      if (now) {
        fits = *std::move(now);
      } else if (why.empty()) {  // by all rules together, where there are several files of them
        why = carry::describe(now.error());
      }
    }
    if (!fits) {
      return fail(printable(path) + ": " +
                  (why.empty() ? "the example has no rules for its language" : why));
    }
    if (*fits != text) out[path] = *std::move(fits);
  }
  return out;
}

}  // namespace

bool is_same_step(const example::Example& a, const example::Example& b) {
  const auto from = step_of(a.from);
  const auto to = step_of(a.to);
  return a.package == b.package && from && to && from == step_of(b.from) && to == step_of(b.to);
}

std::string text_of(const example::Example& example) {
  // What a model needs most comes first: the end is what is cut.
  std::string out = example.package + " " + example.from + " -> " + example.to + ", " +
                    std::string(name(example.breaks)) + "\n\n";
  for (const example::Site& site : example.sites) {
    if (site.before == site.after) continue;
    add(out, "Before:", site.before);
    add(out, "After:", site.after);
  }
  add(out, "As a diff:", example.plan);
  add(out, "What had changed:", example.difference);
  return std::string(cut_utf8(out, cap_of(SourceKind::rag_retrieved)));
}

Result<std::unique_ptr<Precedents>, Problem> Precedents::open(const workspace::Access& access,
                                                              Look look) {
  std::unique_ptr<Precedents> out(new Precedents());
  if (look == Look::nowhere) return out;
  CG_TRY_ASSIGN(out->embedding_, Embedding::open(access));
  CG_TRY_ASSIGN(out->reader_, rag::Reader::open(access.workspace.home, out->embedding_->id()));
  CG_TRY(out->make_ready());
  return out;
}

void Precedents::warn(const std::string& warning) {
  const auto known = std::find(warnings_.begin(), warnings_.end(), warning);
  if (known == warnings_.end()) warnings_.push_back(warning);
}

/// Of a record that may count and whose vector the store does not have. Where the log has one it
/// has to be that: another kind of processor, or somebody who wrote here, makes another.
Result<std::vector<float>, Problem> Precedents::vector_of(const rag::Record& record) {
  const example::Aspects aspects = aspects_of(record.example);
  if (!record.lost) return embedding_->recall(aspects);
  CG_TRY_ASSIGN(std::vector<float> made, embedding_->embed(aspects));
  if (rag::digest_of(made) == *record.lost) return made;
  warn("solved example " + record.id +
       " is not looked for: its vector was lost, and the one made of it now is not the log's "
       "(codegenie rag rebuild --reembed)");
  return std::vector<float>();
}

Result<Done, Problem> Precedents::make_ready() {
  const std::vector<rag::Record>& records = reader_->records();
  std::vector<retrieve::Candidate> candidates;
  vectors_.reserve(records.size());  // candidates borrow them
  for (const rag::Record& record : records) {
    vectors_.push_back(record.vectors);
    // What cannot be found anyhow costs nothing, however much of it somebody put there.
    if (record.may_count() && vectors_.back().size() != embedding_->dims()) {
      CG_TRY_ASSIGN(vectors_.back(), vector_of(record));
    }
    candidates.push_back(
        {record.id, record.example, vectors_.back(),
         record.may_count() ? retrieve::Standing::verified : retrieve::Standing::excluded});
  }
  library_.emplace(retrieve::weights_of(embedding_->id()), embedding_->dims(), candidates);
  return Done{};
}

void Precedents::about(const std::string& group, example::Example lesson) {
  lessons_.insert_or_assign(group, std::move(lesson));
}

const example::Example* Precedents::lesson_of(const std::string& group) const {
  const auto found = lessons_.find(group);
  return found == lessons_.end() ? nullptr : &found->second;
}

/// What is told of each record that was looked at, whatever comes of it.
std::optional<retrieve::Retrieved> Precedents::ask(const example::Example& lesson, unsigned attempt,
                                                   record::Events& events) {
  if (!library_) return std::nullopt;
  const auto vector = embedding_->recall(aspects_of(lesson));
  if (!vector) {
    warn("no solved example was looked for: " + vector.error().what);
    return std::nullopt;
  }
  auto answer = library_->ask(case_of(lesson, *vector));
  if (!answer) {
    warn("no solved example was looked for: " + answer.error());
    return std::nullopt;
  }
  std::map<std::string_view, rag::Provenance> status;  // the log's come first
  for (const rag::Record& record : reader_->records()) status.emplace(record.id, record.status);
  std::vector<rag::Seen> seen;
  for (const retrieve::Looked& one : answer->looked_at) {
    seen.push_back({std::string(one.id), static_cast<double>(one.similarity) / retrieve::kWhole,
                    status[one.id]});
  }
  if (!seen.empty()) {
    events.emplace_back(
        rag::query_event(std::move(seen), lesson.advisory, attempt, embedding_->id()));
  }
  for (record::Event& event :
       rag::excluded(reader_->all(lesson.partition), lesson.advisory, attempt)) {
    events.push_back(std::move(event));
  }
  return *std::move(answer);
}

std::vector<tiers::Example> Precedents::nearest(const tiers::Question& question, unsigned attempt,
                                                record::Events& events) {
  std::vector<tiers::Example> out;
  const example::Example* lesson = lesson_of(question.group);
  if (lesson == nullptr) return out;
  const auto answer = ask(*lesson, attempt, events);
  if (!answer) return out;
  for (const retrieve::Near& near : answer->nearest) {
    if (near.band == Band::miss) continue;
    out.push_back({std::string(near.id), retrieve::thousandths(near.score.score),
                   near.band == Band::degraded, text_of(*near.example)});
  }
  return out;
}

Carrying Precedents::carry(const std::string& group, const Texts& files, const exports::Api* api,
                           unsigned attempt, record::Events& events) {
  Carrying out;
  const example::Example* lesson = lesson_of(group);
  if (!reader_ || lesson == nullptr || files.empty()) return out;
  std::vector<const rag::Record*> fitting;
  for (const rag::Record& record : reader_->records()) {
    const example::Example& known = record.example;
    if (record.may_count() && known.worked && known.partition == lesson->partition &&
        !known.templates.empty() && is_same_step(known, *lesson)) {
      fitting.push_back(&record);
    }
  }
  if (fitting.empty()) return out;
  // The newest first: it was proven with what is published now.
  std::sort(fitting.begin(), fitting.end(),
            [](const rag::Record* a, const rag::Record* b) { return a->seq > b->seq; });
  for (const rag::Record* record : fitting) {
    auto texts = carried_over(record->example, files, api);
    if (!texts) {
      out.refusals.push_back(record->id + ": " + texts.error());
      continue;
    }
    events.emplace_back(record::RagHit{lesson->advisory, attempt, record->id, "1.000",
                                       std::string(record::kCarried)});
    out.carried = Carried{record->id, record->example.workflow, *std::move(texts)};
    break;
  }
  return out;
}

}  // namespace cg::precedent
