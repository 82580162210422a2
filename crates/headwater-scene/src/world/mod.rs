//! From checked scenes to worlds that can be stepped, one kind for each model.

mod flow;
mod waves;

pub use flow::FlowWorld;
pub use waves::WavesWorld;
