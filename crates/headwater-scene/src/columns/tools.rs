//! Touching pools in side view.

use super::{ColumnsScene, ColumnsWorld};
use crate::flow::tools::constant;
use crate::live::LiveError;
use crate::live::parameter::{Known, ParameterKind};
use crate::live::tool::{Dab, Strength, Tool, ToolKind, along, in_disc, short, table};
use toml::{Table, Value};

fn push(dab: &Dab) -> Table {
    in_disc("push", dab, [("velocity", Value::Float(dab.push()[0]))])
}

fn spread(dab: &Dab, key: &str) -> Table {
    let disc = table([("center", dab.place()), ("radius", short(dab.radius))]);
    table([("disc", disc.into()), (key, short(dab.strength))])
}

fn body(dab: &Dab, kind: &str) -> Table {
    table([
        ("kind", kind.into()),
        ("at", dab.place()),
        ("radius", short(dab.radius)),
        ("density", short(dab.strength)),
    ])
}

const RATE: Strength = Strength {
    meaning: "water",
    unit: "m³/s",
    range: [0.001, 1000.0],
    default: 1.0,
    logarithmic: true,
};
const DENSITY: Strength = Strength {
    meaning: "density: water has 1000",
    unit: "kg/m³",
    range: [50.0, 8000.0],
    default: 500.0,
    logarithmic: true,
};

const BRUSH: Tool = Tool {
    name: "dig",
    kind: ToolKind::Dig,
    doc: "Digs walls away.",
    strength: None,
    radius: Some([0.5, 24.0, 1.5]),
    lasts: true,
    levels: false,
    list: "event",
    make: |dab| along("dig", dab, []),
};

pub(crate) const TOOLS: &[Tool] = &[
    BRUSH,
    Tool {
        name: "wall",
        kind: ToolKind::Wall,
        doc: "Builds walls; water makes way as far as it can.",
        make: |dab| along("build", dab, []),
        ..BRUSH
    },
    Tool {
        name: "pour",
        kind: ToolKind::Pour,
        doc: "Pours water.",
        strength: Some(RATE),
        make: |dab| in_disc("pour", dab, [("volume", dab.amount())]),
        ..BRUSH
    },
    Tool {
        name: "remove",
        kind: ToolKind::Drain,
        doc: "Takes water away.",
        strength: Some(RATE),
        make: |dab| in_disc("remove", dab, [("volume", dab.amount())]),
        ..BRUSH
    },
    Tool {
        name: "splash",
        kind: ToolKind::Drop,
        doc: "Presses the surface down, as if something fell in.",
        strength: Some(Strength {
            meaning: "how far down",
            unit: "m",
            range: [0.01, 10.0],
            default: 0.5,
            logarithmic: true,
        }),
        radius: Some([0.5, 32.0, 3.0]),
        lasts: false,
        make: |dab| in_disc("splash", dab, [("height", short(dab.strength))]),
        ..BRUSH
    },
    Tool {
        name: "push",
        kind: ToolKind::Push,
        doc: "Pushes the water where the mouse goes.",
        strength: Some(Strength {
            meaning: "how much faster the water gets in a second",
            unit: "m/s",
            range: [0.1, 50.0],
            default: 5.0,
            logarithmic: true,
        }),
        radius: Some([0.5, 32.0, 3.0]),
        make: push,
        ..BRUSH
    },
    Tool {
        name: "anchor",
        kind: ToolKind::Anchor,
        doc: "Water stands at the height of the mouse, everywhere it can reach from there.",
        radius: None,
        lasts: false,
        make: |dab| table([("do", "stand".into()), ("at", dab.place())]),
        ..BRUSH
    },
    Tool {
        name: "wind",
        kind: ToolKind::Wind,
        doc: "Lets the wind blow from now on.",
        strength: Some(Strength {
            meaning: "how much faster the water gets in a second, to the east; below 0 to the west",
            unit: "m/s²",
            range: [-0.2, 0.2],
            default: 0.05,
            logarithmic: false,
        }),
        radius: None,
        lasts: false,
        make: |dab| table([("do", "wind".into()), ("acceleration", short(dab.strength))]),
        ..BRUSH
    },
    Tool {
        name: "spring",
        kind: ToolKind::Spring,
        doc: "Puts down a spring that goes on.",
        strength: Some(RATE),
        lasts: false,
        list: "source",
        make: |dab| spread(dab, "rate"),
        ..BRUSH
    },
    Tool {
        name: "sink",
        kind: ToolKind::Sink,
        doc: "Puts down a drain that goes on.",
        strength: Some(RATE),
        lasts: false,
        list: "drain",
        make: |dab| spread(dab, "rate"),
        ..BRUSH
    },
    Tool {
        name: "hearth",
        kind: ToolKind::Heat,
        doc: "Puts down a hearth under the water, where the world has heat.",
        strength: Some(Strength {
            meaning: "heat",
            unit: "W",
            range: [100.0, 1e8],
            default: 1e5,
            logarithmic: true,
        }),
        lasts: false,
        list: "heater",
        make: |dab| spread(dab, "power"),
        ..BRUSH
    },
    Tool {
        name: "barrel",
        kind: ToolKind::Body,
        doc: "Lets a barrel fall.",
        strength: Some(DENSITY),
        radius: Some([0.5, 8.0, 1.0]),
        lasts: false,
        list: "body",
        make: |dab| body(dab, "barrel"),
        ..BRUSH
    },
    Tool {
        name: "stone",
        kind: ToolKind::Body,
        doc: "Lets a stone fall.",
        strength: Some(Strength { default: 2500.0, ..DENSITY }),
        radius: Some([0.5, 8.0, 1.0]),
        lasts: false,
        list: "body",
        make: |dab| body(dab, "stone"),
        ..BRUSH
    },
];

