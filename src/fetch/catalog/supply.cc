#include "fetch/catalog/supply.h"

#include "base/base/text.h"
#include "npm/registry/name.h"

namespace cg::catalog {

namespace {

using registry::Packument;
using registry::PackumentError;

// All of it, and not the abbreviated form that installers ask for: that one tells neither
// licenses nor when a version was published.
constexpr const char* kAccept = "application/json";
constexpr int kUnauthorized = 401;
constexpr int kPaymentRequired = 402;
constexpr int kForbidden = 403;
constexpr int kNotFound = 404;
constexpr int kGone = 410;
constexpr int kUnavailableForLegalReasons = 451;

Missed missed(Lack::Kind kind, const std::string& what) {
  return {Lack{kind, printable(cut_utf8(what, 300))}, std::nullopt};
}

Missed missed(const Problem& problem) {
  std::string what = problem.what;
  for (const auto& [label, value] : problem.where) what += "; " + label + " " + value;
  Missed out = missed(
      problem.code == ErrorCode::registry_damaged ? Lack::Kind::damaged : Lack::Kind::storage,
      what);
  if (problem.code == ErrorCode::registry_damaged) out.damage = problem;
  return out;
}

Lack::Kind kind_of_status(int status) {
  switch (status) {
    case kUnauthorized:
    case kPaymentRequired:
    case kForbidden:
      return Lack::Kind::refused;
    case kNotFound:
      return Lack::Kind::not_found;
    case kGone:
    case kUnavailableForLegalReasons:
      return Lack::Kind::unpublished;
    default:
      return Lack::Kind::unreachable;
  }
}

Lack::Kind kind_of(const net::Error& error) {
  using Kind = net::Error::Kind;
  switch (error.kind) {
    case Kind::http_status:
      return kind_of_status(error.status);
    case Kind::redirect:
      return Lack::Kind::redirect;
    case Kind::timeout:
      return Lack::Kind::timeout;
    case Kind::too_large:
      return Lack::Kind::too_large;
    case Kind::protocol:
      return Lack::Kind::rubbish;
    case Kind::setup:
    case Kind::violation:
    case Kind::request:
    case Kind::storage:
      return Lack::Kind::stopped;
    case Kind::unresolved:
    case Kind::unreachable:
    case Kind::tls:
      break;
  }
  return Lack::Kind::unreachable;
}

Lack::Kind kind_of(PackumentError::Kind kind) {
  switch (kind) {
    case PackumentError::Kind::too_large:
      return Lack::Kind::too_large;
    case PackumentError::Kind::name:
      return Lack::Kind::name_mismatch;
    case PackumentError::Kind::unpublished:
      return Lack::Kind::unpublished;
    case PackumentError::Kind::syntax:
    case PackumentError::Kind::shape:
      break;
  }
  return Lack::Kind::rubbish;
}

/// The registry did not say anything: what we have is still the best there is.
bool is_silence(Lack::Kind kind) {
  return kind == Lack::Kind::timeout || kind == Lack::Kind::unreachable;
}

}  // namespace

std::optional<Outcome> Supply::get_cached(const std::string& name, Time now) {
  auto held = hold(name);
  if (!held) return Outcome(std::move(held).error());
  return settle(*held, now);
}

Outcome Supply::get(const std::string& name, Time now) {
  auto held = hold(name);
  if (!held) return std::move(held).error();
  if (auto settled = settle(*held, now)) return *std::move(settled);
  return ask(name, *std::move(held), now);
}

/// What the cache has, fresh or not.
Result<Supply::Held, Missed> Supply::hold(const std::string& name) {
  if (!registry::is_package_name(name)) return fail(missed(Lack::Kind::bad_name, name));
  Held held;
  held.choice = config_.registry_for(name);
  if (held.choice == nullptr) return fail(missed(Lack::Kind::no_registry, name));
  auto entry = cache_.find(held.choice->url.str(), name);
  if (!entry) return fail(missed(entry.error()));
  if (!entry->has_value()) return held;
  auto content = cache_.content(**entry);
  if (!content) return fail(missed(content.error()));
  if (!content->has_value()) return held;
  auto packument = Packument::read(name, **std::move(content));
  // Of an older layout: as good as not there.
  if (!packument) return held;
  held.entry = *std::move(entry);
  held.packument = std::make_unique<const Packument>(*std::move(packument));
  return held;
}

std::optional<Outcome> Supply::settle(Held& held, Time now) const {
  const bool offline = options_.mode == Mode::offline;
  if (held.packument == nullptr) {
    if (!offline) return std::nullopt;
    return missed(Lack::Kind::offline, "it was never fetched from " + held.choice->url.str());
  }
  const std::int64_t age = now.ms - held.entry->fetched.ms;
  const bool fresh = age >= 0 && age <= options_.max_age.count();
  if (!offline && !fresh) return std::nullopt;
  return Got{std::move(held.packument), From::cache, {}};
}

Outcome Supply::ask(const std::string& name, Held held, Time now) {
  const Fetch fetched = fetch(name, held);
  if (fetched) {
    if (std::holds_alternative<net::NotModified>(fetched->answer) && held.packument != nullptr) {
      held.entry->fetched = now;
      // That it could not be noted only means that it is asked for again.
      static_cast<void>(cache_.put_entry(*held.entry).has_value());
      return Got{std::move(held.packument), From::confirmed, {}};
    }
    return take(name, held, *fetched, now);
  }
  const Lack& lack = fetched.error();
  if (held.packument == nullptr || !is_silence(lack.kind)) return Missed{lack, std::nullopt};
  return Got{std::move(held.packument), From::stale_cache,
             name + ": " + std::string(words(lack.kind)) + "; what was fetched at " +
                 to_iso(held.entry->fetched) + " is used"};
}

Supply::Fetch Supply::fetch(const std::string& name, const Held& held) {
  const auto url = net::Url::parse(registry::packument_url(held.choice->url, name));
  if (!url) {
    return fail(missed(Lack::Kind::no_registry,
                       held.choice->url.str() + ": " + std::string(net::describe(url.error())))
                    .lack);
  }
  auto fetcher = fetcher_for(*held.choice);
  if (!fetcher) return fail(std::move(fetcher).error());
  net::Request request{*url};
  request.accept = kAccept;
  request.max_bytes = registry::kMaxPackumentBytes;
  request.encoding = net::Encoding::gzip;
  request.limit = options_.limit;
  if (held.packument != nullptr) {
    request.if_none_match = held.entry->etag;
    request.if_modified_since = held.entry->last_modified;
  }
  auto fetched = net::get_text(**fetcher, request);
  if (fetched) return *std::move(fetched);
  return fail(missed(kind_of(fetched.error()), net::describe(fetched.error())).lack);
}

Result<net::Fetcher*, Lack> Supply::fetcher_for(const registry::Choice& choice) {
  const auto found = fetchers_.find(choice.url.str());
  if (found != fetchers_.end()) return found->second.get();
  auto made = make_(choice);
  if (!made) return fail(missed(Lack::Kind::stopped, made.error().what).lack);
  return fetchers_.emplace(choice.url.str(), *std::move(made)).first->second.get();
}

Outcome Supply::take(const std::string& name, const Held& held, const net::FetchedText& fetched,
                     Time now) {
  auto packument = Packument::parse(name, fetched.text);
  if (!packument) return missed(kind_of(packument.error().kind), packument.error().what);
  const auto* const head = std::get_if<net::Fetched>(&fetched.answer);
  CacheEntry entry{name, held.choice->url.str(), head == nullptr ? "" : head->etag,
                   head == nullptr ? "" : head->last_modified, now};
  Got got{nullptr, From::registry, {}};
  if (const auto put = cache_.put(std::move(entry), packument->stored()); !put) {
    got.note = name + " was fetched but could not be kept: " + put.error().what;
  }
  got.packument = std::make_unique<const Packument>(*std::move(packument));
  return got;
}

}  // namespace cg::catalog
