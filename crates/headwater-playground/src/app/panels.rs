//! [`Panels`]: which panels are open, and how much room there is for them.

use eframe::egui::Vec2;

/// Windows narrower than this (points) have a sheet in place of panels.
const PHONE: f32 = 600.0;
/// Windows narrower than this begin without panels at the sides, and have less in the bar.
const NARROW: f32 = 1000.0;

/// What a finger can hit (points).
pub(super) const FINGER: f32 = 44.0;

/// How much room there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Room {
    Phone,
    /// A tablet, or half a screen.
    Narrow,
    #[default]
    Wide,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sheet {
    Tools,
    Scenes,
    World,
}

#[derive(Default)]
pub(super) struct Panels {
    pub(super) room: Room,
    pub(super) shelf: bool,
    pub(super) inspector: bool,
    pub(super) sheet: Option<Sheet>,
    /// False until the first frame has said how wide the window is.
    laid_out: bool,
}

impl Panels {
    pub(super) fn fit(&mut self, width: f32) {
        self.room = match width {
            width if width < PHONE => Room::Phone,
            width if width < NARROW => Room::Narrow,
            _ => Room::Wide,
        };
        if !self.laid_out {
            let wide = self.room == Room::Wide;
            (self.shelf, self.inspector, self.laid_out) = (wide, wide, true);
        }
    }

    /// The least size of what is to be hit (points): on a phone by a finger, else any.
    pub(super) fn least(&self) -> Vec2 {
        if self.room == Room::Phone { Vec2::splat(FINGER) } else { Vec2::ZERO }
    }

    pub(super) fn toggle(&mut self, sheet: Sheet) {
        self.sheet = if self.sheet == Some(sheet) { None } else { Some(sheet) };
    }
}