/// The tables whose values can be changed while the world runs, and keys of them that cannot.
pub(crate) const TABLES: &[&str] = &["physics", "weather", "wind", "source", "drain", "heater"];
pub(crate) const FIXED: &[&str] = &[
    "physics.motion",
    "physics.step",
    "physics.columns_per_cell",
    "physics.heat.air",
    "physics.heat.water",
];

const NUMBER: ParameterKind = ParameterKind::Number;

/// The value of a series that may be missing and then is `default`.
fn of(series: &Option<headwater::Series>, default: f64) -> Option<f64> {
    series.as_ref().map_or(Some(default), constant)
}

pub(crate) const PARAMETERS: &[Known<ColumnsScene>] = &[
    Known {
        key: "physics.gravity",
        label: "gravity",
        unit: "m/s²",
        soft: [0.5, 20.0],
        hard: [1e-9, 1000.0],
        kind: NUMBER,
        doc: "Gravity; the step bounds it.",
        get: |scene| Some(scene.physics.gravity),
    },
    Known {
        key: "physics.damping",
        label: "damping",
        unit: "1/s",
        soft: [0.0, 2.0],
        hard: [0.0, 1e4],
        kind: NUMBER,
        doc: "How fast motion dies.",
        get: |scene| Some(scene.physics.damping),
    },
    Known {
        key: "physics.wave_depth",
        label: "depth of waves",
        unit: "m",
        soft: [0.05, 4.0],
        hard: [1e-9, 1e5],
        kind: NUMBER,
        doc: "How deep waves reach: deeper is faster; the step bounds it.",
        get: |scene| Some(scene.physics.wave_depth),
    },
    Known {
        key: "physics.spread",
        label: "spreading",
        unit: "",
        soft: [0.0, 0.1],
        hard: [0.0, 0.2],
        kind: NUMBER,
        doc: "What of a difference between columns levels out in a step.",
        get: |scene| Some(scene.physics.spread),
    },
    Known {
        key: "physics.breaking",
        label: "steepest slope",
        unit: "",
        soft: [0.1, 3.0],
        hard: [1e-9, 1e9],
        kind: NUMBER,
        doc: "How steep a surface can be before it breaks.",
        get: |scene| Some(scene.physics.breaking),
    },
    Known {
        key: "physics.loss",
        label: "loss in openings",
        unit: "",
        soft: [0.0, 4.0],
        hard: [0.0, 100.0],
        kind: NUMBER,
        doc: "What an opening below the surface costs, in velocity heads.",
        get: |scene| Some(scene.physics.loss),
    },
    Known {
        key: "weather.rain",
        label: "rain",
        unit: "mm/h",
        soft: [0.0, 10_000.0],
        hard: [0.0, 1e5],
        kind: NUMBER,
        doc: "Rain on columns under the sky.",
        get: |scene| of(&scene.weather.rain, 0.0),
    },
    Known {
        key: "weather.evaporation",
        label: "drying",
        unit: "mm/h",
        soft: [0.0, 10_000.0],
        hard: [0.0, 1e5],
        kind: NUMBER,
        doc: "What dries up under the sky.",
        get: |scene| of(&scene.weather.evaporation, 0.0),
    },
    Known {
        key: "weather.air",
        label: "air",
        unit: "°C",
        soft: [-30.0, 40.0],
        hard: [-100.0, 200.0],
        kind: NUMBER,
        doc: "Temperature of the air.",
        get: |scene| {
            let air = scene.params().heat?.air;
            of(&scene.weather.air, air)
        },
    },
    Known {
        key: "wind.acceleration",
        label: "wind",
        unit: "m/s²",
        soft: [-0.2, 0.2],
        hard: [-1.0, 1.0],
        kind: NUMBER,
        doc: "How fast the wind makes the water faster, to the east.",
        get: |scene| scene.wind.as_ref().map_or(Some(0.0), |wind| constant(&wind.acceleration)),
    },
    Known {
        key: "wind.gusts",
        label: "gusts",
        unit: "",
        soft: [0.0, 10.0],
        hard: [0.0, 10.0],
        kind: NUMBER,
        doc: "How much gusts add and take, as a part of the wind.",
        get: |scene| scene.wind.as_ref().map(|wind| wind.gusts),
    },
    Known {
        key: "physics.heat.pace",
        label: "pace of heat",
        unit: "",
        soft: [1.0, 1e5],
        hard: [1e-9, 1e6],
        kind: NUMBER,
        doc: "How many times as fast as in nature heat goes.",
        get: |scene| scene.params().heat.map(|heat| heat.pace),
    },
];

/// Has a world take on the values of another version of its scene.
pub(crate) fn tune(
    world: &mut ColumnsWorld,
    old: &ColumnsScene,
    new: &ColumnsScene,
) -> Result<(), LiveError> {
    let lists =
        |scene: &ColumnsScene| [scene.sources.len(), scene.drains.len(), scene.heaters.len()];
    if lists(old) != lists(new) {
        return Err(LiveError::Model("sources, drains and heaters are added, not set".into()));
    }
    if old.params() == new.params() {
        return Ok(());
    }
    let mut params = new.params();
    // The air at the start is as it was; that of now is the weather's.
    if let (Some(heat), Some(now)) = (&mut params.heat, &world.columns.params().heat) {
        heat.air = now.air;
    }
    world.columns.set_params(params).map_err(LiveError::model)
}
