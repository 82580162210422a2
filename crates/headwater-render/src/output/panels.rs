//! Composite pictures: several pictures side by side in titled columns.

use crate::Picture;
use crate::labels::text;
use crate::labels::typeface::Typeface;

const PAPER: [u8; 3] = [0xF2, 0xEF, 0xE9];

/// Arranges columns of pictures side by side with gaps of `gap` pixels. Each column consists of a
/// name and its pictures from top to bottom. The name, unless empty, is written on the topmost
/// picture.
pub fn arrange_panels(gap: u32, columns: &[(&str, Vec<Picture>)]) -> Picture {
    if let [(name, panels)] = columns
        && let ([panel], true) = (&panels[..], name.is_empty())
    {
        return panel.clone();
    }
    let gap = gap as usize;
    let gaps = |n: usize| gap * n.saturating_sub(1);
    let wide = |panels: &[Picture]| panels.iter().map(Picture::nx).max().unwrap_or(0);
    let high =
        |panels: &[Picture]| panels.iter().map(Picture::ny).sum::<usize>() + gaps(panels.len());
    let width = columns.iter().map(|(_, panels)| wide(panels)).sum::<usize>();
    let width = (width + gaps(columns.len())).max(1);
    let size = text::label_font_size(width as f32, 0.5 * width as f32);
    let height = columns.iter().map(|(_, panels)| high(panels)).max().unwrap_or(0);
    let mut sheet = Picture::new(width, height.max(1), PAPER);
    let font = Typeface::load();
    let mut x = 0;
    for (name, panels) in columns {
        let mut y = 0;
        for (i, panel) in panels.iter().enumerate() {
            for (row, line) in panel.rows().enumerate() {
                sheet.row_mut(y + row)[x..x + line.len()].copy_from_slice(line);
            }
            if let (0, Some(font), false) = (i, &font, name.is_empty()) {
                let at = [x as f32 + 0.7 * size, y as f32 + 1.5 * size];
                text::draw_text(&mut sheet, font, name, size, at);
            }
            y += panel.ny() + gap;
        }
        x += wide(panels) + gap;
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_side_by_side_and_panels_stacked() {
        let panel = |gray| Picture::new(20, 10, [gray; 3]);
        let both = arrange_panels(2, &[("", vec![panel(1), panel(2)]), ("", vec![panel(3)])]);
        assert_eq!((both.nx(), both.ny()), (42, 22));
        assert_eq!(both[(5, 5)], [1; 3]);
        assert_eq!(both[(5, 15)], [2; 3]);
        assert_eq!(both[(30, 5)], [3; 3]);
        assert_eq!(both[(21, 5)], PAPER);
        assert_eq!(arrange_panels(2, &[("", vec![panel(9)])]), panel(9));
    }
}
