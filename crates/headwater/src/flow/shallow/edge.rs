//! The outermost faces: what lies beyond them for a cell's slopes, and what crosses them.

use super::{Flux, Side, Water, are_level, flux, larger, smaller, wall};
use crate::flow::outside::Outside;

/// The water beyond an edge, as far as a cell's slopes ask for it. `inner` is the bed of the cell on
/// the other side. A wall is a mirror; otherwise the ground goes on as it comes, and the water with it, except
/// at a level: still water has no slope, however steep its ground, and ground that rises out of it is dry.
pub(super) fn beyond(outside: Outside, here: Water, inner: f32) -> Water {
    let z = here.z + (here.z - inner);
    match outside {
        Outside::Wall => here.mirrored(),
        Outside::Level(level) if level > z => Water { z, w: level, h: level - z, ..here },
        Outside::Level(_) if z >= here.w => Water { z, w: z, h: 0.0, ..here },
        _ => Water { z, w: z + here.h, ..here },
    }
}

/// What crosses an outermost face that lies after the cell with this side: volume and `u` count
/// outwards.
pub(super) fn outward(outside: Outside, inner: Side, gravity: f32) -> Flux {
    match outside {
        Outside::Wall => wall(inner, gravity),
        Outside::Given(q) if q > 0.0 => {
            // No less deep than critical: a thinner stream could not come in by itself.
            let critical = libm::cbrtf(q * q / gravity);
            let h = larger(inner.h, critical);
            let source = Side { h, w: inner.z + h, u: -q / h, v: 0.0, ..inner };
            Flux { volume: -q, along: 0.0, ..flux(inner, source, gravity) }
        }
        Outside::Given(q) => taken(-q, inner, gravity),
        Outside::Nothing => overfall(inner, gravity),
        Outside::Waves { level, rise } => waves(level, rise, inner, gravity),
        // Seams of joined edges lie between two cells, and come here only if they are both gone.
        Outside::Joined => wall(inner, gravity),
        Outside::Level(level) => {
            // A sea that is level with the water inside is as deep at the face.
            let depth = level - inner.z;
            let h = if are_level([level, depth], [inner.w, inner.size]) { inner.h } else { depth };
            let free = inner.u > 0.0 && inner.u * inner.u >= gravity * inner.h;
            if h <= 0.0 || free {
                return overfall(inner, gravity);
            }
            // Standing water comes in no faster than its own waves.
            let sea = Side { h, w: level, u: larger(inner.u, -(gravity * h).sqrt()), ..inner };
            flux(inner, sea, gravity)
        }
    }
}

/// A wave maker: what comes in is the incoming wave, less the one that comes from inside and leaves.
fn waves(level: f32, rise: f32, inner: Side, gravity: f32) -> Flux {
    let still = level - inner.z;
    if still <= 0.0 {
        return wall(inner, gravity);
    }
    let q = (gravity * still).sqrt() * (2.0 * rise - (inner.h - still));
    let h = larger(inner.h, super::THIN);
    let source = Side { h, w: inner.z + h, u: -q / h, v: 0.0, ..inner };
    Flux { volume: -q, along: -smaller(q, 0.0) * inner.v, ..flux(inner, source, gravity) }
}

/// A pump takes a unit discharge `q`. What comes faster is thrown back, what comes slower is drawn.
fn taken(q: f32, inner: Side, gravity: f32) -> Flux {
    let fastest = inner.u.abs() + (gravity * inner.h).sqrt();
    let u = if inner.h > 0.0 { 2.0 * q / inner.h - inner.u } else { 0.0 };
    let drawn = Side { u: smaller(u, fastest), ..inner };
    Flux { volume: q, along: q * inner.v, ..flux(inner, drawn, gravity) }
}

/// Water falls over the edge into nothing: freely if it is faster than its waves, else at the critical
/// depth that its Riemann invariant `u + 2c` allows.
fn overfall(inner: Side, gravity: f32) -> Flux {
    let c = (gravity * inner.h).sqrt();
    let (h, u) = if inner.u >= c {
        (inner.h, inner.u)
    } else {
        let critical = larger((inner.u + 2.0 * c) / 3.0, 0.0);
        (critical * critical / gravity, critical)
    };
    let volume = h * u;
    let before = volume * u + 0.5 * gravity * ((h - inner.h) * (h + inner.h));
    Flux { volume, before, after: 0.0, along: volume * inner.v }
}
