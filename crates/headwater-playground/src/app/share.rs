//! Links to worlds: a [`EditLog`](headwater_scene::live::EditLog) and a camera, compressed and
//! encoded as text. Replaying the recipe reproduces the world bit for bit.

use super::canvas::Eye;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use headwater_scene::live::EditLog;
use serde::{Deserialize, Serialize};
use std::io::{Read as _, Write as _};

/// Prefix of the fragment, with the version of the format.
const KIND: &str = "w1=";

/// Longest link (characters); longer ones are not supported everywhere.
pub(super) const LONGEST: usize = 30_000;

/// Largest decompressed size (bytes), because links are untrusted.
const MOST: u64 = 64 << 20;

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Parcel {
    /// How to reproduce the world.
    pub(super) recipe: EditLog,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) eye: Option<Eye>,
    #[serde(default)]
    pub(super) playing: bool,
    #[serde(default)]
    pub(super) speed: Option<f64>,
}

impl Parcel {
    pub(super) fn pack(&self) -> Vec<u8> {
        // Plain data, which is always valid JSON.
        let text = serde_json::to_vec(self).unwrap_or_default();
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        // Writing to a vector cannot fail.
        let _ = encoder.write_all(&text);
        encoder.finish().unwrap_or_default()
    }

    pub(super) fn unpack(bytes: &[u8]) -> Result<Self, String> {
        let mut text = Vec::new();
        ZlibDecoder::new(bytes)
            .take(MOST)
            .read_to_end(&mut text)
            .map_err(|_| "The link is cut off or damaged.".to_owned())?;
        serde_json::from_slice(&text)
            .map_err(|_| "The link was made by another version of Headwater.".to_owned())
    }

    pub(super) fn fragment(&self) -> String {
        format!("{KIND}{}", letters(&self.pack()))
    }

    /// Returns the shared world of a fragment, with or without `#`; `None` for other fragments.
    pub(super) fn of_fragment(fragment: &str) -> Option<Result<Self, String>> {
        let text = fragment.trim_start_matches('#').strip_prefix(KIND)?;
        let bytes = bytes(text).ok_or_else(|| "The link is cut off or damaged.".to_owned());
        Some(bytes.and_then(|bytes| Self::unpack(&bytes)))
    }
}

/// Encodes bytes as base64url without padding (RFC 4648, section 5).
fn letters(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let mut word = 0_u32;
        for i in 0..3 {
            word = word << 8 | u32::from(part.get(i).copied().unwrap_or(0));
        }
        for i in 0..=part.len() {
            let letter = LETTERS[(word >> (18 - 6 * i) & 63) as usize];
            text.push(char::from(letter));
        }
    }
    text
}

/// Decodes base64url; `None` if there are other characters.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for part in text.trim_end_matches('=').as_bytes().chunks(4) {
        let mut word = 0_u32;
        for &letter in part {
            let value = LETTERS.iter().position(|known| *known == letter)?;
            word = word << 6 | u32::try_from(value).ok()?;
        }
        word <<= 6 * (4 - part.len());
        let whole = [16, 8, 0].map(|shift| (word >> shift & 255) as u8);
        bytes.extend_from_slice(&whole[..(part.len() * 6) / 8]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use headwater_scene::live::Live;
    use headwater_scene::scene::Files;

    #[test]
    fn base64url_round_trips() {
        for length in 0..40_u8 {
            let some: Vec<u8> = (0..length).map(|i| i.wrapping_mul(73).wrapping_add(11)).collect();
            let text = letters(&some);
            assert_eq!(bytes(&text), Some(some), "{text}");
        }
        assert_eq!(letters(b"\xfb\xff"), "-_8");
        assert_eq!(bytes("a+"), None);
    }

    #[test]
    fn a_shared_world_is_reproduced_exactly() {
        let pond = headwater_scene::library::scene("u-tube").unwrap();
        let mut live = Live::new(pond.name, pond.text).unwrap();
        live.steps(10).unwrap();
        let dig = &live.tools()[0];
        live.dab(
            dig,
            &headwater_scene::live::Dab {
                radius: 2.0,
                ..headwater_scene::live::Dab::at([8.0, 9.0])
            },
        )
        .unwrap();
        live.steps(13).unwrap();
        let parcel =
            Parcel { recipe: live.edit_log(), eye: None, playing: false, speed: Some(2.0) };
        let fragment = parcel.fragment();
        assert!(fragment.len() < 3000, "{} letters", fragment.len());
        let back = Parcel::of_fragment(&format!("#{fragment}")).unwrap().unwrap();
        assert_eq!(back, parcel);
        let mut again = back.recipe.start(None, &Files::disk()).unwrap();
        while back.recipe.replay(&mut again, &mut || true).unwrap() {}
        assert_eq!(again.state_hash(), live.state_hash());
    }

    #[test]
    fn foreign_fragments_and_damaged_links_are_distinguished() {
        assert!(Parcel::of_fragment("#elsewhere").is_none());
        for text in ["w1=", "w1=abc", "w1=!!", "w1=eJwrzy_KSQEABiwCFQ"] {
            assert!(Parcel::of_fragment(text).unwrap().is_err(), "{text}");
        }
    }
}
