//! Charts of gauge readings in the inspector: one chart per quantity, each with its own axis, and
//! the value under the pointer.

use super::numbers;
use eframe::egui::{self, Color32, Pos2, Rect, Shape, Stroke, pos2, vec2};
use headwater_scene::live::GaugeSeries;
use std::fmt::Write as _;

/// Height of a chart (points).
const HEIGHT: f32 = 44.0;

/// Largest width of a value range, relative to the magnitude of the values, that is attributed to
/// rounding errors.
const ROUNDING: f64 = 1e-9;

/// Width (points) of the part of a chart that is reserved for axis labels.
const MARGIN: f32 = 40.0;

/// Returns true if a quantity has no chart. The velocity components and the unit discharge have
/// none, but are included in copied readings.
fn has_no_chart(quantity: &str) -> bool {
    quantity.starts_with("velocity_") || quantity.starts_with("unit_discharge")
}

/// Draws one chart per charted quantity of each gauge. If there is a comparison world, its readings
/// are drawn as a second line in the same chart. `unit` is the unit of the time axis.
pub(in crate::app) fn show(
    ui: &mut egui::Ui,
    readings: &[GaugeSeries],
    comparison: &[GaugeSeries],
    unit: &str,
) {
    for reading in readings {
        ui.strong(&reading.name);
        let other = comparison.iter().find(|other| other.name == reading.name);
        let quantities = reading.column_names.iter().zip(&reading.values);
        for (quantity, values) in quantities.filter(|(quantity, _)| !has_no_chart(quantity)) {
            let other = other.and_then(|other| {
                let at = other.column_names.iter().position(|one| one == quantity)?;
                Some(finite_points(&other.times, &other.values[at]))
            });
            let points = finite_points(&reading.times, values);
            draw_chart(ui, &quantity_title(quantity), unit, &points, &other.unwrap_or_default());
        }
        ui.add_space(6.0);
    }
}

/// Returns the (time, value) pairs of a gauge quantity, without non-finite values.
fn finite_points(times: &[f64], values: &[f64]) -> Vec<[f64; 2]> {
    times
        .iter()
        .zip(values)
        .filter(|(_, value)| value.is_finite())
        .map(|(&time, &value)| [time, value])
        .collect()
}

fn draw_chart(
    ui: &mut egui::Ui,
    title: &str,
    unit: &str,
    points: &[[f64; 2]],
    others: &[[f64; 2]],
) {
    let all = || points.iter().chain(others);
    let (range, span) = (min_and_max(all().map(|p| p[1])), min_and_max(all().map(|p| p[0])));
    let range = range.map(collapse_rounding);
    let size = vec2(ui.available_width(), HEIGHT);
    ui.horizontal(|ui| {
        ui.label(title);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if let Some([_, value]) = others.last() {
                ui.colored_label(ui.visuals().warn_fg_color, numbers::format_short(*value));
            }
            if let Some([_, value]) = points.last() {
                ui.strong(numbers::format_short(*value));
            }
        });
    });
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::hover());
    let painter = ui.painter().with_clip_rect(rect);
    let (faint, ink) = (ui.visuals().weak_text_color(), ui.visuals().hyperlink_color);
    painter.rect_filled(rect, 3.0, ui.visuals().extreme_bg_color);
    let (Some(range), Some(span)) = (range, span) else { return };
    // The line begins to the right of the labels.
    let mut inner = rect.shrink2(vec2(4.0, 5.0));
    inner.min.x += MARGIN;
    let place = |[time, value]: [f64; 2]| {
        let part = |v: f64, [low, high]: [f64; 2]| {
            if high > low { ((v - low) / (high - low)) as f32 } else { 0.5 }
        };
        let (x, y) = (part(time, span), part(value, range));
        pos2(inner.left() + x * inner.width(), inner.bottom() - y * inner.height())
    };
    for (points, ink) in [(others, ui.visuals().warn_fg_color), (points, ink)] {
        let line: Vec<Pos2> = thin_points(points, inner.width()).into_iter().map(place).collect();
        painter.add(Shape::line(line, Stroke::new(1.5, ink)));
    }
    let font = egui::FontId::proportional(10.0);
    let corner = |align: egui::Align2, words: &str| {
        let at = align.pos_in_rect(&rect.shrink(3.0));
        draw_shaded_text(&painter, at, align, words, &font, faint);
    };
    let [low, high] = axis_labels(range);
    if range[0] < range[1] {
        corner(egui::Align2::LEFT_TOP, &high);
    }
    corner(egui::Align2::LEFT_BOTTOM, &low);
    if let (Some(at), Some(last)) = (response.hover_pos(), points.len().checked_sub(1)) {
        let time = span[0] + f64::from((at.x - inner.left()) / inner.width()) * (span[1] - span[0]);
        let next = points.partition_point(|point| point[0] < time).min(last);
        let [time, value] = points[next];
        let seen = place(points[next]);
        painter.vline(seen.x, rect.y_range(), Stroke::new(1.0, faint));
        painter.circle_filled(seen, 3.0, ink);
        let time = format!("{}{unit}", numbers::format_short(time));
        let words = format!("{} at {time}", numbers::format_short(value));
        let left = seen.x < rect.center().x;
        let align = if left { egui::Align2::RIGHT_TOP } else { egui::Align2::LEFT_TOP };
        let color = ui.visuals().strong_text_color();
        draw_shaded_text(
            &painter,
            align.pos_in_rect(&rect.shrink(3.0)),
            align,
            &words,
            &font,
            color,
        );
    }
}

