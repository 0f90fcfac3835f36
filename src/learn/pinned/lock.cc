#include "learn/pinned/lock.h"

#include <algorithm>

#include "base/base/text.h"
#include "base/json/json.h"
#include "base/yaml/yaml.h"
#include "trust/hash/blake3.h"

namespace cg::pinned {

namespace {

using json::Value;

constexpr std::string_view kSchema = "codegenie/embeddings-model-lock/v1";
constexpr std::int64_t kMaxDims = 4096;
constexpr std::int64_t kMaxSelfTest = 10'000;
constexpr std::size_t kMaxName = 100;

std::string at(const Value& value, std::string_view what) {
  return "line " + std::to_string(value.position().line) + ": " + std::string(what);
}

Result<Done, std::string> only(const Value& object, std::initializer_list<std::string_view> known) {
  if (!object.is_object()) return fail(at(object, "expected a map"));
  for (const auto& [key, value] : *object.as_object()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      return fail(at(value, "unknown key `" + printable(cut_utf8(key, 40)) + "`"));
    }
  }
  return Done{};
}

Result<std::int64_t, std::string> whole(const Value& object, std::string_view key, std::int64_t min,
                                        std::int64_t max) {
  const Value* found = object.find(key);
  const auto value = found == nullptr ? std::nullopt : found->as_int();
  if (!value || *value < min || *value > max) {
    return fail(at(object, "`" + std::string(key) + "` must be from " + std::to_string(min) +
                               " to " + std::to_string(max)));
  }
  return *value;
}

Result<std::vector<LockedFile>, std::string> read_files(const Value& all) {
  const Value* list = all.find("files");
  if (list == nullptr || !list->is_array()) return fail(at(all, "`files` must be a list"));
  std::vector<LockedFile> out;
  const auto* next = std::begin(kFileNames);
  for (const Value& item : *list->as_array()) {
    CG_TRY(only(item, {"name", "sha256"}));
    const std::string name = item.text("name");
    next = std::find(next, std::end(kFileNames), name);
    if (next == std::end(kFileNames)) {
      return fail(at(item, "no file of a model, twice, or out of order"));
    }
    ++next;
    const auto digest = hash::parse_digest(item.text("sha256"));
    if (!digest) return fail(at(item, "`sha256` must be 64 hexadecimal digits"));
    out.push_back({name, *digest});
  }
  return out;
}

}  // namespace

std::string_view name(encoder::Precision precision) {
  return precision == encoder::Precision::int8 ? "int8" : "fp32";
}

std::optional<encoder::Precision> parse_precision(std::string_view text) {
  if (text == "fp32") return encoder::Precision::fp32;
  if (text == "int8") return encoder::Precision::int8;
  return std::nullopt;
}

bool is_model_name(std::string_view text) {
  return !text.empty() && text.size() <= kMaxName && printable(text) == text;
}

std::string Lock::id() const {
  constexpr std::size_t kShown = 32;  // digits
  hash::Blake3 all("codegenie 2026 files of an embedding model v1");
  for (const LockedFile& file : files) {
    all.update(to_le64(file.name.size())).update(as_bytes(file.name)).update(file.sha256);
  }
  return "encoder-1/" + std::string(name(precision)) + "/" + to_hex(all.finish()).substr(0, kShown);
}

Result<Lock, std::string> parse_lock(std::string_view text) {
  const auto all = yaml::parse_yaml(text, {kMaxLock, 8, 200});
  if (!all) return fail(json::describe(all.error()));
  CG_TRY(only(*all, {"schema", "model", "dims", "precision", "self_test", "files"}));
  if (all->text("schema") != kSchema) return fail("`schema` must be " + std::string(kSchema));
  Lock out;
  out.model = all->text("model");
  if (!is_model_name(out.model)) {
    return fail(at(*all, "`model` must be a printable text of at most 100 bytes"));
  }
  CG_TRY_ASSIGN(const std::int64_t dims, whole(*all, "dims", 1, kMaxDims));
  out.dims = static_cast<std::size_t>(dims);
  const auto precision = parse_precision(all->text("precision"));
  if (!precision) return fail(at(*all, "`precision` must be fp32 or int8"));
  out.precision = *precision;
  if (all->find("self_test") != nullptr) {
    CG_TRY_ASSIGN(out.self_test, whole(*all, "self_test", -kMaxSelfTest, kMaxSelfTest));
  }
  CG_TRY_ASSIGN(out.files, read_files(*all));
  const auto has = [&](std::string_view wanted) {
    return std::any_of(out.files.begin(), out.files.end(),
                       [&](const LockedFile& file) { return file.name == wanted; });
  };
  if (!has("config.json") || !has("model.safetensors") ||
      (!has("tokenizer.json") && !has("vocab.txt"))) {
    return fail(std::string("it does not name all files that a model needs"));
  }
  return out;
}

std::string write_lock(const Lock& lock) {
  std::string out = "schema: " + std::string(kSchema) +
                    "\nmodel: " + json::write_json(Value(lock.model)) +
                    "\ndims: " + std::to_string(lock.dims) +
                    "\nprecision: " + std::string(name(lock.precision)) + "\n";
  if (lock.self_test) out += "self_test: " + std::to_string(*lock.self_test) + "\n";
  out += "files:\n";
  for (const LockedFile& file : lock.files) {
    out += "  - name: " + file.name + "\n    sha256: \"" + to_hex(file.sha256) + "\"\n";
  }
  return out;
}

std::string write_sbom(const Lock& lock, std::uint64_t parameters) {
  Value::Array files;
  for (const LockedFile& file : lock.files) {
    Value::Array hashes = {Value::Object{{"alg", "SHA-256"}, {"content", to_hex(file.sha256)}}};
    files.emplace_back(
        Value::Object{{"type", "file"}, {"name", file.name}, {"hashes", std::move(hashes)}});
  }
  Value card = Value::Object{
      {"modelParameters",
       Value::Object{{"task", "feature-extraction"},
                     {"architectureFamily", "BERT"},
                     {"inputs", Value::Array{Value::Object{{"format", "string"}}}},
                     {"outputs", Value::Array{Value::Object{
                                     {"format", std::to_string(lock.dims) + " x float32"}}}}}}};
  Value::Array properties = {
      Value::Object{{"name", "codegenie:embedder"}, {"value", lock.id()}},
      Value::Object{{"name", "codegenie:parameters"}, {"value", std::to_string(parameters)}}};
  Value model = Value::Object{{"type", "machine-learning-model"},
                              {"bom-ref", lock.id()},
                              {"name", lock.model},
                              {"modelCard", std::move(card)},
                              {"properties", std::move(properties)},
                              {"components", std::move(files)}};
  return json::write_json_pretty(Value::Object{{"bomFormat", "CycloneDX"},
                                               {"specVersion", "1.5"},
                                               {"version", 1},
                                               {"components", Value::Array{std::move(model)}}});
}

}  // namespace cg::pinned
