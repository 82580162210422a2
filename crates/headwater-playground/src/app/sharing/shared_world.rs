//! Links to worlds. A link contains an [`EditLog`] and a camera, compressed and encoded in
//! base64url. When the log is replayed, it reproduces the world bit for bit.

use crate::app::canvas::CameraState;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use headwater_scene::live::EditLog;
use serde::{Deserialize, Serialize};
use std::io::{Read as _, Write as _};

/// Prefix of a link's fragment (the part of the address after `#`), including the version of the
/// format.
const PREFIX: &str = "w1=";

/// Largest length of a link (characters). Some programs do not support longer links.
pub(in crate::app) const MAX_LINK_LENGTH: usize = 30_000;

/// Largest decompressed size of a link (bytes). The size is limited, because links are untrusted.
const MAX_BYTES: u64 = 64 << 20;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::app) struct SharedWorld {
    /// Scene and edits that reproduce the world.
    #[serde(rename = "recipe")]
    pub(in crate::app) edit_log: EditLog,
    #[serde(default, rename = "eye", skip_serializing_if = "Option::is_none")]
    pub(in crate::app) camera_state: Option<CameraState>,
    #[serde(default)]
    pub(in crate::app) playing: bool,
    #[serde(default)]
    pub(in crate::app) speed: Option<f64>,
}

impl SharedWorld {
    pub(in crate::app) fn pack(&self) -> Vec<u8> {
        // Plain data is always valid JSON.
        let text = serde_json::to_vec(self).unwrap_or_default();
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        // Writing to a vector cannot fail.
        let _ = encoder.write_all(&text);
        encoder.finish().unwrap_or_default()
    }

    pub(in crate::app) fn unpack(bytes: &[u8]) -> Result<Self, String> {
        let mut text = Vec::new();
        ZlibDecoder::new(bytes)
            .take(MAX_BYTES)
            .read_to_end(&mut text)
            .map_err(|_| "The link is cut off or damaged.".to_owned())?;
        serde_json::from_slice(&text)
            .map_err(|_| "The link was made by another version of Headwater.".to_owned())
    }

    pub(in crate::app) fn fragment(&self) -> String {
        format!("{PREFIX}{}", encode_base64(&self.pack()))
    }

    /// Returns the shared world that a link's fragment (with or without `#`) contains. Returns
    /// `None` if the fragment is not a link to a world, and an error message if the link is
    /// invalid.
    pub(in crate::app) fn from_fragment(fragment: &str) -> Option<Result<Self, String>> {
        let text = fragment.trim_start_matches('#').strip_prefix(PREFIX)?;
        let bytes = decode_base64(text).ok_or_else(|| "The link is cut off or damaged.".to_owned());
        Some(bytes.and_then(|bytes| Self::unpack(&bytes)))
    }
}

/// Encodes bytes as a base64url string without padding (RFC 4648, section 5).
fn encode_base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let mut word = 0_u32;
        for i in 0..3 {
            word = word << 8 | u32::from(part.get(i).copied().unwrap_or(0));
        }
        for i in 0..=part.len() {
            let letter = ALPHABET[(word >> (18 - 6 * i) & 63) as usize];
            text.push(char::from(letter));
        }
    }
    text
}

/// Decodes a base64url string, with or without padding. Returns `None` if `text` contains a
/// character outside the base64url alphabet.
fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for part in text.trim_end_matches('=').as_bytes().chunks(4) {
        let mut word = 0_u32;
        for &letter in part {
            let value = ALPHABET.iter().position(|known| *known == letter)?;
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
            let text = encode_base64(&some);
            assert_eq!(decode_base64(&text), Some(some), "{text}");
        }
        assert_eq!(encode_base64(b"\xfb\xff"), "-_8");
        assert_eq!(decode_base64("a+"), None);
    }

    #[test]
    fn a_shared_world_is_reproduced_exactly() {
        let pond = headwater_scene::library::find_scene("u-tube").unwrap();
        let mut live = Live::new(pond.name, pond.text).unwrap();
        live.take_steps(10).unwrap();
        let dig = &live.tools()[0];
        live.apply_tool(
            dig,
            &headwater_scene::live::Dab {
                radius: 2.0,
                ..headwater_scene::live::Dab::new([8.0, 9.0])
            },
        )
        .unwrap();
        live.take_steps(13).unwrap();
        let shared_world = SharedWorld {
            edit_log: live.edit_log(),
            camera_state: None,
            playing: false,
            speed: Some(2.0),
        };
        let fragment = shared_world.fragment();
        assert!(fragment.len() < 3000, "{} letters", fragment.len());
        let back = SharedWorld::from_fragment(&format!("#{fragment}")).unwrap().unwrap();
        assert_eq!(back, shared_world);
        let mut again = back.edit_log.create_world(None, &Files::from_disk()).unwrap();
        while back.edit_log.replay(&mut again, &mut || true).unwrap() {}
        assert_eq!(again.state_hash(), live.state_hash());
    }

    #[test]
    fn foreign_fragments_and_damaged_links_are_distinguished() {
        assert!(SharedWorld::from_fragment("#elsewhere").is_none());
        for text in ["w1=", "w1=abc", "w1=!!", "w1=eJwrzy_KSQEABiwCFQ"] {
            assert!(SharedWorld::from_fragment(text).unwrap().is_err(), "{text}");
        }
    }
}
