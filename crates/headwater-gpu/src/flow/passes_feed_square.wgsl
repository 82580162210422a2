fn feed_third(p: vec2<i32>) {}
