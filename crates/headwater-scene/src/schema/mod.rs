//! The scene file: its schema, its checks and its error messages.
