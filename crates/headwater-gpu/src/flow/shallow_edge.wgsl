#if SHALLOW_WATER
// Boundary faces of the shallow-water scheme, as in crates/headwater/src/flow/shallow/boundary_flux.rs.

// Ghost state beyond an edge, for the slopes of the edge cell. `inner` is the bed of the cell on
// the opposite side; if that is closed, the ground is extended horizontally.
fn beyond(outer: Entry, here: Water, inner: f32) -> Water {
    let z = here.z + (here.z - select(inner, here.z, inner >= CLOSED));
    if outer.kind == WALL || (outer.kind == GIVEN && outer.a == 0.0) {
        return mirrored(here);
    }
    // The value at the face is the mean of the cell and the ghost cell. Emerging ground is extended
    // only up to the level.
    if outer.kind == LEVEL && outer.a > z {
        let known = are_level(outer.a, abs(outer.a) + here.h, here.w, abs(here.w) + here.h);
        let w = select(greater(2.0 * outer.a - here.w, z), outer.a, known || here.z >= outer.a);
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

// Flux over a face with the given depth and velocity. Tangential velocity is that of the inside.
fn through(h: f32, u: f32, inner: Water) -> vec4<f32> {
    let volume = h * u;
    let before = volume * u + 0.5 * world.gravity * ((h - inner.h) * (h + inner.h));
    return vec4(volume, before, 0.0, volume * inner.v);
}

fn overfall(inner: Water) -> vec4<f32> {
    let c = sqrt(world.gravity * inner.h);
    let critical = greater((inner.u + 2.0 * c) / 3.0, 0.0);
    let free = inner.u >= c;
    let h = select(critical * critical / world.gravity, inner.h, free);
    let u = select(critical, inner.u, free);
    return through(h, u, inner);
}

// A water level at the face.
fn sea(level: f32, inner: Water) -> vec4<f32> {
    let gravity = world.gravity;
    let depth = level - inner.z;
    // If the level equals the inner surface, so does the depth at the face.
    let h = select(depth, inner.h, are_level(level, depth, inner.w, inner.size));
    if h <= 0.0 {
        return overfall(inner);
    }
    let c = sqrt(gravity * inner.h);
    let deep = sqrt(gravity * h);
    let u = inner.u + 2.0 * (c - deep);
    if u >= deep {
        return overfall(inner);
    }
    let froude = -u / deep;
    let drop = smaller(0.25 * froude, 0.3333333333333333) * smaller(greater(2.0 * froude - 1.0, 0.0), 1.0);
    if drop > 0.0 {
        let slow = deep * (1.0 - drop);
        return through(slow * slow / gravity, greater(u + 2.0 * (deep - slow), -slow), inner);
    }
    return through(h, u, inner);
}

// A wave maker.
fn waves(level: f32, rise: f32, inner: Water) -> vec4<f32> {
    let gravity = world.gravity;
    let depth = level - inner.z;
    if depth <= 0.0 {
        return wall(inner);
    }
    let still = select(depth, inner.h, are_level(level, depth, inner.w, inner.size));
    let c = sqrt(gravity * inner.h);
    let calm = sqrt(gravity * still);
    let incoming = 2.0 * sqrt(gravity * greater(still + rise, 0.0)) - calm;
    let meets = 0.5 * (c + incoming) + 0.25 * inner.u;
    let u = (c - incoming) + 0.5 * inner.u;
    if u >= meets {
        return overfall(inner);
    }
    let h = greater(inner.h + (meets - c) * (meets + c) / gravity, 0.0);
    return through(h, greater(u, -meets), inner);
}

// Flux over a boundary face after the cell with the state `inner`; volume and `u` are positive
// outwards. For given discharges, the entry contains the critical depth.
fn outward(outer: Entry, inner: Water) -> vec4<f32> {
    let gravity = world.gravity;
    if outer.kind == GIVEN && outer.a > 0.0 {
        let h = greater(inner.h, outer.b);
        let f = flux(inner, Water(inner.z, h, inner.z + h, -outer.a / h, 0.0, inner.size));
        return vec4(-outer.a, f.y, f.z, 0.0);
    }
    if outer.kind == GIVEN {
        let q = -outer.a;
        let fastest = abs(inner.u) + sqrt(gravity * inner.h);
        let u = select(0.0, 2.0 * q / inner.h - inner.u, inner.h > 0.0);
        let f = flux(inner, Water(inner.z, inner.h, inner.w, smaller(u, fastest), inner.v, inner.size));
        return vec4(q, f.y, f.z, q * inner.v);
    }
    if outer.kind == NOTHING {
        return overfall(inner);
    }
    if outer.kind == WAVES {
        return waves(outer.a, outer.b, inner);
    }
    if outer.kind == LEVEL {
        return sea(outer.a, inner);
    }
    return wall(inner);
}
#endif
