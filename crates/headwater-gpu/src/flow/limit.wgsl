#if PIPES
// In the pipes scheme, the stable time step does not depend on the water.
fn step_is_stable() -> bool { return current.step.is_active == 1u; }
fn begin_step(lane: u32) -> bool { return current.step.is_active == 1u; }
fn accumulate_summary(h: f32, left: f32) {}
fn flush_summary(lane: u32) {}
#else
// Stability check of schemes whose stable time step depends on the water. Each step checks the
// summary of the state before it, as in crates/headwater/src/flow/inertial/limit.rs: the largest
// depth, and the largest loss rate of the deeper cells. If the step is unstable, it and all later
// steps of the batch are skipped, and the CPU plans new ones.

// State summaries of the initial state and after each step of a batch: largest depth and largest
// loss rate (bit patterns), and 1 if the state was reached.
@group(0) @binding(10) var<storage, read_write> summaries: array<atomic<u32>>;

// Fraction of the largest depth below which cells count as shallow, so that their loss rates are
// ignored; as in crates/headwater/src/flow/inertial/limit.rs.
const SHALLOW: f32 = 0.1;
const THIN: f32 = 1e-3;

var<workgroup> tile_is_stable: u32;
var<workgroup> tile_max_depth: atomic<u32>;
var<workgroup> tile_max_loss: atomic<u32>;

fn step_is_stable() -> bool {
    let slot = 3u * current.step.slot;
    let max_depth = bitcast<f32>(atomicLoad(&summaries[slot]));
    let loss = bitcast<f32>(atomicLoad(&summaries[slot + 1u]));
    let waves = max_depth <= current.step.max_depth;
    let losses = loss <= current.step.max_loss || max_depth <= current.step.max_depth_any_loss;
    return atomicLoad(&summaries[slot + 2u]) == 1u && waves && losses;
}

fn begin_step(lane: u32) -> bool {
    if lane == 0u {
        tile_is_stable = u32(step_is_stable());
        atomicStore(&tile_max_depth, 0u);
        atomicStore(&tile_max_loss, 0u);
    }
    return workgroupUniformLoad(&tile_is_stable) == 1u;
}

// Adds a cell's new depth `h` and its outflow depth `left` during the step to the workgroup's
// summary.
fn accumulate_summary(h: f32, left: f32) {
    let before = bitcast<f32>(atomicLoad(&summaries[3u * current.step.slot]));
    atomicMax(&tile_max_depth, bitcast<u32>(h));
    if h > 0.0 && h >= SHALLOW * max(max(before, current.step.outside_depth), THIN) {
        atomicMax(&tile_max_loss, bitcast<u32>(left / (current.step.to_area * h)));
    }
}

fn flush_summary(lane: u32) {
    if lane == 0u {
        let slot = 3u * (current.step.slot + 1u);
        atomicMax(&summaries[slot], atomicLoad(&tile_max_depth));
        atomicMax(&summaries[slot + 1u], atomicLoad(&tile_max_loss));
        atomicStore(&summaries[slot + 2u], 1u);
    }
}
#endif
