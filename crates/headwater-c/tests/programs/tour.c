/* Test program in C. With a scene and a number of steps, it prints the hash of the scene.
 * Without arguments, it steps, edits, reads tiles, saves and loads, and checks invalid calls. */

#include "headwater.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

/* Reports a failed check. */
static void check(int good, const char *what, int line) {
  if (!good) {
    char why[512] = "";
    hw_last_error(HW_ERROR_PART_MESSAGE, why, sizeof why, NULL);
    fprintf(stderr, "line %d: %s; last error: %s\n", line, what, why);
    failures += 1;
  }
}
#define CHECK(good) check((good), #good, __LINE__)
#define DONE(call) check((call) == HW_STATUS_OK, #call, __LINE__)
#define REFUSED(status, call) check((call) == (status), #call, __LINE__)

static int error_contains(int32_t part, const char *expected) {
  char text[1024] = "";
  return hw_last_error(part, text, sizeof text, NULL) == HW_STATUS_OK && strstr(text, expected) != NULL;
}

static HwWorld create(const char *library) {
  HwDescription description = {.size = sizeof description, .library = library};
  HwWorld world = 0;
  DONE(hw_create(&description, &world));
  return world;
}

static uint64_t hash_of(HwWorld world) {
  uint64_t hash = 0;
  DONE(hw_state_hash(world, &hash));
  return hash;
}

static int print_hash(const char *scene, uint64_t count) {
  HwWorld world = create(scene);
  uint64_t steps = 0;
  DONE(hw_step(world, count, NULL, NULL, NULL));
  /* Includes the steps of relaxation to a steady state, like the program. */
  DONE(hw_steps(world, &steps));
  printf("{\"scene\":\"%s\",\"steps\":%llu,\"hash\":\"%016llx\",\"seconds\":0}\n", scene,
         (unsigned long long)steps, (unsigned long long)hash_of(world));
  DONE(hw_destroy(world));
  return failures;
}

static HwPlace disc(const double *center, double radius) {
  HwPlace place = {.size = sizeof place, .kind = "disc", .points = center, .point_count = 1, .extent = radius};
  return place;
}

/* Record of the calls of a callback. */
struct CallbackRecord {
  HwWorld world;
  int times;
  HwStatus inside;
};

static int32_t stop_at_once(void *user, double time, uint64_t steps, double part) {
  struct CallbackRecord *record = user;
  (void)time, (void)steps, (void)part;
  record->times += 1;
  record->inside = hw_advance(record->world, 1.0, NULL, NULL, NULL);
  return 0;
}

