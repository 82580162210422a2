// What a workgroup books, before it goes to the world's accounts: `BOOKS` of them from `FIRST_BOOK` on.

var<workgroup> group_books: array<atomic<u32>, 4u * BOOKS>;

fn book_group(account: u32, value: f32) {
    if value > 0.0 {
        book_group_words(account, words(value));
    }
}

fn book_group_words(account: u32, parts: vec4<u32>) {
    var carry = 0u;
    for (var k = 0u; k < 4u; k++) {
        let sum = parts[k] + carry;
        carry = u32(sum < carry);
        if sum != 0u {
            let old = atomicAdd(&group_books[4u * (account - FIRST_BOOK) + k], sum);
            carry += u32(old + sum < sum);
        }
    }
}

// Begins a workgroup's books, and closes them.
fn open_books(lane: u32) {
    if lane < 4u * BOOKS {
        atomicStore(&group_books[lane], 0u);
    }
}

fn close_books(lane: u32) {
    if lane < BOOKS {
        var value = vec4<u32>();
        for (var k = 0u; k < 4u; k++) {
            value[k] = atomicLoad(&group_books[4u * lane + k]);
        }
        add_words(FIRST_BOOK + lane, value);
    }
}
