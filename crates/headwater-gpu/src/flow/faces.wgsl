// The faces of a grid by family: the cells beside them, and where they are kept.

// The cells before and after a face.
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

// Whether a face has a place in store that is its own.
fn is_kept(family: i32, p: vec2<i32>) -> bool {
#if HEX
    if family == Z && is_boundary(Z, p) {
        // At the boundary some are beside no cell.
        let x = p.x - select(0, z_offset(world.ny - 1), p.y > 0);
        return x >= 0 && x < world.nx;
    }
    if family == Z {
        return p.x <= world.nx && p.y <= world.ny;
    }
#endif
    return p.x < world.nx + i32(family == X) && p.y < world.ny + i32(family == Y);
}

fn store(family: i32, at: i32, q: f32) {
    switch family {
        case X: { discharge_x[at] = q; }
#if HEX
        case Z: { discharge_z[at] = q; }
#endif
        default: { discharge_y[at] = q; }
    }
}
