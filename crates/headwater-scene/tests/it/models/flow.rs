//! Scenes of the model `flow`.

use crate::support::parameters::walk;
use headwater::flow::{
    Culvert, Evaporation, Gate, Params, Rain, Settle, Soil, Source, Tracers, Weir,
};

const SCENE: &str = r#"
model = "flow"
[grid]
nx = 20
ny = 15
cell = 4
[time]
until = 8
[terrain]
plane = { slope = [0, 0], height = 0 }
[water]
depth = 1
[settle]
[rain]
rate = 1
[evaporation]
rate = 1
[infiltration]
rate = 1
[particles]
count = 5
[[source]]
at = [20, 20]
rate = 1
[[culvert]]
from = [10, 10]
to = [30, 10]
inverts = [0, 0]
diameter = 1
[[gate]]
from = [10, 20]
to = [30, 20]
width = 1
sill = 0
opening = 1
[[weir]]
from = [10, 30]
to = [30, 30]
width = 1
crest = 0
"#;

#[test]
fn every_parameter_has_one_range() {
    // The longest step is a key of `[time]` there.
    walk::<Params>(SCENE, "physics", &["max_dt"]);
    walk::<Settle>(SCENE, "settle", &[]);
    walk::<Rain>(SCENE, "rain", &[]);
    walk::<Evaporation>(SCENE, "evaporation", &[]);
    walk::<Soil>(SCENE, "infiltration", &[]);
    walk::<Tracers>(SCENE, "particles", &[]);
    walk::<Source>(SCENE, "source[0]", &[]);
    walk::<Culvert>(SCENE, "culvert[0]", &[]);
    walk::<Gate>(SCENE, "gate[0]", &[]);
    walk::<Weir>(SCENE, "weir[0]", &[]);
}
