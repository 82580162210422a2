//! The kernels of a flow, put together from their parts: a lattice, a level of physics, and how a step is laid
//! out.

use super::tracers::Drift;
use super::{LEAST_MEMORY, Sweep};
use crate::COMMON;
use crate::kernel::{Binding, compose};
use headwater::flow::Physics;

/// A kind of world, which chooses the parts of its kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variant {
    pub(crate) hex: bool,
    pub(crate) physics: Physics,
    /// Each cell has its own roughness.
    pub(crate) rough_map: bool,
}

/// Every kind of world that there are kernels for.
pub(crate) fn variants() -> Vec<Variant> {
    let mut all = Vec::new();
    for hex in [false, true] {
        all.push(Variant { hex, physics: Physics::Pipes, rough_map: false });
        for rough_map in [false, true] {
            all.push(Variant { hex, physics: Physics::Inertial, rough_map });
            if !hex {
                all.push(Variant { hex, physics: Physics::ShallowWater, rough_map });
            }
        }
    }
    all
}

/// How large a tile is, and by how many invocations it is worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Cells of a tile from west to east; 32 by default, as many as go together on most devices.
    pub x: u32,
    /// Cells of a tile from north to south.
    pub y: u32,
    /// Invocations of a workgroup.
    pub threads: u32,
}

impl Variant {
    fn inertial(self) -> bool {
        self.physics == Physics::Inertial
    }

    pub(super) fn shallow(self) -> bool {
        self.physics == Physics::ShallowWater
    }

    /// True if the length of a step depends on the water.
    pub(super) fn guarded(self) -> bool {
        self.physics != Physics::Pipes
    }

    /// Bindings of its world, in order; see world.wgsl.
    pub(crate) fn bindings(self, window: u64) -> Vec<(u32, Binding)> {
        let mut all = vec![
            (0, Binding::Uniform),
            (1, Binding::Window(window)),
            (2, Binding::Read),
            (3, Binding::Write),
            (4, Binding::Read),
            (5, Binding::Write),
            (6, Binding::Write),
            (7, Binding::Write),
        ];
        if self.hex {
            all.push((8, Binding::Write));
        }
        if self.rough_map {
            all.push((9, Binding::Read));
        }
        if self.guarded() {
            all.push((10, Binding::Write));
        }
        if self.shallow() {
            all.extend([(11, Binding::Write), (12, Binding::Write)]);
        }
        all
    }

    /// Cells around a tile that it loads after its own; faces that look at their neighbours look farther.
    fn beyond(self) -> u32 {
        if self.inertial() { 3 } else { 2 }
    }

    /// Workgroup memory that a tile takes (bytes).
    pub(crate) fn tile_bytes(self, tile: Tile) -> u64 {
        if self.shallow() {
            // 25 numbers for each place; vectors of three take the room of four.
            return 100 * u64::from(tile.x + 6) * u64::from(tile.y + 6) + 64;
        }
        let places = u64::from(tile.x + 2 + self.beyond()) * u64::from(tile.y + 2 + self.beyond());
        let families = if self.hex { 3 } else { 2 };
        let arrays = 2 + families + if self.inertial() { families } else { 0 };
        4 * arrays * places + 64
    }

    /// What all kernels begin with: the world, and the discharges over all families of its faces.
    pub(super) fn world(self) -> Vec<&'static str> {
        let mut parts = vec![COMMON, include_str!("world.wgsl")];
        if self.hex {
            parts.push(include_str!("discharge_z.wgsl"));
        }
        parts
    }

    /// What all steps of pipes begin with.
    fn base(self) -> Vec<&'static str> {
        let mut parts = self.world();
        parts.extend([include_str!("transport.wgsl"), include_str!("books.wgsl")]);
        parts.extend([include_str!("edges.wgsl"), include_str!("rim.wgsl")]);
        if self.hex {
            parts.push(include_str!("hex.wgsl"));
        } else {
            parts.extend([include_str!("square.wgsl"), include_str!("square_cell.wgsl")]);
        }
        if self.inertial() {
            parts.push(include_str!("inertial.wgsl"));
            if self.hex {
                parts.push(include_str!("inertial_z.wgsl"));
            }
            parts.push(self.roughness());
        } else {
            parts.push(include_str!("pipes.wgsl"));
            if self.hex {
                parts.push(include_str!("pipes_z.wgsl"));
            }
        }
        parts
    }

    /// What says whether a step may be done.
    pub(super) fn guard(self) -> &'static str {
        if self.guarded() { include_str!("guard.wgsl") } else { include_str!("unguarded.wgsl") }
    }

    fn roughness(self) -> &'static str {
        if self.rough_map {
            include_str!("rough_map.wgsl")
        } else {
            include_str!("rough_even.wgsl")
        }
    }

    /// The kernel `step_tile`.
    pub(crate) fn tile(self, tile: Tile) -> String {
        let constants = [
            ("TILE_X", tile.x),
            ("TILE_Y", tile.y),
            ("THREADS", tile.threads),
            ("BEYOND", self.beyond()),
            // What comes and what goes over the boundary.
            ("FIRST_BOOK", 0),
            ("BOOKS", 2),
        ];
        if self.shallow() {
            let mut parts = self.world();
            parts.extend([
                include_str!("momentum.wgsl"),
                include_str!("transport.wgsl"),
                include_str!("books.wgsl"),
                include_str!("edges.wgsl"),
                include_str!("square_cell.wgsl"),
                self.roughness(),
                include_str!("shallow.wgsl"),
                include_str!("shallow_edge.wgsl"),
                self.guard(),
                include_str!("group_books.wgsl"),
                include_str!("tile_faces.wgsl"),
                include_str!("note_waves.wgsl"),
                include_str!("tile_shallow.wgsl"),
            ]);
            return compose(&constants, &parts);
        }
        let mut parts = self.base();
        parts.extend([self.guard(), include_str!("group_books.wgsl")]);
        parts.extend([include_str!("tile_faces.wgsl"), include_str!("tile.wgsl")]);
        parts.push(if self.hex {
            include_str!("tile_hex.wgsl")
        } else {
            include_str!("tile_square.wgsl")
        });
        if self.inertial() {
            parts.push(include_str!("tile_kept.wgsl"));
            parts.push(if self.hex {
                include_str!("tile_kept_z.wgsl")
            } else {
                include_str!("tile_kept_square.wgsl")
            });
        } else {
            parts.push(include_str!("tile_old.wgsl"));
            if self.hex {
                parts.push(include_str!("tile_old_z.wgsl"));
            }
        }
        compose(&constants, &parts)
    }

    /// The kernels `drive_faces`, `feed_faces` and `settle_cells` of the three passes.
    pub(crate) fn passes(self, threads: u32) -> [(&'static str, String); 3] {
        let whole = |own: [&'static str; 2]| {
            let mut parts = self.base();
            parts.push(include_str!("passes.wgsl"));
            parts.extend(own);
            compose(&[("THREADS", threads)], &parts)
        };
        let of = |square: &'static str, hex: &'static str| if self.hex { hex } else { square };
        [
            (
                "drive_faces",
                whole([
                    include_str!("passes_drive.wgsl"),
                    of(
                        include_str!("passes_drive_square.wgsl"),
                        include_str!("passes_drive_hex.wgsl"),
                    ),
                ]),
            ),
            (
                "feed_faces",
                whole([
                    include_str!("passes_feed.wgsl"),
                    of(
                        include_str!("passes_feed_square.wgsl"),
                        include_str!("passes_feed_hex.wgsl"),
                    ),
                ]),
            ),
            (
                "settle_cells",
                whole([
                    include_str!("passes_settle.wgsl"),
                    of("", include_str!("passes_settle_hex.wgsl")),
                ]),
            ),
        ]
    }
}

