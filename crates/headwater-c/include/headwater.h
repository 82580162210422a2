/* Headwater: worlds of water for C, C++, C# and engines. MIT or Apache-2.0, as you like.
 *
 * Made by cbindgen from crates/headwater-c: do not edit.
 *
 * Of all functions:
 *
 * - They give a status, 0 if they did what they say; else `hw_last_error` tells why, in the same thread, until another call
 *   fails there. Where nothing else is said, a call that fails has changed nothing.
 * - A world is a handle that the library gives. One that was destroyed is told as HW_STATUS_NO_WORLD.
 * - A world may be used from any thread, from one at a time: a call while another is at work in the same world is refused as
 *   HW_STATUS_BUSY. Different worlds may be used from different threads at once. Inside a call, the library works on as many
 *   threads as there are processors, or as RAYON_NUM_THREADS says.
 * - Results go to buffers of the caller's. Where one is too small, the call says how large it has to be, and gives
 *   HW_STATUS_TOO_SMALL; with a capacity of 0 and a null buffer it does no more than that. Nothing that the library gives
 *   stays the library's.
 * - Descriptions begin with their size: set it to sizeof. So programs that know fewer fields go on working.
 * - Texts are UTF-8 and end with a NUL. Fixed fields of structs are cut to their size.
 * - Pointers that are neither null nor said to be so have to lead to what the call says; that alone cannot be checked.
 * - Nothing unwinds or throws out of a function, and no callback may throw into one (headwater.hpp sees to that for C++).
 */

#ifndef HEADWATER_H
#define HEADWATER_H

#include <stddef.h>
#include <stdint.h>

// The number of the interface in this header.
#define HW_ABI_VERSION 1

// What came of a call.
enum HwStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // It is done.
  HW_STATUS_OK = 0,
  // The scene cannot be used.
  HW_STATUS_SCENE = 1,
  // A name, a number, a shape or a pointer that was handed over cannot be worked with. Nothing was done.
  HW_STATUS_INPUT = 2,
  // The bytes are no snapshot of this world. Nothing was done.
  HW_STATUS_SNAPSHOT = 3,
  // The world cannot go on.
  HW_STATUS_BROKEN = 4,
  // There is no world of that handle: it was destroyed, or never was.
  HW_STATUS_NO_WORLD = 5,
  // Another thread, or a callback's caller, is at work in this world. Nothing was done.
  HW_STATUS_BUSY = 6,
  // The buffer is too small; how large it has to be was written where the call says.
  HW_STATUS_TOO_SMALL = 7,
  // A fault of this library; the world is not to be used any more, but to be destroyed.
  HW_STATUS_PANICKED = 8,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HwStatus HwStatus;
#else
typedef int32_t HwStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How the value of a parameter is written.
enum HwParameterKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Any number.
  HW_PARAMETER_KIND_NUMBER = 0,
  // A whole number.
  HW_PARAMETER_KIND_WHOLE = 1,
  // `true` or `false`.
  HW_PARAMETER_KIND_SWITCH = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HwParameterKind HwParameterKind;
#else
typedef int32_t HwParameterKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A part of what went wrong last.
enum HwErrorPart
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // All of it in words.
  HW_ERROR_PART_MESSAGE = 0,
  // The key, or the thing in words.
  HW_ERROR_PART_KEY = 1,
  // What was found.
  HW_ERROR_PART_FOUND = 2,
  // What is allowed, with its unit.
  HW_ERROR_PART_ALLOWED = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HwErrorPart HwErrorPart;
#else
typedef int32_t HwErrorPart;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A world's handle: opaque, never 0, never given twice.
typedef uint64_t HwWorld;

// The cells of a world.
typedef struct {
  // Columns.
  size_t nx;
  // Rows; row 0 is the northern one, or the top one.
  size_t ny;
  // Distance of columns and of rows (m; of blocks, 1).
  double cell[2];
  // Kind of the cells: `square` or `hex`.
  char lattice[16];
} HwGrid;

