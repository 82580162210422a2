//! Waterfalls between pools, drawn as a layer of water along the trajectory of a jet. Two jets that
//! meet in the air merge, and spray is drawn where the water lands.

use super::super::canvas::PixelScale;
use super::super::scene::PixelScene;
use super::pool_water::PoolWater;
use crate::Picture;
use crate::color::{hash_to_unit_interval, mix, rgb_from_hex, value_noise};
use headwater::columns::{Columns, Waterfall};

/// Minimum drop height of a drawn waterfall (art pixels, the squares of the pixel art).
const MIN_DROP: f32 = 3.0;
/// Minimum thickness of a drawn waterfall (art pixels, the squares of the pixel art).
const MIN_THICKNESS: f32 = 0.08;
/// Thickness (art pixels, the squares of the pixel art) below which a waterfall breaks up into
/// drops.
const UNBROKEN_THICKNESS: f32 = 0.8;
/// Maximum height difference (art pixels, the squares of the pixel art) between two overflow edges
/// whose jets can merge.
const MAX_EDGE_OFFSET: f32 = 2.0;
/// Range of the speeds (m/s) with which falling water is drawn. Speeds outside the range are
/// clamped, because slower jets would be hardly visible and the column model overestimates some
/// high speeds.
const SPEED_RANGE: [f32; 2] = [0.3, 4.0];

/// Draws all waterfalls in the air. The parts inside walls or standing water are not drawn.
pub(super) fn draw_waterfalls(
    image: &mut Picture,
    world: &Columns,
    scene: &PixelScene,
    pool_water: &PoolWater,
    scale: PixelScale,
    beat: f32,
) {
    let pixels =
        scale.art_pixels_per_cell as f32 / (world.cell_size() as f32 * scale.cell_stride as f32);
    let gravity = world.params().gravity as f32 * pixels;
    let falls = world.waterfalls(f64::from(MIN_DROP / pixels));
    let jets: Vec<Jet> = falls.iter().map(|fall| Jet::new(fall, pixels)).collect();
    let mut air = WaterfallCanvas { image, scene, pool_water, scale, beat };
    for curtain in pair_merging_jets(&jets, gravity) {
        curtain.draw(gravity, &mut air);
    }
}

/// Jet of water that leaves an edge. Lengths are in art pixels (the squares of the pixel art),
/// times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Jet {
    edge: [f32; 2],
    /// Horizontal velocity (art pixels/s), positive to the east.
    speed: f32,
    height: f32,
    drop: f32,
}

impl Jet {
    fn new(waterfall: &Waterfall, pixels: f32) -> Self {
        let speed = waterfall.velocity as f32;
        Self {
            edge: waterfall.edge.map(|v| v as f32 * pixels),
            speed: speed.signum() * speed.abs().clamp(SPEED_RANGE[0], SPEED_RANGE[1]) * pixels,
            height: waterfall.height as f32 * pixels,
            drop: waterfall.drop as f32 * pixels,
        }
    }

    /// Returns the flow rate of the jet per unit width (art pixels²/s).
    fn flux(&self) -> f32 {
        self.height * self.speed.abs()
    }

    /// Returns the horizontal positions of the two sides of the jet at the vertical position `y`
    /// (art pixels below the top of the picture; an art pixel is one square of the pixel art). The
    /// first side consists of water that left the lip at the bottom of the flow, the second of
    /// water that left at the water surface. `gravity` is in art pixels/s².
    fn horizontal_extent(&self, y: f32, gravity: f32) -> [f32; 2] {
        let out = |down: f32| self.speed * (2.0 * down.max(0.0) / gravity).sqrt();
        let ends = [out(y - self.edge[1]), out(y - self.edge[1] + self.height)];
        ends.map(|end| self.edge[0] + end)
    }
}

/// Water that falls from one overflow edge, or from two facing edges whose jets merge. The first
/// jet comes from the west and the second from the east.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Curtain {
    jets: [Option<Jet>; 2],
}

