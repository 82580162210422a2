// Access to faces by family: their cells and their discharge buffers.

// Returns the cell before a face (at its west or north).
fn cell_before(family: i32, p: vec2<i32>) -> vec2<i32> {
#if HEX
    if family == Z {
        return above_z(p);
    }
#endif
    return p - select(vec2(0, 1), vec2(1, 0), family == X);
}

fn cell_after(family: i32, p: vec2<i32>) -> vec2<i32> {
#if HEX
    if family == Z {
        return below_z(p);
    }
#endif
    return p;
}

// Returns whether a face exists in the discharge buffers.
fn is_stored(family: i32, p: vec2<i32>) -> bool {
#if HEX
    if family == Z && is_boundary(Z, p) {
        // Some faces of the third family at the boundary have no cell.
        let x = p.x - select(0, z_offset(world.ny - 1), p.y > 0);
        return x >= 0 && x < world.nx;
    }
    if family == Z {
        return p.x <= world.nx && p.y <= world.ny;
    }
#endif
    return p.x < world.nx + i32(family == X) && p.y < world.ny + i32(family == Y);
}

fn store_face(family: i32, index: i32, q: f32) {
    switch family {
        case X: { discharge_x[index] = q; }
#if HEX
        case Z: { discharge_z[index] = q; }
#endif
        default: { discharge_y[index] = q; }
    }
}
