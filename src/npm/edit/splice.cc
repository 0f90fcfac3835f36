#include "npm/edit/splice.h"

#include <algorithm>
#include <iterator>

#include "base/json/canonical.h"
#include "base/json/json.h"

namespace cg::edit {

namespace {

constexpr std::size_t kMaxDepth = 200;  // as the reader of locks has it
constexpr std::string_view kSpace = " \t\r\n";

json::Limits limits_for(std::string_view text) {
  return {.max_bytes = text.size(), .max_depth = kMaxDepth, .max_nodes = text.size() + 1};
}

/// The last line of a gap with its line end; a gap on one line as it is.
std::string last_line(std::string_view gap) {
  const std::size_t at = gap.rfind('\n');
  if (at == std::string_view::npos) return std::string(gap);
  return std::string(gap.substr(at > 0 && gap[at - 1] == '\r' ? at - 1 : at));
}

bool breaks(std::string_view gap) { return gap.find('\n') != std::string_view::npos; }

}  // namespace

const Member* Object::find(std::string_view key) const {
  const auto at = std::find_if(members.begin(), members.end(),
                               [&](const Member& member) { return member.key == key; });
  return at == members.end() ? nullptr : &*at;
}

Splicer::Splicer(std::string_view text) : text_(text), reader_(text, limits_for(text)) {}

Object Splicer::read(std::uint32_t value) {
  Object object;
  reader_.rewind(value);
  object.open = reader_.next_offset();
  if (reader_.peek() != json::JsonReader::Kind::object) return object;
  json::JsonReader::Key key;
  if (!reader_.begin_object_of_known_keys()) return object;
  while (reader_.next_key(key)) {
    Member& member = object.members.emplace_back();
    member.key = key.text;
    member.begin = key.offset;
    member.value = reader_.next_offset();
    if (!reader_.skip()) break;
    member.end = reader_.end_offset();
  }
  object.end = reader_.end_offset();
  return object;
}

std::uint32_t Splicer::value_behind(std::uint32_t key) {
  std::string_view ignored;
  reader_.rewind(key);
  if (!reader_.read_string(ignored)) return key;
  const std::size_t value =
      text_.find_first_not_of(kSpace, text_.find(':', reader_.end_offset()) + 1);
  return static_cast<std::uint32_t>(std::min(value, text_.size() - 1));
}

Value Splicer::value(const Member& member) const {
  const std::string_view written = text_.substr(member.value, member.end - member.value);
  auto parsed = json::parse_json(written, limits_for(written));
  return parsed ? *std::move(parsed) : Value();
}

void Splicer::change(std::uint32_t begin, std::uint32_t end, std::string text) {
  changes_.push_back({{begin, end}, std::move(text)});
}

Result<std::string, EditError> Splicer::finish() && {
  auto out = lockfile::rewrite(text_, std::move(changes_));
  if (!out) return fail(EditError{EditError::Kind::shape, "two changes of the same place"});
  return *std::move(out);
}

std::string_view Splicer::space_before(std::uint32_t offset) const {
  std::size_t begin = offset;
  while (begin > 0 && kSpace.find(text_[begin - 1]) != std::string_view::npos) --begin;
  return text_.substr(begin, offset - begin);
}

/// From the first member of all: nothing nearer says how deep one step is.
void Splicer::learn_layout() {
  if (learnt_) return;
  learnt_ = true;
  const std::size_t key = text_.find('"');
  const std::size_t colon = text_.find("\":", key == std::string_view::npos ? 0 : key);
  const bool spaced = colon != std::string_view::npos && text_.substr(colon + 2, 1) == " ";
  colon_ = spaced ? ": " : ":";
  if (key == std::string_view::npos) return;
  const std::string gap = last_line(space_before(static_cast<std::uint32_t>(key)));
  unit_ = breaks(gap) ? gap.substr(gap.find('\n') + 1) : "  ";
  if (breaks(gap)) colon_ = ": ";
}

std::string Splicer::gap_of(const Object& object) {
  learn_layout();
  if (!object.members.empty()) {
    const std::string gap = last_line(space_before(object.members.back().begin));
    // The first of a line has no space before it, the second would have.
    return gap.empty() && object.members.size() == 1 && colon_.size() > 1 ? " " : gap;
  }
  // As deep as the line that it opens on, and one step more.
  const std::string outer = closing_gap(object);
  if (!outer.empty()) return outer + unit_;
  return colon_.size() > 1 ? " " : "";
}

std::string Splicer::closing_gap(const Object& object) {
  const std::size_t line = text_.rfind('\n', object.open);
  if (line == std::string_view::npos) return "";
  const std::size_t end = std::min(text_.find_first_not_of(" \t", line + 1), text_.size());
  const bool carriage = line > 0 && text_[line - 1] == '\r';
  std::string gap(text_.substr(carriage ? line - 1 : line, carriage ? 2 : 1));
  gap += text_.substr(line + 1, end - line - 1);
  return gap;
}

void Splicer::print_to(std::string& out, const Value& value, std::string_view gap) {
  const bool lines = breaks(gap);
  const std::string inner = std::string(gap) + (lines ? unit_ : "");
  const auto separate = [&](bool first) {
    if (!first) out += ',';
    if (lines || !first) out += inner;
  };
  if (const auto* object = value.as_object(); object != nullptr && !object->empty()) {
    out += '{';
    bool first = true;
    for (const auto& [key, member] : *object) {
      separate(first);
      first = false;
      out += print(key, member, inner);
    }
    if (lines) out += gap;
    out += '}';
  } else if (const auto* array = value.as_array(); array != nullptr && !array->empty()) {
    out += '[';
    for (std::size_t i = 0; i < array->size(); ++i) {
      separate(i == 0);
      print_to(out, (*array)[i], inner);
    }
    if (lines) out += gap;
    out += ']';
  } else {
    out += json::write_json(value);
  }
}

std::string Splicer::print(const Value& value, std::string_view gap) {
  learn_layout();
  std::string out;
  print_to(out, value, gap);
  return out;
}

std::string Splicer::print(std::string_view key, const Value& value, std::string_view gap) {
  learn_layout();
  std::string out;
  json::append_canonical_string(out, key);
  out += colon_;
  print_to(out, value, gap);
  return out;
}

Value in_npm_order(const Value& value, Alphabet alphabet) {
  if (const auto* array = value.as_array()) {
    Value::Array items;
    for (const Value& item : *array) items.push_back(in_npm_order(item, alphabet));
    return Value(std::move(items));
  }
  const auto* object = value.as_object();
  if (object == nullptr) return value;
  Value::Object members;
  for (const auto& [key, member] : *object) {
    members.emplace_back(key, in_npm_order(member, alphabet));
  }
  std::stable_sort(members.begin(), members.end(), [&](const auto& a, const auto& b) {
    return compare_members({a.first, a.second.is_object()}, {b.first, b.second.is_object()},
                           alphabet) < 0;
  });
  return Value(std::move(members));
}

bool says_the_same(const Value& a, const Value& b) {
  const auto* left = a.as_object();
  const auto* right = b.as_object();
  if (left == nullptr || right == nullptr) return a == b;
  return left->size() == right->size() &&
         std::all_of(left->begin(), left->end(), [&](const auto& member) {
           const Value* other = b.find(member.first);
           return other != nullptr && says_the_same(member.second, *other);
         });
}

}  // namespace cg::edit

