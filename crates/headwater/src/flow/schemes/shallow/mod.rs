//! The physics model [`Physics::ShallowWater`](crate::flow::Physics::ShallowWater), with depth `h`
//! and unit discharges `hu` and `hv` per cell. The scheme is MUSCL–Hancock with hydrostatic
//! reconstruction. This module contains the formulas, which the reference loops ([`plain`]) and the
//! row-parallel loops ([`rows`], [`sweep`]) share. A time step has seven stages:
//!
//! 1. Limited half-slopes of depth, surface and velocity (van Leer 1979).
//! 2. Half a step in time within each cell, with Manning's friction (Hancock; Toro 2001, ch.
//!    11).
//! 3. Reconstruction of both sides of each face.
//! 4. Bed and depths at the face: hydrostatic reconstruction (Audusse et al. 2004), with the bed of
//!    Chen & Noelle 2017 where water falls over a step.
//! 5. Flux: HLL (Harten, Lax & van Leer 1983), tangential momentum upwind.
//! 6. Pressure force of the surface slope within the cell.
//! 7. New momentum, after the depth has been updated; friction is implicit.
//!
//! All formulas are written for the x-direction, with `u` normal to the face and `v` tangential.
//! The y-direction uses [`transposed`](Water::transposed) velocities, which gives the same bits for
//! transposed worlds. Pressure enters as differences across a face, and surfaces that are level
//! within rounding count as level.

mod boundary_flux;
mod buffers;
mod cellwise;
mod coefficients;
mod friction;
pub(in crate::flow) mod hexagons;
pub(crate) mod limit;
mod loops;
pub(in crate::flow) mod plain;
pub(in crate::flow) mod rows;
mod stages;
pub(in crate::flow) mod subgrid_cells;
mod subgrid_flux;
pub(crate) mod sweep;

pub use coefficients::Coefficients;

use coefficients::{DRY_DEPTH, FILM_DEPTH, fast_max, fast_min};

/// Momentum (m²/s) below which the momentum of a cell is set to 0. Products of smaller numbers
/// would be subnormal and slow.
const MIN_MOMENTUM: f32 = 1e-15;

/// Largest difference between two water surfaces that counts as a rounding error, relative to the
/// larger [`rounding_scale`] of both surfaces.
const LEVEL_TOLERANCE: f32 = 4.0 * f32::EPSILON;

/// Size of the changes between neighbouring cells below which the slope limiter treats them as
/// ripples, as a fraction of the depth. The fraction is a power of 2, so that products may be
/// evaluated in any order, for example on GPUs, without changing the result.
const RIPPLE_FRACTION: f32 = 1.0 / 128.0;

#[derive(Clone, Copy, Debug)]
struct Water {
    z: f32,
    h: f32,
    w: f32,
    /// Velocity normal to the face (m/s).
    u: f32,
    /// Velocity tangential to the face (m/s).
    v: f32,
}

impl Water {
    #[inline(always)]
    fn new(z: f32, h: f32, hu: f32, hv: f32) -> Self {
        let per_depth = regularized_inverse_depth(h);
        Self { z, h, w: z + h, u: hu * per_depth, v: hv * per_depth }
    }

    /// Swaps the velocity components, so that formulas for the x-direction can be used along the
    /// y-axis.
    #[inline(always)]
    fn transposed(self) -> Self {
        Self { u: self.v, v: self.u, ..self }
    }

    #[inline(always)]
    fn mirrored(self) -> Self {
        Self { u: -self.u, ..self }
    }

    /// Returns the state beyond a face of this cell, from which slopes are computed: the
    /// neighbour's state `next`, or the mirror image of this cell if the neighbour is closed.
    #[inline(always)]
    fn neighbour_or_mirror(self, next: Self, closed: bool) -> Self {
        if closed { self.mirrored() } else { next }
    }
}

