fn drive_third(p: vec2<i32>) {}
