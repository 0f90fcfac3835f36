// What an order comes to.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/leaf/key_order.h"
#include "secret.h"
#include "store.h"

namespace cg::key {

inline constexpr int kLeafFd = 2;
inline constexpr int kCiFd = 3;

/// Which stores an order is about, in the order in which they are looked at: what was given for
/// this run, what the unit has, what is at hand, what has to be asked.
[[nodiscard]] std::vector<std::unique_ptr<Store>> stores_of(const leaf::KeyOrder& order);

/// Where the process is, for whoever has to say what took too long.
class Watch {
 public:
  virtual ~Watch() = default;
  virtual void asks(KeyStore store) = 0;
  virtual void waits_for_key() = 0;
  virtual void tell(const leaf::KeyAnswer& answer) = 0;  // one that is not the last
};

/// `first` and `second` are empty.
struct Hands {
  Secret first;
  Secret second;
};

/// After the last seal. Of deliver's, the leaf's frame is written too, whatever comes of it.
[[nodiscard]] leaf::KeyAnswer carry_out(const leaf::KeyOrder& order,
                                        std::vector<std::unique_ptr<Store>>& stores, Hands& hands,
                                        Watch& watch);

/// Why there is no key, as the leaf is told.
[[nodiscard]] std::string_view leaf_word(leaf::KeyRefused::Reason reason);

}  // namespace cg::key