static void inspect_and_edit(HwWorld world) {
  HwGrid grid;
  DONE(hw_grid(world, &grid));
  CHECK(grid.nx > 0 && grid.ny > 0 && strcmp(grid.lattice, "square") == 0);
  char model[16];
  DONE(hw_model(world, model, sizeof model, NULL));
  CHECK(strcmp(model, "flow") == 0);

  size_t length = grid.nx * grid.ny, count = 0;
  float *bed = malloc(length * sizeof *bed), *fresh = malloc(length * sizeof *fresh);
  DONE(hw_read_layer(world, "bed", NULL, 0, bed, length));

  HwStamp stamp = {{0, 0}};
  HwTile tiles[256];
  DONE(hw_changed(world, "bed", &stamp, tiles, 256, &count));
  CHECK(count > 1);
  const double hill[2] = {200, 150};
  HwPlace place = disc(hill, 12);
  DONE(hw_edit(world, "lower", &place, 3.0));
  HwStamp before = stamp;
  REFUSED(HW_STATUS_TOO_SMALL, hw_changed(world, "bed", &stamp, NULL, 0, &count));
  CHECK(count >= 1 && memcmp(&before, &stamp, sizeof stamp) == 0);
  DONE(hw_changed(world, "bed", &stamp, tiles, 256, &count));
  DONE(hw_read_layer(world, "bed", tiles, count, bed, length));
  DONE(hw_read_layer(world, "bed", NULL, 0, fresh, length));
  CHECK(memcmp(bed, fresh, length * sizeof *bed) == 0);
  const double points[4] = {0.5 * grid.cell[0], 0.5 * grid.cell[1], -1, 0};
  float heights[2];
  DONE(hw_sample_many(world, "bed", points, 2, heights));
  CHECK(heights[0] == bed[0] && heights[1] != heights[1]);
  free(bed), free(fresh);

  uint32_t spring = 0, drain = 0, raft = 0;
  DONE(hw_add_spring(world, &place, 2.0, &spring));
  DONE(hw_set_spring(world, spring, &place, 3.0));
  DONE(hw_add_drain(world, &place, 1.0, &drain));
  DONE(hw_set_drain(world, drain, &place, 0.5));
  uint32_t ids[64];
  DONE(hw_springs(world, ids, 64, &count));
  CHECK(count >= 1 && ids[count - 1] == spring);
  DONE(hw_drains(world, ids, 64, &count));
  DONE(hw_remove_spring(world, spring));
  DONE(hw_remove_drain(world, drain));
  HwBody body = {.size = sizeof body, .position = {300, 200}, .extent = {4, 3}, .draft = 0.1};
  DONE(hw_add_body(world, &body, &raft));
  DONE(hw_set_body(world, raft, &body));
  HwBody bodies[16];
  DONE(hw_bodies(world, bodies, 16, &count));
  CHECK(count >= 1 && bodies[count - 1].id == raft);
  DONE(hw_remove_body(world, raft));

  HwAdvanceOutcome arrived;
  DONE(hw_advance(world, 2.0, NULL, NULL, &arrived));
  CHECK(arrived.done && arrived.steps > 0 && arrived.time >= 2.0);
  struct CallbackRecord record = {world, 0, HW_STATUS_OK};
  DONE(hw_advance(world, 2.0, stop_at_once, &record, &arrived));
  CHECK(!arrived.done && arrived.steps == 0 && record.times == 1 && record.inside == HW_STATUS_BUSY);

  HwSample samples[32];
  DONE(hw_at(world, 200, 150, samples, 32, &count));
  CHECK(count > 2);
  DONE(hw_at(world, -1, 0, samples, 32, &count));
  CHECK(count == 0);
  HwLayer layer;
  DONE(hw_layer(world, "depth", &layer));
  CHECK(layer.nx == grid.nx && strcmp(layer.unit, "m") == 0);
  DONE(hw_layers(world, NULL, 0, &count) == HW_STATUS_TOO_SMALL ? HW_STATUS_OK : HW_STATUS_BROKEN);
  HwEdit edits[16];
  DONE(hw_edits(world, edits, 16, &count));
  static HwParameter parameters[256];
  DONE(hw_parameters(world, parameters, 256, &count));
  DONE(hw_set(world, "physics.gravity", "9.8"));
  DONE(hw_act(world, "do = 'pour'\ndisc = { center = [50, 50], radius = 10 }\namount = 0.5"));
  DONE(hw_add(world, "gauge", "name = 'here'\nat = [50, 50]\nevery = 1"));
  DONE(hw_change(world, "gauge", "name = 'here'\nat = [52, 50]\nevery = 1"));
  HwGauge gauges[32];
  DONE(hw_gauges(world, gauges, 32, &count));
  size_t last = count - 1;
  CHECK(strcmp(gauges[last].name, "here") == 0);
  double readings[64];
  DONE(hw_gauge_readings(world, last, readings, 64, &count));
  CHECK(count == gauges[last].reading_count * (1 + gauges[last].head_count));
  DONE(hw_remove(world, "gauge", "here"));
  HwLedger ledger;
  DONE(hw_ledger(world, &ledger));
  CHECK(ledger.now > 0 && fabs(ledger.residual_relative) < 1e-6);
  HwCause causes[32];
  DONE(hw_ledger_causes(world, causes, 32, &count));
  CHECK(count >= 1);
}

static void save_and_load(HwWorld world) {
  size_t length = 0;
  REFUSED(HW_STATUS_TOO_SMALL, hw_snapshot(world, NULL, 0, &length));
  uint8_t *bytes = malloc(length);
  DONE(hw_snapshot(world, bytes, length, &length));
  HwWorld other = create("dam-breach");
  CHECK(hash_of(other) != hash_of(world));
  DONE(hw_restore(other, bytes, length));
  CHECK(hash_of(other) == hash_of(world));
  DONE(hw_step(world, 20, NULL, NULL, NULL));
  DONE(hw_step(other, 20, NULL, NULL, NULL));
  CHECK(hash_of(other) == hash_of(world));
  uint64_t hash = hash_of(other);
  bytes[length / 2] ^= 1;
  REFUSED(HW_STATUS_SNAPSHOT, hw_restore(other, bytes, length));
  REFUSED(HW_STATUS_SNAPSHOT, hw_restore(other, bytes, 10));
  CHECK(hash_of(other) == hash);
  free(bytes);
  DONE(hw_destroy(other));
}