impl Variant {
    /// Bindings that all kernels of exchange share.
    pub(crate) fn exchange_bindings(self, window: u64) -> Vec<(u32, Binding)> {
        let mut all = self.bindings(window);
        all.retain(|(number, _)| matches!(number, 0 | 1 | 3 | 4 | 5 | 10));
        all
    }

    fn exchange(self, constants: &[(&str, u32)], own: &[&'static str]) -> String {
        let mut parts = self.world();
        parts.extend([include_str!("books.wgsl"), self.guard()]);
        parts.extend(own);
        let mut all = vec![("THREADS", super::exchange::THREADS)];
        all.extend_from_slice(constants);
        compose(&all, &parts)
    }

    /// The kernel `exchange_field`, with rain, a map of it, soil and air or without.
    pub(crate) fn over_cells(self, [rain, map, soil, air]: [bool; 4]) -> String {
        let flags = [("RAIN", rain), ("RAIN_MAP", map), ("SOIL", soil), ("AIR", air)];
        let mut constants = flags.map(|(name, on)| (name, u32::from(on))).to_vec();
        // Those of rain, air and soil.
        constants.extend([("FIRST_BOOK", 4), ("BOOKS", 4)]);
        let own = [include_str!("group_books.wgsl"), include_str!("exchange.wgsl")];
        self.exchange(&constants, &own)
    }

    /// The kernels `remember` and `follow`.
    pub(crate) fn follow(self) -> String {
        self.exchange(&[], &[include_str!("momentum.wgsl"), include_str!("follow.wgsl")])
    }

    /// The kernel `pass_outlets`, for springs or drains over so many cells.
    pub(crate) fn outlets(self, cells: u32, drains: bool) -> String {
        let constants = [("CELLS", cells), ("DRAINS", u32::from(drains))];
        self.exchange(&constants, &[include_str!("outlets.wgsl")])
    }
}

/// Every kernel of every kind of world, by name.
pub(crate) fn all() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for variant in variants() {
        let lattice = if variant.hex { "hex" } else { "square" };
        let map = if variant.rough_map { "-rough" } else { "" };
        let name = format!("flow/{lattice}-{:?}{map}", variant.physics).to_lowercase();
        all.push((
            format!("{name}/tile"),
            variant.tile(Sweep::default_tile(variant, LEAST_MEMORY, usize::MAX)),
        ));
        for parts in (0..16).map(|bits| [1, 2, 4, 8].map(|bit| bits & bit != 0)) {
            all.push((format!("{name}/exchange-{parts:?}"), variant.over_cells(parts)));
        }
        for drains in [false, true] {
            all.push((format!("{name}/outlets-{drains}"), variant.outlets(9, drains)));
        }
        all.push((format!("{name}/draw"), variant.draw()));
        all.push((format!("{name}/edit"), variant.edit_cells().text));
        all.push((format!("{name}/push"), variant.push().text));
        if variant.guarded() {
            all.push((format!("{name}/survey"), variant.survey().text));
        }
        for (what, births) in [("anywhere", None), ("emitters", Some(7))] {
            let drift = Drift { count: 50, births, three_pass: false };
            all.push((format!("{name}/drift-{what}"), variant.drift(drift)));
            all.push((format!("{name}/gather-{what}"), variant.gather(drift)));
        }
        if variant.shallow() {
            all.push((format!("{name}/follow"), variant.follow()));
        }
        if !variant.guarded() {
            for (entry, text) in variant.passes(64) {
                all.push((format!("{name}/{entry}"), text));
            }
        }
    }
    all
}