// A body.
typedef struct {
  // `sizeof(HwBody)`.
  size_t size;
  // Its id, where bodies are told; of no matter where one is added or set.
  uint32_t id;
  // Its middle (m).
  double position[2];
  // Length and width, or in side view width and height (m).
  double extent[2];
  // Where it points (radians, clockwise from the east).
  double heading;
  // How fast it goes (m/s).
  double velocity[2];
  // How deep it lies in the water (m).
  double draft;
} HwBody;

// A gauge.
typedef struct {
  // Its name.
  char name[72];
  // What it measures, with units and commas between, as `depth_m,surface_m`.
  char heads[256];
  // How many values it measures at a time.
  size_t head_count;
  // How many times it has measured.
  size_t reading_count;
} HwGauge;

// The books of water, in `unit`.
typedef struct {
  // `m³`, or of blocks `cells`.
  char unit[16];
  // Volume at the start.
  double start;
  // Volume now.
  double now;
  // What is there and should not be; below 0, what is missing.
  double residual;
  // The residual over the volume handled.
  double residual_relative;
} HwLedger;

// What came and went by one cause.
typedef struct {
  // The cause.
  char name[48];
  // What came.
  double inflow;
  // What went.
  double outflow;
} HwCause;

// A key of a scene and a value, laid over it, such as `grid.nx` and `512`.
typedef struct {
  // The key.
  const char *key;
  // The value, written as in the scene.
  const char *value;
} HwOverride;

// A file in memory, for scenes that are given as texts. It stands for any of that name on the disk.
typedef struct {
  // Its name, as the scene says it, such as `maps/hill.asc`.
  const char *name;
  // Its bytes.
  const uint8_t *bytes;
  // How many.
  size_t length;
} HwFile;

// What a world is made of: one of `library`, `file` and `text`, the others null.
typedef struct {
  // `sizeof(HwDescription)`.
  size_t size;
  // The name of a scene of the library.
  const char *library;
  // The path of a scene file.
  const char *file;
  // The text of a scene.
  const char *text;
  // What the text is called in messages; may be null.
  const char *name;
  // What the paths of the text are relative to; null for the current directory.
  const char *directory;
  // Values laid over the scene.
  const HwOverride *overrides;
  // How many.
  size_t override_count;
  // Files of the text that are in memory.
  const HwFile *files;
  // How many.
  size_t file_count;
} HwDescription;

// Something that `hw_edit` can do.
typedef struct {
  // The name to ask for it by.
  char name[32];
  // What its amount is.
  char meaning[160];
  // The amount's unit; empty if it needs none.
  char unit[32];
  // The least amount; where `open`, more than that.
  double low;
  // The greatest amount.
  double high;
  // Whether `low` itself is left out: 1 or 0.
  int32_t open;
} HwEdit;

// A place. Lengths are metres from the top-left corner, the second one downward; of blocks, cells.
typedef struct {
  // `sizeof(HwPlace)`.
  size_t size;
  // `everywhere`; `disc`, of one point; `rect`, of its north-west and south-east corner; `line`, of one point or more; `polygon`, of three
  // corners or more.
  const char *kind;
  // Points: two numbers each.
  const double *points;
  // How many points, not numbers.
  size_t point_count;
  // Radius of a disc, or width of a line.
  double extent;
  // How what is done fades towards the rim: `flat`, `linear` or `smooth`; null is `flat`. Springs and drains know no fading.
  const char *falloff;
} HwPlace;

// A value that can be changed while the world runs.
typedef struct {
  // Its key in the scene, such as `physics.manning`.
  char key[96];
  // A word or two for a slider.
  char label[64];
  // Its unit; empty for none.
  char unit[32];
  // What it is.
  char doc[640];
  // As it is now; of a switch, 0 or 1.
  double value;
  // What a slider should cover, from and to.
  double usual[2];
  // What is allowed, from and to.
  double allowed[2];
  // How its value is written.
  HwParameterKind kind;
} HwParameter;