namespace cg::edit {

ObjectEdit::ObjectEdit(Splicer& splicer, const Object& object, Order order)
    : splicer_(splicer), object_(object), order_(order), dropped_(object.members.size(), false) {}

/// Where the fewest members stand on the wrong side: in a sorted object the one right
/// place, in any other a sensible one.
std::size_t ObjectEdit::place_of(const Ranked& wanted) const {
  const std::size_t count = object_.members.size();
  if (order_ == Order::as_is) return count;
  std::ptrdiff_t cost = 0;  // against that of the place before all
  std::ptrdiff_t least = 0;
  std::size_t place = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Member& member = object_.members[i];
    cost +=
        compare_members({member.key, splicer_.is_object(member)}, wanted, splicer_.alphabet()) < 0
            ? -1
            : 1;
    if (cost <= least) {
      least = cost;
      place = i + 1;
    }
  }
  return place;
}

void ObjectEdit::set(std::string_view key, const Value& value) {
  const Member* member = object_.find(key);
  if (member != nullptr) {
    const bool moves = order_ == Order::npm && splicer_.is_object(*member) != value.is_object();
    if (!moves) return become(*member, value);
    drop(key);
  }
  add(key, value);
}

Value ObjectEdit::arranged(const Value& value) const {
  return order_ == Order::npm ? in_npm_order(value, splicer_.alphabet()) : value;
}

