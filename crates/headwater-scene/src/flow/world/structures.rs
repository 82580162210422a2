//! Conversion of the culverts, gates and weirs of a scene to structures of the flow model, with
//! heights above the terrain's datum.

use crate::flow::{CulvertMouths, FlowScene};
use crate::scene::{ExtendedKeys, Position, resolve_position};
use headwater::Lattice;
use headwater::flow::{Barrel, Culvert, Gate, StructureKind, Weir};

/// Default discharge coefficient of a weir (dimensionless): that of a broad-crested weir.
const DEFAULT_WEIR_COEFFICIENT: f64 = 0.577;

/// Converts the structures of a scene to those of the flow model, in the order of
/// [`FlowScene::structures`]. The returned heights are above `datum` (m).
pub(in crate::flow) fn structure_kinds(
    scene: &FlowScene,
    lattice: &Lattice,
    datum: f64,
) -> Vec<StructureKind> {
    let culverts = scene.culverts.iter().map(|one| to_culvert(one, datum, lattice));
    let gates = scene.gates.iter().map(|gate| {
        StructureKind::Gate(Gate { sill: gate.keys.sill - datum, ..(*gate.keys).clone() })
    });
    let weirs = scene.weirs.iter().map(|weir| {
        let given = weir.keys.is_given("coefficient");
        StructureKind::Weir(Weir {
            crest: weir.keys.crest.map_values(|crest| crest - datum),
            coefficient: if given { weir.keys.coefficient } else { DEFAULT_WEIR_COEFFICIENT },
            ..(*weir.keys).clone()
        })
    });
    culverts.chain(gates).chain(weirs).collect()
}

fn to_culvert(
    culvert: &ExtendedKeys<Culvert, CulvertMouths>,
    datum: f64,
    lattice: &Lattice,
) -> StructureKind {
    let keys = &culvert.keys;
    let length = if keys.is_given("length") {
        keys.length
    } else {
        distance([culvert.from, culvert.to], lattice)
    };
    StructureKind::Culvert(Culvert {
        // The model rejects this cross-section, so the error is reported there.
        barrel: culvert.barrel().unwrap_or(Barrel::Round { diameter: 0.0 }),
        inverts: keys.inverts.map(|invert| invert - datum),
        length,
        ..**keys
    })
}

/// Returns the distance between two positions (m).
fn distance(ends: [Position; 2], lattice: &Lattice) -> f64 {
    let [a, b] = ends.map(|end| resolve_position(end, lattice));
    let (east, south) = (b[0] - a[0], b[1] - a[1]);
    (east * east + south * south).sqrt()
}