static void misuse(HwWorld world) {
  uint64_t hash = hash_of(world), none = 0;
  REFUSED(HW_STATUS_NO_WORLD, hw_state_hash(0, &none));
  REFUSED(HW_STATUS_NO_WORLD, hw_destroy(12345));
  REFUSED(HW_STATUS_INPUT, hw_state_hash(world, NULL));
  REFUSED(HW_STATUS_INPUT, hw_advance(world, NAN, NULL, NULL, NULL));
  CHECK(error_contains(HW_ERROR_PART_KEY, "time") && error_contains(HW_ERROR_PART_FOUND, "NaN"));
  REFUSED(HW_STATUS_INPUT, hw_advance(world, -1.0, NULL, NULL, NULL));
  float few[3];
  REFUSED(HW_STATUS_INPUT, hw_read_layer(world, "depth", NULL, 0, few, 3));
  CHECK(error_contains(HW_ERROR_PART_FOUND, "3") && error_contains(HW_ERROR_PART_ALLOWED, "rows of"));
  REFUSED(HW_STATUS_INPUT, hw_read_layer(world, "depth", NULL, 0, NULL, 3));
  REFUSED(HW_STATUS_INPUT, hw_read_layer(world, "deep", NULL, 0, few, 3));
  REFUSED(HW_STATUS_INPUT, hw_read_layer(world, NULL, NULL, 0, few, 3));
  REFUSED(HW_STATUS_INPUT, hw_read_layer(world, "depth", NULL, 0, few, SIZE_MAX));
  HwLayer layer;
  REFUSED(HW_STATUS_INPUT, hw_layer(world, "deep", &layer));
  const double center[2] = {10, 10}, nowhere[2] = {NAN, 0};
  HwPlace place = disc(center, 3);
  REFUSED(HW_STATUS_INPUT, hw_edit(world, "dance", &place, 1));
  CHECK(error_contains(HW_ERROR_PART_ALLOWED, "lower"));
  REFUSED(HW_STATUS_INPUT, hw_edit(world, "lower", NULL, 1));
  REFUSED(HW_STATUS_INPUT, hw_edit(world, "lower", &place, NAN));
  REFUSED(HW_STATUS_INPUT, hw_edit(world, "lower\xff", &place, 1));
  place.points = nowhere;
  REFUSED(HW_STATUS_INPUT, hw_edit(world, "lower", &place, 1));
  place.size = 3;
  REFUSED(HW_STATUS_INPUT, hw_edit(world, "lower", &place, 1));
  CHECK(error_contains(HW_ERROR_PART_ALLOWED, "sizeof"));
  REFUSED(HW_STATUS_INPUT, hw_remove_spring(world, 99999));
  REFUSED(HW_STATUS_INPUT, hw_set(world, "physics.gravity", "heavy"));
  REFUSED(HW_STATUS_INPUT, hw_act(world, "do = 'dance'"));
  REFUSED(HW_STATUS_INPUT, hw_gauge_readings(world, 1000, NULL, 0, NULL));
  CHECK(hash_of(world) == hash);

  HwWorld wrong = 7;
  HwDescription description = {.size = sizeof description, .library = "nowhere"};
  REFUSED(HW_STATUS_INPUT, hw_create(&description, &wrong));
  CHECK(wrong == 0 && error_contains(HW_ERROR_PART_ALLOWED, "dam-breach"));
  description.text = "model = 'flow'";
  REFUSED(HW_STATUS_INPUT, hw_create(&description, &wrong));
  description.library = NULL;
  REFUSED(HW_STATUS_SCENE, hw_create(&description, &wrong));
  REFUSED(HW_STATUS_SCENE, hw_check(&description));
  description.text = NULL, description.file = "no/such/scene.toml";
  REFUSED(HW_STATUS_SCENE, hw_create(&description, &wrong));
  REFUSED(HW_STATUS_INPUT, hw_create(NULL, &wrong));
  REFUSED(HW_STATUS_INPUT, hw_create(&description, NULL));
  REFUSED(HW_STATUS_INPUT, hw_last_error(17, NULL, 0, NULL));
}

static void files_in_memory(void) {
  const char *hill = "ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\n7 8 9 9\n4 5 6 6\n4 5 6 6\n";
  HwFile file = {"hill.asc", (const uint8_t *)hill, strlen(hill)};
  HwOverride set = {"water.depth", "0.25"};
  HwDescription description = {.size = sizeof description,
                               .text = "model = 'flow'\n[time]\nuntil = 1\n[terrain]\nfile = 'hill.asc'\n",
                               .overrides = &set,
                               .override_count = 1,
                               .files = &file,
                               .file_count = 1};
  HwWorld world = 0;
  DONE(hw_create(&description, &world));
  float depth[12];
  DONE(hw_read_layer(world, "depth", NULL, 0, depth, 12));
  CHECK(depth[5] == 0.25f);
  /* Like a program with an older header without overrides. */
  description.size = offsetof(HwDescription, overrides);
  HwWorld older = 0;
  REFUSED(HW_STATUS_SCENE, hw_create(&description, &older));
  DONE(hw_destroy(world));
}

int main(int argc, char **argv) {
  CHECK(hw_abi_version() == HW_ABI_VERSION);
  if (argc == 3) {
    return print_hash(argv[1], strtoull(argv[2], NULL, 10));
  }
  HwWorld world = create("dam-breach");
  inspect_and_edit(world);
  save_and_load(world);
  misuse(world);
  files_in_memory();
  DONE(hw_destroy(world));
  REFUSED(HW_STATUS_NO_WORLD, hw_destroy(world));
  REFUSED(HW_STATUS_NO_WORLD, hw_advance(world, 1.0, NULL, NULL, NULL));
  if (failures == 0) {
    puts("C: all is well");
  }
  return failures != 0;
}
