// C++17 wrapper of headwater.h: a class that owns a world and destroys it. Failures are exceptions.
// An exception of a callback is rethrown by the call that the callback was passed to, and never
// crosses the library. This file is written by hand. Functions that have no method here are in
// headwater.h.

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

// Failure of a call, with the error message and its parts.
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

inline void check(HwStatus status) {
  if (status != HW_STATUS_OK) {
    throw Error(status);
  }
}

// Returns the string that a function of the form `write(buffer, capacity, &length)` writes.
template <typename Writer> std::string text(Writer write) {
  size_t length = 0;
  HwStatus status = write(nullptr, size_t(0), &length);
  std::string result;
  while (status == HW_STATUS_TOO_SMALL) {
    result.resize(length + 1);
    status = write(result.data(), result.size(), &length);
  }
  check(status);
  result.resize(length);
  return result;
}

// Returns the list that a function of the form `write(into, capacity, &count)` writes.
template <typename T, typename Writer> std::vector<T> list(Writer write) {
  size_t count = 0;
  HwStatus status = write(static_cast<T *>(nullptr), size_t(0), &count);
  std::vector<T> result;
  while (status == HW_STATUS_TOO_SMALL) {
    result.resize(count);
    status = write(result.data(), result.size(), &count);
  }
  check(status);
  result.resize(count);
  return result;
}

// Returns a disc. The array `center` must exist for as long as the place is used.
inline HwPlace disc(const double (&center)[2], double radius, const char *falloff = "flat") {
  return HwPlace{sizeof(HwPlace), "disc", center, 1, radius, falloff};
}

// World of any model. A world can be moved, but not copied.
class World {
public:
  // Progress callback of a call that advances a world. It returns `false` to stop the call, and may
  // throw.
  using ProgressCallback = std::function<bool(double time, uint64_t steps, double part)>;

  explicit World(const HwDescription &description) { check(hw_create(&description, &handle_)); }

  // Creates a world from the built-in scene with the given name.
  static World library(const std::string &name) {
    HwDescription description{};
    description.size = sizeof description;
    description.library = name.c_str();
    return World(description);
  }

  // Creates a world from a scene file.
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

  // Returns the handle of the world, for the functions of headwater.h.
  HwWorld handle() const { return handle_; }

  HwAdvanceOutcome advance(double time, const ProgressCallback &progress = nullptr) {
    return with_callback(progress, [&](HwProgressCallback callback, void *user, HwAdvanceOutcome *outcome) {
      return hw_advance(handle_, time, callback, user, outcome);
    });
  }

  HwAdvanceOutcome step(uint64_t count, const ProgressCallback &progress = nullptr) {
    return with_callback(progress, [&](HwProgressCallback callback, void *user, HwAdvanceOutcome *outcome) {
      return hw_step(handle_, count, callback, user, outcome);
    });
  }

  HwGrid grid() const {
    HwGrid grid;
    check(hw_grid(handle_, &grid));
    return grid;
  }

  double time() const {
    double time = 0;
    check(hw_time(handle_, &time));
    return time;
  }

  uint64_t steps() const {
    uint64_t steps = 0;
    check(hw_steps(handle_, &steps));
    return steps;
  }

  std::string model() const {
    return headwater::text([&](char *b, size_t c, size_t *n) { return hw_model(handle_, b, c, n); });
  }

  // Returns the current scene as TOML.
  std::string text() const {
    return headwater::text([&](char *b, size_t c, size_t *n) { return hw_text(handle_, b, c, n); });
  }

  std::vector<HwLayer> layers() const {
    return list<HwLayer>([&](HwLayer *i, size_t c, size_t *n) { return hw_layers(handle_, i, c, n); });
  }

  std::vector<HwSample> at(double x, double y) const {
    return list<HwSample>([&](HwSample *i, size_t c, size_t *n) { return hw_at(handle_, x, y, i, c, n); });
  }

  // Returns a copy of the values of a layer, row by row.
  std::vector<float> layer(const std::string &name) const {
    HwGrid cells = grid();
    std::vector<float> values(cells.nx * cells.ny);
    check(hw_read_layer(handle_, name.c_str(), nullptr, 0, values.data(), values.size()));
    return values;
  }

  // Updates a copy of a layer and the stamp. Returns the tiles that may have changed since the old
  // stamp.
  std::vector<HwTile> update(const std::string &name, HwStamp &stamp, std::vector<float> &values) const {
    // If a call throws, the stamp remains unchanged.
    HwStamp next = stamp;
    auto tiles = list<HwTile>(
        [&](HwTile *i, size_t c, size_t *n) { return hw_changed(handle_, name.c_str(), &next, i, c, n); });
    if (!tiles.empty()) {
      check(hw_read_layer(handle_, name.c_str(), tiles.data(), tiles.size(), values.data(), values.size()));
    }
    stamp = next;
    return tiles;
  }

  void edit(const std::string &edit, const HwPlace &place, double amount) {
    check(hw_edit(handle_, edit.c_str(), &place, amount));
  }

  void act(const std::string &event) { check(hw_act(handle_, event.c_str())); }

  void set(const std::string &key, const std::string &value) {
    check(hw_set(handle_, key.c_str(), value.c_str()));
  }

  uint32_t add_spring(const HwPlace &place, double rate) {
    uint32_t id = 0;
    check(hw_add_spring(handle_, &place, rate, &id));
    return id;
  }

  std::vector<uint8_t> snapshot() const {
    return list<uint8_t>([&](uint8_t *b, size_t c, size_t *n) { return hw_snapshot(handle_, b, c, n); });
  }

  void restore(const std::vector<uint8_t> &bytes) { check(hw_restore(handle_, bytes.data(), bytes.size())); }

  uint64_t state_hash() const {
    uint64_t hash = 0;
    check(hw_state_hash(handle_, &hash));
    return hash;
  }

private:
  // Callback, together with the exception that it threw.
  struct CallbackState {
    const ProgressCallback &progress;
    std::exception_ptr thrown;
  };

  static int32_t report(void *user, double time, uint64_t steps, double part) noexcept {
    auto *state = static_cast<CallbackState *>(user);
    try {
      return state->progress(time, steps, part);
    } catch (...) {
      state->thrown = std::current_exception();
      return 0;
    }
  }

  template <typename Call> HwAdvanceOutcome with_callback(const ProgressCallback &progress, Call call) {
    CallbackState state{progress, nullptr};
    HwAdvanceOutcome outcome{};
    HwStatus status = progress ? call(&report, &state, &outcome) : call(nullptr, nullptr, &outcome);
    if (state.thrown) {
      std::rethrow_exception(state.thrown);
    }
    check(status);
    return outcome;
  }

  HwWorld handle_ = 0;
};

} // namespace headwater

#endif
