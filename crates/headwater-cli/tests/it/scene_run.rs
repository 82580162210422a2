//! [`SceneRun`]: a completed run of a side-view scene, with its output.

use crate::library::model;
use crate::sandbox::{Sandbox, split_at_spaces};
use headwater::Field;
use headwater_scene::raster::{self, ReadOptions};
use serde_json::Value;

/// Output of a scene's run, in a folder that has the scene's name.
pub(crate) struct SceneRun {
    pub(crate) sandbox: Sandbox,
    name: &'static str,
    pub(crate) summary: Value,
}

impl SceneRun {
    /// Runs a library scene with the given layers as output. Checks what must hold for every such
    /// run: no output on stderr, a balance without residual, and the expected output files.
    pub(crate) fn new(name: &'static str, layers: &str) -> Self {
        let sandbox = Sandbox::new();
        let line = format!(
            "run {name} --out {name} --set output.frames=5 --set picture.width=320 \
             --layers {layers} --json"
        );
        let outcome = sandbox.run_program(&split_at_spaces(&line)).expect_success();
        assert_eq!(outcome.stderr, "", "--json leaves nothing to say");
        let summary = outcome.json();
        assert_eq!(summary, sandbox.summary(name), "printed and written");
        assert_eq!((&summary["scene"], &summary["model"]), (&name.into(), &model(name).into()));
        assert_eq!(summary["ledger"]["residual"], 0.0, "{summary}");
        let files = sandbox.names(name);
        let frames = files.iter().filter(|file| file.starts_with("frame-")).count();
        assert_eq!(frames, 6, "one of the start and five on the way");
        assert!(files.contains(&"animation.gif".to_owned()), "{files:?}");
        let [first, last] =
            ["frame-0001", "final"].map(|p| sandbox.read(format!("{name}/{p}.png")));
        assert!(first.starts_with(b"\x89PNG\r\n") && first != last);
        Self { sandbox, name, summary }
    }

    pub(crate) fn gauge(&self, gauge: &str, headings: &[&str]) -> Vec<Vec<f64>> {
        self.sandbox.gauge(format!("{}/{gauge}.csv", self.name), headings)
    }

    pub(crate) fn layer(&self, layer: &str) -> Field<f32> {
        let path = self.sandbox.path(self.name).join(format!("{layer}.npy"));
        raster::read(path, &ReadOptions::default()).unwrap().heights
    }

    pub(crate) fn ledger_entry(&self, side: &str, name: &str) -> f64 {
        self.summary["ledger"][side][name].as_f64().unwrap_or(0.0)
    }
}

/// Returns the value in a column of a gauge's table at the given time.
pub(crate) fn value_at(gauge: &[Vec<f64>], column: usize, time: f64) -> f64 {
    let row = gauge[0].iter().rposition(|&t| t <= time + 1e-9).unwrap();
    gauge[column][row]
}

/// Returns the minimum and maximum in a column of a gauge's table between the given times.
pub(crate) fn range(gauge: &[Vec<f64>], column: usize, from: f64, to: f64) -> [f64; 2] {
    let known = gauge[0].iter().zip(&gauge[column]).filter(|(t, _)| (from..to).contains(*t));
    known.fold([f64::MAX, f64::MIN], |[low, high], (_, &v)| [low.min(v), high.max(v)])
}