/// Returns the reciprocal `1/h` (1/m) of a depth. In thin films, the reciprocal is limited to a
/// finite value (Kurganov & Petrova 2007).
#[inline(always)]
fn regularized_inverse_depth(h: f32) -> f32 {
    let floor = fast_max(h, FILM_DEPTH);
    2.0 * h / (h * h + floor * floor)
}

#[derive(Clone, Copy, Debug)]
struct HalfSlopes {
    h: f32,
    w: f32,
    u: f32,
    v: f32,
}

impl HalfSlopes {
    #[inline(always)]
    fn transposed(self) -> Self {
        Self { u: self.v, v: self.u, ..self }
    }
}

/// Returns the half-slopes of the cell `here`, computed from the cells before and after it along an
/// axis (stage 1 of the scheme). A half-slope is the change of a quantity from the centre of the
/// cell to the next face along the axis.
#[inline(always)]
fn half_slopes(before: Water, here: Water, after: Water, gravity: f32) -> HalfSlopes {
    let smooth = slope_reduction(before.z, here.z, after.z, here.h);
    let rise = |a: Water, b: Water| {
        if are_level([a.w, rounding_scale(a.w, a.h)], [b.w, rounding_scale(b.w, b.h)]) {
            0.0
        } else {
            b.w - a.w
        }
    };
    let small = RIPPLE_FRACTION * here.h;
    let (depth, velocity) = (small * small, RIPPLE_FRACTION * small * gravity);
    let h = smooth * limited_slope(here.h - before.h, after.h - here.h, depth);
    HalfSlopes {
        h: clamp_abs(h, here.h),
        w: smooth * limited_slope(rise(before, here), rise(here, after), depth),
        u: smooth * limited_slope(here.u - before.u, after.u - here.u, velocity),
        v: smooth * limited_slope(here.v - before.v, after.v - here.v, velocity),
    }
}

/// Returns the factor (0 to 1) by which the slopes of a cell are multiplied. The factor is 1 where
/// the curvature of the bed is small compared with the depth. It falls to 0 where the curvature is
/// large, because second-order slopes are noisy around emerging rocks.
#[inline(always)]
fn slope_reduction(before: f32, here: f32, after: f32, depth: f32) -> f32 {
    let curvature = ((before - here) + (after - here)).abs();
    let part = 2.0 - curvature / (0.5 * fast_max(depth, FILM_DEPTH));
    fast_min(fast_max(part, 0.0), 1.0)
}

/// Returns half of a limited mean of the changes `a` and `b`, or 0 if they differ in sign. For
/// large changes, this is van Leer's `ab/(a + b)`. For changes far below `√ripple_square`, it is
/// half the arithmetic mean, because van Leer's limiter would halve the height of trains of short
/// waves.
#[inline(always)]
fn limited_slope(a: f32, b: f32, ripple_square: f32) -> f32 {
    let both = a * b;
    // (a + b)·ab/(a + b)² and (a + b)/4, weighted by (a + b)² and 2·small.
    let mean = (a + b) * (both + 0.5 * ripple_square) / ((a + b) * (a + b) + 2.0 * ripple_square);
    let limit = fast_min(a.abs(), b.abs());
    if both > 0.0 { clamp_abs(mean, limit) } else { 0.0 }
}

#[derive(Clone, Copy, Debug)]
struct HalfState {
    h: f32,
    /// Reciprocal `1/h` of the depth (1/m). It is finite even if the depth is 0.
    per_h: f32,
    u: f32,
    v: f32,
}

impl HalfState {
    #[inline(always)]
    fn transposed(self) -> Self {
        Self { u: self.v, v: self.u, ..self }
    }
}

