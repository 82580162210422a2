//! Tests of the model `hydrology`.

mod books;
mod brushes;
mod changes;
mod input;
mod lakes;
mod land;
mod sea;
mod stream_power;
mod stream_power_books;
