// Hexagons have faces of a third family.

fn push_third(at: i32, push: Push) {
    discharge_z[at] = pushed(discharge_z[at], push);
}
