// The same step in three passes over whole fields, as it is usually done: the yardstick of the tile. Faces are driven
// (from one side to the other), cut down to what cells can feed (and back), and then depths follow.

fn cell(p: vec2<i32>) -> vec2<f32> { return stored_cell(p); }
fn old_x(p: vec2<i32>) -> f32 { return stored_x(p); }
fn old_y(p: vec2<i32>) -> f32 { return stored_y(p); }

fn stored(p: vec2<i32>) -> i32 { return p.y * world.pitch + p.x; }

// Stage 4: what a cell can feed; what is closed or off the grid is in no need.
fn fed(p: vec2<i32>) -> f32 {
    let here = stored_cell(p);
    if here.x >= CLOSED {
        return 1.0;
    }
    return fed_part(here.y, outflow(vec2(column(p.x), row(p.y))));
}

// Stage 4, a face: cut down to what the cell that it leaves can feed.
fn cut(q: f32, before: vec2<i32>, after: vec2<i32>) -> f32 {
    if q == 0.0 {
        return q;
    }
    return q * fed(select(after, before, q > 0.0));
}

// Stage 5, a face: the depth that it moves.
fn moved(q: f32, before: vec2<i32>, after: vec2<i32>) -> f32 {
    return transfer(q, greater(stored_cell(before).y, stored_cell(after).y));
}

fn book_rim(q: f32, before: vec2<i32>, after: vec2<i32>, inward: bool) {
    let depth = moved(q, before, after);
    let into = select(-depth, depth, inward);
    book(CAME, into);
    book(WENT, -into);
}
