//! [`HexResampler`]: resampling of fields on hexagonal lattices to square lattices, for pictures,
//! map rasters and textures. Values are interpolated linearly on the triangles between cell
//! centres; see [`Lattice::sample`].

use headwater::{Field, Hex, Lattice, Square};
use headwater_io::parallel::*;

/// Resampler from a hexagonal lattice to a lattice of square or rectangular cells.
#[derive(Clone, Debug)]
pub struct HexResampler {
    hex: Hex,
    square: Square,
    /// For each square cell, the three hexagonal cells around its centre and their interpolation
    /// weights.
    taps: Vec<[(u32, f32); 3]>,
}

impl HexResampler {
    /// Creates a resampler to `nx × ny` rectangular cells that cover the lattice. Returns `None` if
    /// the lattice is not hexagonal.
    pub fn new(lattice: &Lattice, nx: usize, ny: usize) -> Option<Self> {
        let Lattice::Hex(hex) = *lattice else { return None };
        let (dx, dy) = (hex.width() / nx as f64, hex.height() / ny as f64);
        let square = Square::new(nx, ny, dx, dy).ok()?;
        let number = |(x, y): (usize, usize)| (y * hex.nx() + x) as u32;
        let mut taps = vec![[(0, 0.0); 3]; nx * ny];
        taps.par_chunks_mut(nx).enumerate().for_each(|(y, row)| {
            for (x, taps) in row.iter_mut().enumerate() {
                let weights = hex.barycentric_weights(square.center(x, y));
                *taps = weights.map(|(cell, weight)| (number(cell), weight as f32));
            }
        });
        Some(Self { hex, square, taps })
    }

    /// Creates a resampler to square cells of about the same number and area as the hexagons.
    /// Returns `None` if the lattice is not hexagonal.
    pub fn with_equal_area(lattice: &Lattice) -> Option<Self> {
        let side = lattice.cell_area().sqrt();
        let count = |size: f64| ((size / side).round() as usize).max(1);
        Self::new(lattice, count(lattice.width()), count(lattice.height()))
    }

    /// Returns the hexagonal lattice.
    pub fn source_lattice(&self) -> Hex {
        self.hex
    }

    /// Returns the square lattice.
    pub fn target_lattice(&self) -> Square {
        self.square
    }

    /// Creates a field on the square lattice by calling `value` for each square cell. `value`
    /// receives the three hexagonal cells around the centre of the square cell, the nearest one
    /// first, as pairs of cell index and interpolation weight. Hexagonal cells are numbered row by
    /// row.
    pub fn map<T: Copy + Default + Send>(
        &self,
        value: impl Fn([(usize, f32); 3]) -> T + Sync,
    ) -> Field<T> {
        let (nx, ny) = (self.square.nx(), self.square.ny());
        let mut field = Field::new(nx, ny, T::default());
        field.as_mut_slice().par_chunks_mut(nx).zip(self.taps.par_chunks(nx)).for_each(
            |(row, taps)| {
                for (out, taps) in row.iter_mut().zip(taps) {
                    let mut taps = taps.map(|(cell, weight)| (cell as usize, weight));
                    taps.sort_by(|a, b| b.1.total_cmp(&a.1));
                    *out = value(taps);
                }
            },
        );
        field
    }

    /// Resamples a field without interpolation: each square cell gets the value of the nearest
    /// hexagonal cell.
    pub fn resample_nearest<T: Copy + Default + Send + Sync>(&self, field: &Field<T>) -> Field<T> {
        self.map(|taps| field.as_slice()[taps[0].0])
    }

    /// Resamples a field by linear interpolation between the hexagonal cells for which
    /// `is_included` returns true. If `is_included` returns false for the nearest cell, the square
    /// cell gets the value `fallback`.
    pub fn resample_linear(
        &self,
        field: &Field<f32>,
        is_included: impl Fn(usize) -> bool + Sync,
        fallback: f32,
    ) -> Field<f32> {
        let value = |cell: usize| field.as_slice()[cell];
        self.map(
            |taps| if is_included(taps[0].0) { mean(taps, &is_included, value) } else { fallback },
        )
    }
}

/// Returns the weighted mean of `value` over the cells in `taps` for which `is_included` returns
/// true. There must be at least one such cell; `taps` contains pairs of cell index and weight.
pub(crate) fn mean(
    taps: [(usize, f32); 3],
    is_included: impl Fn(usize) -> bool,
    value: impl Fn(usize) -> f32,
) -> f32 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (cell, weight) in taps.into_iter().filter(|&(cell, _)| is_included(cell)) {
        sum += weight * value(cell);
        weights += weight;
    }
    sum / weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_and_volumes_are_preserved() {
        let hex: Lattice = Hex::new(40, 30, 3.0).unwrap().into();
        let plane = |[x, y]: [f64; 2]| (0.5 * x - 0.25 * y) as f32;
        let field = Field::from_fn(40, 30, |x, y| plane(hex.center(x, y)));
        let squares = HexResampler::with_equal_area(&hex).unwrap();
        let (nx, ny) = (squares.target_lattice().nx(), squares.target_lattice().ny());
        assert!((nx * ny).abs_diff(1200) < 60, "{nx} × {ny}");
        let flat = squares.resample_linear(&field, |_| true, f32::NAN);
        for (x, y) in [(3, 3), (10, 20), (30, 7)] {
            let exact = plane(squares.target_lattice().center(x, y));
            assert!((flat[(x, y)] - exact).abs() < 1e-4);
        }
        let hill = Field::from_fn(40, 30, |x, y| {
            let [x, y] = hex.center(x, y);
            (-((x - 60.0).powi(2) + (y - 40.0).powi(2)) / 200.0).exp() as f32
        });
        let volume = squares.resample_linear(&hill, |_| true, 0.0).sum()
            * squares.target_lattice().cell_area();
        // Linear interpolation reduces the height of crests.
        let preserved = volume / (hill.sum() * hex.cell_area());
        assert!((preserved - 1.0).abs() < 5e-3, "{preserved}");
    }

    #[test]
    fn excluded_cells_have_no_influence() {
        let hex: Lattice = Hex::new(9, 8, 1.0).unwrap().into();
        let field = Field::from_fn(9, 8, |x, _| if x < 4 { f32::NAN } else { 7.0 });
        let squares = HexResampler::new(&hex, 40, 30).unwrap();
        let flat = squares.resample_linear(&field, |cell| !field.as_slice()[cell].is_nan(), -1.0);
        assert!(flat.as_slice().iter().all(|&v| v == -1.0 || (v - 7.0).abs() < 1e-5));
        assert_eq!((flat[(5, 5)], flat[(35, 5)]), (-1.0, 7.0));
        assert!(HexResampler::new(&Square::new(3, 3, 1.0, 1.0).unwrap().into(), 3, 3).is_none());
    }
}
