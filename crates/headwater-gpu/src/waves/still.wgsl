// Nothing but the surface itself pushes.

fn pushing(i: u32) -> i32 {
    return old_height[i];
}