/// Returns the state of the cell `here` half a time step later (stage 2 of the scheme). `x` and `y`
/// are the half-slopes of the cell, the changes from its centre to a face along the two axes. In
/// both, the first velocity component is that along x. `drag` is the result of
/// [`friction::half_step_drag_coefficient`].
#[inline(always)]
fn half_step(
    here: Water,
    x: HalfSlopes,
    y: HalfSlopes,
    drag: f32,
    coefficients: &Coefficients,
) -> HalfState {
    let Water { h, u, v, .. } = here;
    let depth_decrease =
        coefficients.per_x * (u * x.h + h * x.u) + coefficients.per_y * (v * y.h + h * y.v);
    let push_u = coefficients.per_x * (u * x.u + coefficients.gravity * x.w)
        + coefficients.per_y * (v * y.u);
    let push_v = coefficients.per_y * (v * y.v + coefficients.gravity * y.w)
        + coefficients.per_x * (u * x.v);
    advance_half_step(here, depth_decrease, [push_u, push_v], drag, coefficients)
}

/// Returns the state of the cell `here` half a time step later. Without friction, the depth
/// decreases by `depth_decrease` (m) and the velocity components by `push` (m/s). `drag` is the
/// coefficient of Manning's friction over half a time step (s/m).
#[inline(always)]
fn advance_half_step(
    here: Water,
    depth_decrease: f32,
    push: [f32; 2],
    drag: f32,
    c: &Coefficients,
) -> HalfState {
    let Water { h, u, v, .. } = here;
    let [push_u, push_v] = push;
    // A factor instead of a branch, so that loops vectorise.
    let thick = if h > FILM_DEPTH { 1.0 } else { 0.0 };
    let h2 = if h > FILM_DEPTH { h * h } else { 1.0 };
    let laminar = [h2, h2 + thick * (0.5 * c.viscous)];
    let [u, v] =
        friction::apply_friction([u, v], [-thick * push_u, -thick * push_v], thick * drag, laminar);
    let h = fast_max(h - thick * depth_decrease, 0.0);
    HalfState { h, per_h: 1.0 / fast_max(h, f32::MIN_POSITIVE), u, v }
}

#[derive(Clone, Copy, Debug)]
struct FaceState {
    z: f32,
    h: f32,
    w: f32,
    u: f32,
    v: f32,
    /// Scale (m) of the rounding errors of the surface elevation `w`; see [`rounding_scale`]. It is
    /// computed from the depth of the cell, which may exceed the depth at the face.
    rounding_scale: f32,
}

impl FaceState {
    #[inline(always)]
    fn mirrored(self) -> Self {
        Self { u: -self.u, ..self }
    }
}

/// Returns the state of a cell, reconstructed at one of its faces (stage 3 of the scheme).
/// `direction` is 1 for the eastern or southern face of the cell, −1 for the opposite face.
#[inline(always)]
fn reconstruct_side(z: f32, half: HalfState, slope: HalfSlopes, direction: f32) -> FaceState {
    let rise = direction * clamp_abs(slope.h, half.h);
    let lift = direction * slope.w;
    // Weighted so that the mean momentum of both sides is that of the cell.
    let lean = direction * (1.0 - rise * half.per_h);
    let w = (z + half.h) + lift;
    FaceState {
        z: z + (lift - rise),
        h: half.h + rise,
        w,
        rounding_scale: rounding_scale(w, half.h),
        u: half.u + lean * slope.u,
        v: half.v + lean * slope.v,
    }
}

#[inline(always)]
fn rounding_scale(surface: f32, depth: f32) -> f32 {
    surface.abs() + depth
}

/// Returns whether the difference between two water surfaces is within rounding. Each argument
/// contains the elevation of a surface (m) and its [`rounding_scale`] (m).
#[inline(always)]
fn are_level([a, size_a]: [f32; 2], [b, size_b]: [f32; 2]) -> bool {
    (a - b).abs() <= LEVEL_TOLERANCE * fast_max(size_a, size_b)
}

/// Fluxes through a face, per metre of width, from the cell before the face to the cell after it.
#[derive(Clone, Copy, Debug)]
struct Flux {
    /// Volume flux (m²/s).
    volume: f32,
    /// Flux of normal momentum (m³/s²), relative to the pressure in the cell before the face.
    before: f32,
    /// Flux of normal momentum (m³/s²), relative to the pressure in the cell after the face.
    after: f32,
    /// Flux of tangential momentum (m³/s²).
    along: f32,
}

