//! The culverts, gates and weirs of a scene, with heights counted from the terrain's datum.

use crate::flow::FlowScene;
use crate::scene::{Position, resolve};
use crate::terrain::Terrain;
use headwater::Lattice;
use headwater::flow::{Barrel, Culvert, Gate, StructureKind, Weir};

/// What the structures of a scene are, in the order of [`Scene::structures`].
pub(super) fn kinds(scene: &FlowScene, terrain: &Terrain) -> Vec<StructureKind> {
    let Terrain { datum, lattice, .. } = terrain;
    let culverts = scene.culverts.iter().map(|one| culvert(one, *datum, lattice));
    let gates = scene.gates.iter().map(|gate| {
        StructureKind::Gate(Gate {
            width: gate.width,
            sill: gate.sill - datum,
            opening: gate.opening.clone(),
            contraction: gate.contraction,
        })
    });
    let weirs = scene.weirs.iter().map(|weir| {
        StructureKind::Weir(Weir {
            width: weir.width,
            crest: weir.crest.map_values(|crest| crest - datum),
            coefficient: weir.coefficient,
        })
    });
    culverts.chain(gates).chain(weirs).collect()
}

fn culvert(culvert: &crate::flow::Culvert, datum: f64, lattice: &Lattice) -> StructureKind {
    StructureKind::Culvert(Culvert {
        // No checked scene lacks one, and the model refuses this one.
        barrel: culvert.barrel().unwrap_or(Barrel::Round { diameter: 0.0 }),
        inverts: culvert.inverts.map(|invert| invert - datum),
        length: culvert.length.unwrap_or_else(|| distance([culvert.from, culvert.to], lattice)),
        manning: culvert.manning,
        entrance_loss: culvert.entrance_loss,
    })
}

/// How far two places lie apart (m).
fn distance(ends: [Position; 2], lattice: &Lattice) -> f64 {
    let [a, b] = ends.map(|end| resolve(end, lattice));
    let (east, south) = (b[0] - a[0], b[1] - a[1]);
    (east * east + south * south).sqrt()
}
