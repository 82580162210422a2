// Tracers that have not come to their end close up in their order, and new ones begin for those that are missing. One
// workgroup does it, since each number that is drawn stands behind those of the particle before.

const WORDS: u32 = THREADS / 32u;

// A bit for each invocation, and what the first one found out of them.
var<workgroup> bits: array<atomic<u32>, WORDS>;
var<workgroup> found: u32;
// The draws before those of the particles that begin.
var<workgroup> winners: array<u32, THREADS>;
// Particles on their way, those that are missing still, the tries of the first of these, and the generator's state.
var<workgroup> there: u32;
var<workgroup> missing: u32;
var<workgroup> tries: u32;
var<workgroup> random: vec2<u32>;

// How far apart two tries are that are looked at: while particles begin at any age, it depends on the tries before how
// many numbers were drawn.
fn stride() -> u32 { return select(1u, DRAWS, tracers.head.filled == 1u); }

// Tells all invocations which of them have something.
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

fn voted(lane: u32) -> bool {
    return ((atomicLoad(&bits[lane / 32u]) >> (lane % 32u)) & 1u) == 1u;
}

// How many of the invocations before one have something.
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

// The state of the generator after some draws, and the number that it then gives.
fn state_after(draws: u32) -> vec2<u32> {
    let jump = tracers.jumps[draws];
    return add_64(product_64(jump.xy, random), jump.zw);
}

fn drawn(draws: u32) -> u32 {
    let state = state_after(draws);
    let shifted = right_64(state, 18u);
    let mixed = right_64(vec2(shifted.x ^ state.x, shifted.y ^ state.y), 27u).x;
    let by = state.y >> 27u;
    return (mixed >> by) | (mixed << ((32u - by) & 31u));
}

// A random whole number below `n`.
fn drawn_below(draws: u32, n: u32) -> i32 {
    return i32(wide(drawn(draws), n).y);
}

// A random number from 0 to 1.
fn drawn_unit(draws: u32) -> Double {
    return quotient(double_of_bits(drawn(draws)), double_of_bits(0xffffffffu));
}

// The cell that is tried after some draws.
fn tried(draws: u32) -> vec2<i32> {
    if BIRTHS > 0u {
        return vec2<i32>(tracers.births[drawn_below(draws, BIRTHS)]);
    }
    return vec2(drawn_below(draws, u32(world.nx)), drawn_below(draws + 1u, u32(world.ny)));
}

fn is_wet(cell: vec2<i32>) -> bool {
    let at = stored_at(cell);
    return depth[to_h() + at] > world.dry && bed[at] < CLOSED;
}

fn born(draws: u32) -> Particle {
    let center = center_of(tried(draws));
    let first = draws + DRAWS - 2u;
    let east = product(sum(drawn_unit(first), negated(HALF)), tracers.head.dx);
    let south = product(sum(drawn_unit(first + 1u), negated(HALF)), tracers.head.dy);
    var age = NONE;
    if tracers.head.filled == 0u {
        age = product(drawn_unit(draws + DRAWS), tracers.head.lifetime);
    }
    return Particle(sum(center.xy, east), sum(center.zw, south), vec2<f32>(), age);
}

// Goes through the tries that were looked at, in their order. Returns how many particles begin.
fn walk() -> u32 {
    var begun = 0u;
    var draws = 0u;
    while missing > 0u && draws / stride() < THREADS {
        let lucky = voted(draws / stride());
        if lucky {
            winners[begun] = draws;
            begun += 1u;
        }
        draws += DRAWS + u32(lucky && tracers.head.filled == 0u);
        tries += 1u;
        if lucky || tries == TRIES {
            missing -= 1u;
            tries = 0u;
        }
    }
    // The winners still count from where the generator was.
    tracers.head.random = state_after(draws);
    return begun;
}

@compute @workgroup_size(THREADS)
fn gather_tracers(@builtin(local_invocation_index) lane: u32) {
    if lane == 0u {
        found = u32(step_is_stable());
        there = 0u;
    }
    if workgroupUniformLoad(&found) == 0u {
        return;
    }
    if lane == 0u {
        found = tracers.head.alive;
    }
    let alive = workgroupUniformLoad(&found);
    for (var first = 0u; first < alive; first += THREADS) {
        let i = first + lane;
        var particle = Particle();
        particle.age = ENDED;
        if i < alive {
            particle = particles[COUNT + i];
        }
        let stays = any(particle.age != ENDED);
        ballot(lane, stays);
        let before = votes_before(lane);
        if stays {
            particles[there + before] = particle;
        }
        workgroupBarrier();
        if lane == THREADS - 1u {
            there += before + u32(stays);
        }
    }
    workgroupBarrier();
    if lane == 0u {
        missing = COUNT - there;
        tries = 0u;
        random = tracers.head.random;
    }
    loop {
        let left = workgroupUniformLoad(&missing);
        // Where there is no cell to begin in, nothing can.
        if left == 0u || NOWHERE == 1u {
            break;
        }
        ballot(lane, is_wet(tried(lane * stride())));
        if lane == 0u {
            found = walk();
        }
        let begun = workgroupUniformLoad(&found);
        if lane < begun {
            particles[there + lane] = born(winners[lane]);
        }
        workgroupBarrier();
        if lane == 0u {
            there += begun;
            random = tracers.head.random;
        }
    }
    if lane == 0u {
        tracers.head.alive = there;
        tracers.head.filled |= u32(there == COUNT);
    }
}