void ObjectEdit::add_at(std::size_t place, std::string_view key, const Value& value) {
  additions_.push_back({place, std::string(key), arranged(value)});
}

void ObjectEdit::add(std::string_view key, const Value& value) {
  add_at(place_of({key, value.is_object()}), key, value);
}

void ObjectEdit::add_behind(std::size_t index, std::string_view key, const Value& value) {
  add_at(index + 1, key, value);
}

void ObjectEdit::become(const Member& member, const Value& value) {
  const Value old = splicer_.value(member);
  if (says_the_same(old, value)) return;
  const auto* wanted = value.as_object();
  if (!old.is_object() || wanted == nullptr || wanted->empty()) {
    return splicer_.change(member.value, member.end,
                           splicer_.print(arranged(value), splicer_.gap_of(object_)));
  }
  const Object inner = splicer_.read(member.value);
  ObjectEdit edit(splicer_, inner, order_);
  for (const Member& had : inner.members) {
    if (value.find(had.key) == nullptr) edit.drop(had.key);
  }
  for (const auto& [key, part] : *wanted) edit.set(key, part);
  edit.finish();
}

void ObjectEdit::drop(std::string_view key) {
  const Member* member = object_.find(key);
  if (member != nullptr) dropped_[static_cast<std::size_t>(member - object_.members.data())] = true;
}

bool ObjectEdit::would_lose_all() const {
  return std::find(dropped_.begin(), dropped_.end(), false) == dropped_.end();
}

bool ObjectEdit::would_be_empty() const { return additions_.empty() && would_lose_all(); }

/// Nothing of what was there stays.
void ObjectEdit::finish_all(const std::string& gap) {
  std::string inside;
  const bool lines = gap.find('\n') != std::string::npos;
  for (const Addition& addition : additions_) {
    if (!inside.empty()) inside += ',';
    if (lines || !inside.empty()) inside += gap;
    inside += splicer_.print(addition.key, addition.value, gap);
  }
  if (lines && !inside.empty()) {
    const std::string close = splicer_.closing_gap(object_);
    inside += close;
  }
  splicer_.change(object_.open + 1, object_.end - 1, inside);
}

void ObjectEdit::finish_front(std::size_t first_kept, const std::string& gap) {
  std::string front;
  for (const Addition& addition : additions_) {
    if (addition.at > first_kept) break;
    front += splicer_.print(addition.key, addition.value, gap) + "," + gap;
  }
  const std::uint32_t begin = object_.members.front().begin;
  const std::uint32_t end = object_.members[first_kept].begin;
  if (!front.empty() || begin != end) splicer_.change(begin, end, front);
}

void ObjectEdit::finish_rest(std::size_t first_kept, const std::string& gap) {
  auto addition = std::find_if(additions_.begin(), additions_.end(),
                               [&](const Addition& a) { return a.at > first_kept; });
  for (std::size_t i = first_kept; i < object_.members.size(); ++i) {
    if (dropped_[i]) {
      splicer_.change(object_.members[i - 1].end, object_.members[i].end, "");
    }
    std::string text;
    for (; addition != additions_.end() && addition->at == i + 1; ++addition) {
      text += "," + gap + splicer_.print(addition->key, addition->value, gap);
    }
    const std::uint32_t end = object_.members[i].end;
    if (!text.empty()) splicer_.change(end, end, text);
  }
}

void ObjectEdit::finish() {
  const auto kept = std::find(dropped_.begin(), dropped_.end(), false);
  if (additions_.empty() && std::find(dropped_.begin(), dropped_.end(), true) == dropped_.end()) {
    return;
  }
  std::stable_sort(additions_.begin(), additions_.end(), [&](const Addition& a, const Addition& b) {
    if (a.at != b.at || order_ == Order::as_is) return a.at < b.at;
    return compare_members({a.key, a.value.is_object()}, {b.key, b.value.is_object()},
                           splicer_.alphabet()) < 0;
  });
  const std::string gap = splicer_.gap_of(object_);
  if (kept == dropped_.end()) return finish_all(gap);
  const auto first_kept = static_cast<std::size_t>(kept - dropped_.begin());
  finish_front(first_kept, gap);
  finish_rest(first_kept, gap);
}

}  // namespace cg::edit