impl Flux {
    #[inline(always)]
    fn mirrored(self) -> Self {
        Self { volume: -self.volume, before: self.after, after: self.before, along: -self.along }
    }

    /// Returns the fluxes multiplied by `factor`, for a face that is `factor` times as wide.
    fn scaled(self, factor: f32) -> Self {
        Self {
            volume: self.volume * factor,
            before: self.before * factor,
            after: self.after * factor,
            along: self.along * factor,
        }
    }
}

/// Returns the fluxes through the face between two reconstructed states (stages 4 and 5 of the
/// scheme).
#[inline(always)]
fn hll_flux(l: FaceState, r: FaceState, gravity: f32) -> Flux {
    // Stage 4: bed at the face, and depths above it.
    let highest = fast_max(l.w, r.w);
    let level = are_level([l.w, l.rounding_scale], [r.w, r.rounding_scale]);
    let (wl, wr) = (if level { highest } else { l.w }, if level { highest } else { r.w });
    let z = fast_min(fast_max(l.z, r.z), fast_min(wl, wr));
    let (drop_l, drop_r) = (fast_min(z - l.z, 0.0), fast_min(z - r.z, 0.0));
    let (hl, hr) = (depth_above_bed(z, l, wl), depth_above_bed(z, r, wr));

    // Stage 5: wave speeds and HLL. The front on dry ground moves at u ± 2c (Toro 2001, eqs. 10.22,
    // 10.24).
    let (cl, cr) = ((gravity * hl).sqrt(), (gravity * hr).sqrt());
    let ul = if hl > 0.0 { l.u } else { r.u - 2.0 * cr };
    let ur = if hr > 0.0 { r.u } else { l.u + 2.0 * cl };
    let left = fast_min(fast_min(ul - cl, ur - cr), 0.0);
    let right = fast_max(fast_max(ul + cl, ur + cr), 0.0);
    let apart = right - left;
    let per_apart = if apart > f32::MIN_POSITIVE { 1.0 / apart } else { 0.0 };
    let both = left * right;
    let (ql, qr) = (hl * ul, hr * ur);
    let volume = ((right * ql - left * qr) + both * (hr - hl)) * per_apart;
    // Pressures are relative to their mean: no large terms cancel, and a mirrored face gives the
    // same bits.
    let half_jump = 0.25 * gravity * ((hr - hl) * (hr + hl));
    let (fl, fr) = (ql * ul - half_jump, qr * ur + half_jump);
    let momentum = ((right * fl - left * fr) + both * (qr - ql)) * per_apart;
    Flux {
        volume,
        before: (momentum + half_jump) + gravity * l.h * drop_l,
        after: (momentum - half_jump) + gravity * r.h * drop_r,
        along: volume * if volume > 0.0 { l.v } else { r.v },
    }
}

/// Returns the depth (m) of a reconstructed state `side` above the common bed elevation `z` of its
/// face (m). `w` is the elevation of the water surface of `side` (m). If the bed of `side` is above
/// `z`, its water falls over a step, and the result is its own depth (Chen & Noelle 2017, eq.
/// 2.19).
#[inline(always)]
fn depth_above_bed(z: f32, side: FaceState, w: f32) -> f32 {
    let over = fast_max(w - z, 0.0);
    let over = if z < side.z { side.h } else { over };
    if side.h > 0.0 { over } else { 0.0 }
}

/// Returns the fluxes at a wall on the eastern or southern side of a reconstructed state.
#[inline(always)]
fn wall_flux(side: FaceState, gravity: f32) -> Flux {
    Flux { volume: 0.0, along: 0.0, ..hll_flux(side, side.mirrored(), gravity) }
}

