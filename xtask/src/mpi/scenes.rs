//! Scenes for test runs on several ranks and with a low memory limit.

use std::fmt::Write as _;

/// Built-in scenes with the settings for test runs. Together they cover all flow equations, both
/// lattices, structures, soil, rain, flood maxima, and events that edit the ground.
pub(super) const SCENES: [(&str, &str); 11] = [
    ("lake-at-rest", "time.until=8"),
    ("lava", "time.until=5"),
    ("dam-breach", "time.until=5 particles.count=0"),
    ("tide", "time.until=10 particles.count=0"),
    ("rain-on-hills", "time.until=60"),
    ("polder", "time.until=60 particles.count=0"),
    ("conical-island", "time.until=5"),
    ("river-divert", "time.until=20 particles.count=0"),
    ("breakwater", "time.until=1"),
    ("run-up", "time.until=0.5"),
    ("your-terrain", "time.until=5 particles.count=0"),
];

/// Settings that make a run last long enough to be interrupted.
pub(super) const LONG_RUN: &str = "time.until=1500 output.checkpoint_every=0.05";

/// Returns the TOML source of a scene that uses every feature of distributed worlds except for
/// structures and events. `level` is the name of the flow equations, and `lattice` that of the cell
/// shape.
pub(super) fn valley_scene(level: &str, lattice: &str) -> String {
    // Lakes on hexagons are not supported on several ranks.
    let lake = match lattice {
        "hex" => "",
        _ => "[[water.lake]]\nat = [60, 190]\nlevel = 1003\n",
    };
    format!(
        "model = \"flow\"\n[grid]\nnx = 60\nny = 130\ncell = 2\nlattice = \"{lattice}\"\n[physics]\nlevel = \"{level}\"\n[time]\nuntil = 15\n\
         [terrain]\nplane = {{ height = 1000, slope = [0, -0.02] }}\nnoise = {{ height = 6, scale = 40 }}\n\
         [[terrain.shape]]\nop = \"raise\"\namount = 4\nline = {{ points = [[0, 150], [120, 150]], width = 8 }}\n\
         [water]\nlevel = 1001\n{lake}[rain]\nrate = 60\n[evaporation]\nrate = 5\n[infiltration]\nrate = 10\nseepage = 2\n\
         [[obstacle]]\nrect = {{ min = [40, 120], max = [60, 128] }}\n\
         [[boundary]]\nedge = \"west\"\nkind = \"stage\"\nlevel = 1002\n[[boundary]]\nedge = \"south\"\nkind = \"open\"\n\
         [[boundary]]\nedge = \"north\"\nkind = \"inflow\"\ndischarge = 0.5\nfrom = 30\nto = 60\n\
         [[source]]\nat = [\"50%\", \"49%\"]\nradius = 30\nrate = 8\n[[drain]]\nat = [\"30%\", \"66%\"]\nradius = 12\nrate = 2\n\
         [[gauge]]\nname = \"point\"\nat = [61, 130]\nevery = 5\n[[gauge]]\nname = \"line\"\nline = [[0, 80], [110, 210]]\nevery = 5\n\
         [[gauge]]\nname = \"held\"\ndisc = {{ center = [60, 130], radius = 50 }}\nevery = 5\n\
         [flood]\ndepth = 0.05\n[output]\nlayers_every = 5\n"
    )
}

/// TOML source of a scene in which a river flows down dry land, so that one row after the other
/// wakes.
pub(super) const RIVER: &str = "model = \"flow\"\ngrid = { nx = 60, ny = 200, cell = 2 }\nphysics.level = \"inertial\"\ntime.until = 40\n\
     [terrain]\nplane = { height = 100, slope = [0, -0.05] }\nnoise = { height = 0.5 }\n\
     [[source]]\nat = [\"50%\", \"5%\"]\nradius = 10\nrate = 40\n[flood]\ndepth = 0.05\n\
     [[gauge]]\nname = \"line\"\nline = [[0, 210], [120, 190]]\nevery = 5\n\
     [[gauge]]\nname = \"held\"\nrect = { min = [0, 100], max = [120, 300] }\nevery = 5\n[output]\nlayers_every = 10\n";

/// Returns the TOML source of a scene that applies a random edit to the ground or the water every
/// second.
pub(super) fn random_edits_scene(level: &str, seed: u64) -> String {
    let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut part = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut text = format!(
        "model = \"flow\"\nseed = {seed}\n[grid]\nnx = 90\nny = 130\ncell = 2\n[physics]\nlevel = \"{level}\"\n[time]\nuntil = 24\n\
         [terrain]\nnoise = {{ height = 6, scale = 60 }}\n[water]\nlevel = 2\n[rain]\nrate = 40\n[infiltration]\nrate = 10\n\
         [[boundary]]\nedge = \"west\"\nkind = \"stage\"\nlevel = 2.5\n[[boundary]]\nedge = \"south\"\nkind = \"open\"\n\
         [[source]]\nat = [\"50%\", \"49%\"]\nradius = 9\nrate = 8\n[flood]\n\
         [output]\nlayers = [\"depth\", \"surface\", \"velocity_x\", \"velocity_y\", \"soil\", \"max_depth\", \"arrival\"]\nlayers_every = 4\n"
    );
    for second in 1..24 {
        let [kind, x, y, radius, amount] = [(); 5].map(|()| part());
        let (center, radius) = ([180.0 * x, 260.0 * y], 3.0 + 20.0 * radius);
        let what = match (5.0 * kind) as u32 {
            0 => format!("do = \"raise\"\namount = {}", 3.0 * amount),
            1 => format!("do = \"lower\"\namount = {}", 3.0 * amount),
            2 => format!("do = \"pour\"\namount = {}", 2.0 * amount),
            3 => "do = \"close\"".into(),
            _ => "do = \"open\"".into(),
        };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "[[event]]\ntime = {second}\n{what}\ndisc = {{ center = {center:?}, radius = {radius} }}\n"
        );
    }
    text
}
