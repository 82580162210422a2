//! [`Weather`]: weather presets. A preset sets several scene values together; all of them are
//! undone as one edit.

use super::world_view::WorldView;
use crate::app::App;
use crate::app::panels::widgets::{LabelAndTip, Tip as _};
use eframe::egui;
use headwater_scene::columns::ColumnsWorld;
use headwater_scene::live::Parameter;
use headwater_scene::waves::WavesWorld;
use toml::{Table, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Weather {
    Clear,
    Drizzle,
    Cloudburst,
    Drought,
    Storm,
    Winter,
    Melt,
}

/// Pressure head of storm gusts in a wave world, as a fraction of the world's largest intended wave
/// height.
const GUST: f64 = 0.08;
/// Water depth that a raindrop adds in a wave world, as a fraction of the world's largest intended
/// wave height.
const DROP: f64 = 0.12;

impl Weather {
    const ALL: [Self; 7] = [
        Self::Clear,
        Self::Drizzle,
        Self::Cloudburst,
        Self::Drought,
        Self::Storm,
        Self::Winter,
        Self::Melt,
    ];

    /// Returns the name of the preset for tests, and the label and tooltip of its button.
    fn name_and_label(self) -> (&'static str, LabelAndTip) {
        match self {
            Self::Clear => ("clear", ("Clear", "No rain, evaporation or wind")),
            Self::Drizzle => ("drizzle", ("Drizzle", "A little rain, everywhere")),
            Self::Cloudburst => {
                ("cloudburst", ("Cloudburst", "As much rain as in the hardest hours ever measured"))
            }
            Self::Drought => ("drought", ("Drought", "No rain or wind; water evaporates")),
            Self::Storm => ("storm", ("Storm", "Heavy rain, and wind if the model has it")),
            Self::Winter => {
                ("winter", ("Winter", "No rain or evaporation; frost if the world has heat"))
            }
            Self::Melt => ("melt", ("Spring melt", "Snow melts: much water, and mild air")),
        }
    }

    fn supports(self, model: &str) -> bool {
        match model {
            "flow" => self != Self::Winter,
            "columns" => true,
            "waves" => !matches!(self, Self::Drought | Self::Winter | Self::Melt),
            _ => false,
        }
    }

    /// Returns the reason why a world does not support this weather; `None` if it does. Worlds
    /// without heat do not support winter, because it would be the same as clear weather there.
    fn unsupported_reason(self, world_view: &WorldView) -> Option<&'static str> {
        if !world_view.allows_weather() {
            return Some("Not in this challenge");
        }
        (self == Self::Winter && !has_heat(world_view)).then_some("This world has no heat")
    }

    /// Returns the rates of rain and evaporation in a flow world (mm/h).
    fn flow_values(self) -> [f64; 2] {
        match self {
            Self::Drizzle => [10.0, 0.0],
            Self::Cloudburst => [300.0, 0.0],
            Self::Drought => [0.0, 60.0],
            Self::Storm => [120.0, 0.0],
            Self::Clear | Self::Winter => [0.0, 0.0],
            Self::Melt => [40.0, 0.0],
        }
    }

    /// Returns the weather of a world of pools: rain (mm/h), evaporation (mm/h), horizontal
    /// acceleration by wind (m/s²) and air temperature (°C). Rates are high because these scenes
    /// last only seconds.
    fn pool_values(self) -> [f64; 4] {
        match self {
            Self::Clear => [0.0, 0.0, 0.0, 18.0],
            Self::Drizzle => [500.0, 0.0, 0.0, 12.0],
            Self::Cloudburst => [20_000.0, 0.0, 0.0, 15.0],
            Self::Drought => [0.0, 5000.0, 0.0, 30.0],
            Self::Storm => [4000.0, 0.0, -0.08, 10.0],
            Self::Winter => [0.0, 0.0, 0.0, -18.0],
            Self::Melt => [3000.0, 0.0, 0.0, 14.0],
        }
    }

    /// Returns the number of raindrops per second on a wave surface.
    fn wave_drop_rate(self) -> f64 {
        match self {
            Self::Drizzle => 4.0,
            Self::Cloudburst => 90.0,
            Self::Storm => 40.0,
            _ => 0.0,
        }
    }

    /// Returns the scene keys that the preset changes, with their new values. `now` contains the
    /// current parameters of the world.
    fn values(self, world_view: &WorldView, now: &[Parameter]) -> Vec<(&'static str, Value)> {
        let scene = world_view.live.scene();
        if let Some(world) = world_view.live.world().get::<WavesWorld>() {
            return self.wave_values(world_view, world);
        }
        let wanted: Vec<(&str, f64)> = if scene.flow().is_some() {
            let [rain, drying] = self.flow_values();
            vec![("rain.rate", rain), ("evaporation.rate", drying)]
        } else {
            let [rain, drying, wind, air] = self.pool_values();
            let sky = [("weather.rain", rain), ("weather.evaporation", drying)];
            sky.into_iter().chain([("wind.acceleration", wind), ("weather.air", air)]).collect()
        };
        // The air temperature applies only to worlds with heat. Skip unchanged values, and values
        // that vary in time, which have no parameter.
        let has_heat = has_heat(world_view);
        let differs = |&(key, value): &(&str, f64)| {
            let now = now.iter().find(|one| one.key == key);
            (key != "weather.air" || has_heat) && now.is_none_or(|now| now.value != value)
        };
        let wanted = wanted.into_iter().filter(differs);
        wanted.map(|(key, value)| (key, value.into())).collect()
    }

    fn is_active(self, world_view: &WorldView, now: &[Parameter]) -> bool {
        let Some(world) = world_view.live.world().get::<WavesWorld>() else {
            return self.values(world_view, now).is_empty();
        };
        let [wide, high] = world_view.size();
        let drops = world.waves.rain().map_or(0.0, |rain| rain.rate * wide * high);
        let blows = world.waves.wind().is_some_and(|wind| wind.head > 0.0);
        (drops - self.wave_drop_rate()).abs() < 1e-6 && blows == (self == Self::Storm)
    }

    /// Returns the scene tables for rain and wind in a wave world.
    fn wave_values(self, world_view: &WorldView, world: &WavesWorld) -> Vec<(&'static str, Value)> {
        let Some(scene) = world_view.live.scene().waves() else { return Vec::new() };
        let params = world.waves.params();
        let [wide, high] = world_view.size();
        let table = |entries: Vec<(&str, Value)>| {
            let entries = entries.into_iter().map(|(key, value)| (key.to_owned(), value));
            Value::Table(entries.collect::<Table>())
        };
        let mut values = Vec::new();
        let drops = self.wave_drop_rate();
        if drops > 0.0 || scene.rain.is_some() {
            let radius = (0.012 * wide.max(high)).max(3.5 * scene.grid.cell);
            let rain = vec![
                ("rate", (drops / (wide * high)).into()),
                ("radius", radius.into()),
                ("depth", (DROP * params.highest).into()),
            ];
            values.push(("rain", table(rain)));
        }
        let blows = self == Self::Storm;
        if blows || scene.wind.is_some() {
            let speed = 1.5 * params.long_wave_speed();
            let wind = vec![
                ("velocity", Value::Array(vec![speed.into(), (0.3 * speed).into()])),
                ("gusts", 14.into()),
                ("radius", (wide.min(high) / 14.0).into()),
                ("head", (if blows { GUST * params.highest } else { 0.0 }).into()),
            ];
            values.push(("wind", table(wind)));
        }
        values
    }
}

