#if PIPES
// Pipes allow the same step whatever the water does.
fn step_is_stable() -> bool { return now.step.go == 1u; }
fn may_step(lane: u32) -> bool { return now.step.go == 1u; }
fn note_cell(h: f32, left: f32) {}
fn note_tile(lane: u32) {}
#else
// How long a step may be depends on the water, so each step looks at what the one before has left, as
// crates/headwater/src/flow/inertial/limit.rs does: how deep it is, and how fast the deeper cells empty. If the step is
// too long for that, it and all after it leave the world as it is, and the CPU chooses anew.

// For each step of a batch, and before the first: the greatest depth and the greatest loss (as bits), and 1.
@group(0) @binding(10) var<storage, read_write> notes: array<atomic<u32>>;

// As in limit.rs.
const SHALLOW: f32 = 0.1;
const THIN: f32 = 1e-3;

var<workgroup> tile_may: u32;
var<workgroup> tile_deepest: atomic<u32>;
var<workgroup> tile_loss: atomic<u32>;

fn step_is_stable() -> bool {
    let slot = 3u * now.step.slot;
    let deepest = bitcast<f32>(atomicLoad(&notes[slot]));
    let loss = bitcast<f32>(atomicLoad(&notes[slot + 1u]));
    let waves = deepest <= now.step.deepest;
    let losses = loss <= now.step.loss || deepest <= now.step.deepest_of_losses;
    return atomicLoad(&notes[slot + 2u]) == 1u && waves && losses;
}

fn may_step(lane: u32) -> bool {
    if lane == 0u {
        tile_may = u32(step_is_stable());
        atomicStore(&tile_deepest, 0u);
        atomicStore(&tile_loss, 0u);
    }
    return workgroupUniformLoad(&tile_may) == 1u;
}

// Notes a cell's new depth, and the depth that left it in the step.
fn note_cell(h: f32, left: f32) {
    let before = bitcast<f32>(atomicLoad(&notes[3u * now.step.slot]));
    atomicMax(&tile_deepest, bitcast<u32>(h));
    if h > 0.0 && h >= SHALLOW * max(max(before, now.step.outside), THIN) {
        atomicMax(&tile_loss, bitcast<u32>(left / (now.step.to_area * h)));
    }
}

fn note_tile(lane: u32) {
    if lane == 0u {
        let slot = 3u * (now.step.slot + 1u);
        atomicMax(&notes[slot], atomicLoad(&tile_deepest));
        atomicMax(&notes[slot + 1u], atomicLoad(&tile_loss));
        atomicStore(&notes[slot + 2u], 1u);
    }
}
#endif
