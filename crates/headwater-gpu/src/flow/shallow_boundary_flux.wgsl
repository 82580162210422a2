#if SHALLOW_WATER
// Boundary faces of the shallow-water scheme, as in
// crates/headwater/src/flow/shallow/boundary_flux.rs.

// Returns the ghost state beyond an edge, from which the slopes of the edge cell are computed.
// `inner` is the bed height of the cell on the opposite side; if that cell is closed, the ground is
// extended horizontally.
fn ghost_cell(outer: Entry, here: Water, inner: f32) -> Water {
    let z = here.z + (here.z - select(inner, here.z, inner >= CLOSED));
    if outer.kind == WALL || (outer.kind == DISCHARGE && outer.a == 0.0) {
        return mirrored(here);
    }
    // The value at the face is the mean of the cell and the ghost cell. Ground above the water is
    // extended only up to the water level.
    if outer.kind == LEVEL && outer.a > z {
        let known = are_level(outer.a, abs(outer.a) + here.h, here.w, abs(here.w) + here.h);
        let w = select(fast_max(2.0 * outer.a - here.w, z), outer.a, known || here.z >= outer.a);
        return Water(z, w - z, w, here.u, here.v, abs(w) + (w - z));
    }
    if (outer.kind == LEVEL || outer.kind == WAVES) && z >= here.w {
        return Water(z, 0.0, z, here.u, here.v, abs(z));
    }
    if outer.kind == WAVES {
        return Water(z, here.w - z, here.w, here.u, here.v, abs(here.w) + (here.w - z));
    }
    return Water(z, here.h, z + here.h, here.u, here.v, abs(z + here.h) + here.h);
}

// Returns the flux through a face with the given depth and velocity. The tangential velocity is
// that of the inside.
fn flux_of(h: f32, u: f32, inner: Water) -> vec4<f32> {
    let volume = h * u;
    let before = volume * u + 0.5 * world.gravity * ((h - inner.h) * (h + inner.h));
    return vec4(volume, before, 0.0, volume * inner.v);
}

fn free_overfall(inner: Water) -> vec4<f32> {
    let c = sqrt(world.gravity * inner.h);
    let critical = fast_max((inner.u + 2.0 * c) / 3.0, 0.0);
    let free = inner.u >= c;
    let h = select(critical * critical / world.gravity, inner.h, free);
    let u = select(critical, inner.u, free);
    return flux_of(h, u, inner);
}

// Returns the flux through a face with a given water level outside.
fn level_flux(level: f32, inner: Water) -> vec4<f32> {
    let gravity = world.gravity;
    let depth = level - inner.z;
    // If the level equals the inner surface, the depth at the face equals the inner depth.
    let h = select(depth, inner.h, are_level(level, depth, inner.w, inner.rounding_scale));
    if h <= 0.0 {
        return free_overfall(inner);
    }
    let c = sqrt(gravity * inner.h);
    let deep = sqrt(gravity * h);
    let u = inner.u + 2.0 * (c - deep);
    if u >= deep {
        return free_overfall(inner);
    }
    let froude = -u / deep;
    let drop = fast_min(0.25 * froude, 0.3333333333333333) * fast_min(fast_max(2.0 * froude - 1.0, 0.0), 1.0);
    if drop > 0.0 {
        let slow = deep * (1.0 - drop);
        return flux_of(slow * slow / gravity, fast_max(u + 2.0 * (deep - slow), -slow), inner);
    }
    return flux_of(h, u, inner);
}

// Returns the flux through a face with a wave maker outside.
fn wave_flux(level: f32, rise: f32, inner: Water) -> vec4<f32> {
    let gravity = world.gravity;
    let depth = level - inner.z;
    if depth <= 0.0 {
        return wall_flux(inner);
    }
    let still = select(depth, inner.h, are_level(level, depth, inner.w, inner.rounding_scale));
    let c = sqrt(gravity * inner.h);
    let calm = sqrt(gravity * still);
    let incoming = 2.0 * sqrt(gravity * fast_max(still + rise, 0.0)) - calm;
    let meets = 0.5 * (c + incoming) + 0.25 * inner.u;
    let u = (c - incoming) + 0.5 * inner.u;
    if u >= meets {
        return free_overfall(inner);
    }
    let h = fast_max(inner.h + (meets - c) * (meets + c) / gravity, 0.0);
    return flux_of(h, fast_max(u, -meets), inner);
}

// Returns the flux through a boundary face whose inner cell has the state `inner`. Volume and `u`
// are positive outwards. For given discharges, the entry contains the critical depth.
fn boundary_flux(outer: Entry, inner: Water) -> vec4<f32> {
    let gravity = world.gravity;
    if outer.kind == DISCHARGE && outer.a > 0.0 {
        let h = fast_max(inner.h, outer.b);
        let f = hll_flux(inner, Water(inner.z, h, inner.z + h, -outer.a / h, 0.0, inner.rounding_scale));
        return vec4(-outer.a, f.y, f.z, 0.0);
    }
    if outer.kind == DISCHARGE {
        let q = -outer.a;
        let fastest = abs(inner.u) + sqrt(gravity * inner.h);
        let u = select(0.0, 2.0 * q / inner.h - inner.u, inner.h > 0.0);
        let f = hll_flux(inner, Water(inner.z, inner.h, inner.w, fast_min(u, fastest), inner.v, inner.rounding_scale));
        return vec4(q, f.y, f.z, q * inner.v);
    }
    if outer.kind == FREE_OUTFLOW {
        return free_overfall(inner);
    }
    if outer.kind == WAVES {
        return wave_flux(outer.a, outer.b, inner);
    }
    if outer.kind == LEVEL {
        return level_flux(outer.a, inner);
    }
    return wall_flux(inner);
}
#endif
