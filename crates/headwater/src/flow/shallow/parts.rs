//! Cells and faces of two parts ([`Subgrid`](crate::flow::subgrid::Subgrid)): what a cell's slopes see beside it, what crosses a face whose low
//! and high parts lie side by side, and what the bank between both parts gives back.
//!
//! Both parts share surface and velocity. Each part of a face has its own flux between the parts
//! there. What pressure lacks over a face narrower than the opposite one, the bank gives back, so
//! water along a straight bank feels none of it at any angle (Causon et al. 2000; Sanders, Schubert
//! & Gallegos 2008).

use super::coefficients::{larger, smaller};
use super::{
    Coefficients, Flux, Half, HalfSlopes, Side, Water, incline, per_depth, side, size, wall,
};
use crate::flow::subgrid::Ground;

/// Water in a cell, over its low part, and what that is of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// Water over the low part, which is the whole cell where the ground is all alike.
    pub(super) low: Water,
    pub(super) ground: Option<Ground>,
}

impl Parts {
    /// Of a cell's bed (m), what it holds over its area (m) and its momentum (m²/s).
    #[inline(always)]
    pub(super) fn new(z: f32, held: f32, q: [f32; 2], ground: Option<Ground>) -> Self {
        let low = match ground {
            None => Water::new(z, held, q[0], q[1]),
            Some(of) => {
                let (z, h, per_depth) = (z + of.low, of.depth(held), per_depth(held));
                Water { z, h, w: z + h, u: q[0] * per_depth, v: q[1] * per_depth }
            }
        };
        Self { low, ground }
    }

    pub(super) fn turned(self) -> Self {
        Self { low: self.low.turned(), ..self }
    }

    /// Water over the high part, or over all where the ground is alike.
    fn high(self) -> Water {
        match self.ground {
            None => self.low,
            Some(of) => {
                let (z, h) = (self.low.z + of.rise, of.over(self.low.h));
                Water { z, h, w: z + h, ..self.low }
            }
        }
    }

    /// What this cell's slopes see in `next`, over a face of which the part `open` is low; `None` if a bank lies between.
    pub(super) fn sees(self, next: Self, open: f32) -> Option<Water> {
        let parted = self.ground.is_some() || next.ground.is_some();
        match (parted && open == 0.0, self.ground) {
            (false, _) => Some(next.low),
            (true, None) => Some(next.high()),
            (true, Some(_)) => None,
        }
    }
}

/// What slopes see on both sides of a cell: at a bank, ground and water go on from the other side,
/// or if dry, surface is ground.
pub(super) fn beside(here: Water, [before, after]: [Option<Water>; 2]) -> [Water; 2] {
    let on = |from: Water| {
        if from.h == 0.0 {
            return here;
        }
        let h = larger(2.0 * here.h - from.h, 0.0);
        Water { z: 2.0 * here.z - from.z, h, w: 2.0 * here.w - from.w, ..here }
    };
    match [before, after] {
        [Some(before), Some(after)] => [before, after],
        [Some(before), None] => [before, on(before)],
        [None, Some(after)] => [on(after), after],
        [None, None] => [here, here],
    }
}

/// A cell half a step later, with its half-slopes in both directions, each in its own direction's view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) z: f32,
    pub(super) half: Half,
    pub(super) x: HalfSlopes,
    pub(super) y: HalfSlopes,
    pub(super) ground: Option<Ground>,
}

/// One side of a face: over the low parts of its cell and over the high one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    low: Side,
    high: Side,
}

/// The part of a step's height that water must stand above it to run on up it all.
const COVERED: f32 = 0.1;

impl Cell {
    pub(super) fn side_x(&self, to: f32) -> Sides {
        self.parted(side(self.z, self.half, self.x, to))
    }

    pub(super) fn side_y(&self, to: f32) -> Sides {
        self.parted(side(self.z, self.half.turned(), self.y, to))
    }

    fn parted(&self, low: Side) -> Sides {
        let high = match self.ground {
            None => low,
            Some(of) => {
                let z = low.z + of.rise;
                let h = larger(low.w - z, 0.0);
                Side { z, h, w: larger(low.w, z), size: size(larger(low.w, z), h), ..low }
            }
        };
        Sides { low, high }
    }

