//! From checked scenes to worlds that can be stepped, one kind for each model.

mod flow;

pub use flow::FlowWorld;
