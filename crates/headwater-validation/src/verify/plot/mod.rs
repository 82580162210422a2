//! Plots of computed and exact solutions: one figure per case, with one line for each physics
//! model.

mod ring;
mod style;

use super::flow::levels::LEVELS;
use anyhow::Result;
use headwater_cli::plot::{Axes, Canvas, LEFT, Rect, RgbColor, make_folder};
use headwater_cli::span::min_max;
pub(super) use ring::Ring;
use std::path::Path;
use style::{EXACT, FAINT, INK, LEVEL_INKS, SIZE, format_percent};

/// Quantity that a figure shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlottedQuantity {
    /// Water surface and bed.
    Surface,
    /// Depth, for beds whose total drop is much larger than the depth.
    Depth,
}

/// Longitudinal section through a computed world, together with its exact solution.
#[derive(Clone, Debug)]
pub(super) struct Profile {
    /// Name of the case, such as `flow/stoker`.
    pub(super) figure: &'static str,
    /// Title of the figure.
    pub(super) title: &'static str,
    /// Quantity that the figure shows.
    pub(super) view: PlottedQuantity,
    /// Range of positions that the figure shows (m).
    pub(super) range: [f64; 2],
    /// Name of the physics model.
    pub(super) level: &'static str,
    /// Relative error of depth, shown in the legend.
    pub(super) error: f64,
    /// Position (m), bed height (m) and depth (m) along the exact solution, finely sampled.
    pub(super) exact: Vec<[f64; 3]>,
    /// Position (m), bed height (m) and depth (m) of each computed cell.
    pub(super) computed: Vec<[f64; 3]>,
}

/// Frame of the plot axes (pixels).
const FRAME: Rect = Rect { left: 105.0, top: 150.0, right: 1360.0, bottom: 715.0 };

const WATER: RgbColor = 0xE4F0F8;
const GROUND: RgbColor = 0xD9CDBB;
const GROUND_EDGE: RgbColor = 0x8C7A60;

/// Data for the figure of a case.
#[derive(Clone, Debug)]
pub(super) enum Drawing {
    Profile(Profile),
    Ring(Ring),
}

/// Draws one figure for each case that has profiles, and one figure for each [`Ring`]. Writes the
/// figures to `folder`, which is created if needed.
pub(super) fn draw_all(drawings: &[Drawing], folder: &Path) -> Result<()> {
    make_folder(folder)?;
    let (mut figures, mut profiles) = (Vec::new(), Vec::new());
    for drawing in drawings {
        match drawing {
            Drawing::Profile(profile) => {
                figures.push(profile.figure);
                profiles.push(profile);
            }
            Drawing::Ring(ring) => {
                let name = format!("{}-{}", ring.figure.replace('/', "-"), ring.level);
                ring::draw(ring).save(folder, &name)?;
            }
        }
    }
    figures.dedup();
    for figure in figures {
        let lines: Vec<_> = profiles.iter().filter(|p| p.figure == figure).copied().collect();
        draw_figure(&lines).save(folder, &figure.replace('/', "-"))?;
    }
    Ok(())
}

/// Draws one figure that contains the given profiles.
fn draw_figure(profiles: &[&Profile]) -> Canvas {
    let mut canvas = Canvas::new(SIZE, FRAME);
    let Some(first) = profiles.first() else { return canvas };
    let axes = Axes::new(FRAME, first.range, height_range(profiles));
    let shown = |&[_, bed, depth]: &[f64; 3]| match first.view {
        PlottedQuantity::Surface => bed + depth,
        PlottedQuantity::Depth => depth,
    };
    let curve = |points: &[[f64; 3]]| axes.curve_to_pixels(points.iter().map(|p| [p[0], shown(p)]));
    if first.view == PlottedQuantity::Surface {
        canvas.draw_clipped(|canvas| {
            canvas.fill_polygon(&axes.area_below_curve(&curve(&first.exact)), WATER);
            let bed = axes.curve_to_pixels(first.exact.iter().map(|p| [p[0], p[1]]));
            canvas.fill_polygon(&axes.area_below_curve(&bed), GROUND);
            canvas.draw_line(&bed, 2.0, GROUND_EDGE);
        });
    }
    axes.draw(&mut canvas, INK, FAINT);
    // Dry parts have no surface.
    let deepest = first.exact.iter().map(|p| p[2]).fold(0.0, f64::max);
    let wet = |p: &[f64; 3]| first.view == PlottedQuantity::Depth || p[2] > 1e-3 * deepest;
    canvas.draw_clipped(|canvas| {
        for stretch in first.exact.split(|p| !wet(p)) {
            canvas.draw_line(&curve(stretch), 7.0, EXACT);
        }
        // The level with limits is drawn last, on top.
        for (ink, line) in sort_by_level(profiles).into_iter().rev() {
            for stretch in line.computed.split(|p| !wet(p)) {
                canvas.draw_line(&curve(stretch), 2.5, ink);
            }
        }
    });
    draw_annotations(&mut canvas, &axes, first, profiles);
    canvas
}