impl WorldView {
    /// Sets the weather of the world as one undoable edit.
    pub(in crate::app) fn set_weather(&mut self, weather: Weather) {
        let values = weather.values(self, &self.live.parameters());
        if values.is_empty() {
            return;
        }
        self.save_undo_point();
        for (key, value) in values {
            self.set_parameter(key, value);
            if self.refusal.is_some() {
                return;
            }
        }
    }

    /// Returns the intensity with which rain is drawn, from 0 to 1 on a logarithmic scale.
    pub(in crate::app) fn rain_intensity(&self) -> f32 {
        let (scene, now) = (self.live.scene(), self.live.clock());
        // Rain rates that correspond to the intensities 0 and 1.
        let (amount, [min, max]) = if let Some(scene) = scene.flow() {
            let rate = scene.rain.as_ref().map_or(0.0, |rain| rain.keys.rate.value_at(now));
            (rate, [1.0, 300.0])
        } else if let Some(world) = self.live.world().get::<WavesWorld>() {
            let [wide, high] = self.size();
            (world.waves.rain().map_or(0.0, |rain| rain.rate * wide * high), [0.5, 90.0])
        } else if let Some(scene) = scene.columns() {
            (scene.weather.rain.value_at(now), [50.0, 20_000.0])
        } else {
            return 0.0;
        };
        ((amount / min).max(1.0).ln() / (max / min).ln()).min(1.0) as f32
    }
}

impl App {
    /// Sets the weather of the displayed world and of the comparison world. Then restores the
    /// compared value, which must differ between the two worlds.
    fn set_weather(&mut self, weather: Weather) {
        self.world_view.set_weather(weather);
        if let Some(comparison) = &mut self.comparison {
            comparison.world_view.set_weather(weather);
            comparison.restore_compared_value();
        }
    }
}

fn has_heat(world_view: &WorldView) -> bool {
    let pools = world_view.live.world().get::<ColumnsWorld>();
    pools.is_some_and(|pools| pools.columns.params().heat.is_some())
}

pub(in crate::app) fn show(ui: &mut egui::Ui, app: &mut App) {
    let skies = Weather::ALL.into_iter().filter(|one| one.supports(app.tab));
    let skies: Vec<_> = skies.collect();
    if skies.is_empty() {
        return;
    }
    let now = app.world_view.live.parameters();
    ui.strong("Weather");
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(4.0, 4.0);
        for weather in skies {
            let (name, (label, tip)) = weather.name_and_label();
            let refusal = weather.unsupported_reason(&app.world_view);
            let on = refusal.is_none() && weather.is_active(&app.world_view, &now);
            let button = egui::Button::new(label).selected(on);
            let button = ui.add_enabled(refusal.is_none(), button);
            if let Some(refusal) = refusal {
                // A disabled button keeps its position, so that the layout does not change.
                button.on_disabled_hover_text(refusal);
                continue;
            }
            let button = app.probe.record_widget(format!("weather.{name}"), button);
            if button.tip(tip).clicked() {
                app.run_when_available(move |app| app.set_weather(weather));
            }
        }
    });
}
