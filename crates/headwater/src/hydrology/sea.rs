//! The sea rises and falls.

use super::water::Waters;
use super::{HIGHEST, Hydrology, HydrologyError};

impl Hydrology {
    /// Sets the height of the sea (m). Lakes that it reaches become sea; where it goes, hollows stay dry until
    /// rain fills them.
    ///
    /// # Errors
    /// [`HydrologyError`] if the height is not from −[`HIGHEST`] to [`HIGHEST`].
    pub fn set_sea(&mut self, height: f64) -> Result<(), HydrologyError> {
        if !(-HIGHEST..=HIGHEST).contains(&height) {
            let allowed = format!("from {} to {HIGHEST} m", -HIGHEST);
            return Err(HydrologyError::Amount {
                what: "height of the sea",
                found: height,
                allowed,
            });
        }
        // Water is kept by cell while the sea moves, as in a step.
        let (mut held, _) = self.waters.holdings(self.land.terrain(), 0);
        held.extend(self.waters.suspensions());
        self.land.params.sea = height;
        let label = std::mem::take(&mut self.waters.hierarchy.label);
        let (waters, gone) = Waters::new(self.land.terrain(), &held, label);
        self.waters = waters;
        self.book(gone);
        Ok(())
    }
}