/// Draws the title, the legend and the labels of the axes.
fn draw_annotations(canvas: &mut Canvas, axes: &Axes, first: &Profile, lines: &[&Profile]) {
    canvas.draw_text(first.title, [FRAME.left, 52.0], 32.0, INK, LEFT);
    let mut x = FRAME.left;
    let mut entry = |name: &str, width, ink| {
        canvas.draw_line(&[[x, 90.0], [x + 44.0, 90.0]], width, ink);
        x += 54.0;
        x += canvas.draw_text(name, [x, 97.0], 22.0, INK, LEFT) + 36.0;
    };
    entry("exact", 7.0, EXACT);
    for (ink, line) in sort_by_level(lines) {
        let name = line.level.replace('-', " ");
        entry(&format!("{name}, error of depth {}", format_percent(line.error)), 2.5, ink);
    }
    let height = match first.view {
        PlottedQuantity::Surface => "height of surface and bed (m)",
        PlottedQuantity::Depth => "depth (m)",
    };
    axes.draw_labels(canvas, INK, "distance along the flow (m)", height);
}

/// Sorts the profiles by physics model and assigns a colour to each.
fn sort_by_level<'a>(lines: &[&'a Profile]) -> Vec<(RgbColor, &'a Profile)> {
    let mut ordered = Vec::new();
    for (level, ink) in LEVELS.iter().zip(LEVEL_INKS) {
        ordered.extend(lines.iter().filter(|p| p.level == level.physics.name()).map(|p| (ink, *p)));
    }
    ordered
}

/// Returns the range of the vertical axis of a figure (m). The range includes the whole exact
/// solution. Computed values outside this range extend it only up to a limit.
fn height_range(lines: &[&Profile]) -> [f64; 2] {
    let of = |profile: &Profile, points: &[[f64; 3]]| {
        let seen = points.iter().filter(|p| profile.range[0] <= p[0] && p[0] <= profile.range[1]);
        match profile.view {
            PlottedQuantity::Surface => min_max(seen.flat_map(|p| [p[1], p[1] + p[2]])),
            PlottedQuantity::Depth => min_max(seen.map(|p| p[2])),
        }
    };
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    for line in lines {
        let [low, high] = of(line, &line.exact);
        let [min, max] = of(line, &line.computed);
        let far = 0.5 * (high - low).max(0.6 * high.abs());
        range[0] = range[0].min(min.clamp(low - far, low));
        range[1] = range[1].max(max.clamp(high, high + far));
    }
    let margin = 0.06 * (range[1] - range[0]).max(1e-9);
    [range[0] - margin, range[1] + margin]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(level: &'static str) -> Profile {
        let points: Vec<[f64; 3]> = (0..50).map(|i| [f64::from(i), 0.1, 1.0]).collect();
        Profile {
            figure: "flow/x",
            title: "A test",
            view: PlottedQuantity::Surface,
            range: [0.0, 49.0],
            level,
            error: 0.00154,
            computed: points.clone(),
            exact: points,
        }
    }

    #[test]
    fn each_case_has_its_own_figure() {
        let folder = std::env::temp_dir().join(format!("headwater-plot-{}", std::process::id()));
        let other = Profile { figure: "flow/y", view: PlottedQuantity::Depth, ..profile("pipes") };
        let profiles = [profile("pipes"), profile("inertial"), other].map(Drawing::Profile);
        draw_all(&profiles, &folder).unwrap();
        for (name, lines) in [("flow-x.svg", 3), ("flow-y.svg", 2)] {
            let text = std::fs::read_to_string(folder.join(name)).unwrap();
            assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"), "{name}");
            assert_eq!(text.matches(" error of depth ").count() + 1, lines, "{name}");
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn rings_have_a_figure_per_level() {
        let folder = std::env::temp_dir().join(format!("headwater-rings-{}", std::process::id()));
        let (squares, hexagons) = (vec![3.0, 3.2, 3.0, 3.2], vec![3.1; 6]);
        let ring = Ring { figure: "flow/z", level: "pipes", squares, hexagons };
        draw_all(&[Drawing::Ring(ring)], &folder).unwrap();
        assert!(folder.join("flow-z-pipes.svg").exists());
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn outliers_do_not_compress_the_axis() {
        let mut wild = profile("pipes");
        wild.computed[10][2] = 1e6;
        let [low, high] = height_range(&[&profile("pipes"), &wild]);
        assert!(low < 0.1 && high > 1.1 && high < 2.0, "{low} {high}");
    }

    #[test]
    fn percentages_have_two_or_three_significant_digits() {
        assert_eq!(format_percent(0.00154), "0.15 %");
        assert_eq!(format_percent(0.31), "31 %");
        assert_eq!(format_percent(0.00003), "0.0030 %");
    }
}
