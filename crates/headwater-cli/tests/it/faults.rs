//! Tests with injected faults: system calls of the program that read, write, sync or rename a file
//! fail, one call per run. The faults are injected by `strace`; without it the tests are skipped.
//! The environment variable `HEADWATER_FAULTS` sets the number of faults per test, as in `cargo
//! xtask attack faults`.

use crate::sandbox::{POND, ProgramOutput, Sandbox, split_at_spaces, wait_for_exit};
use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// Default number of faults per test.
const FAULTS: usize = 24;
/// Names of the system calls that faults are injected into.
const FAULTED_SYSTEM_CALLS: &str =
    "openat,read,write,fsync,ftruncate,rename,renameat,renameat2,mkdir,lseek,statx";
/// Command line of a run that writes a checkpoint after each call that steps the world.
const RUN_COMMAND_LINE: &str = "run pond.toml --threads 1 --out out --layers depth \
    --set output.checkpoint_every=1e-9";

/// System call that accesses a file in the sandbox.
#[derive(Debug)]
struct FileCall {
    name: String,
    /// Position of this call among the calls with the same name in the same thread, counted from 1.
    number: usize,
    /// Line of the call in the log of `strace`, printed if the test fails.
    _line: String,
}

fn has_strace() -> bool {
    let mut strace = Command::new("strace");
    let works = strace
        .args(["-o", "/dev/null", "true"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !works {
        eprintln!("skipped: strace does not work");
    }
    works
}

/// Runs the program under `strace` with the options `options`.
fn call_traced(sandbox: &Sandbox, log: &Path, options: &[&str], line: &str) -> ProgramOutput {
    let mut strace = Command::new("strace");
    strace.args(["-f", "--seccomp-bpf", "-qq", "-y", "-s", "0", "-o"]).arg(log).args(options);
    strace
        .arg(env!("CARGO_BIN_EXE_headwater"))
        .args(split_at_spaces(line))
        .current_dir(sandbox.path(""));
    strace.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    wait_for_exit(strace.spawn().unwrap())
}

/// Runs the program and returns its system calls that access files in the sandbox.
fn record_file_calls(sandbox: &Sandbox, line: &str) -> Vec<FileCall> {
    let log = tempfile::NamedTempFile::new().unwrap();
    call_traced(sandbox, log.path(), &["-e", &format!("trace={FAULTED_SYSTEM_CALLS}")], line)
        .expect_success();
    let folder = sandbox.path("").canonicalize().unwrap().to_str().unwrap().to_owned();
    let mut numbers = HashMap::new();
    let mut calls = Vec::new();
    for line in std::fs::read_to_string(log.path()).unwrap().lines() {
        let Some((thread, call)) = line.split_once(' ') else { continue };
        let Some((name, arguments)) = call.trim_start().split_once('(') else { continue };
        let number = numbers.entry((thread.to_owned(), name.to_owned())).or_insert(0);
        *number += 1;
        // Relative paths are printed after the current folder.
        if arguments.contains(&folder) && !arguments.contains("\"/proc") {
            calls.push(FileCall { name: name.into(), number: *number, _line: line.into() });
        }
    }
    calls
}

/// Injects faults into a sample of the program's file accesses, one fault per run. After each
/// fault, runs the program again without faults and compares its output with that of an undisturbed
/// run. The function `prepare` creates the input files in a new sandbox.
#[track_caller]
fn check_faults(line: &str, prepare: impl Fn(&Sandbox)) {
    if !has_strace() {
        return;
    }
    let prepared = || {
        let sandbox = Sandbox::new();
        prepare(&sandbox);
        sandbox
    };
    let undisturbed = prepared();
    let calls = record_file_calls(&undisturbed, line);
    let expected = undisturbed.named_file_contents("out");
    let count = std::env::var("HEADWATER_FAULTS").map_or(FAULTS, |text| text.parse().unwrap());
    let count = count.min(calls.len());
    let (mut failed, mut resumed) = (0, 0);
    for call in (0..count).map(|i| &calls[(2 * i + 1) * calls.len() / (2 * count)]) {
        let error = if call.number % 2 == 0 { "EIO" } else { "ENOSPC" };
        let sandbox = prepared();
        let trace = format!("trace={}", call.name);
        let inject = format!("inject={}:error={error}:when={}", call.name, call.number);
        let options = ["-e", &trace, "-e", &inject];
        let outcome = call_traced(&sandbox, Path::new("/dev/null"), &options, line);
        let context = format!("{call:?}, {error}: {outcome:?}");
        let has_checkpoint = ["out/checkpoint.headwater", "out/checkpoint-parts.headwater"]
            .iter()
            .any(|name| sandbox.path(name).exists());
        match outcome.code {
            // The fault did not matter, such as one in a checkpoint that is not the last.
            Some(0) => assert!(has_expected_files(&sandbox, &expected), "{context}"),
            Some(1 | 2) => {
                failed += 1;
                resumed += u32::from(has_checkpoint);
                assert!(outcome.stderr.contains("error: "), "{context}");
                let resume = line.replace(" --resume", "");
                let option = if has_checkpoint { " --resume" } else { "" };
                sandbox
                    .run_program(&split_at_spaces(&format!("{resume}{option}")))
                    .expect_success();
                assert!(sandbox.named_file_contents("out") == expected, "{context}");
            }
            _ => panic!("{context}"),
        }
    }
    println!(
        "{} accesses to files, {count} faults, {failed} failed runs, {resumed} resumed",
        calls.len()
    );
    assert!(failed > 0);
}

/// Returns true if all output files have the expected contents. Other files may exist, and the
/// summary may contain a notice.
fn has_expected_files(sandbox: &Sandbox, expected: &[(String, Vec<u8>)]) -> bool {
    let mut expected = expected.iter();
    expected.all(|(name, content)| {
        let found = sandbox.read(format!("out/{name}"));
        found == *content || name == "summary.json"
    })
}

fn write_scene(sandbox: &Sandbox) {
    sandbox.write("pond.toml", POND);
}

#[test]
fn a_run_with_a_failed_file_access_can_be_repeated() {
    check_faults(RUN_COMMAND_LINE, write_scene);
}

#[test]
fn a_run_with_a_checkpoint_in_parts_and_a_failed_file_access_can_be_repeated() {
    check_faults(&format!("{RUN_COMMAND_LINE} --memory 70MiB"), write_scene);
}

#[test]
fn a_resumed_run_with_a_failed_file_access_can_be_repeated() {
    let line = format!("{RUN_COMMAND_LINE} --set time.until=20");
    let stopped = Sandbox::new();
    write_scene(&stopped);
    stopped.interrupt_when_file_exists("out/frame-0001.png", &split_at_spaces(&line));
    let files: Vec<_> =
        stopped.names("out").into_iter().map(|name| format!("out/{name}")).collect();
    check_faults(&format!("{line} --resume"), |sandbox| {
        write_scene(sandbox);
        std::fs::create_dir(sandbox.path("out")).unwrap();
        files.iter().for_each(|name| _ = sandbox.write(name, stopped.read(name)));
    });
}