// Is told every few steps how far an advance is: the simulated time, the steps since the start, the part that is done (0 to 1). It gives 0 to
// stop there, else to go on. It must not throw, and calls about the same world are refused in it as `HW_STATUS_BUSY`.
typedef int32_t (*HwGoesOn)(void *user, double time, uint64_t steps, double part);

// What came of an advance.
typedef struct {
  // Steps done.
  uint64_t steps;
  // Simulated time now.
  double time;
  // 1 if it came to its end, 0 if it was stopped.
  int32_t done;
} HwArrived;

// A layer: `ny` rows of `nx` floats, row 0 in the north or at the top.
typedef struct {
  // The name to ask for it by.
  char name[32];
  // The unit of its values.
  char unit[32];
  // What it shows.
  char meaning[256];
  // Columns.
  size_t nx;
  // Rows.
  size_t ny;
} HwLayer;

// Cells: columns `x` to `x + nx - 1`, rows `y` to `y + ny - 1`.
typedef struct {
  // Its first column.
  size_t x;
  // Its first row.
  size_t y;
  // Columns.
  size_t nx;
  // Rows.
  size_t ny;
} HwTile;

// A moment in the life of a world, to ask what has changed since. Zeros are the one before everything.
typedef struct {
  // Nobody's concern.
  uint64_t numbers[2];
} HwStamp;

// What is at a point.
typedef struct {
  // What it is: mostly the name of a layer.
  char name[32];
  // Its unit; empty for none.
  char unit[32];
  // What it is in a word, where a number says little: the kind of a plant, a liquid; else empty.
  char word[64];
  // How much.
  double value;
} HwSample;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Tells the model's name: `flow`, `waves`, `blocks`, `columns` or `hydrology`.
HwStatus hw_model(HwWorld world, char *buffer, size_t capacity, size_t *length);

// Tells what the scene is called.
HwStatus hw_name(HwWorld world, char *buffer, size_t capacity, size_t *length);

// Tells what time is counted in: `s`, or of hydrology `drops per cell`.
HwStatus hw_time_unit(HwWorld world, char *buffer, size_t capacity, size_t *length);

// Tells what was decided for lack of better knowledge, or fell short, a line each.
HwStatus hw_notices(HwWorld world, char *buffer, size_t capacity, size_t *length);

// Tells the cells.
HwStatus hw_grid(HwWorld world, HwGrid *grid);

// Tells the middle of a cell by its column and row (m from the top-left corner; of blocks, cells). `point` has room for two numbers.
HwStatus hw_center(HwWorld world,
                   size_t column,
                   size_t row,
                   double *point);

// Tells the simulated time since the start.
HwStatus hw_time(HwWorld world, double *time);

// Tells the steps done since the start.
HwStatus hw_steps(HwWorld world, uint64_t *steps);

// Tells how long a step is now, in the unit of time.
HwStatus hw_step_length(HwWorld world, double *length);

// Tells whether it still comes to a steady state, before its clock starts: 1 or 0.
HwStatus hw_is_settling(HwWorld world, int32_t *settling);

// Adds a body, and sets `id` to its id.
HwStatus hw_add_body(HwWorld world, const HwBody *body, uint32_t *id);

// Puts another body in the place of one, or the same elsewhere or with another velocity.
HwStatus hw_set_body(HwWorld world, uint32_t id, const HwBody *body);

// Takes a body out.
HwStatus hw_remove_body(HwWorld world, uint32_t id);

// Tells its bodies as they are now, those of the scene too. `count` (may be null) is set to how many there are, whether they fit or not.
HwStatus hw_bodies(HwWorld world,
                   HwBody *into,
                   size_t capacity,
                   size_t *count);

// Tells the gauges that there are. `count` (may be null) is set to how many there are, whether they fit or not.
HwStatus hw_gauges(HwWorld world,
                   HwGauge *into,
                   size_t capacity,
                   size_t *count);

