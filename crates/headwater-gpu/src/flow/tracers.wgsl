// Tracer particles, as crates/headwater/src/flow/particles.rs has them: where they are in numbers of 64 bits, and their
// numbers from the same generator in the same order.

struct Particle {
    x: vec2<u32>,
    y: vec2<u32>,
    velocity: vec2<f32>,
    // (s)
    age: vec2<u32>,
}

struct Swarm {
    // How many are on their way, and whether all were there once.
    alive: u32,
    filled: u32,
    // State of the generator.
    random: vec2<u32>,
    // (s)
    lifetime: vec2<u32>,
    // Distance of two cells in a row, and of two rows (m).
    dx: vec2<u32>,
    dy: vec2<u32>,
    // Size of the grid (m), and how far it is around it.
    width: vec2<u32>,
    height: vec2<u32>,
    around: vec2<u32>,
    // For each number of draws, what the generator's state is multiplied by, and what is added then.
    jumps: array<vec4<u32>, JUMPS>,
    // Columns and rows of the cells that particles begin in.
    births: array<vec2<u32>>,
}

@group(0) @binding(11) var<storage, read_write> swarm: Swarm;
// The particles, and after as many places those that have moved.
@group(0) @binding(12) var<storage, read_write> particles: array<Particle>;

// The age of one that has come to its end.
const ENDED: vec2<u32> = vec2<u32>(0xffffffffu, 0xffffffffu);

// A step's length (s).
fn step_length() -> Double {
    return vec2(now.step.dt_low, now.step.dt_high);
}

fn is_at_sea(x: Double, y: Double) -> bool {
    let inside = less(x, swarm.width) && less(y, swarm.height);
    return inside && !is_negative(x) && !is_negative(y);
}
