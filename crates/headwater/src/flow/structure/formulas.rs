//! Textbook discharge formulas for weirs, gates and culverts at given water levels. The discharge
//! is continuous, 0 at equal levels, and non-decreasing with the upstream level. The approach
//! velocity is neglected.

use super::types::{BROAD_CREST, Barrel, Culvert};

/// Discharge coefficient of a submerged culvert inlet with a square edge.
const INLET_COEFFICIENT: f64 = 0.6;

/// Fraction of the height of a box culvert, measured down from its top, over which the top
/// gradually becomes wetted as the water rises. The wetted perimeter therefore has no jump when the
/// water reaches the top.
const TOP_FRACTION: f64 = 0.1;

/// Returns the discharge `Q` (m³/s) over a weir of width `b` (m). The water stands `h₁` (`head`)
/// above the crest on one side and `h₂ ≤ h₁` (`tail`) on the other (m; `h₂` may be negative). Free
/// flow: Poleni, `Q = C·⅔·√(2g)·b·h₁^(3/2)` with the discharge coefficient `C`. Submerged flow:
/// Villemonte (1947), `Q/Q_free = (1 − (h₂/h₁)^(3/2))^0.385`.
pub(super) fn weir_discharge(
    gravity: f64,
    coefficient: f64,
    width: f64,
    head: f64,
    tail: f64,
) -> f64 {
    if head <= 0.0 {
        return 0.0;
    }
    let free = coefficient * (2.0 / 3.0) * (2.0 * gravity).sqrt() * width * head * head.sqrt();
    if tail <= 0.0 {
        return free;
    }
    let ratio = tail / head;
    free * libm::pow((1.0 - ratio * ratio.sqrt()).max(0.0), 0.385)
}

/// Returns the discharge `Q` (m³/s) through a gate of width `b` (m) whose edge is `a` (`opening`,
/// m) above its sill. The water stands `h₁` (`head`) above the sill on one side and `h₂ ≤ h₁`
/// (`tail`) on the other (m). `C` (`contraction`) is the depth of the jet divided by the opening.
///
/// The result is the smaller of two discharges, which are equal near `h₁ = 1.3·a`. The first is
/// underflow by conservation of energy (Henderson 1966, §6.6), `Q = C·a·b·√(2g)·h₁/√(h₁ + C·a)`,
/// times `√((h₁ − h₂)/(h₁ − C·a))` if the tailwater submerges the jet. The second is flow over the
/// sill as over a broad-crested weir.
pub(super) fn gate_discharge(
    gravity: f64,
    contraction: f64,
    width: f64,
    opening: f64,
    head: f64,
    tail: f64,
) -> f64 {
    if head <= 0.0 || opening <= 0.0 {
        return 0.0;
    }
    let over = weir_discharge(gravity, BROAD_CREST, width, head, tail);
    let jet = contraction * opening;
    if head <= jet {
        return over;
    }
    let free = jet * width * (2.0 * gravity).sqrt() * head / (head + jet).sqrt();
    let left = if tail > jet { ((head - tail) / (head - jet)).max(0.0) } else { 1.0 };
    over.min(free * left.sqrt())
}

/// Returns the discharge (m³/s) through a culvert. The water level is `upper` (m) at the mouth
/// whose floor is at the elevation `inlet` (m), and `lower ≤ upper` at the mouth whose floor is at
/// `outlet` (m).
///
/// The result is the smaller of two discharges, as in FHWA's HDS-5 (Schall et al. 2012):
///
/// - **Inlet control**: critical flow at the inlet, with the critical depth taken as ⅔ of the head.
///   If the inlet is submerged, the limit is the discharge of an orifice, `Q = 0.6·A·√(2g·(h₁ −
///   D/2))`.
/// - **Outlet control**: `Q = A·√(2g·ΔH/k)` with `k = 1 + k_e + 2g·n²·L/R^(4/3)`, the sum of exit
///   loss, entrance loss and Manning's friction. `ΔH` is `upper` minus the level at the outlet.
///   This level is the higher of `lower` and the level of critical depth at the outlet (at most the
///   crown). `A` and `R` are computed for the smaller of the depths at both ends.
///
/// In these formulas, `h₁` is the head above the inlet, `D` the inner height of the barrel and `L`
/// its length. `n` is Manning's roughness, `k_e` the entrance loss, `A` the wetted area and `R` the
/// hydraulic radius.
pub(super) fn culvert_discharge(
    gravity: f64,
    culvert: &Culvert,
    [upper, lower]: [f64; 2],
    [inlet, outlet]: [f64; 2],
) -> f64 {
    let barrel = culvert.barrel;
    let (head, crown) = (upper - inlet, barrel.height());
    // Water must stand above both floors to flow through.
    let over_both = upper - inlet.max(outlet);
    if over_both <= 0.0 {
        return 0.0;
    }
    let critical = (2.0 / 3.0 * head).min(crown);
    let mut control = barrel.wetted_area(critical) * (2.0 * gravity * (head - critical)).sqrt();
    if head > crown {
        let orifice = INLET_COEFFICIENT
            * barrel.wetted_area(crown)
            * (2.0 * gravity * (head - 0.5 * crown)).sqrt();
        control = control.min(orifice);
    }
    let brink = outlet + (2.0 / 3.0 * over_both).min(crown);
    let end = lower.max(brink);
    let depth = head.min(end - outlet).min(crown);
    let area = barrel.wetted_area(depth);
    let radius = area / barrel.wetted_perimeter(depth);
    let friction = 2.0 * gravity * culvert.manning * culvert.manning * culvert.length
        / (radius * libm::cbrt(radius));
    let losses = 1.0 + culvert.entrance_loss + friction;
    let along = area * (2.0 * gravity * (upper - end).max(0.0) / losses).sqrt();
    control.min(along)
}