// Tells what a gauge, by its place in the list, has measured: a time and the values of all heads, one reading after the other. `count` (may be
// null) is set to how many numbers there are, `reading_count * (1 + head_count)`, whether they fit or not.
HwStatus hw_gauge_readings(HwWorld world,
                           size_t gauge,
                           double *into,
                           size_t capacity,
                           size_t *count);

// Tells the books: what came, went and is there.
HwStatus hw_ledger(HwWorld world, HwLedger *ledger);

// Tells what came and went, by cause. `count` (may be null) is set to how many causes there are, whether they fit or not.
HwStatus hw_ledger_causes(HwWorld world,
                          HwCause *into,
                          size_t capacity,
                          size_t *count);

// Makes a world. `world` is set to its handle, to be destroyed by `hw_destroy`; to 0 if it cannot be made.
HwStatus hw_create(const HwDescription *description, HwWorld *world);

// Checks a scene's text with overrides without making its world. Of the description, `library` and `file` are null.
HwStatus hw_check(const HwDescription *description);

// Tells the names of the library's scenes, a line each. `length` (may be null) is set to the bytes of the text without its NUL.
HwStatus hw_scenes(char *buffer,
                   size_t capacity,
                   size_t *length);

// Tells the text of a scene of the library. `length` (may be null) is set to its bytes without the NUL.
HwStatus hw_scene_text(const char *name, char *buffer, size_t capacity, size_t *length);

// Tells what `hw_edit` can do. `count` (may be null) is set to how many there are, whether they fit or not.
HwStatus hw_edits(HwWorld world, HwEdit *into, size_t capacity, size_t *count);

// Does one of the edits at a place. It is not in the text, as an event is.
HwStatus hw_edit(HwWorld world, const char *edit, const HwPlace *at, double amount);

// Does what an entry of a scene's `[[event]]` says, given as TOML without `time`.
HwStatus hw_act(HwWorld world, const char *event);

// Adds an entry to one of the scene's lists, given as TOML: to `gauge`, `source`, `drain`, `body`, whatever the model can take while it runs.
HwStatus hw_add(HwWorld world,
                const char *list,
                const char *entry);

// Changes an entry of one of the scene's lists, so far of `gauge`: the one that has its name.
HwStatus hw_change(HwWorld world, const char *list, const char *entry);

// Removes an entry of one of the scene's lists, so far of `gauge`, by its name.
HwStatus hw_remove(HwWorld world, const char *list, const char *name);

// Tells the values that can be changed while the world runs, as they are. `count` (may be null) is set to how many there are, whether they fit or
// not.
HwStatus hw_parameters(HwWorld world,
                       HwParameter *into,
                       size_t capacity,
                       size_t *count);

// Changes one of them, by its key, to a value that is written as in the scene.
HwStatus hw_set(HwWorld world, const char *key, const char *value);

// Tells all that the world needs to go on, bit for bit, in bytes. `length` (may be null) is set to how many there are, whether they fit or
// not. Their number changes as the world goes on: ask for it with a capacity of 0 first.
HwStatus hw_snapshot(HwWorld world,
                     uint8_t *buffer,
                     size_t capacity,
                     size_t *length);

// Goes on from a snapshot of a world of the same scene with the same overrides.
HwStatus hw_restore(HwWorld world, const uint8_t *bytes, size_t length);

// Tells the scene as it is now, as TOML, with values that were set and events that were done. `length` (may be null) is set to its bytes without
// the NUL.
HwStatus hw_text(HwWorld world,
                 char *buffer,
                 size_t capacity,
                 size_t *length);

// Tells a hash of the state: the same for the same doing on every machine and for any number of threads, and the one that `headwater hash` prints.
HwStatus hw_state_hash(HwWorld world,
                       uint64_t *hash);

