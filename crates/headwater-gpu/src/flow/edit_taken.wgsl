// Water that goes takes its momentum along; water that comes brings none.

fn take_along(place: i32, rest: f32) {
    momentum_x[from_q() + place] *= rest;
    momentum_y[from_q() + place] *= rest;
}
