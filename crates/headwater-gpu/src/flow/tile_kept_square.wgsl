fn load_third(i: u32, p: vec2<i32>) {}
