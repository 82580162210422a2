// Nothing crosses the edges.

fn book(came: i32, own: u32, group: u32) {}