/// Returns the fluxes through a face between two cells. A closed cell mirrors the state of the
/// other cell, so only pressure acts on the water. All cases are computed and then selected, so
/// that loops vectorise.
#[inline(always)]
fn inner_flux(left: FaceState, right: FaceState, closed: [bool; 2], gravity: f32) -> Flux {
    let before = if closed[0] { right.mirrored() } else { left };
    let after = if closed[1] { left.mirrored() } else { right };
    let flux = hll_flux(before, after, gravity);
    let (shut, both) = (closed[0] | closed[1], closed[0] & closed[1]);
    Flux {
        volume: if shut { 0.0 } else { flux.volume },
        before: if both { 0.0 } else { flux.before },
        after: if both { 0.0 } else { flux.after },
        along: if shut { 0.0 } else { flux.along },
    }
}

/// Returns the change of `hu` in a cell in a step (m²/s; stage 6 of the scheme). `west` and `east`
/// are the fluxes of normal momentum through the x-faces, and `north` and `south` the fluxes of
/// tangential momentum through the y-faces. `slope_force` is the pressure force of the surface
/// slope within the cell (all m³/s²). `dt_per_length` contains `dt/dx` and `dt/dy` (s/m).
#[inline(always)]
fn momentum_change(
    west: f32,
    east: f32,
    north: f32,
    south: f32,
    slope_force: f32,
    dt_per_length: [f32; 2],
) -> f32 {
    -(dt_per_length[0] * ((east - west) + slope_force) + dt_per_length[1] * (south - north))
}

/// Returns the pressure force due to the surface slope within a cell, per unit width and density
/// (m³/s²): `g·(h₊ + h₋)·σw`. `h` is the mean of the depths h₊ and h₋ at the two faces (m).
/// `slope_w` is σw, half the difference between the surface elevations at these faces (m).
#[inline(always)]
fn slope_force(h: f32, slope_w: f32, gravity: f32) -> f32 {
    gravity * (2.0 * h) * slope_w
}

/// Inputs from which the new momentum of a cell is computed (stage 7 of the scheme).
#[derive(Clone, Copy, Debug)]
struct MomentumInput {
    before: f32,
    now: f32,
    /// Outflow scale of the cell: the fraction of the outflow that the water in the cell could
    /// supply.
    scale: f32,
    /// Momentum of the cell before the step (m²/s).
    q: [f32; 2],
    /// Momentum change of the cell in the step, without friction (m²/s).
    push: [f32; 2],
}

/// Returns the new momentum of a cell (stage 7 of the scheme). `drag` is the result of
/// [`friction::drag_coefficient`]. In a viscous liquid, laminar bed drag reduces the momentum to
/// the fraction `h²/(h² + 3·dt·ν)`.
#[inline(always)]
fn updated_momentum(moved: MomentumInput, drag: f32, coefficients: &Coefficients) -> [f32; 2] {
    let MomentumInput { before, now, scale, q, push } = moved;
    // A cell whose outflow was limited keeps its velocity, because its momentum change belongs to
    // the missing water.
    let overdrawn = scale < 1.0;
    let whole = fast_max(before, DRY_DEPTH);
    let rest = if overdrawn { fast_min(now, before) } else { whole } / whole;
    let pushed = if overdrawn { 0.0 } else { 1.0 };
    let q = [q[0] * rest, q[1] * rest];
    let h2 = if now > DRY_DEPTH { now * now } else { 1.0 };
    let laminar =
        [if now > DRY_DEPTH { coefficients.decay * h2 } else { 0.0 }, h2 + coefficients.viscous];
    let [qx, qy] = friction::apply_friction(q, [push[0] * pushed, push[1] * pushed], drag, laminar);
    let moving = |q: f32| if q.abs() > MIN_MOMENTUM { q } else { 0.0 };
    [moving(qx), moving(qy)]
}

#[inline(always)]
fn clamp_abs(value: f32, limit: f32) -> f32 {
    fast_max(fast_min(value, limit), -limit)
}
