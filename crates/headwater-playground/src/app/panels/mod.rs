//! [`Panels`]: which panels are open, and the layout class of the window.

pub(super) mod bar;
pub(super) mod charts;
pub(super) mod help;
pub(super) mod hint;
pub(super) mod icons;
pub(super) mod inspector;
pub(super) mod layout;
pub(super) mod left_panel;
pub(super) mod notice;
pub(super) mod numbers;
pub(super) mod playback;
pub(super) mod slider;
pub(super) mod status_messages;
pub(super) mod widgets;

use eframe::egui::Vec2;

/// Window width (points) below which panels are shown below the canvas instead of beside it.
const PHONE_MAX_WIDTH: f32 = 600.0;
/// Window width (points) below which the side panels are closed at the start and the top bar has
/// fewer controls.
const NARROW_MAX_WIDTH: f32 = 1000.0;

/// Smallest size of a touch target (points).
pub(super) const TOUCH_TARGET_SIZE: f32 = 44.0;

/// Layout class of the window, determined by its width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum WindowClass {
    Phone,
    /// Medium width, such as a tablet or half a screen.
    Narrow,
    #[default]
    Wide,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PhoneSheet {
    Tools,
    Scenes,
    World,
}

#[derive(Default)]
pub(super) struct Panels {
    pub(super) window_class: WindowClass,
    pub(super) shelf: bool,
    pub(super) inspector: bool,
    pub(super) sheet: Option<PhoneSheet>,
    /// Whether the width of the window is known; false until the first frame.
    is_width_known: bool,
}

impl Panels {
    pub(super) fn fit_to_width(&mut self, width: f32) {
        self.window_class = match width {
            width if width < PHONE_MAX_WIDTH => WindowClass::Phone,
            width if width < NARROW_MAX_WIDTH => WindowClass::Narrow,
            _ => WindowClass::Wide,
        };
        if !self.is_width_known {
            let wide = self.window_class == WindowClass::Wide;
            (self.shelf, self.inspector, self.is_width_known) = (wide, wide, true);
        }
    }

    /// Returns the smallest size of buttons (points): a touch target on phones, otherwise 0.
    pub(super) fn min_button_size(&self) -> Vec2 {
        if self.window_class == WindowClass::Phone {
            Vec2::splat(TOUCH_TARGET_SIZE)
        } else {
            Vec2::ZERO
        }
    }

    pub(super) fn toggle(&mut self, sheet: PhoneSheet) {
        self.sheet = if self.sheet == Some(sheet) { None } else { Some(sheet) };
    }
}
