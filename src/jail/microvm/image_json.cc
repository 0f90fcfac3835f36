// image.json: what an image is, as text beside it.
#include "base/base/text.h"
#include "base/json/json.h"
#include "jail/microvm/image.h"

namespace cg::microvm {

namespace {

constexpr const char* kSchema = "codegenie/microvm-image/v1";

json::Value number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

json::Value part_json(const Part& part) {
  return json::Value::Object{{"bytes", number(part.bytes)}, {"sha256", to_hex(part.sha256)}};
}

/// Reads members and remembers the first that is not as it must be.
class Fields {
 public:
  explicit Fields(const json::Value& json) : json_(json) {}

  std::string text(const char* key) {
    const json::Value* found = json_.find(key);
    const std::string* out = found == nullptr ? nullptr : found->as_string();
    if (out == nullptr) return miss(key), std::string();
    return *out;
  }
  std::uint64_t count(const json::Value& of, const char* key) {
    const json::Value* found = of.find(key);
    const auto out = found == nullptr ? std::nullopt : found->as_int();
    if (!out || *out < 0) return miss(key), 0;
    return static_cast<std::uint64_t>(*out);
  }
  std::uint64_t count(const char* key) { return count(json_, key); }
  Part part(const char* key) {
    const json::Value* found = json_.find(key);
    if (found == nullptr) return miss(key), Part{};
    const json::Value* digest = found->find("sha256");
    const std::string* hex = digest == nullptr ? nullptr : digest->as_string();
    const auto parsed = hex == nullptr ? std::nullopt : hash::parse_digest(*hex);
    if (!parsed) return miss(key), Part{};
    return {*parsed, count(*found, "bytes")};
  }
  void miss(const char* key) {
    if (missed_.empty()) missed_ = key;
  }
  [[nodiscard]] const std::string& missed() const { return missed_; }

 private:
  const json::Value& json_;
  std::string missed_;
};

}  // namespace

std::string write_image(const Image& image) {
  return json::write_json_pretty(
      json::Value::Object{{"schema", kSchema},
                          {"files", number(image.files)},
                          {"init", part_json(image.init)},
                          {"initramfs", part_json(image.initramfs)},
                          {"kernel", part_json(image.kernel)},
                          {"kernel_release", image.kernel_release},
                          {"kernel_source", printable(image.kernel_source)},
                          {"made", to_iso(image.made)},
                          {"node", image.node},
                          {"npm", image.npm}});
}

Result<Image, std::string> parse_image(std::string_view text) {
  const auto json = json::parse_json(text);
  if (!json) return fail(json::describe(json.error()));
  Fields fields(*json);
  Image image;
  if (fields.text("schema") != kSchema) fields.miss("schema");
  image.files = fields.count("files");
  image.init = fields.part("init");
  image.initramfs = fields.part("initramfs");
  image.kernel = fields.part("kernel");
  image.kernel_release = printable(fields.text("kernel_release"));
  image.kernel_source = printable(fields.text("kernel_source"));
  image.node = printable(fields.text("node"));
  image.npm = printable(fields.text("npm"));
  const auto made = parse_iso(fields.text("made"));
  if (made) image.made = *made;
  if (!made) fields.miss("made");
  if (!fields.missed().empty()) return fail("no or bad `" + fields.missed() + "`");
  return image;
}

}  // namespace cg::microvm
