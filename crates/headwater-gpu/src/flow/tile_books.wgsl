// What a tile books of its boundary faces, before it goes to the world's accounts.

// What came and went over the boundary.
var<workgroup> tile_books: array<atomic<u32>, 8>;

fn book_tile(account: u32, value: f32) {
    if !(value > 0.0) {
        return;
    }
    let parts = words(value);
    var carry = 0u;
    for (var k = 0u; k < 4u; k++) {
        let sum = parts[k] + carry;
        carry = u32(sum < carry);
        if sum != 0u {
            let old = atomicAdd(&tile_books[4u * account + k], sum);
            carry += u32(old + sum < sum);
        }
    }
}

// Books what crossed a boundary face. `into` is the depth that it moved, into the grid.
fn book_rim(into: f32) {
    book_tile(CAME, into);
    book_tile(WENT, -into);
}

// Begins a tile's books, and closes them.
fn open_books(lane: u32) {
    if lane < 8u {
        atomicStore(&tile_books[lane], 0u);
    }
}

fn close_books(lane: u32) {
    if lane < 2u {
        var value = vec4<u32>();
        for (var k = 0u; k < 4u; k++) {
            value[k] = atomicLoad(&tile_books[4u * lane + k]);
        }
        add_words(lane, value);
    }
}