/// Pairs the jets whose trajectories cross in the air. Each pair and each remaining single jet
/// forms a curtain of falling water. `gravity` is in art pixels/s² (an art pixel is one square of
/// the pixel art).
fn pair_merging_jets(jets: &[Jet], gravity: f32) -> Vec<Curtain> {
    let mut free = vec![true; jets.len()];
    let mut found = Vec::new();
    for (i, west) in jets.iter().enumerate().filter(|(_, jet)| jet.speed > 0.0) {
        let meets = |east: &Jet| {
            let gap = east.edge[0] - west.edge[0];
            let time = gap / (west.speed - east.speed);
            let level = (east.edge[1] - west.edge[1]).abs() <= MAX_EDGE_OFFSET;
            let down = 0.5 * gravity * time * time;
            east.speed < 0.0 && level && gap > 0.0 && down < west.drop.min(east.drop)
        };
        let others = (0..jets.len()).filter(|&k| free[k] && meets(&jets[k]));
        let nearest = others.min_by(|&a, &b| jets[a].edge[0].total_cmp(&jets[b].edge[0]));
        free[i] = false;
        let east = nearest.map(|k| {
            free[k] = false;
            jets[k]
        });
        found.push(Curtain { jets: [Some(*west), east] });
    }
    let single = jets.iter().zip(&free).filter(|&(_, &free)| free);
    found.extend(single.map(|(jet, _)| Curtain { jets: [None, Some(*jet)] }));
    found
}

/// Horizontal extent of falling water in one row of art pixels (squares of the pixel art), from
/// `from` in the west to `to` in the east. All lengths are in art pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Strand {
    from: f32,
    to: f32,
    /// Horizontal position (art pixels) at which thin falling water is drawn. For a single jet,
    /// this is the side nearest to the edge that the water leaves; for merged jets, it is the
    /// middle.
    anchor_x: f32,
    /// Thickness of the falling water (art pixels, the squares of the pixel art); less than 1 for a
    /// thin layer of water.
    thickness: f32,
}

impl Curtain {
    /// Returns the horizontal extents (strands) of the falling water, from west to east, in one row
    /// of art pixels (squares of the pixel art). `y` is the vertical position of the row's middle
    /// (art pixels below the top of the picture), and `gravity` is in art pixels/s².
    fn strands(&self, y: f32, gravity: f32) -> [Option<Strand>; 2] {
        let single = |jet: &Jet| {
            let [root, end] = jet.horizontal_extent(y, gravity);
            let (from, to, thickness) = (root.min(end), root.max(end), (end - root).abs());
            let anchor_x = root + 0.5 * jet.speed.signum();
            (y > jet.edge[1] - jet.height).then_some(Strand { from, to, anchor_x, thickness })
        };
        let [Some(west), Some(east)] = &self.jets else {
            return self.jets.map(|jet| jet.as_ref().and_then(single));
        };
        let (left, right) =
            (west.horizontal_extent(y, gravity), east.horizontal_extent(y, gravity));
        if left[1] < right[1] {
            return [single(west), single(east)];
        }
        // Merged jets fall with their mean momentum.
        let (flux, gap) = (west.flux() + east.flux(), east.edge[0] - west.edge[0]);
        let time = gap / (west.speed - east.speed);
        let now = (2.0 * (y - west.edge[1]).max(0.0) / gravity).sqrt();
        let mean_speed = (west.flux() * west.speed + east.flux() * east.speed) / flux;
        let middle = west.edge[0] + west.speed * time + mean_speed * (now - time).max(0.0);
        let falling = (flux / (gravity * now.max(time))).min(gap);
        let between = right[0] - left[0];
        let from = (middle - 0.5 * falling).min(if between > 0.0 { left[0] } else { middle });
        let to = (middle + 0.5 * falling).max(if between > 0.0 { right[0] } else { middle });
        [Some(Strand { from, to, anchor_x: middle, thickness: falling.max(between) }), None]
    }

