//! Boundary faces with the shallow-water equations: ghost cells beyond the edges, from which slopes
//! are computed, and the fluxes through boundary faces.

use super::{
    FaceState, Flux, Water, are_level, fast_max, fast_min, hll_flux, rounding_scale, wall_flux,
};
use crate::flow::boundary::state::BoundaryState;

/// Returns the ghost cell beyond an edge, from which the slopes of the adjacent cell `here` are
/// computed. `inner` is the bed elevation (m) of the next cell inside the grid, on the other side
/// of `here`.
///
/// At a wall, the ghost cell mirrors `here`. At other boundaries, bed and water are extrapolated.
/// At a prescribed level, the surface of the ghost cell is flat, and the ghost cell is dry if its
/// bed is above the level.
pub(super) fn ghost_cell(outside: BoundaryState, here: Water, inner: f32) -> Water {
    let z = here.z + (here.z - inner);
    match outside {
        BoundaryState::Wall | BoundaryState::Discharge(0.0) => here.mirrored(),
        BoundaryState::Stream { discharge: 0.0, .. } => here.mirrored(),
        BoundaryState::Level(level) if level > z => {
            let known = are_level(
                [level, rounding_scale(level, here.h)],
                [here.w, rounding_scale(here.w, here.h)],
            );
            // The face lies halfway to the ghost cell. Dry ground inside slopes only to the
            // level.
            let w =
                if known || here.z >= level { level } else { fast_max(2.0 * level - here.w, z) };
            Water { z, w, h: w - z, ..here }
        }
        BoundaryState::Level(_) | BoundaryState::Waves { .. } if z >= here.w => {
            Water { z, w: z, h: 0.0, ..here }
        }
        BoundaryState::Waves { .. } => Water { z, h: here.w - z, ..here },
        _ => Water { z, w: z + here.h, ..here },
    }
}

/// Returns the fluxes through a boundary face on the eastern or southern side of a cell. `inner` is
/// the reconstructed state of the cell at the face. The volume flux and the velocity `u` are
/// positive outwards.
pub(super) fn boundary_flux(outside: BoundaryState, inner: FaceState, gravity: f32) -> Flux {
    match outside {
        BoundaryState::Wall => wall_flux(inner, gravity),
        BoundaryState::Discharge(q) if q > 0.0 => inflow_flux(q, inner, gravity),
        BoundaryState::Stream { discharge: q, tangential_velocity, level } if q > 0.0 => {
            let h = level.map_or(0.0, |level| level - inner.z);
            let supercritical = is_supercritical(q, h, gravity);
            let flux = if supercritical {
                flux_from_state(h, -q / h, inner, gravity)
            } else {
                inflow_flux(q, inner, gravity)
            };
            Flux { along: -q * tangential_velocity, ..flux }
        }
        BoundaryState::Stream { .. } => wall_flux(inner, gravity),
        BoundaryState::Discharge(q) => outflow_flux(-q, inner, gravity),
        BoundaryState::FreeOutflow => free_overfall_flux(inner, gravity),
        BoundaryState::Waves { level, wave_elevation } => {
            wave_flux(level, wave_elevation, inner, gravity)
        }
        // Periodic faces lie between two cells, so this case occurs only if both cells are missing.
        BoundaryState::Periodic => wall_flux(inner, gravity),
        BoundaryState::Level(level) => level_flux(level, inner, gravity),
    }
}

/// Returns the fluxes through a face with the prescribed inflow `q` (m²/s). The depth of the inflow
/// is at least the critical depth.
fn inflow_flux(q: f32, inner: FaceState, gravity: f32) -> Flux {
    let h = fast_max(inner.h, libm::cbrtf(q * q / gravity));
    let source = FaceState { h, w: inner.z + h, u: -q / h, v: 0.0, ..inner };
    Flux { volume: -q, along: 0.0, ..hll_flux(inner, source, gravity) }
}

pub(super) fn is_supercritical(q: f32, h: f32, gravity: f32) -> bool {
    h > 0.0 && q * q > gravity * h * h * h
}