// Tells a part of what went wrong in the last call of this thread that failed; an empty text if it has no such part. `length` (may be null) is
// set to the bytes of the text without its NUL, whether it fits or not.
//
// Returns `HW_STATUS_TOO_SMALL` if it does not fit; of this call alone it is not told what went wrong.
HwStatus hw_last_error(int32_t part,
                       char *buffer,
                       size_t capacity,
                       size_t *length);

// Adds a spring, and sets `id` to its id: it gives `rate` (m³/s; of blocks, cells/s; of hydrology, drops per cell of rain).
HwStatus hw_add_spring(HwWorld world,
                       const HwPlace *at,
                       double rate,
                       uint32_t *id);

// Puts another spring in the place of one.
HwStatus hw_set_spring(HwWorld world, uint32_t id, const HwPlace *at, double rate);

// Takes a spring out.
HwStatus hw_remove_spring(HwWorld world, uint32_t id);

// Tells the ids of its springs, those of the scene too. `count` (may be null) is set to how many there are, whether they fit or not.
HwStatus hw_springs(HwWorld world,
                    uint32_t *into,
                    size_t capacity,
                    size_t *count);

// Adds a drain, and sets `id` to its id: it takes up to `rate`.
HwStatus hw_add_drain(HwWorld world, const HwPlace *at, double rate, uint32_t *id);

// Puts another drain in the place of one.
HwStatus hw_set_drain(HwWorld world, uint32_t id, const HwPlace *at, double rate);

// Takes a drain out.
HwStatus hw_remove_drain(HwWorld world, uint32_t id);

// Tells the ids of its drains, those of the scene too. `count` (may be null) is set to how many there are, whether they fit or not.
HwStatus hw_drains(HwWorld world,
                   uint32_t *into,
                   size_t capacity,
                   size_t *count);

// The number of this interface. A program compares it with the `HW_ABI_VERSION` of the header that it was compiled with: where they differ, it
// must not call anything else.
uint32_t hw_abi_version(void);

// Advances by a time. A world rests after whole steps: at the time asked for so far, or less than a step from it, which the next advance
// takes into account. `goes_on` and `arrived` may be null; `user` is handed to `goes_on`.
HwStatus hw_advance(HwWorld world,
                    double time,
                    HwGoesOn goes_on,
                    void *user,
                    HwArrived *arrived);

// Does so many steps, with all events that are due. `goes_on` and `arrived` may be null; `user` is handed to `goes_on`.
HwStatus hw_step(HwWorld world,
                 uint64_t count,
                 HwGoesOn goes_on,
                 void *user,
                 HwArrived *arrived);

// Tells the layers that the world can show. `count` (may be null) is set to how many there are, whether they fit or not.
HwStatus hw_layers(HwWorld world,
                   HwLayer *into,
                   size_t capacity,
                   size_t *count);

// Tells what there is to know of a layer, by name.
HwStatus hw_layer(HwWorld world, const char *name, HwLayer *layer);

// Copies a layer into an array of `length` = `nx * ny` floats, row after row; of it only what lies in some tiles, if `tiles` is not null.
HwStatus hw_read_layer(HwWorld world,
                       const char *name,
                       const HwTile *tiles,
                       size_t tile_count,
                       float *into,
                       size_t length);

// Tells the tiles in which a layer may have changed since a stamp, which is brought up to date. `count` (may be null) is set to how many there
// are, whether they fit or not; if they do not, the stamp stays.
HwStatus hw_changed(HwWorld world,
                    const char *name,
                    HwStamp *stamp,
                    HwTile *into,
                    size_t capacity,
                    size_t *count);

// Tells what is at a point (m from the top-left corner; of blocks, cells); nothing off the grid. `count` (may be null) is set to how many things
// there are, whether they fit or not.
HwStatus hw_at(HwWorld world,
               double x,
               double y,
               HwSample *into,
               size_t capacity,
               size_t *count);

// Destroys a world. Its handle is of no world from then on.
HwStatus hw_destroy(HwWorld world);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* HEADWATER_H */
