// Bodies, gusts and wave makers press on the surface while it pushes: their heads (quanta) count as height.

fn pushing(i: u32) -> i32 {
    return old_height[i] + head[i];
}
