//! The outermost faces: what lies beyond them for a cell's slopes, and what crosses them.

use super::{Flux, Side, Water, are_level, flux, larger, size, smaller, wall};
use crate::flow::outside::Outside;

/// The water beyond an edge, for a cell's slopes; `inner` is the bed of the cell on the other side.
/// Walls and impassable edges mirror; else ground and water go on, but a known level is flat, and
/// ground that rises out of it is dry.
pub(super) fn beyond(outside: Outside, here: Water, inner: f32) -> Water {
    let z = here.z + (here.z - inner);
    match outside {
        Outside::Wall | Outside::Given(0.0) => here.mirrored(),
        Outside::Stream { discharge: 0.0, .. } => here.mirrored(),
        Outside::Level(level) if level > z => {
            let known = are_level([level, size(level, here.h)], [here.w, size(here.w, here.h)]);
            // The face lies half way to what is beyond; but dry ground inside slopes only to the
            // level.
            let w = if known || here.z >= level { level } else { larger(2.0 * level - here.w, z) };
            Water { z, w, h: w - z, ..here }
        }
        Outside::Level(_) | Outside::Waves { .. } if z >= here.w => {
            Water { z, w: z, h: 0.0, ..here }
        }
        Outside::Waves { .. } => Water { z, h: here.w - z, ..here },
        _ => Water { z, w: z + here.h, ..here },
    }
}

/// Flux over an outermost face after the cell with this side; volume and `u` count outwards.
pub(super) fn outward(outside: Outside, inner: Side, gravity: f32) -> Flux {
    match outside {
        Outside::Wall => wall(inner, gravity),
        Outside::Given(q) if q > 0.0 => given(q, inner, gravity),
        Outside::Stream { discharge: q, along, level } if q > 0.0 => {
            let h = level.map_or(0.0, |level| level - inner.z);
            let in_rush = shoots(q, h, gravity);
            let flux =
                if in_rush { through(h, -q / h, inner, gravity) } else { given(q, inner, gravity) };
            Flux { along: -q * along, ..flux }
        }
        Outside::Stream { .. } => wall(inner, gravity),
        Outside::Given(q) => taken(-q, inner, gravity),
        Outside::Nothing => overfall(inner, gravity),
        Outside::Waves { level, rise } => waves(level, rise, inner, gravity),
        // Seams of joined edges lie between two cells, and come here only if they are both gone.
        Outside::Joined => wall(inner, gravity),
        Outside::Level(level) => sea(level, inner, gravity),
    }
}

/// A unit discharge `q` that comes in, no less deep than critical: a thinner stream could not by itself.
fn given(q: f32, inner: Side, gravity: f32) -> Flux {
    let h = larger(inner.h, libm::cbrtf(q * q / gravity));
    let source = Side { h, w: inner.z + h, u: -q / h, v: 0.0, ..inner };
    Flux { volume: -q, along: 0.0, ..flux(inner, source, gravity) }
}

pub(super) fn shoots(q: f32, h: f32, gravity: f32) -> bool {
    h > 0.0 && q * q > gravity * h * h * h
}

/// Water at a level at the face. The outgoing invariant `u + 2c` and the depth by the level give
/// the velocity: waves come in at full height, and those from inside are reflected.
fn sea(level: f32, inner: Side, gravity: f32) -> Flux {
    let depth = level - inner.z;
    // A sea that is level with the water inside is as deep at the face.
    let h = if are_level([level, depth], [inner.w, inner.size]) { inner.h } else { depth };
    if h <= 0.0 {
        return overfall(inner, gravity);
    }
    let (c, deep) = ((gravity * inner.h).sqrt(), (gravity * h).sqrt());
    let u = inner.u + 2.0 * (c - deep);
    // Faster than its waves, it does not feel the sea.
    if u >= deep {
        return overfall(inner, gravity);
    }
    // Above half the wave speed, inflow lowers the level at the face, down to that of a broken dam
    // (Ritter 1892).
    let froude = -u / deep;
    let drop = smaller(0.25 * froude, 1.0 / 3.0) * smaller(larger(2.0 * froude - 1.0, 0.0), 1.0);
    if drop > 0.0 {
        let slow = deep * (1.0 - drop);
        let u = larger(u + 2.0 * (deep - slow), -slow);
        return through(slow * slow / gravity, u, inner, gravity);
    }
    through(h, u, inner, gravity)
}

fn through(h: f32, u: f32, inner: Side, gravity: f32) -> Flux {
    let volume = h * u;
    let before = volume * u + 0.5 * gravity * ((h - inner.h) * (h + inner.h));
    Flux { volume, before, after: 0.0, along: volume * inner.v }
}

/// A wave maker: the outgoing invariant `u + 2c` comes from inside, the incoming `u − 2c` from the
/// incoming simple wave on still water (Stoker 1957, §10.2).
fn waves(level: f32, rise: f32, inner: Side, gravity: f32) -> Flux {
    let depth = level - inner.z;
    if depth <= 0.0 {
        return wall(inner, gravity);
    }
    let still = if are_level([level, depth], [inner.w, inner.size]) { inner.h } else { depth };
    let c = (gravity * inner.h).sqrt();
    let (calm, risen) = ((gravity * still).sqrt(), (gravity * larger(still + rise, 0.0)).sqrt());
    let waves = 2.0 * risen - calm;
    let (meets, u) = (0.5 * (c + waves) + 0.25 * inner.u, (c - waves) + 0.5 * inner.u);
    if u >= meets {
        return overfall(inner, gravity);
    }
    let h = larger(inner.h + (meets - c) * (meets + c) / gravity, 0.0);
    through(h, larger(u, -meets), inner, gravity)
}

/// A pump takes a unit discharge `q`. What comes faster is thrown back, what comes slower is drawn.
fn taken(q: f32, inner: Side, gravity: f32) -> Flux {
    let fastest = inner.u.abs() + (gravity * inner.h).sqrt();
    let u = if inner.h > 0.0 { 2.0 * q / inner.h - inner.u } else { 0.0 };
    let drawn = Side { u: smaller(u, fastest), ..inner };
    Flux { volume: q, along: q * inner.v, ..flux(inner, drawn, gravity) }
}

/// Water falls over the edge: freely if supercritical, else at the critical depth of its Riemann
/// invariant `u + 2c`.
fn overfall(inner: Side, gravity: f32) -> Flux {
    let c = (gravity * inner.h).sqrt();
    let (h, u) = if inner.u >= c {
        (inner.h, inner.u)
    } else {
        let critical = larger((inner.u + 2.0 * c) / 3.0, 0.0);
        (critical * critical / gravity, critical)
    };
    through(h, u, inner, gravity)
}
