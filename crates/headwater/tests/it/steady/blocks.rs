//! Frames of [`Blocks`].

use super::check;
use headwater::Region;
use headwater::blocks::{self, Blocks};

#[test]
fn frames_of_blocks_allocate_nothing() {
    let map = "#~~~..#\n#~~~..#\n#~~~#.#\n#.....#\n#######";
    let mut blocks = Blocks::from_text(map, blocks::Params::default()).unwrap();
    blocks
        .add_spring(blocks::Spring {
            region: Region::rect([1.0, 0.0], [2.0, 1.0]),
            liquid: blocks::Liquid::Water,
            rate: 3,
        })
        .unwrap();
    check("blocks", &mut blocks, 1.0 / 8.0);
}
