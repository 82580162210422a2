//! Gauges as live plots.

use eframe::egui;
use egui_plot::{Legend, Line, Plot, PlotPoints};
use headwater_scene::live::Reading;

/// How high a plot is (points).
const HEIGHT: f32 = 110.0;

/// Draws a plot for each gauge.
pub(super) fn show(ui: &mut egui::Ui, readings: &[Reading]) {
    for reading in readings {
        ui.label(&reading.name);
        Plot::new(&reading.name)
            .height(HEIGHT)
            .legend(Legend::default())
            .allow_drag(false)
            .allow_zoom(false)
            .allow_scroll(false)
            .show(ui, |plot| {
                for (head, values) in reading.heads.iter().zip(&reading.values) {
                    let points = reading.times.iter().zip(values);
                    let points = points.filter(|(_, value)| value.is_finite());
                    let points: PlotPoints<'_> =
                        points.map(|(&time, &value)| [time, value]).collect();
                    plot.line(Line::new(title(head), points));
                }
            });
    }
}

/// `depth_m` as people write it.
fn title(head: &str) -> String {
    const UNITS: [(&str, &str); 8] = [
        ("_m3_per_s", "m³/s"),
        ("_m5_per_s2", "m⁵/s²"),
        ("_m_per_s", "m/s"),
        ("_m3", "m³"),
        ("_m2", "m²"),
        ("_m", "m"),
        ("_cells", "cells"),
        ("_j", "J"),
    ];
    let unit = UNITS.into_iter().find(|(ending, _)| head.ends_with(ending));
    match unit {
        Some((ending, unit)) => {
            format!("{} ({unit})", head[..head.len() - ending.len()].replace('_', " "))
        }
        None => head.replace('_', " "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_stand_behind_names() {
        assert_eq!(title("mean_level_m"), "mean level (m)");
        assert_eq!(title("discharge_m3_per_s"), "discharge (m³/s)");
        assert_eq!(title("kinetic_j"), "kinetic (J)");
        assert_eq!(title("fill"), "fill");
    }
}