    fn draw(&self, gravity: f32, air: &mut WaterfallCanvas<'_>) {
        let jets = || self.jets.iter().flatten();
        let top = jets().map(|jet| jet.edge[1] - jet.height).fold(f32::INFINITY, f32::min);
        let lip = jets().map(|jet| jet.edge[1]).fold(0.0, f32::max);
        let mut falls = [Some([0.0, f32::INFINITY]); 2];
        for row in top.floor().max(0.0) as usize..air.scene.ny * air.scale.art_pixels_per_cell {
            let y = row as f32 + 0.5;
            for (fall, strand) in falls.iter_mut().zip(self.strands(y, gravity)) {
                let (Some(sides), Some(strand)) = (fall.as_mut(), strand) else { continue };
                let strand = strand.confine_between(*sides);
                let root = [strand.anchor_x.max(0.0) as usize, row];
                if y > lip && !air.is_free(root) {
                    air.draw_spray(&strand, row);
                    *fall = None;
                } else {
                    air.draw_strand(strand, row, sides);
                }
            }
        }
    }
}

impl Strand {
    /// Moves falling water (a strand in one row) into the space between a wall at `west` and a wall
    /// at `east`, both horizontal positions in art pixels. Water that hits a wall falls along the
    /// wall.
    fn confine_between(self, [west, east]: [f32; 2]) -> Self {
        let within = |x: f32| x.max(west).min(east);
        let mut strand = Self { from: within(self.from), to: within(self.to), ..self };
        strand.anchor_x = self.anchor_x.max(west + 0.5).min(east - 0.5);
        if self.to > east {
            strand.from = (strand.from.min(east - self.thickness)).max(west);
        }
        if self.from < west {
            strand.to = (strand.to.max(west + self.thickness)).min(east);
        }
        strand
    }
}

/// Picture, world and scale used to draw falling water.
struct WaterfallCanvas<'a> {
    image: &'a mut Picture,
    scene: &'a PixelScene,
    pool_water: &'a PoolWater,
    scale: PixelScale,
    beat: f32,
}

