#include "flow/precedent/teaching.h"

#include <span>
#include <utility>

#include "base/os/ports.h"
#include "flow/precedent/aspects.h"
#include "learn/rag/writer.h"

namespace cg::precedent {

namespace {

Result<std::vector<std::string>, Problem> write_all(const workspace::Access& access,
                                                    const workspace::Policy& policy,
                                                    const std::string& workflow, Lessons& lessons,
                                                    record::Events& events) {
  os::SystemClock clock;
  CG_TRY_ASSIGN(audit::Log log, workspace::open_log(access, clock));
  const rag::Weak weak =
      policy.learn_weak == workspace::LearnWeak::allow ? rag::Weak::allow : rag::Weak::refuse;
  CG_TRY_ASSIGN(rag::Writer writer, rag::Writer::open(access.workspace.home, log, weak));
  CG_TRY_ASSIGN(Embedding embedding, Embedding::open(access));
  std::vector<std::string> out;
  rag::Vectors vectors;
  const auto note = [&](const rag::Written& written,
                        const example::Example& example) -> Result<Done, Problem> {
    if (written.known || written.id.empty()) return Done{};
    CG_TRY_ASSIGN(vectors[written.id], embedding.embed(aspects_of(example)));
    out.push_back(written.id);
    return Done{};
  };
  for (Lesson& one : lessons.lessons) {
    one.example.workflow = workflow;
    const std::span<const gate::Passed> proof(one.proof);
    CG_TRY_ASSIGN(const rag::Written written,
                  writer.write(one.example, proof.front(), proof.subspan(1), one.attempt, events));
    CG_TRY(note(written, one.example));
  }
  for (Mistake& one : lessons.mistakes) {
    one.example.workflow = workflow;
    CG_TRY_ASSIGN(const rag::Written written,
                  writer.write_failed(one.example, one.failed, one.attempt, events));
    CG_TRY(note(written, one.example));
  }
  if (!vectors.empty()) CG_TRY(writer.keep_vectors(embedding.id(), vectors));
  return out;
}

}  // namespace

std::vector<std::string> teach(const workspace::Access& access, const workspace::Policy& policy,
                               const std::string& workflow, Lessons lessons, record::Events& events,
                               std::vector<std::string>& warnings) {
  auto written = write_all(access, policy, workflow, lessons, events);
  if (written) return *std::move(written);
  warnings.push_back("nothing was learned: " + written.error().what);
  return {};
}

}  // namespace cg::precedent
