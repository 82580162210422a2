//! [`Kept`]: a world as it is kept between two visits, to go on with, to the bit.

use super::canvas::Eye;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) name: String,
    /// The text that it began with.
    pub(super) text: String,
    /// A file that it was made of: its name and contents.
    pub(super) file: Option<(String, Vec<u8>)>,
    pub(super) state: Vec<u8>,
    pub(super) eye: Option<Eye>,
    pub(super) playing: bool,
    pub(super) speed: f64,
}
