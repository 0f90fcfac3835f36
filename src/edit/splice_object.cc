// What becomes of the members of one object.
#include <algorithm>
#include <iterator>

#include "edit/splice.h"

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
