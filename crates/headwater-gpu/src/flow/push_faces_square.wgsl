// Squares have no third family of faces.

fn push_third(at: i32, push: Push) {}
