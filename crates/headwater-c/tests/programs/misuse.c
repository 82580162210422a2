/* Thousands of random calls with invalid arguments, from a seed: handles of destroyed or unknown
 * worlds, null pointers, invalid texts, sizes that are too small, numbers that are not finite,
 * callbacks that call back, two threads in one world. Each call must return a status that the header
 * defines and record a message. An internal error of the library or a write beyond a buffer fails. */

#include "headwater.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 0x9e3779b97f4a7c15u;

/* Random numbers by xorshift, the same in every run. */
static uint64_t random_below(uint64_t below) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return seed % below;
}
#define ONE_OF(list) (list)[random_below(sizeof(list) / sizeof *(list))]

static double random_number(void) {
  static const double odd[] = {0,     -0.0,   1,     -1,   0.5,    3,     17,     40,  1e-320, 1e-9,
                               1e300, -1e300, 2e9, NAN, INFINITY, -INFINITY, 4294967296.0, 1e19, 9, 0.25};
  return ONE_OF(odd);
}

static const char *random_text(void) {
  static char *long_one = NULL;
  if (long_one == NULL) {
    long_one = malloc(70000);
    memset(long_one, 'a', 69999), long_one[69999] = 0;
  }
  static const char *const odd[] = {NULL, "", "depth", "surface", "bed", "height", "lower", "raise", "pour", "dig", "gauge", "source", "body", "drain",
                                    "\xff\xfe", "dance", "disc", "polygon", "line", "rect", "everywhere", "smooth", "physics.gravity", "physics.manning",
                                    "9.8", "true", "[[[[", "name = 'here'\nat = [5, 5]\nevery = 1", "here", "do = 'pour'\neverywhere = true\namount = 0.1",
                                    "do = 'pour'", "name = 'x'\nat = [nan, inf]", "\"", "a.b.c.d", "water", "0x10", "[1e999]", "{}"};
  size_t which = random_below(sizeof odd / sizeof *odd + 1);
  return which == sizeof odd / sizeof *odd ? long_one : odd[which];
}

/* Worlds, some of them destroyed. */
static HwWorld worlds[8];

static HwWorld random_world(void) {
  switch (random_below(12)) {
  case 0: return 0;
  case 1: return seed;
  default: return ONE_OF(worlds);
  }
}

static HwPlace random_place(double points[8]) {
  static const char *const kinds[] = {"disc", "rect", "line", "polygon", "everywhere", "disc", "disc"};
  for (int i = 0; i < 8; i++) points[i] = random_below(3) ? (double)random_below(40) : random_number();
  HwPlace at = {.size = random_below(16) ? sizeof at : random_below(2 * sizeof at),
                .kind = random_below(8) ? ONE_OF(kinds) : random_text(),
                .points = random_below(16) ? points : NULL,
                .point_count = random_below(5),
                .extent = random_below(3) ? (double)random_below(10) : random_number(),
                .falloff = random_below(3) ? NULL : random_text()};
  return at;
}

/* Calls back into the world, and stops at the third call. */
static int32_t reentrant_callback(void *user, double time, uint64_t steps, double part) {
  (void)time, (void)steps, (void)part;
  int *calls = user;
  uint64_t hash;
  for (size_t i = 0; i < 8; i++) hw_state_hash(worlds[i], &hash), hw_step(worlds[i], 0, NULL, NULL, NULL);
  return ++*calls < 3;
}

static HwStatus create(HwWorld *world) {
  static const char *const scenes[] = {"pond", "kettle", "u-tube", "hex-valley", "lake-at-rest"};
  static const char *const scene_texts[] = {
      "model = 'flow'\n[grid]\nnx = 24\nny = 17\n[terrain]\nplane = { height = 9, slope = [0.1, 0] }\n[water]\ndepth = 0.5\n[time]\nuntil = 9\n",
      "model = 'waves'\n[grid]\nnx = 20\nny = 12\n[time]\nuntil = 9\n", "model = 'hydrology'\n[grid]\nnx = 24\nny = 24\n[terrain]\nnoise = { height = 40, scale = 300 }\n[time]\nuntil = 2\n",
      "model = 'nothing'", "model = ", "[grid]\nnx = -3"};
  HwOverride sets[2] = {{random_text(), random_text()}, {"grid.nx", random_below(2) ? "30" : "1e9"}};
  const char *bytes = "ncols 2\nnrows 2\n";
  HwFile file = {random_below(2) ? "hill.asc" : random_text(), random_below(4) ? (const uint8_t *)bytes : NULL, random_below(17)};
  HwDescription description = {.size = random_below(16) ? sizeof description : random_below(2 * sizeof description),
                               .library = random_below(3) ? NULL : random_below(8) ? ONE_OF(scenes) : random_text(),
                               .overrides = sets,
                               .override_count = random_below(12) ? 0 : random_below(3),
                               .files = random_below(2) ? &file : NULL,
                               .file_count = random_below(8) ? 0 : random_below(2)};
  if (description.library == NULL || !random_below(16)) description.text = random_below(4) ? ONE_OF(scene_texts) : random_text();
  if (!random_below(16)) description.file = random_text();
  if (!random_below(8)) return hw_check(&description);
  HwWorld made = 77;
  HwStatus status = hw_create(random_below(32) ? &description : NULL, random_below(32) ? &made : NULL);
  if (made == 77 || (status != HW_STATUS_OK && made != 0)) made = 0;
  *world = made;
  return status;
}

