//! How a land is shared out, and what whoever carves a part has to be handed.

use super::strip::Strip;
use crate::error::InputError;
use crate::field::Field;
use crate::hydrology::held::Holding;
use crate::hydrology::land::Land;
use crate::hydrology::params::{EdgeKind, Edges, Params};
use crate::hydrology::rain::Rain;
use crate::hydrology::stream_power::Method;
use crate::hydrology::stream_power::catchment::Catchments;
use crate::hydrology::world::Hydrology;
use crate::lattice::Square;
use crate::part::{are_bands, rows_of};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What is handed to whoever carves a part of a land; it serializes with serde.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Share {
    /// A land of the part's rows and its halo, with walls where it is cut.
    pub(super) land: Box<Land>,
    pub(super) strip: Strip,
    /// What bounds the map.
    pub(super) edges: Edges,
    /// What 1 stands for in a map of the rain.
    pub(super) most: f64,
    /// What lakes hold on the part's own cells, which have their numbers on the map.
    pub(super) held: Vec<Holding>,
}

/// Rows of a halo: as many as any stage of a step looks at beside its own.
pub(super) fn halo(land: &Land) -> usize {
    if land.plants.is_empty() { 1 } else { land.flight().max(1) }
}

impl Hydrology {
    /// The most parts that a land can be [shared](Self::share) out into.
    pub fn most_parts(&self) -> usize {
        // Bands may be up to two rows smaller than they are in the mean, to begin with even rows.
        (self.land.lattice.ny() / (halo(&self.land) + 2)).max(1)
    }

    /// Shares a land out for others to carve by stream power, in [`bands`](crate::part::bands) of rows. The land stays as it is, until
    /// their rows are [taken back](Self::take_back).
    ///
    /// # Errors
    /// [`InputError`] if the bands are not those of [`bands`](crate::part::bands), or have fewer rows than seeds fly far, or the land is carved by
    /// drops. These are not stepped in parts: the drops of a batch carve in groups, each over what all drops of those before have left
    /// anywhere on their ways, so that a batch would need as many rounds as its ways cross borders for each of its groups and for each time that lakes
    /// run over.
    pub fn share(&self, bands: &[Range<usize>]) -> Result<Vec<Share>, InputError> {
        if self.land.params.method != Method::StreamPower {
            let allowed = "\"stream-power\" in a land that is stepped in parts";
            return Err(InputError::new("method", "\"drops\"", allowed));
        }
        let ny = self.land.lattice.ny();
        if !are_bands(bands, ny) {
            let found = format!("{bands:?}");
            return Err(InputError::new("bands", found, format!("`bands` of {ny} rows")));
        }
        let halo = halo(&self.land);
        if bands.len() > 1 && bands.iter().any(|band| band.len() < halo) {
            let found = format!("{bands:?}");
            let allowed = format!("bands of at least {halo} rows, as far as seeds of plants fly");
            return Err(InputError::new("bands", found, allowed));
        }
        let held = self.holdings();
        let number = 0..bands.len();
        bands
            .iter()
            .zip(number)
            .map(|(band, i)| self.share_of(band, [i, bands.len()], &held))
            .collect()
    }

    fn share_of(
        &self,
        band: &Range<usize>,
        [number, count]: [usize; 2],
        held: &[Holding],
    ) -> Result<Share, InputError> {
        let whole = &self.land;
        let (map, halo) = (whole.grid(), halo(whole));
        let (nx, ny) = (map.nx, map.ny);
        let beside = [band.start > 0, band.end < ny];
        // At most as many rows as there are, of bands that have no more.
        let (rows, _) = rows_of(band, ny, halo.min(ny), beside);
        let rows = rows.first().copied().unwrap_or(0)..rows.last().map_or(0, |last| last + 1);
        let strip = Strip { nx, rows: rows.clone(), own: band.clone(), of: ny, number, count };
        let edges = whole.params.edges;
        let mut cut = edges;
        for (is_cut, kind) in beside.into_iter().zip([&mut cut.north, &mut cut.south]) {
            if is_cut {
                *kind = EdgeKind::Wall;
            }
        }
        let of_rows = |field: &Field<f32>| field.of_rows(&rows.clone().collect::<Vec<_>>());
        let cells = strip.cells(rows.clone());
        let plants = if whole.plants.is_empty() { 0..0 } else { cells.clone() };
        let Rain { map: rain, inflows } = &whole.rain;
        let land = Land {
            lattice: Square::new(nx, rows.len(), whole.lattice.dx(), whole.lattice.dy())?,
            params: Params { edges: cut, ..whole.params.clone() },
            bed: whole.bed[cells.clone()].to_vec(),
            soil: whole.soil[cells.clone()].to_vec(),
            area: whole.area[cells.clone()].to_vec(),
            momentum: whole.momentum[cells].to_vec(),
            plants: whole.plants[plants].to_vec(),
            rain: Rain { map: rain.as_ref().map(of_rows), inflows: inflows.clone() },
            uplift: whole.uplift.as_ref().map(of_rows),
            storm: whole.storm,
            steps: whole.steps,
            drops: whole.drops,
            time: whole.time,
            pending: whole.pending,
        };
        let own = strip.cells(band.clone());
        let held = held.iter().filter(|holding| own.contains(&(holding.cell as usize)));
        Ok(Share {
            land: Box::new(land),
            edges,
            most: Catchments::most(&whole.rain, map),
            held: held.copied().collect(),
            strip,
        })
    }
}

impl Share {
    /// Checks that its parts fit one another.
    ///
    /// # Errors
    /// [`InputError`] if they do not.
    pub(super) fn check(&self) -> Result<(), InputError> {
        let Self { land, strip, .. } = self;
        let Strip { nx, rows, own, of, number, count } = strip;
        land.params.validate()?;
        let damaged = |what| Err(InputError::snapshot(what));
        let cells = nx.saturating_mul(rows.len());
        let sizes = [land.bed.len(), land.soil.len(), land.area.len(), land.momentum.len()];
        let plants = if land.params.plants.is_empty() { 0 } else { cells };
        let maps = [land.rain.map.as_ref(), land.uplift.as_ref()];
        let fit = maps.into_iter().flatten().all(|map| (map.nx(), map.ny()) == (*nx, rows.len()));
        if (land.lattice.nx(), land.lattice.ny()) != (*nx, rows.len())
            || sizes != [cells; 4]
            || land.plants.len() != plants
            || !fit
        {
            return damaged("its fields do not have the shape of its rows");
        }
        let halo = halo(land);
        let beside = strip.beside();
        let first = if beside[0] { own.start.checked_sub(halo) } else { Some(0) };
        let last = if beside[1] { own.end + halo } else { *of };
        if first != Some(rows.start)
            || last != rows.end
            || own.len() < 2
            || number >= count
            || beside != [*number > 0, number + 1 < *count]
            || beside.contains(&true) && own.len() < halo
        {
            return damaged("its rows are not those of its share");
        }
        Ok(())
    }
}