/// Collapses a range to a single value if its width is within rounding errors; otherwise returns it
/// unchanged.
fn collapse_rounding([low, high]: [f64; 2]) -> [f64; 2] {
    let rounding = (ROUNDING * low.abs().max(high.abs())).max(numbers::MIN_SHOWN);
    if high - low <= rounding { [0.5 * (low + high); 2] } else { [low, high] }
}

/// Returns the labels of the lower and the upper end of an axis. If the two labels would be equal,
/// the upper one shows the upper value minus the lower one instead.
fn axis_labels([low, high]: [f64; 2]) -> [String; 2] {
    let [first, last] = [low, high].map(numbers::format_short);
    let last = if first == last { format!("+{}", numbers::format_short(high - low)) } else { last };
    [first, last]
}

/// Draws a string on a shaded background.
fn draw_shaded_text(
    painter: &egui::Painter,
    at: Pos2,
    align: egui::Align2,
    text: &str,
    font: &egui::FontId,
    color: Color32,
) {
    let galley = painter.layout_no_wrap(text.to_owned(), font.clone(), color);
    let place: Rect = align.anchor_size(at, galley.size());
    let ground = painter.ctx().global_style().visuals.extreme_bg_color.gamma_multiply(0.8);
    painter.rect_filled(place.expand(1.0), 2.0, ground);
    painter.galley(place.min, galley, color);
}

fn min_and_max(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values.fold(None, |found, value| {
        let [low, high] = found.unwrap_or([value; 2]);
        Some([low.min(value), high.max(value)])
    })
}

/// Reduces a time series to the resolution of a chart that is `width` screen points wide. For each
/// column of one point width, keeps the samples with the minimum and the maximum value.
fn thin_points(points: &[[f64; 2]], width: f32) -> Vec<[f64; 2]> {
    let columns = (width.max(1.0) as usize).max(1);
    if points.len() <= 4 * columns {
        return points.to_vec();
    }
    let by_value = |a: &&[f64; 2], b: &&[f64; 2]| a[1].total_cmp(&b[1]);
    points
        .chunks(points.len().div_ceil(columns))
        .flat_map(|part| {
            let ends = [part.iter().min_by(by_value), part.iter().max_by(by_value)];
            let mut ends: Vec<_> = ends.into_iter().flatten().copied().collect();
            ends.sort_by(|a, b| a[0].total_cmp(&b[0]));
            ends
        })
        .collect()
}

/// Formats all gauge readings as CSV with the columns gauge, quantity, time and value.
pub(in crate::app) fn format_csv(readings: &[GaugeSeries]) -> String {
    let mut text = String::from("gauge,quantity,time,value\n");
    for reading in readings {
        let name = reading.name.replace(['"', '\n', '\r'], " ");
        for (quantity, values) in reading.column_names.iter().zip(&reading.values) {
            for (time, value) in reading.times.iter().zip(values) {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "\"{name}\",{quantity},{time},{value}");
            }
        }
    }
    text
}

/// Formats the name of a quantity such as `depth_m` as a title with its unit.
pub(in crate::app) fn quantity_title(quantity: &str) -> String {
    let units = [
        ("_m3_per_s", "m³/s"),
        ("_m5_per_s2", "m⁵/s²"),
        ("_m2_per_s", "m²/s"),
        ("_m_per_s", "m/s"),
        ("_m3", "m³"),
        ("_m2", "m²"),
        ("_m", "m"),
        ("_cells", "cells"),
        ("_j", "J"),
        ("_c", "°C"),
    ];
    let unit = units.into_iter().find(|(ending, _)| quantity.ends_with(ending));
    match unit {
        Some((ending, unit)) => {
            let name = quantity[..quantity.len() - ending.len()].replace('_', " ");
            format!("{name} ({unit})")
        }
        None => quantity.replace('_', " "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_end_with_the_unit() {
        assert_eq!(quantity_title("mean_level_m"), "mean level (m)");
        assert_eq!(quantity_title("discharge_m3_per_s"), "discharge (m³/s)");
        assert_eq!(quantity_title("unit_discharge_m2_per_s"), "unit discharge (m²/s)");
        assert_eq!(quantity_title("kinetic_j"), "kinetic (J)");
        assert_eq!(quantity_title("temperature_c"), "temperature (°C)");
        assert_eq!(quantity_title("fill"), "fill");
    }

    #[test]
    fn rounding_errors_are_drawn_as_a_flat_line() {
        assert_eq!(collapse_rounding([-1e-12, 2e-12]), [0.5e-12; 2]);
        assert_eq!(
            collapse_rounding([4567.0, 4567.0 + 1e-9])[0],
            collapse_rounding([4567.0, 4567.0 + 1e-9])[1]
        );
        assert_eq!(collapse_rounding([0.0, 1e-6]), [0.0, 1e-6]);
        assert_eq!(numbers::format_short(1e-12), "0");
    }

    #[test]
    fn axis_labels_differ() {
        assert_eq!(axis_labels([1.0, 2.5]), ["1.000", "2.500"]);
        assert_eq!(axis_labels([4567.1, 4567.3]), ["4567", "+0.200"]);
    }

    #[test]
    fn thinning_keeps_peaks() {
        let mut points: Vec<[f64; 2]> = (0..9000).map(|i| [f64::from(i), 0.0]).collect();
        points[4321][1] = 7.0;
        let line = thin_points(&points, 200.0);
        assert!(line.len() <= 400 && line.contains(&[4321.0, 7.0]), "{}", line.len());
        assert!(line.windows(2).all(|pair| pair[0][0] <= pair[1][0]));
    }
}