impl WaterfallCanvas<'_> {
    fn is_wall(&self, [px, py]: [usize; 2]) -> bool {
        let [x, y] = [px, py].map(|p| p / self.scale.art_pixels_per_cell);
        x >= self.scene.nx || y >= self.scene.ny || self.scene.cell(x, y).is_wall()
    }

    /// Returns true if there is neither a wall nor water at the art pixel (square of the pixel art)
    /// `[px, py]`.
    fn is_free(&self, [px, py]: [usize; 2]) -> bool {
        !self.is_wall([px, py]) && self.pool_water.span_at(px, py).is_none()
    }

    /// Draws the falling water `strand` in the row `row`, up to the nearest wall on either side.
    /// Narrows the interval `sides` (west and east limit, art pixels) to the space between these
    /// walls.
    fn draw_strand(&mut self, strand: Strand, row: usize, sides: &mut [f32; 2]) {
        if strand.thickness < MIN_THICKNESS {
            return;
        }
        let root = strand.anchor_x.max(0.0) as usize;
        if self.is_wall([root, row]) {
            return;
        }
        let last = (strand.to.ceil().max(0.0) as usize).max(root + 1);
        let first = (strand.from.max(0.0) as usize).min(root);
        let east = (root..last).find(|&px| self.is_wall([px, row]));
        let west = (first..root).rev().find(|&px| self.is_wall([px, row]));
        if let Some(px) = east {
            sides[1] = sides[1].min(px as f32);
        }
        if let Some(px) = west {
            sides[0] = sides[0].max(px as f32 + 1.0);
        }
        // Thin sheets are transparent or broken up.
        let torn = strand.thickness < UNBROKEN_THICKNESS;
        for px in west.map_or(first, |px| px + 1)..east.unwrap_or(last) {
            let covered = (strand.to.min(px as f32 + 1.0) - strand.from.max(px as f32)).max(0.0);
            let is_it = if last - first == 1 || torn { px == root } else { covered > 0.4 };
            if !is_it || self.pool_water.span_at(px, row).is_some() {
                continue;
            }
            let streak = value_noise(px as f32 / 1.1, (row as f32 - 9.0 * self.beat) / 10.0, 61);
            if torn && 0.5 + 0.5 * streak > (strand.thickness / UNBROKEN_THICKNESS).sqrt() {
                continue;
            }
            let tone = match streak {
                s if s > 0.25 => 0xCFF0FF,
                s if s > -0.2 => 0x8FD3F7,
                _ => 0x67BCEC,
            };
            self.scale.blend_art_pixel(self.image, [px, row], rgb_from_hex(tone), 0.85);
        }
    }

    /// Draws spray where a strand of falling water lands in the row `row`.
    fn draw_spray(&mut self, strand: &Strand, row: usize) {
        if strand.thickness < UNBROKEN_THICKNESS {
            return;
        }
        let wide = 2.0 + (4.0 * strand.thickness).sqrt();
        let land = 0.5 * (strand.from + strand.to);
        for i in 0..(4.0 * wide) as u32 {
            let key = i * 2731 + self.beat as u32 * 97 + strand.anchor_x as u32;
            let offset = (hash_to_unit_interval(key) * 2.0 - 1.0) * wide;
            let up = hash_to_unit_interval(key ^ 0x5BD1) * wide * (1.0 - (offset / wide).abs());
            let (x, y) = (land + offset, row as f32 - up);
            if x < 0.0 || y < 0.0 || self.is_wall([x as usize, y as usize]) {
                continue;
            }
            let tone = mix(
                rgb_from_hex(0xBFEAFF),
                rgb_from_hex(0xFFFFFF),
                hash_to_unit_interval(key ^ 0x77),
            );
            self.scale.blend_art_pixel(self.image, [x as usize, y as usize], tone, 0.7);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAVITY: f32 = 80.0;

    fn test_jet(x: f32, speed: f32) -> Jet {
        Jet { edge: [x, 10.0], speed, height: 3.0, drop: 40.0 }
    }

    #[test]
    fn jets_from_both_sides_of_an_opening_merge_and_never_cross() {
        let (west, east, other) = (test_jet(20.0, 8.0), test_jet(32.0, -8.0), test_jet(80.0, 8.0));
        let all = pair_merging_jets(&[east, west, other], GRAVITY);
        let one = Curtain { jets: [Some(west), Some(east)] };
        assert_eq!(all, [one, Curtain { jets: [Some(other), None] }]);
        for row in 0..40 {
            let y = 7.5 + row as f32;
            let strands = one.strands(y, GRAVITY);
            let [Some(first), second] = strands else { panic!("{y}: {strands:?}") };
            // The merged water is symmetric about the middle.
            let last = second.unwrap_or(first);
            assert!((first.from + last.to - 52.0).abs() < 1e-3, "{y}: {strands:?}");
            assert!(second.is_none_or(|second| first.to <= second.from), "{y}: {strands:?}");
            assert!(first.from >= 20.0 - 1e-3 && last.to <= 32.0 + 1e-3, "{y}: {strands:?}");
        }
        // Faster water is thinner.
        let thickness = |y: f32| one.strands(y, GRAVITY)[0].unwrap().thickness;
        assert!(thickness(48.5) < 0.9 * thickness(34.5));
    }

    #[test]
    fn jets_that_land_before_they_meet_stay_separate() {
        let far = Jet { drop: 2.0, ..test_jet(120.0, -8.0) };
        let near = Jet { drop: 2.0, ..test_jet(20.0, 8.0) };
        assert_eq!(pair_merging_jets(&[near, far], GRAVITY).len(), 2);
        let askew = Jet { edge: [36.0, 18.0], ..test_jet(36.0, -8.0) };
        assert_eq!(pair_merging_jets(&[test_jet(20.0, 8.0), askew], GRAVITY).len(), 2);
    }

    #[test]
    fn a_jet_follows_the_wall_that_it_hits() {
        let strand = Strand { from: 10.0, to: 14.0, anchor_x: 10.5, thickness: 4.0 };
        let along = strand.confine_between([0.0, 12.0]);
        assert_eq!((along.from, along.to), (8.0, 12.0));
        assert!(along.anchor_x <= 11.5);
    }
}