impl Barrel {
    /// Returns the inner height of the barrel (m).
    pub fn height(&self) -> f64 {
        match *self {
            Barrel::Box { height, .. } => height,
            Barrel::Round { diameter } => diameter,
        }
    }

    /// Returns the wet cross-section (m²) of the barrel at a water depth from 0 to the inner height
    /// (m).
    pub fn wetted_area(&self, depth: f64) -> f64 {
        match *self {
            Barrel::Box { width, .. } => width * depth,
            Barrel::Round { diameter } => {
                let angle = wet_angle(depth, diameter);
                diameter * diameter / 8.0 * (angle - libm::sin(angle))
            }
        }
    }

    /// Returns the wetted perimeter (m) of the barrel at a water depth (m). The top of a box is
    /// wetted gradually over the last tenth of its height.
    pub fn wetted_perimeter(&self, depth: f64) -> f64 {
        match *self {
            Barrel::Box { width, height } => {
                let lid = ((depth / height - (1.0 - TOP_FRACTION)) / TOP_FRACTION).clamp(0.0, 1.0);
                width + 2.0 * depth + width * lid
            }
            Barrel::Round { diameter } => 0.5 * diameter * wet_angle(depth, diameter),
        }
    }
}

/// Returns the angle (rad) that the wetted wall of a round pipe subtends at its centre.
fn wet_angle(depth: f64, diameter: f64) -> f64 {
    2.0 * libm::acos((1.0 - 2.0 * depth / diameter).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const G: f64 = 9.81;

    fn culvert_with_barrel(barrel: Barrel, length: f64) -> Culvert {
        Culvert { barrel, inverts: [0.0; 2], length, manning: 0.013, entrance_loss: 0.5 }
    }

    fn assert_within_a_thousandth(found: f64, expected: f64) {
        assert!((found / expected - 1.0).abs() < 1e-3, "{found}, expected {expected}");
    }

    #[test]
    fn weirs_and_gates_match_textbook_values() {
        // Broad-crested: q = 1.705·h^1.5.
        assert_within_a_thousandth(
            weir_discharge(G, BROAD_CREST, 3.0, 0.5, -1.0),
            3.0 * 1.705 * 0.353_553,
        );
        // Villemonte at half submergence: (1 − 0.5^1.5)^0.385 = 0.8455.
        assert_within_a_thousandth(
            weir_discharge(G, 0.6, 1.0, 1.0, 0.5) / weir_discharge(G, 0.6, 1.0, 1.0, 0.0),
            0.845_5,
        );
        // Free underflow, h = 2, a = 0.5: C_d = 0.61/√(1 + 0.61·0.25) = 0.5682.
        assert_within_a_thousandth(
            gate_discharge(G, 0.61, 2.0, 0.5, 2.0, 0.1),
            0.568_2 * 0.5 * 2.0 * (2.0 * G * 2.0_f64).sqrt(),
        );
        // Submerged on both sides: C·a·b·√(2g·Δh).
        let drowned = gate_discharge(G, 0.61, 1.0, 0.1, 20.0, 19.0);
        assert_within_a_thousandth(
            drowned,
            0.061 * (2.0 * G).sqrt() * (20.0 / (20.061_f64 * 19.939).sqrt()),
        );
        // The water does not touch the gate.
        assert_eq!(
            gate_discharge(G, 0.61, 1.0, 2.0, 1.0, 0.0),
            weir_discharge(G, BROAD_CREST, 1.0, 1.0, 0.0)
        );
        assert_eq!(gate_discharge(G, 0.61, 1.0, 0.0, 9.0, 0.0), 0.0, "shut");
    }

    #[test]
    fn culverts_match_textbook_values() {
        let square = Barrel::Box { width: 2.0, height: 1.0 };
        // Short, free: critical depth at the inlet.
        assert_within_a_thousandth(
            culvert_discharge(G, &culvert_with_barrel(square, 0.1), [0.5, -3.0], [0.0, -2.0]),
            2.0 * 1.705 * 0.353_553,
        );
        // Short, submerged inlet, free outlet far below: an orifice.
        let orifice = 0.6 * 2.0 * (2.0 * G * 2.5_f64).sqrt();
        assert_within_a_thousandth(
            culvert_discharge(G, &culvert_with_barrel(square, 0.1), [3.0, -9.0], [0.0, -9.0]),
            orifice,
        );
        // Full: V = √(2g·ΔH/k), R = A/P = 1/3.
        let k = 1.5 + 2.0 * G * 0.013 * 0.013 * 50.0 * 3.0_f64.powf(4.0 / 3.0);
        assert_within_a_thousandth(
            culvert_discharge(G, &culvert_with_barrel(square, 50.0), [3.0, 2.5], [0.0; 2]),
            2.0 * (G / k).sqrt(),
        );
        // A full round pipe: R = D/4.
        let round = Barrel::Round { diameter: 0.8 };
        let k = 1.5 + 2.0 * G * 0.013 * 0.013 * 20.0 * 5.0_f64.powf(4.0 / 3.0);
        let full = 0.16 * std::f64::consts::PI * (2.0 * G * 0.3 / k).sqrt();
        assert_within_a_thousandth(
            culvert_discharge(G, &culvert_with_barrel(round, 20.0), [2.0, 1.7], [0.0; 2]),
            full,
        );
        // Water under the higher of both floors stays.
        assert_eq!(
            culvert_discharge(G, &culvert_with_barrel(round, 20.0), [0.4, 0.0], [0.0, 0.5]),
            0.0
        );
    }

    /// Returns the discharge of a structure between two water levels. `kind` selects the structure:
    /// 0 is a weir, 1 a gate and 2 a round culvert, all with the floor at height 0; 3 is a long and
    /// 4 a short box culvert with sloping floors.
    fn discharge_of(kind: usize, upper: f64, lower: f64) -> f64 {
        match kind {
            0 => weir_discharge(G, 0.6, 2.0, upper, lower),
            1 => gate_discharge(G, 0.61, 2.0, 0.7, upper, lower),
            2 => culvert_discharge(
                G,
                &culvert_with_barrel(Barrel::Round { diameter: 0.9 }, 15.0),
                [upper, lower],
                [0.0; 2],
            ),
            3 => {
                let barrel = Barrel::Box { width: 1.5, height: 0.8 };
                culvert_discharge(G, &culvert_with_barrel(barrel, 30.0), [upper, lower], [0.2, 0.0])
            }
            _ => {
                let barrel = Barrel::Box { width: 1.5, height: 0.8 };
                culvert_discharge(G, &culvert_with_barrel(barrel, 3.0), [upper, lower], [0.0, 0.3])
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

        #[test]
        fn discharges_are_continuous(
            kind in 0usize..5, upper in 0.0f64..4.0, part in -0.5f64..0.98
        ) {
            let lower = upper * part;
            let step = 1e-7;
            let here = discharge_of(kind, upper, lower);
            prop_assert!(here.is_finite() && here >= 0.0);
            for (a, b) in [(upper + step, lower), (upper, lower - step)] {
                let off = (discharge_of(kind, a, b) - here).abs();
                prop_assert!(off < 2e-5, "{here} jumps by {off}");
            }
        }

        #[test]
        fn discharge_does_not_decrease_with_the_upstream_level(
            kind in 0usize..5, upper in 0.0f64..4.0, part in -0.5f64..1.0, more in 0.0f64..0.5
        ) {
            let lower = upper * part;
            let rise = discharge_of(kind, upper + more, lower) - discharge_of(kind, upper, lower);
            prop_assert!(rise > -1e-9, "{rise}");
        }
    }

    #[test]
    fn equal_levels_have_no_discharge() {
        for kind in 0..5 {
            for level in [0.1, 0.5, 0.8, 1.3, 3.0] {
                assert_eq!(discharge_of(kind, level, level), 0.0, "{kind} at {level}");
            }
        }
    }
}
