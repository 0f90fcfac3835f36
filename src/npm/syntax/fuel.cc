#include "npm/syntax/fuel.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

namespace cg::syntax {

namespace {

thread_local Fuel* counting = nullptr;

/// Before every block: its size, so that the block can be grown, and taken off the count.
struct alignas(std::max_align_t) Header {
  std::size_t size;
  bool is_node;
};

/// What the library allocates, and by no other call of this size, for a node of its stack.
/// The version is pinned; DeepNests in model/callsite/hostile_test.cc fails if this is no longer
/// so.
constexpr std::size_t kStackNode = 232;

void* allocate(std::size_t size, bool is_node) {
  if (size > std::numeric_limits<std::uint32_t>::max()) std::abort();
  void* raw = ::operator new(size + sizeof(Header), std::nothrow);
  if (raw == nullptr) std::abort();  // as the library does
  auto* header = new (raw) Header{size, is_node};
  if (counting != nullptr) {
    counting->bytes += size;
    if (is_node) ++counting->nodes;
  }
  return header + 1;
}

Header* header_of(void* block) { return static_cast<Header*>(block) - 1; }

void release(void* block) {
  if (block == nullptr) return;
  Header* header = header_of(block);
  if (counting != nullptr && header->is_node && counting->nodes > 0) --counting->nodes;
  ::operator delete(header);
}

void* take(std::size_t size) { return allocate(size, size == kStackNode); }

void* take_zeroed(std::size_t count, std::size_t size) {
  if (size != 0 && count > std::numeric_limits<std::uint32_t>::max() / size) std::abort();
  void* block = allocate(count * size, false);
  std::memset(block, 0, count * size);
  return block;
}

void* grow(void* block, std::size_t size) {
  void* larger = allocate(size, false);
  if (block != nullptr) {
    std::memcpy(larger, block, std::min(size, header_of(block)->size));
    release(block);
  }
  return larger;
}

}  // namespace

Metered::Metered() {
  // For the whole process and once, before the library has any block.
  static const bool installed = (ts_set_allocator(take, take_zeroed, grow, release), true);
  static_cast<void>(installed);
  counting = &fuel_;
}

Metered::~Metered() { counting = nullptr; }

}  // namespace cg::syntax
