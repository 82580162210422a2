//! World and time step of the ink model: explicit diffusion `∂c/∂t = D·∇²c` on square cells of 1 m
//! with closed edges.

use headwater::parameter::{Kind, Mutability, Parameter, ParameterValue, Parameters, Range};
use headwater::{Field, Layer, Ledger, Square};
use serde::{Deserialize, Serialize};

/// Descriptions of the layers that the model can output.
pub const LAYERS: &[Layer] = &[Layer::new("ink", "1", "how much ink there is")];

/// Parameters of the diffusion model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Diffusivity of the ink (m²/s).
    pub diffusivity: f64,
}

impl Parameters for Spread {
    const TABLE: &'static [Parameter<Self>] = &[Parameter {
        key: "diffusivity",
        label: "diffusivity",
        unit: "m²/s",
        doc: "How fast ink spreads.",
        kind: Kind::Number,
        allowed: |_| Range::new(0.0, 10.0),
        slider_range: [0.1, 10.0],
        mutability: Mutability::Live,
        get: |all| all.diffusivity.value(),
        set: |all, value| f64::from_value(value).map(|v| all.diffusivity = v).is_some(),
    }];

    const REQUIRED: &'static [&'static str] = &[];

    fn defaults() -> Self {
        Self { diffusivity: 1.0 }
    }
}

/// Length of a time step (s), which is stable for every allowed diffusivity.
pub const STEP: f64 = 0.02;

/// Concentration of ink in still water, on a grid of cells.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ink {
    pub lattice: Square,
    pub ink: Field<f32>,
    pub spread: Spread,
    pub steps: u64,
    pub ledger: Ledger,
}

impl Ink {
    pub fn new(lattice: Square, spread: Spread) -> Self {
        let ink = Field::new(lattice.nx(), lattice.ny(), 0.0);
        Self { lattice, ink, spread, steps: 0, ledger: Ledger::default() }
    }

    pub fn step(&mut self) {
        let (nx, ny) = (self.ink.nx(), self.ink.ny());
        let share = (self.spread.diffusivity * STEP) as f32;
        let old = &self.ink;
        self.ink = Field::from_fn(nx, ny, |x, y| {
            let here = old[(x, y)];
            let around = [
                (x.saturating_sub(1), y),
                ((x + 1).min(nx - 1), y),
                (x, y.saturating_sub(1)),
                (x, (y + 1).min(ny - 1)),
            ];
            here + share * around.iter().map(|&cell| old[cell] - here).sum::<f32>()
        });
        self.steps += 1;
    }
}
