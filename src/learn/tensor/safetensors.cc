#include "learn/tensor/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/base/bytes.h"
#include "base/base/text.h"
#include "base/json/json.h"

namespace cg::tensor {

namespace {

using json::Value;

constexpr json::Limits kLimits = {kMaxHeader, 8, kMaxTensors * 16};
constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 40U;  // of numbers, in one tensor

Failure<Error> wrong(std::string what) { return fail(Error{std::move(what)}); }

struct KindRow {
  std::string_view name;
  Kind kind;
  std::uint64_t width;
};
constexpr std::array<KindRow, 15> kKinds = {{{"F32", Kind::f32, 4},
                                             {"F16", Kind::f16, 2},
                                             {"BF16", Kind::bf16, 2},
                                             {"F64", Kind::other, 8},
                                             {"I64", Kind::other, 8},
                                             {"U64", Kind::other, 8},
                                             {"I32", Kind::other, 4},
                                             {"U32", Kind::other, 4},
                                             {"I16", Kind::other, 2},
                                             {"U16", Kind::other, 2},
                                             {"I8", Kind::other, 1},
                                             {"U8", Kind::other, 1},
                                             {"BOOL", Kind::other, 1},
                                             {"F8_E4M3", Kind::other, 1},
                                             {"F8_E5M2", Kind::other, 1}}};

std::string words(std::span<const std::uint64_t> shape) {
  std::string out = "[";
  for (const std::uint64_t size : shape) {
    out += (out.size() > 1 ? ", " : "") + std::to_string(size);
  }
  return out + "]";
}

std::optional<std::vector<std::uint64_t>> read_numbers(const Value* value, std::size_t max) {
  const Value::Array* items = value == nullptr ? nullptr : value->as_array();
  if (items == nullptr || items->size() > max) return std::nullopt;
  std::vector<std::uint64_t> out;
  for (const Value& item : *items) {
    const auto number = item.as_int();
    if (!number || *number < 0) return std::nullopt;
    out.push_back(static_cast<std::uint64_t>(*number));
  }
  return out;
}

Result<Tensor, Error> read_tensor(const std::string& name, const Value& value,
                                  std::string_view numbers) {
  const std::string shown = "tensor `" + printable(cut(name, 80)) + "`: ";
  const std::string kind_name = value.is_object() ? value.text("dtype") : "";
  const auto* row = std::find_if(kKinds.begin(), kKinds.end(),
                                 [&](const KindRow& one) { return one.name == kind_name; });
  if (row == kKinds.end()) return wrong(shown + "its dtype is none that is known");
  const auto shape = read_numbers(value.find("shape"), kMaxDims);
  if (!shape) return wrong(shown + "its shape is no list of at most 8 sizes");
  std::uint64_t count = 1;
  for (const std::uint64_t size : *shape) {
    if (size != 0 && count > kMaxCount / size) return wrong(shown + "its shape is too large");
    count *= size;
  }
  const auto offsets = read_numbers(value.find("data_offsets"), 2);
  if (!offsets || offsets->size() != 2 || (*offsets)[0] > (*offsets)[1]) {
    return wrong(shown + "its data_offsets are no two places in order");
  }
  if ((*offsets)[1] > numbers.size()) return wrong(shown + "it ends past the end of the file");
  const std::uint64_t bytes = (*offsets)[1] - (*offsets)[0];
  if (bytes != count * row->width) {
    return wrong(shown + kind_name + " " + words(*shape) + " takes " +
                 std::to_string(count * row->width) + " bytes, and it has " +
                 std::to_string(bytes));
  }
  return Tensor{
      name, row->kind, kind_name, *shape,
      numbers.substr(static_cast<std::size_t>((*offsets)[0]), static_cast<std::size_t>(bytes))};
}

/// Side by side from the first byte to the last.
Result<Done, Error> check_places(const std::vector<Tensor>& tensors, std::string_view numbers) {
  std::vector<const Tensor*> order;
  for (const Tensor& tensor : tensors) order.push_back(&tensor);
  std::sort(order.begin(), order.end(), [](const Tensor* a, const Tensor* b) {
    return a->bytes.data() != b->bytes.data() ? a->bytes.data() < b->bytes.data()
                                              : a->bytes.size() < b->bytes.size();
  });
  const char* end = numbers.data();
  for (const Tensor* tensor : order) {
    const std::string shown = "tensor `" + printable(cut(tensor->name, 80)) + "` ";
    if (tensor->bytes.data() < end) return wrong(shown + "overlaps another one");
    if (tensor->bytes.data() > end) return wrong("bytes before " + shown + "belong to none");
    end += tensor->bytes.size();
  }
  if (end != numbers.data() + numbers.size()) return wrong("bytes at the end belong to no tensor");
  return Done{};
}

float from_half(std::uint32_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16U;
  const std::uint32_t rest = half & 0x7FFFU;
  if (rest >= 0x7C00U) return std::bit_cast<float>(sign | 0x7F800000U | (rest & 0x3FFU) << 13U);
  if (rest >= 0x400U) return std::bit_cast<float>(sign | ((rest << 13U) + (112U << 23U)));
  const float small = static_cast<float>(rest) * 0x1p-24F;
  return sign != 0 ? -small : small;
}

template <class T>
T number_at(const Tensor& tensor, std::size_t index) {
  T out;
  std::memcpy(&out, tensor.bytes.data() + index * sizeof(T), sizeof(T));
  return out;
}

/// An exponent of ones: infinite, or no number.
template <class T>
bool all_finite(const Tensor& tensor, T exponent) {
  unsigned bad = 0;
  const std::size_t count = tensor.bytes.size() / sizeof(T);
  for (std::size_t i = 0; i < count; ++i) {
    bad |= (number_at<T>(tensor, i) & exponent) == exponent ? 1U : 0U;
  }
  return bad == 0;
}

}  // namespace

std::size_t Tensor::count() const {
  std::uint64_t out = 1;
  for (const std::uint64_t size : shape) out *= size;
  return static_cast<std::size_t>(out);
}

Result<Safetensors, Error> Safetensors::parse(std::string_view bytes) {
  if (bytes.size() < 8) return wrong("shorter than its first 8 bytes");
  std::array<Byte, 8> first{};
  std::memcpy(first.data(), bytes.data(), first.size());
  const std::uint64_t size = from_le64(first);
  if (size > kMaxHeader) return wrong("its header claims to be larger than 16 MiB");
  if (size > bytes.size() - 8) return wrong("its header claims to be larger than the file");
  const std::string_view numbers = bytes.substr(8 + static_cast<std::size_t>(size));
  const auto header = json::parse_json(bytes.substr(8, static_cast<std::size_t>(size)), kLimits);
  if (!header) return wrong("its header: " + json::describe(header.error()));
  if (!header->is_object()) return wrong("its header is no object");
  Safetensors out;
  for (const auto& [name, value] : *header->as_object()) {
    if (name == "__metadata__") continue;
    if (out.tensors_.size() == kMaxTensors) return wrong("more than 20,000 tensors");
    CG_TRY_ASSIGN(Tensor tensor, read_tensor(name, value, numbers));
    out.tensors_.push_back(std::move(tensor));
  }
  CG_TRY(check_places(out.tensors_, numbers));
  std::sort(out.tensors_.begin(), out.tensors_.end(),
            [](const Tensor& a, const Tensor& b) { return a.name < b.name; });
  return out;
}

const Tensor* Safetensors::find(std::string_view name) const {
  const auto at = std::lower_bound(
      tensors_.begin(), tensors_.end(), name,
      [](const Tensor& tensor, std::string_view wanted) { return tensor.name < wanted; });
  return at != tensors_.end() && at->name == name ? &*at : nullptr;
}

Result<const Tensor*, Error> Safetensors::need(const std::string& name,
                                               std::span<const std::uint64_t> shape) const {
  const Tensor* tensor = find(name);
  if (tensor == nullptr) return wrong("there is no tensor `" + printable(name) + "`");
  if (tensor->kind == Kind::other) {
    return wrong("tensor `" + printable(name) + "` is " + tensor->kind_name +
                 ", not F32, F16 or BF16");
  }
  if (!std::equal(shape.begin(), shape.end(), tensor->shape.begin(), tensor->shape.end())) {
    return wrong("tensor `" + printable(name) + "` has the shape " + words(tensor->shape) +
                 ", not " + words(shape));
  }
  return tensor;
}

void widen(const Tensor& tensor, std::size_t from, std::span<float> out) {
  CG_ASSERT(tensor.kind != Kind::other && from + out.size() <= tensor.count());
  if (tensor.kind == Kind::f32) {
    if (!out.empty()) std::memcpy(out.data(), tensor.bytes.data() + 4 * from, 4 * out.size());
    return;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint32_t bits = number_at<std::uint16_t>(tensor, from + i);
    out[i] = tensor.kind == Kind::bf16 ? std::bit_cast<float>(bits << 16U) : from_half(bits);
  }
}

Result<Done, Error> check_finite(const Tensor& tensor) {
  const bool finite = tensor.kind == Kind::f32 ? all_finite<std::uint32_t>(tensor, 0x7F800000U)
                      : tensor.kind == Kind::f16
                          ? all_finite<std::uint16_t>(tensor, std::uint16_t{0x7C00})
                          : all_finite<std::uint16_t>(tensor, std::uint16_t{0x7F80});
  if (finite) return Done{};
  return wrong("tensor `" + printable(tensor.name) + "` has a value that is infinite or no number");
}

Result<Done, Error> widen_all(const Tensor& tensor, std::span<float> out) {
  CG_TRY(check_finite(tensor));
  widen(tensor, 0, out);
  return Done{};
}

}  // namespace cg::tensor