/* Buffers for lists; capacities are at most their lengths. */
static union {
  HwLayer layers[40];
  HwParameter parameters[40];
  HwSample samples[40];
  HwGauge gauges[40];
  HwTile tiles[40];
  HwEdit edits[40];
  HwBody bodies[40];
  HwCause causes[40];
  uint32_t ids[40];
  double readings[40];
  char text[40];
  float floats[40];
} into;

/* Makes a random call; `kind` is its kind, for messages. */
static HwStatus call(uint64_t kind) {
  HwWorld world = random_world();
  double points[8];
  HwPlace at = random_place(points), *where = random_below(24) ? &at : NULL;
  size_t count = 0, room = random_below(41), *counted = random_below(4) ? &count : NULL;
  int none = room == 0 && random_below(2), calls = 0;
#define INTO(kind) (none ? NULL : into.kind)
  uint32_t id = (uint32_t)(random_below(4) ? random_below(6) : random_below(1ull << 32)), *made = random_below(16) ? &id : NULL;
  HwBody body = {.size = random_below(16) ? sizeof body : random_below(2 * sizeof body),
                 .position = {points[0], points[1]}, .extent = {points[2], points[3]}, .velocity = {random_number(), 0}, .draft = points[4]};
  HwTile tiles[2] = {{random_below(30), random_below(30), random_below(30), random_below(30)}, {SIZE_MAX, 0, 2, 2}};
  HwStamp stamp = {{random_below(9), random_below(9)}};
  HwAdvanceOutcome arrived;
  HwGrid grid;
  HwLedger ledger;
  HwLayer layer;
  uint64_t hash;
  switch (kind) {
  case 0: return hw_advance(world, random_below(4) ? 0.02 : random_number(), reentrant_callback, &calls, random_below(4) ? &arrived : NULL);
  case 1: return hw_step(world, random_below(4) ? random_below(4) : seed, reentrant_callback, &calls, random_below(4) ? &arrived : NULL);
  case 2: return hw_edit(world, random_text(), where, random_number());
  case 3: return hw_act(world, random_text());
  case 4: return hw_add(world, random_text(), random_text());
  case 5: return hw_change(world, random_text(), random_text());
  case 6: return hw_remove(world, random_text(), random_text());
  case 7: return hw_set(world, random_text(), random_text());
  case 8: return hw_add_spring(world, where, random_number(), made);
  case 9: return hw_set_spring(world, id, where, random_number());
  case 10: return hw_remove_spring(world, id);
  case 11: return hw_springs(world, INTO(ids), room, counted);
  case 12: return hw_add_drain(world, where, random_number(), made);
  case 13: return hw_set_drain(world, id, where, random_number());
  case 14: return hw_remove_drain(world, id);
  case 15: return hw_drains(world, INTO(ids), room, counted);
  case 16: return hw_add_body(world, random_below(24) ? &body : NULL, made);
  case 17: return hw_set_body(world, id, &body);
  case 18: return hw_remove_body(world, id);
  case 19: return hw_layers(world, INTO(layers), room, counted);
  case 20: return hw_layer(world, random_text(), random_below(24) ? &layer : NULL);
  case 21: return hw_changed(world, random_text(), random_below(24) ? &stamp : NULL, INTO(tiles), room, counted);
  case 22: return hw_at(world, random_number(), random_number(), INTO(samples), room, counted);
  case 23: return hw_parameters(world, INTO(parameters), room, counted);
  case 24: return hw_edits(world, INTO(edits), room, counted);
  case 25: return hw_gauges(world, INTO(gauges), room, counted);
  case 26: return hw_gauge_readings(world, random_below(4), INTO(readings), room, counted);
  case 27: return hw_ledger_causes(world, INTO(causes), room, counted);
  case 28: return hw_ledger(world, random_below(24) ? &ledger : NULL);
  case 29: return hw_grid(world, random_below(24) ? &grid : NULL);
  case 30: return hw_center(world, random_below(30), random_below(4) ? random_below(30) : seed, random_below(24) ? points : NULL);
  case 31: return hw_state_hash(world, random_below(24) ? &hash : NULL);
  case 32: return hw_text(world, INTO(text), room, counted);
  case 33: return hw_notices(world, INTO(text), room, counted);
  case 34: return hw_name(world, INTO(text), room, counted);
  /* The given length exceeds or undercuts every layer: no layer has so few or so many cells. */
  case 35: return hw_read_layer(world, random_text(), random_below(2) ? tiles : NULL, random_below(3), into.floats, random_below(2) ? random_below(41) : SIZE_MAX - random_below(9));
  case 36: {
    /* A layer with its own size, in arbitrary tiles: the buffer is checked to its end. */
    if (hw_grid(world, &grid) != HW_STATUS_OK) return HW_STATUS_OK;
    float *exact = malloc(grid.nx * grid.ny * sizeof *exact);
    HwStatus status = hw_read_layer(world, random_text(), random_below(2) ? tiles : NULL, random_below(3), exact, grid.nx * grid.ny);
    free(exact);
    return status;
  }
  case 37: {
    /* A snapshot, complete, truncated or damaged. */
    size_t length = 0;
    if (hw_snapshot(world, NULL, 0, &length) != HW_STATUS_TOO_SMALL) return HW_STATUS_OK;
    uint8_t *bytes = malloc(length);
    HwStatus status = hw_snapshot(world, bytes, length, &length);
    if (status == HW_STATUS_OK) {
      if (random_below(2)) bytes[random_below(length)] ^= (uint8_t)(1 << random_below(8));
      status = hw_restore(random_below(4) ? world : random_world(), random_below(24) ? bytes : NULL, random_below(4) ? length : random_below(length));
    }
    free(bytes);
    return status;
  }
  case 38: {
    HwWorld *one = &ONE_OF(worlds);
    HwStatus status = hw_destroy(*one);
    return random_below(4) ? create(one) : status;
  }
  default: return random_below(8) ? hw_last_error((int32_t)random_below(9) - 2, INTO(text), room, counted) : hw_destroy(world);
  }
}

