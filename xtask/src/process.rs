//! Functions that find and run other programs.

use crate::place;
use anyhow::{Context, Result, bail};
use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Returns the path of the first program in `names` that exists in the search path of the system;
/// `None` if there is none.
pub(crate) fn find_program<S: AsRef<str>>(names: &[S]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let in_folders = |name: &S| {
        let file = format!("{}{}", name.as_ref(), env::consts::EXE_SUFFIX);
        folders.iter().map(|folder| folder.join(&file)).find(|program| program.is_file())
    };
    names.iter().find_map(in_folders)
}

/// Returns a command that runs Cargo in the repository. It uses the same Cargo program that started
/// this process. The lint wrapper for the compiler is disabled, because it produces slow code.
pub(crate) fn cargo_command() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(place::repository_root()).env_remove("RUSTC_WORKSPACE_WRAPPER");
    command
}

/// Runs a command and waits until it ends.
///
/// # Errors
/// Returns an error if the command cannot be started or fails.
pub(crate) fn run_command(command: &mut Command) -> Result<()> {
    let shown = format_command(command);
    let status = command.status().with_context(|| format!("cannot start `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` failed: {status}");
    }
    Ok(())
}

/// Runs a command and returns what the command wrote to standard output. Its standard error is
/// shown to the user.
///
/// # Errors
/// Returns an error if the command cannot be started or fails.
pub(crate) fn command_output(command: &mut Command) -> Result<String> {
    let shown = format_command(command);
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("cannot start `{shown}`"))?;
    if !output.status.success() {
        bail!("`{shown}` failed: {}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{shown}` prints no text"))
}

fn format_command(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
