// Headwater for C++17: the functions of headwater.h as a class that destroys its world, with failures as exceptions. What a callback throws
// comes out of the call that it was handed to, and never goes through the library. Written by hand; all that it does not have is in headwater.h.

#ifndef HEADWATER_HPP
#define HEADWATER_HPP

#include "headwater.h"

#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace headwater {

// What is wrong, in words and taken apart.
class Error : public std::runtime_error {
public:
  explicit Error(HwStatus status)
      : std::runtime_error(part(HW_ERROR_PART_MESSAGE)), status(status), key(part(HW_ERROR_PART_KEY)),
        found(part(HW_ERROR_PART_FOUND)), allowed(part(HW_ERROR_PART_ALLOWED)) {}

  const HwStatus status;
  const std::string key, found, allowed;

private:
  static std::string part(int32_t which) {
    size_t length = 0;
    hw_last_error(which, nullptr, 0, &length);
    std::string text(length + 1, '\0');
    hw_last_error(which, text.data(), text.size(), nullptr);
    text.resize(length);
    return text;
  }
};

inline void done(HwStatus status) {
  if (status != HW_STATUS_OK) {
    throw Error(status);
  }
}

// A text that a function tells: `ask(buffer, capacity, &length)`.
template <typename Ask> std::string text(Ask ask) {
  size_t length = 0;
  HwStatus status = ask(nullptr, size_t(0), &length);
  std::string told;
  while (status == HW_STATUS_TOO_SMALL) {
    told.resize(length + 1);
    status = ask(told.data(), told.size(), &length);
  }
  done(status);
  told.resize(length);
  return told;
}

// A list that a function tells: `ask(into, capacity, &count)`.
template <typename T, typename Ask> std::vector<T> list(Ask ask) {
  size_t count = 0;
  HwStatus status = ask(static_cast<T *>(nullptr), size_t(0), &count);
  std::vector<T> told;
  while (status == HW_STATUS_TOO_SMALL) {
    told.resize(count);
    status = ask(told.data(), told.size(), &count);
  }
  done(status);
  told.resize(count);
  return told;
}

// A disc: the centre has to stay where it is as long as the place is used.
inline HwPlace disc(const double (&center)[2], double radius, const char *falloff = "flat") {
  return HwPlace{sizeof(HwPlace), "disc", center, 1, radius, falloff};
}

// A world; it is moved, not copied.
class World {
public:
  // Is told how far an advance is; `false` stops it. It may throw.
  using GoesOn = std::function<bool(double time, uint64_t steps, double part)>;

  explicit World(const HwDescription &description) { done(hw_create(&description, &handle_)); }

  // A scene of the library.
  static World library(const std::string &name) {
    HwDescription description{};
    description.size = sizeof description;
    description.library = name.c_str();
    return World(description);
  }

  // A scene file.
  static World file(const std::string &path) {
    HwDescription description{};
    description.size = sizeof description;
    description.file = path.c_str();
    return World(description);
  }

