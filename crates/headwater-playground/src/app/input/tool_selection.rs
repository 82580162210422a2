//! [`ToolSelection`]: the selected tool, and the brush radius and strength of each tool.

use headwater_scene::live::Tool;
use std::collections::BTreeMap;

/// Brush settings of a tool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app) struct BrushSettings {
    /// Radius of the brush (cells).
    pub(in crate::app) radius: f64,
    /// Strength of the brush, in the tool's unit.
    pub(in crate::app) strength: f64,
    /// Index of the selected plant species in the world's list.
    pub(in crate::app) kind: usize,
}

/// The selected tool, and the brush settings of each tool. The settings are reset when a new world
/// is opened.
#[derive(Clone, Debug, Default)]
pub(in crate::app) struct ToolSelection {
    tool: Option<&'static str>,
    brushes: BTreeMap<&'static str, BrushSettings>,
}

impl ToolSelection {
    /// Returns the selected tool if the world supports it. `None` means that the pointer moves the
    /// view.
    pub(in crate::app) fn tool<'a>(&self, tools: &'a [Tool]) -> Option<&'a Tool> {
        tools.iter().find(|tool| Some(tool.name) == self.tool)
    }

    pub(in crate::app) fn select(&mut self, tool: Option<&'static str>) {
        self.tool = tool;
    }

    pub(in crate::app) fn name(&self) -> &'static str {
        self.tool.unwrap_or_default()
    }

    /// Resets the brush settings after a switch to another world. Deselects the tool if the world
    /// does not support it.
    pub(in crate::app) fn reset_for(&mut self, tools: &[Tool]) {
        self.brushes.clear();
        if self.tool(tools).is_none() {
            self.tool = None;
        }
    }

    pub(in crate::app) fn brush(&mut self, tool: &Tool) -> &mut BrushSettings {
        let usual = || BrushSettings {
            radius: tool.radius.map_or(0.5, |[_, _, usual]| usual),
            strength: tool.strength.map_or(1.0, |strength| strength.default),
            kind: 0,
        };
        self.brushes.entry(tool.name).or_insert_with(usual)
    }

    /// Multiplies the brush radius of a tool by a factor.
    pub(in crate::app) fn scale_radius(&mut self, tool: &Tool, factor: f64) {
        let Some([min, max, _]) = tool.radius else { return };
        let brush = self.brush(tool);
        brush.radius = (brush.radius * factor).clamp(min, max);
    }
}