    /// 6. What the surface's slopes within the cell leave over, in x and in y.
    pub(super) fn inclines(&self, gravity: f32) -> [f32; 2] {
        [self.x.w, self.y.w].map(|slope| {
            let low = incline(self.half.h, slope, gravity);
            match self.ground {
                None => low,
                Some(of) => {
                    let high = incline(of.over(self.half.h), slope, gravity);
                    of.part * low + (1.0 - of.part) * high
                }
            }
        })
    }

    /// 6. Momentum (m²/s) that the bank within the cell gives to water that runs against it or
    ///    away; `open` is the low part of the western, eastern, northern and southern faces,
    ///    `facing` the way to high ground, `on` the part of the bank behind which that goes on.
    pub(super) fn bank(
        &self,
        open: [f32; 4],
        facing: [f32; 2],
        on: f32,
        c: &Coefficients,
    ) -> [f32; 2] {
        let Some(of) = self.ground else { return [0.0; 2] };
        let length = |[x, y]: [f32; 2]| (x * x + y * y).sqrt();
        let per = [c.per_x, c.per_y];
        let bank = length([per[0] * (open[0] - open[1]), per[1] * (open[2] - open[3])]);
        let facing = [per[0] * facing[0], per[1] * facing[1]];
        let long = length(facing);
        let Half { h, u, v, .. } = self.half;
        if !(bank > 0.0 && long > 0.0 && h > 0.0) {
            return [0.0; 2];
        }
        let outward = facing.map(|part| part / long);
        let (z, w) = (self.z, self.z + h);
        let against = u * outward[0] + v * outward[1];
        let here = Side { z, h, w, u: against, v: 0.0, size: size(w, h) };
        // Water above the bank runs on over it: above a thin one at once; where high ground goes on, what is below follows, as up a step.
        let over = of.over(h);
        let (thin, step) = (1.0 - over / h, larger(1.0 - over / (COVERED * of.rise), 0.0));
        let under = thin + on * (step - thin);
        let pressure = under * wall(here, c.gravity).before;
        outward.map(|part| -(bank * part * pressure))
    }
}

impl Sides {
    fn mirrored(self) -> Self {
        Self { low: self.low.mirrored(), high: self.high.mirrored() }
    }
}

/// What crosses a face of which the part `open` is low: `flux` says it of two sides.
#[inline(always)]
pub(super) fn across([l, r]: [Sides; 2], open: f32, flux: impl Fn(Side, Side) -> Flux) -> Flux {
    if open == 1.0 {
        return flux(l.low, r.low);
    }
    let high = scaled(flux(l.high, r.high), 1.0 - open);
    if open == 0.0 { high } else { sum(scaled(flux(l.low, r.low), open), high) }
}

/// What crosses an outermost face, after its cell; `flux` says it of a side.
#[inline(always)]
pub(super) fn outward(side: Sides, open: f32, flux: impl Fn(Side) -> Flux) -> Flux {
    across([side, side], open, |side, _| flux(side))
}

#[inline(always)]
pub(super) fn inward(side: Sides, open: f32, flux: impl Fn(Side) -> Flux) -> Flux {
    outward(side.mirrored(), open, flux).mirrored()
}

fn scaled(flux: Flux, part: f32) -> Flux {
    let Flux { volume, before, after, along } = flux;
    Flux { volume: part * volume, before: part * before, after: part * after, along: part * along }
}

fn sum(a: Flux, b: Flux) -> Flux {
    Flux {
        volume: a.volume + b.volume,
        before: a.before + b.before,
        after: a.after + b.after,
        along: a.along + b.along,
    }
}

/// How many times faster waves cross the cell, than they cross one that is all low: its faces may be wider than it is.
pub(super) fn quicker(ground: Ground, open: [f32; 4]) -> [f32; 2] {
    let wider = |a: f32, b: f32| larger(smaller(larger(a, b) / ground.part, 2.0), 1.0);
    [wider(open[0], open[1]), wider(open[2], open[3])]
}