/// Returns the fluxes through a face with the prescribed water level `level` (m). The velocity is
/// computed from the depth at this level and the outgoing Riemann invariant `u + 2c`. Waves
/// prescribed as a changing level enter with their full height. Waves that leave the grid are
/// reflected.
fn level_flux(level: f32, inner: FaceState, gravity: f32) -> Flux {
    let depth = level - inner.z;
    // A level equal to that inside gives the same depth at the face.
    let h =
        if are_level([level, depth], [inner.w, inner.rounding_scale]) { inner.h } else { depth };
    if h <= 0.0 {
        return free_overfall_flux(inner, gravity);
    }
    let (c, deep) = ((gravity * inner.h).sqrt(), (gravity * h).sqrt());
    let u = inner.u + 2.0 * (c - deep);
    // Supercritical outflow is independent of the level.
    if u >= deep {
        return free_overfall_flux(inner, gravity);
    }
    // At inflows above half the wave speed, lower the level at the face, down to that of a
    // dam break (Ritter 1892).
    let froude = -u / deep;
    let drop =
        fast_min(0.25 * froude, 1.0 / 3.0) * fast_min(fast_max(2.0 * froude - 1.0, 0.0), 1.0);
    if drop > 0.0 {
        let slow = deep * (1.0 - drop);
        let u = fast_max(u + 2.0 * (deep - slow), -slow);
        return flux_from_state(slow * slow / gravity, u, inner, gravity);
    }
    flux_from_state(h, u, inner, gravity)
}

fn flux_from_state(h: f32, u: f32, inner: FaceState, gravity: f32) -> Flux {
    let volume = h * u;
    let before = volume * u + 0.5 * gravity * ((h - inner.h) * (h + inner.h));
    Flux { volume, before, after: 0.0, along: volume * inner.v }
}

/// Returns the fluxes through a face with a wave maker. `level` is the elevation of the still water
/// (m), and `wave_height` the height of the incoming wave above it (m). The outgoing invariant
/// `u + 2c` is that of the cell; the incoming invariant `u − 2c` is that of a simple wave on still
/// water (Stoker 1957, §10.2).
fn wave_flux(level: f32, wave_height: f32, inner: FaceState, gravity: f32) -> Flux {
    let depth = level - inner.z;
    if depth <= 0.0 {
        return wall_flux(inner, gravity);
    }
    let still =
        if are_level([level, depth], [inner.w, inner.rounding_scale]) { inner.h } else { depth };
    let c = (gravity * inner.h).sqrt();
    let (still_celerity, crest_celerity) =
        ((gravity * still).sqrt(), (gravity * fast_max(still + wave_height, 0.0)).sqrt());
    let waves = 2.0 * crest_celerity - still_celerity;
    let (celerity, u) = (0.5 * (c + waves) + 0.25 * inner.u, (c - waves) + 0.5 * inner.u);
    if u >= celerity {
        return free_overfall_flux(inner, gravity);
    }
    let h = fast_max(inner.h + (celerity - c) * (celerity + c) / gravity, 0.0);
    flux_from_state(h, fast_max(u, -celerity), inner, gravity)
}

/// Returns the fluxes through a face with the prescribed outflow `q` (m²/s). The ghost cell has the
/// velocity `2·q/h − u`, so that the mean velocity of the cell and the ghost cell is `q/h`.
fn outflow_flux(q: f32, inner: FaceState, gravity: f32) -> Flux {
    let fastest = inner.u.abs() + (gravity * inner.h).sqrt();
    let u = if inner.h > 0.0 { 2.0 * q / inner.h - inner.u } else { 0.0 };
    let ghost = FaceState { u: fast_min(u, fastest), ..inner };
    Flux { volume: q, along: q * inner.v, ..hll_flux(inner, ghost, gravity) }
}

/// Returns the fluxes through a face with free overfall. Supercritical flow crosses the face with
/// its depth and velocity unchanged. Subcritical flow crosses it at the critical depth that follows
/// from the Riemann invariant `u + 2c`.
fn free_overfall_flux(inner: FaceState, gravity: f32) -> Flux {
    let c = (gravity * inner.h).sqrt();
    let (h, u) = if inner.u >= c {
        (inner.h, inner.u)
    } else {
        let critical = fast_max((inner.u + 2.0 * c) / 3.0, 0.0);
        (critical * critical / gravity, critical)
    };
    flux_from_state(h, u, inner, gravity)
}
