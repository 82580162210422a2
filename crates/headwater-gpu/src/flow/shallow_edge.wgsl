#if SHALLOW_WATER
// The outermost faces of shallow water, as crates/headwater/src/flow/shallow/edge.rs has them.

// The water beyond an edge, as far as a cell's slopes ask for it. `inner` is the bed of the cell on the other side; if
// that is closed, the ground goes on level.
fn beyond(outer: Entry, here: Water, inner: f32) -> Water {
    let z = here.z + (here.z - select(inner, here.z, inner >= CLOSED));
    if outer.kind == WALL {
        return mirrored(here);
    }
    if outer.kind == LEVEL && outer.a > z {
        return Water(z, outer.a - z, outer.a, here.u, here.v, abs(outer.a) + (outer.a - z));
    }
    if outer.kind == LEVEL && z >= here.w {
        return Water(z, 0.0, z, here.u, here.v, abs(z));
    }
    return Water(z, here.h, z + here.h, here.u, here.v, abs(z + here.h) + here.h);
}

fn overfall(inner: Water) -> vec4<f32> {
    let c = sqrt(world.gravity * inner.h);
    let critical = greater((inner.u + 2.0 * c) / 3.0, 0.0);
    let free = inner.u >= c;
    let h = select(critical * critical / world.gravity, inner.h, free);
    let u = select(critical, inner.u, free);
    let volume = h * u;
    let before = volume * u + 0.5 * world.gravity * ((h - inner.h) * (h + inner.h));
    return vec4(volume, before, 0.0, volume * inner.v);
}

// What crosses an outermost face that lies after the cell with this side: volume and `u` count outwards. Entries of
// given discharges bring the critical depth along.
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
        let still = outer.a - inner.z;
        if still <= 0.0 {
            return wall(inner);
        }
        let q = sqrt(gravity * still) * (2.0 * outer.b - (inner.h - still));
        let h = greater(inner.h, THIN_FILM);
        let f = flux(inner, Water(inner.z, h, inner.z + h, -q / h, 0.0, inner.size));
        return vec4(-q, f.y, f.z, -smaller(q, 0.0) * inner.v);
    }
    if outer.kind == LEVEL {
        // A sea that is level with the water inside is as deep at the face.
        let deep = outer.a - inner.z;
        let h = select(deep, inner.h, are_level(outer.a, deep, inner.w, inner.size));
        let free = inner.u > 0.0 && inner.u * inner.u >= gravity * inner.h;
        if h <= 0.0 || free {
            return overfall(inner);
        }
        let u = greater(inner.u, -sqrt(gravity * h));
        return flux(inner, Water(inner.z, h, outer.a, u, inner.v, inner.size));
    }
    return wall(inner);
}
#endif