static void *use_worlds(void *unused) {
  (void)unused;
  uint64_t hash;
  for (int i = 0; i < 2000; i++) {
    hw_step(worlds[i % 4], 1, NULL, NULL, NULL);
    hw_state_hash(worlds[(i + 1) % 4], &hash);
    if (i % 100 == 99) hw_destroy(worlds[i / 100 % 4]);
  }
  return NULL;
}

int main(int argc, char **argv) {
  long calls = argc > 1 ? strtol(argv[1], NULL, 10) : 4000;
  if (argc > 2) seed = strtoull(argv[2], NULL, 10) | 1;
  int failures = 0;
  size_t of[9] = {0};
  for (size_t i = 0; i < 8; i++) {
    while (worlds[i] == 0) create(&worlds[i]);
  }
  for (long i = 0; i < calls; i++) {
    uint64_t before = seed, kind = random_below(40), which = random_below(8);
    double time;
    /* Most handles are valid. */
    if (hw_time(worlds[which], &time) == HW_STATUS_NO_WORLD) create(&worlds[which]);
    HwStatus status = call(kind);
    /* Messages contain the value in full, and may be long. */
    static char why[300000];
    why[0] = 0;
    if (status != HW_STATUS_OK && status != HW_STATUS_TOO_SMALL) hw_last_error(HW_ERROR_PART_MESSAGE, why, sizeof why, NULL);
    if (status < 0 || status >= HW_STATUS_PANICKED || (status != HW_STATUS_OK && status != HW_STATUS_TOO_SMALL && why[0] == 0)) {
      fprintf(stderr, "call %ld of kind %llu, seed %llu: status %d, %.300s\n", i, (unsigned long long)kind, (unsigned long long)before, status, why);
      failures += 1;
    }
    if (status >= 0 && status < 9) of[status] += 1;
  }
  /* Two threads in the same worlds, which are destroyed at the same time. */
  for (size_t i = 0; i < 4; i++) {
    hw_destroy(worlds[i]), worlds[i] = 0;
    while (worlds[i] == 0) create(&worlds[i]);
  }
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, use_worlds, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  for (size_t i = 0; i < 8; i++) hw_destroy(worlds[i]);
  printf("C: %ld calls: %zu done, %zu wrong scenes, %zu wrong inputs, %zu wrong snapshots, %zu broken, %zu without a world, %zu busy, %zu too small\n",
         calls, of[0], of[1], of[2], of[3], of[4], of[5], of[6], of[7]);
  /* Nothing is shown by calls that are all refused, or all done. */
  return failures != 0 || of[0] < (size_t)calls / 20 || of[2] < (size_t)calls / 20;
}
