// Kernel that compacts the active tracers in their order and starts new ones in place of expired
// ones. It uses one workgroup, because each random number depends on those drawn for the particle
// before.

const WORDS: u32 = THREADS / 32u;

// One bit for each invocation.
var<workgroup> bits: array<atomic<u32>, WORDS>;
// Result that all invocations share.
var<workgroup> result: u32;
// For each particle that starts, the number of random draws before its start.
var<workgroup> winners: array<u32, THREADS>;
// Number of active particles.
var<workgroup> alive_count: u32;
// Number of particles that must still start.
var<workgroup> missing: u32;
// Number of attempts so far to start the first missing particle.
var<workgroup> attempts: u32;
// State of the random number generator.
var<workgroup> random: vec2<u32>;

// Returns the number of draws between two attempts that are tested in parallel. While particles
// start at random ages, the number of draws depends on earlier attempts, so the stride is 1.
fn stride() -> u32 { return select(1u, DRAWS, tracers.head.filled == 1u); }

// Shares one bit per invocation with the whole workgroup.
fn ballot(lane: u32, has: bool) {
    if lane < WORDS {
        atomicStore(&bits[lane], 0u);
    }
    workgroupBarrier();
    if has {
        atomicOr(&bits[lane / 32u], 1u << (lane % 32u));
    }
    workgroupBarrier();
}

fn has_vote(lane: u32) -> bool {
    return ((atomicLoad(&bits[lane / 32u]) >> (lane % 32u)) & 1u) == 1u;
}

// Returns the number of set bits of invocations before `lane`.
fn votes_before(lane: u32) -> u32 {
    var count = 0u;
    for (var word = 0u; word < lane / 32u; word++) {
        count += countOneBits(atomicLoad(&bits[word]));
    }
    if lane % 32u != 0u {
        let below = (1u << (lane % 32u)) - 1u;
        count += countOneBits(atomicLoad(&bits[lane / 32u]) & below);
    }
    return count;
}

// Returns the state of the random number generator after some draws.
fn state_after(draws: u32) -> vec2<u32> {
    let jump = tracers.jumps[draws];
    return add_64(mul_64(jump.xy, random), jump.zw);
}

fn random_u32(draws: u32) -> u32 {
    let state = state_after(draws);
    let shifted = shift_right_64(state, 18u);
    let mixed = shift_right_64(vec2(shifted.x ^ state.x, shifted.y ^ state.y), 27u).x;
    let rotation = state.y >> 27u;
    return (mixed >> rotation) | (mixed << ((32u - rotation) & 31u));
}

// Returns the random integer below `n` that follows after some draws.
fn random_below(draws: u32, n: u32) -> i32 {
    return i32(mul_wide(random_u32(draws), n).y);
}

// Returns the random number from 0 to 1 that follows after some draws.
fn random_unit(draws: u32) -> Double {
    return quotient(u32_to_double(random_u32(draws)), u32_to_double(0xffffffffu));
}

// Returns the cell that is tried as a start position after some draws.
fn candidate_cell(draws: u32) -> vec2<i32> {
    if SPAWN_CELLS > 0u {
        return vec2<i32>(tracers.spawn_cells[random_below(draws, SPAWN_CELLS)]);
    }
    return vec2(random_below(draws, u32(world.nx)), random_below(draws + 1u, u32(world.ny)));
}

fn is_wet(cell: vec2<i32>) -> bool {
    let index = grid_index(cell);
    return depth[new_h_offset() + index] > world.dry && bed[index] < CLOSED;
}

fn spawn(draws: u32) -> Particle {
    let center = center_of(candidate_cell(draws));
    let first = draws + DRAWS - 2u;
    let east = product(sum(random_unit(first), negated(HALF)), tracers.head.dx);
    let south = product(sum(random_unit(first + 1u), negated(HALF)), tracers.head.dy);
    var age = ZERO;
    if tracers.head.filled == 0u {
        age = product(random_unit(draws + DRAWS), tracers.head.lifetime);
    }
    return Particle(sum(center.xy, east), sum(center.zw, south), vec2<f32>(), age);
}

// Processes the tested attempts in order. Returns the number of particles that start.
fn process_attempts() -> u32 {
    var spawned = 0u;
    var draws = 0u;
    while missing > 0u && draws / stride() < THREADS {
        let is_wet_cell = has_vote(draws / stride());
        if is_wet_cell {
            winners[spawned] = draws;
            spawned += 1u;
        }
        draws += DRAWS + u32(is_wet_cell && tracers.head.filled == 0u);
        attempts += 1u;
        if is_wet_cell || attempts == MAX_ATTEMPTS {
            missing -= 1u;
            attempts = 0u;
        }
    }
    // The draw counts of the winners are relative to the previous generator state.
    tracers.head.random = state_after(draws);
    return spawned;
}

@compute @workgroup_size(THREADS)
fn respawn_tracers(@builtin(local_invocation_index) lane: u32) {
    if lane == 0u {
        result = u32(step_is_stable());
        alive_count = 0u;
    }
    if workgroupUniformLoad(&result) == 0u {
        return;
    }
    if lane == 0u {
        result = tracers.head.alive;
    }
    let alive = workgroupUniformLoad(&result);
    for (var first = 0u; first < alive; first += THREADS) {
        let i = first + lane;
        var particle = Particle();
        particle.age = EXPIRED;
        if i < alive {
            particle = particles[COUNT + i];
        }
        let stays = any(particle.age != EXPIRED);
        ballot(lane, stays);
        let before = votes_before(lane);
        if stays {
            particles[alive_count + before] = particle;
        }
        workgroupBarrier();
        if lane == THREADS - 1u {
            alive_count += before + u32(stays);
        }
    }
    workgroupBarrier();
    if lane == 0u {
        missing = COUNT - alive_count;
        attempts = 0u;
        random = tracers.head.random;
    }
    loop {
        let remaining = workgroupUniformLoad(&missing);
        // If no cell lies under the emitters, no particle can start.
        if remaining == 0u || NO_SPAWN_CELLS == 1u {
            break;
        }
        ballot(lane, is_wet(candidate_cell(lane * stride())));
        if lane == 0u {
            result = process_attempts();
        }
        let spawned = workgroupUniformLoad(&result);
        if lane < spawned {
            particles[alive_count + lane] = spawn(winners[lane]);
        }
        workgroupBarrier();
        if lane == 0u {
            alive_count += spawned;
            random = tracers.head.random;
        }
    }
    if lane == 0u {
        tracers.head.alive = alive_count;
        tracers.head.filled |= u32(alive_count == COUNT);
    }
}
