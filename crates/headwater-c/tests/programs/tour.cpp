// Test program in C++, equivalent to the one in C. If it is called with a scene and a number of
// steps, it prints the state hash of the scene.

#include "headwater.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace hw = headwater;

static int failures = 0;

static void check(bool good, const char *what, int line) {
  if (!good) {
    std::fprintf(stderr, "line %d: %s\n", line, what);
    failures += 1;
  }
}
#define CHECK(good) check((good), #good, __LINE__)

// Returns the status of a call that must fail.
template <typename Call> static HwStatus refused(Call call) {
  try {
    call();
  } catch (const hw::Error &error) {
    return error.status;
  }
  return HW_STATUS_OK;
}

static void tour() {
  auto world = hw::World::library("dam-breach");
  CHECK(world.model() == "flow" && world.layers().size() > 3);
  HwStamp stamp{};
  auto bed = world.layer("bed");
  world.update("bed", stamp, bed);
  const double dam[2] = {200, 150};
  world.edit("lower", hw::disc(dam, 12, "smooth"), 3);
  CHECK(!world.update("bed", stamp, bed).empty());
  CHECK(bed == world.layer("bed"));

  CHECK(world.advance(2.0).done);
  CHECK(!world.advance(2.0, [](double, uint64_t, double part) { return part < 0.5; }).done);
  // The call rethrows the exception of its callback.
  bool caught = false;
  try {
    world.advance(2.0, [](double, uint64_t, double) -> bool { throw std::logic_error("enough"); });
  } catch (const std::logic_error &error) {
    caught = std::string(error.what()) == "enough";
  }
  CHECK(caught);

  auto bytes = world.snapshot();
  auto other = hw::World::library("dam-breach");
  other.restore(bytes);
  CHECK(other.state_hash() == world.state_hash());
  world.step(20), other.step(20);
  CHECK(other.state_hash() == world.state_hash());
  bytes[bytes.size() / 2] ^= 1;
  CHECK(refused([&] { other.restore(bytes); }) == HW_STATUS_SNAPSHOT);

  try {
    world.edit("lover", hw::disc(dam, 12), 3);
    CHECK(false);
  } catch (const hw::Error &error) {
    CHECK(error.status == HW_STATUS_INPUT && error.found == "\"lover\"");
    CHECK(error.allowed.find("lower") != std::string::npos);
  }
  CHECK(refused([&] { world.set("physics.gravity", "-1"); }) == HW_STATUS_INPUT);

  // Two threads use the world: a call fails while another is running.
  std::atomic<bool> begun{false}, seen{false};
  std::thread thread([&] {
    world.advance(1000.0, [&](double, uint64_t, double) {
      begun = true;
      return !seen;
    });
  });
  while (!begun) {
    std::this_thread::yield();
  }
  CHECK(refused([&] { world.state_hash(); }) == HW_STATUS_BUSY);
  HwWorld handle = world.handle();
  CHECK(hw_destroy(handle) == HW_STATUS_BUSY);
  seen = true;
  thread.join();
  auto moved = std::move(world);
  CHECK(moved.handle() == handle && moved.time() > 0);
}

int main(int argc, char **argv) {
  if (argc == 3) {
    auto world = hw::World::library(argv[1]);
    world.step(std::strtoull(argv[2], nullptr, 10));
    std::printf("{\"scene\":\"%s\",\"steps\":%llu,\"hash\":\"%016llx\",\"seconds\":0}\n", argv[1],
                static_cast<unsigned long long>(world.steps()), static_cast<unsigned long long>(world.state_hash()));
    return 0;
  }
  tour();
  if (failures == 0) {
    std::puts("C++: all is well");
  }
  return failures != 0;
}
