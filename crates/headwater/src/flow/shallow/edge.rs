//! Boundary faces: ghost cells for the slopes, and fluxes.

use super::{Flux, Side, Water, are_level, flux, larger, size, smaller, wall};
use crate::flow::outside::Outside;

/// Returns the ghost cell beyond an edge, for the slopes of a cell; `inner` is the bed of its
/// neighbour on the other side. Walls mirror the cell. Otherwise bed and water are extrapolated; a
/// prescribed level is flat, and a bed above it is dry.
pub(super) fn beyond(outside: Outside, here: Water, inner: f32) -> Water {
    let z = here.z + (here.z - inner);
    match outside {
        Outside::Wall | Outside::Given(0.0) => here.mirrored(),
        Outside::Stream { discharge: 0.0, .. } => here.mirrored(),
        Outside::Level(level) if level > z => {
            let known = are_level([level, size(level, here.h)], [here.w, size(here.w, here.h)]);
            // The face lies half-way to the ghost cell; but dry ground inside slopes only to the
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

/// Returns the flux over a boundary face behind a cell with this reconstructed side; volume and `u`
/// are positive outwards.
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
        // Periodic faces lie between two cells and arrive here only if both are missing.
        Outside::Joined => wall(inner, gravity),
        Outside::Level(level) => sea(level, inner, gravity),
    }
}

/// Returns the flux of a prescribed inflow `q` (m²/s) at no less than the critical depth.
fn given(q: f32, inner: Side, gravity: f32) -> Flux {
    let h = larger(inner.h, libm::cbrtf(q * q / gravity));
    let source = Side { h, w: inner.z + h, u: -q / h, v: 0.0, ..inner };
    Flux { volume: -q, along: 0.0, ..flux(inner, source, gravity) }
}

pub(super) fn shoots(q: f32, h: f32, gravity: f32) -> bool {
    h > 0.0 && q * q > gravity * h * h * h
}

/// Returns the flux at a prescribed water level. The outgoing invariant `u + 2c` and the depth at
/// the level give the velocity. Incoming waves enter at full height, and outgoing ones are
/// reflected.
fn sea(level: f32, inner: Side, gravity: f32) -> Flux {
    let depth = level - inner.z;
    // A level equal to that inside gives the same depth at the face.
    let h = if are_level([level, depth], [inner.w, inner.size]) { inner.h } else { depth };
    if h <= 0.0 {
        return overfall(inner, gravity);
    }
    let (c, deep) = ((gravity * inner.h).sqrt(), (gravity * h).sqrt());
    let u = inner.u + 2.0 * (c - deep);
    // Supercritical outflow is independent of the level.
    if u >= deep {
        return overfall(inner, gravity);
    }
    // At inflow above half the wave speed, lower the level at the face, down to that of a dam break
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

/// Returns the flux of a wave maker: the outgoing invariant `u + 2c` is that of the cell, the
/// incoming `u − 2c` that of a simple wave on still water (Stoker 1957, §10.2).
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

/// Returns the flux of a prescribed outflow `q` (m²/s). The ghost velocity mirrors the difference
/// from `q`.
fn taken(q: f32, inner: Side, gravity: f32) -> Flux {
    let fastest = inner.u.abs() + (gravity * inner.h).sqrt();
    let u = if inner.h > 0.0 { 2.0 * q / inner.h - inner.u } else { 0.0 };
    let drawn = Side { u: smaller(u, fastest), ..inner };
    Flux { volume: q, along: q * inner.v, ..flux(inner, drawn, gravity) }
}

/// Returns the flux of a free overfall: unchanged if supercritical, else at the critical depth of
/// the Riemann invariant `u + 2c`.
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