  World(World &&other) noexcept : handle_(std::exchange(other.handle_, 0)) {}
  World &operator=(World &&other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  World(const World &) = delete;
  World &operator=(const World &) = delete;
  ~World() {
    if (handle_ != 0) {
      hw_destroy(handle_);
    }
  }

  // For the functions of headwater.h.
  HwWorld handle() const { return handle_; }

  HwArrived advance(double time, const GoesOn &goes_on = nullptr) {
    return asked(goes_on, [&](HwGoesOn ask, void *user, HwArrived *arrived) {
      return hw_advance(handle_, time, ask, user, arrived);
    });
  }

  HwArrived step(uint64_t count, const GoesOn &goes_on = nullptr) {
    return asked(goes_on, [&](HwGoesOn ask, void *user, HwArrived *arrived) {
      return hw_step(handle_, count, ask, user, arrived);
    });
  }

  HwGrid grid() const {
    HwGrid grid;
    done(hw_grid(handle_, &grid));
    return grid;
  }

  double time() const {
    double time = 0;
    done(hw_time(handle_, &time));
    return time;
  }

  uint64_t steps() const {
    uint64_t steps = 0;
    done(hw_steps(handle_, &steps));
    return steps;
  }

  std::string model() const {
    return headwater::text([&](char *b, size_t c, size_t *n) { return hw_model(handle_, b, c, n); });
  }

  // The scene as it is now.
  std::string text() const {
    return headwater::text([&](char *b, size_t c, size_t *n) { return hw_text(handle_, b, c, n); });
  }

  std::vector<HwLayer> layers() const {
    return list<HwLayer>([&](HwLayer *i, size_t c, size_t *n) { return hw_layers(handle_, i, c, n); });
  }

  std::vector<HwSample> at(double x, double y) const {
    return list<HwSample>([&](HwSample *i, size_t c, size_t *n) { return hw_at(handle_, x, y, i, c, n); });
  }

  // A copy of a layer, row after row.
  std::vector<float> layer(const std::string &name) const {
    HwGrid cells = grid();
    std::vector<float> values(cells.nx * cells.ny);
    done(hw_read_layer(handle_, name.c_str(), nullptr, 0, values.data(), values.size()));
    return values;
  }

  // Brings a copy of a layer up to date; the tiles are those that may have changed since the stamp.
  std::vector<HwTile> update(const std::string &name, HwStamp &stamp, std::vector<float> &values) const {
    // A call that throws leaves the stamp as it was.
    HwStamp next = stamp;
    auto tiles = list<HwTile>(
        [&](HwTile *i, size_t c, size_t *n) { return hw_changed(handle_, name.c_str(), &next, i, c, n); });
    if (!tiles.empty()) {
      done(hw_read_layer(handle_, name.c_str(), tiles.data(), tiles.size(), values.data(), values.size()));
    }
    stamp = next;
    return tiles;
  }

  void edit(const std::string &edit, const HwPlace &place, double amount) {
    done(hw_edit(handle_, edit.c_str(), &place, amount));
  }

  void act(const std::string &event) { done(hw_act(handle_, event.c_str())); }

  void set(const std::string &key, const std::string &value) {
    done(hw_set(handle_, key.c_str(), value.c_str()));
  }

  uint32_t add_spring(const HwPlace &place, double rate) {
    uint32_t id = 0;
    done(hw_add_spring(handle_, &place, rate, &id));
    return id;
  }

  std::vector<uint8_t> snapshot() const {
    return list<uint8_t>([&](uint8_t *b, size_t c, size_t *n) { return hw_snapshot(handle_, b, c, n); });
  }

  void restore(const std::vector<uint8_t> &bytes) { done(hw_restore(handle_, bytes.data(), bytes.size())); }

  uint64_t state_hash() const {
    uint64_t hash = 0;
    done(hw_state_hash(handle_, &hash));
    return hash;
  }

private:
  // A callback, and what it threw.
  struct Asking {
    const GoesOn &goes_on;
    std::exception_ptr thrown;
  };

  static int32_t ask(void *user, double time, uint64_t steps, double part) noexcept {
    auto *asking = static_cast<Asking *>(user);
    try {
      return asking->goes_on(time, steps, part);
    } catch (...) {
      asking->thrown = std::current_exception();
      return 0;
    }
  }

  template <typename Call> HwArrived asked(const GoesOn &goes_on, Call call) {
    Asking asking{goes_on, nullptr};
    HwArrived arrived{};
    HwStatus status = goes_on ? call(&ask, &asking, &arrived) : call(nullptr, nullptr, &arrived);
    if (asking.thrown) {
      std::rethrow_exception(asking.thrown);
    }
    done(status);
    return arrived;
  }

  HwWorld handle_ = 0;
};

} // namespace headwater

#endif
