// codegenie embeddings embed
#include <charconv>
#include <memory>

#include "base/base/text.h"
#include "base/json/json.h"
#include "commands.h"
#include "commands/embeddings/pinning.h"
#include "commands/fence/payloads.h"
#include "learn/pinned/cache.h"

namespace cg::program {

namespace {

using cli::Format;
using json::Value;

constexpr const char* kEmbedUse = "codegenie embeddings embed --help";

struct Embedded {
  std::string embedder;
  std::size_t dims = 0;
  std::vector<encoder::Ids> ids;
  std::vector<embedding::Vector> vectors;
  std::size_t rejected = 0;
};

/// The shortest number that reads back as the same float.
double short_double(float value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  double out = 0;
  std::from_chars(text.data(), end.ptr, out);
  return out;
}

Value to_json(const Embedded& all, std::size_t index) {
  Value::Array ids;
  for (const std::uint32_t id : all.ids[index]) ids.push_back(number(id));
  Value::Array vector;
  for (const float x : all.vectors[index]) vector.emplace_back(short_double(x));
  return Value::Object{{"input_ids", std::move(ids)}, {"embedding", std::move(vector)}};
}

std::string to_text(const Embedded& all, Format format) {
  if (format == Format::jsonl) {
    std::string out;
    for (std::size_t i = 0; i < all.ids.size(); ++i)
      out += json::write_json(to_json(all, i)) + "\n";
    return out;
  }
  Value::Array texts;
  for (std::size_t i = 0; i < all.ids.size(); ++i) texts.push_back(to_json(all, i));
  return json_text(Value::Object{{"schema", "codegenie/embeddings-embed/v1"},
                                 {"embedder", all.embedder},
                                 {"dims", number(all.dims)},
                                 {"texts", std::move(texts)}},
                   format);
}

Result<pinned::Model, Problem> named_model(const cli::Invocation& invocation) {
  const auto precision = pinned::parse_precision(invocation.value("precision").value_or("fp32"));
  return pinned::open_unpinned(*invocation.value("model"),
                               precision.value_or(encoder::Precision::fp32));
}

Result<Embedded, Problem> embed_all(const cli::Invocation& invocation, const Session& session,
                                    const std::vector<Payload>& payloads) {
  std::vector<std::string_view> texts;
  for (const Payload& payload : payloads) texts.push_back(payload.text);
  const auto read = [&](const pinned::Model& model) {
    Embedded out{std::string(model.id()), model.dims(), {}, {}, 0};
    for (const std::string_view text : texts) out.ids.push_back(model.ids(text));
    return out;
  };
  if (invocation.value("model")) {
    CG_TRY_ASSIGN(pinned::Model model, named_model(invocation));
    Embedded out = read(model);
    CG_TRY_ASSIGN(out.vectors, model.embed(texts));
    return out;
  }
  if (invocation.value("precision")) {
    return fail(bad_value("--precision is for --model; a pinned model has its own", kEmbedUse));
  }
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(pinned::Model model, open_pinned(access));
  Embedded out = read(model);
  pinned::Cache cache(model, access.workspace.home);
  CG_TRY_ASSIGN(out.vectors, cache.embed(texts));
  out.rejected = cache.counts().rejected;
  return out;
}

Result<Report, Problem> run_embed(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(const std::string input,
                read_input(invocation.argument(0).value_or(""), kEmbedUse));
  CG_TRY_ASSIGN(const std::vector<Payload> payloads, parse_payloads(input, kEmbedUse));
  CG_TRY_ASSIGN(Embedded embedded, embed_all(invocation, session, payloads));
  const auto all = std::make_shared<const Embedded>(std::move(embedded));
  Report report;
  report.render = [all](Format format, const cli::Style&) { return to_text(*all, format); };
  if (all->rejected > 0) {
    report.warnings = {counted(all->rejected, "entry", "entries") +
                       " of the cache did not hold and was made anew: " + pinned::kCache};
  }
  return report;
}

}  // namespace

Entry embeddings_embed_command() {
  return {
      {.path = {"embeddings", "embed"},
       .summary = "Make vectors of texts",
       .about = {"Reads JSON Lines, each with `text`, from a file or standard input, and prints a "
                 "line for each with the `input_ids` that the model was given and the `embedding` "
                 "that it made of them, which is one long.",
                 "Without --model it is the model that the workspace has pinned, and vectors are "
                 "kept in cache/embeddings of the workspace. With it, that of a folder, which "
                 "nothing vouches for; no workspace is needed."},
       .arguments = {{.name = "FILE",
                      .help = "the texts; standard input without it",
                      .presence = cli::Presence::optional}},
       .flags = {{.name = "model", .value_name = "DIR", .help = "the folder of another model"},
                 {.name = "precision",
                  .value_name = "KIND",
                  .choices = {"fp32", "int8"},
                  .help = "how that one computes; fp32 by default"}},
       .formats = {Format::jsonl, Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard,
                 ExitCode::unavailable},
       .examples = {{"codegenie embeddings embed texts.jsonl", "with the pinned model"},
                    {"codegenie embeddings embed texts.jsonl --model all-MiniLM-L6-v2",
                     "with any"}}},
      run_embed};
}

}  // namespace cg::program
