//! [`Sandbox`]: a temporary folder in which tests run the program. Relative paths start in this
//! folder.

use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Exit code and output of a finished run of the program.
#[derive(Debug)]
pub(crate) struct ProgramOutput {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl ProgramOutput {
    /// Checks that the exit code is 0.
    #[track_caller]
    pub(crate) fn expect_success(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:?}");
        self
    }

    /// Parses stdout as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e} in {self:?}"))
    }

    /// Checks that the program refused its input: exit code 2, nothing on stdout, and one line on
    /// stderr that contains all `words`.
    #[track_caller]
    pub(crate) fn expect_refusal(&self, words: &[&str]) {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert_eq!(self.stdout, "", "{self:?}");
        assert_eq!(self.stderr.lines().count(), 1, "{self:?}");
        assert!(self.stderr.starts_with("error: "), "{self:?}");
        self.expect_stderr(words);
    }

    #[track_caller]
    pub(crate) fn expect_stderr(&self, words: &[&str]) {
        for word in words {
            assert!(self.stderr.contains(word), "no `{word}` in {self:?}");
        }
    }
}

pub(crate) struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        std::fs::write(self.path(name), content).unwrap();
        self.path(name)
    }

    pub(crate) fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        let path = self.path(name);
        std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    pub(crate) fn summary(&self, folder: &str) -> Value {
        serde_json::from_slice(&self.read(Path::new(folder).join("summary.json"))).unwrap()
    }

    /// Returns the sorted names of the files in a folder.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Returns the names and contents of all files in a folder. Wall times are removed from the
    /// summary.
    pub(crate) fn named_file_contents(&self, folder: &str) -> Vec<(String, Vec<u8>)> {
        let read = |name: String| {
            let mut bytes = self.read(format!("{folder}/{name}"));
            if name == "summary.json" {
                let mut summary: Value = serde_json::from_slice(&bytes).unwrap();
                for key in ["wall_seconds", "cell_steps_per_second", "seconds"] {
                    summary.as_object_mut().unwrap().remove(key).unwrap();
                }
                bytes = summary.to_string().into_bytes();
            }
            (name, bytes)
        };
        self.names(folder).into_iter().map(read).collect()
    }

    /// Reads the columns of a gauge's CSV file. Checks that its headings are `headings` and that
    /// all values are finite.
    pub(crate) fn gauge(&self, path: impl AsRef<Path>, headings: &[&str]) -> Vec<Vec<f64>> {
        let text = String::from_utf8(self.read(path.as_ref())).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next().unwrap().split(',').collect::<Vec<_>>(), headings);
        let mut columns = vec![Vec::new(); headings.len()];
        for line in lines {
            let values: Vec<f64> = line.split(',').map(|value| value.parse().unwrap()).collect();
            assert_eq!(values.len(), headings.len(), "{line}");
            assert!(values.iter().all(|value| value.is_finite()), "{line}");
            columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
        }
        assert!(columns[0].len() > 1 && columns[0].is_sorted(), "{:?}", columns[0]);
        columns
    }

    pub(crate) fn start(&self, args: &[impl AsRef<OsStr>]) -> Child {
        self.start_in("", args)
    }

    fn start_in(&self, folder: &str, args: &[impl AsRef<OsStr>]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_headwater"))
            .args(args)
            .current_dir(self.path(folder))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    pub(crate) fn run_program(&self, args: &[impl AsRef<OsStr>]) -> ProgramOutput {
        wait_for_exit(self.start(args))
    }

    /// Runs the program in a subfolder.
    pub(crate) fn run_program_in(&self, folder: &str, args: &[&str]) -> ProgramOutput {
        wait_for_exit(self.start_in(folder, args))
    }

    /// Starts the program, waits until `file` exists, sends Ctrl-C and waits for the program to
    /// end.
    pub(crate) fn interrupt_when_file_exists(&self, file: &str, args: &[&str]) -> ProgramOutput {
        self.interrupt(self.start_and_wait_for_file(file, args))
    }

    /// Starts the program and waits until `file` exists. The program continues to run.
    pub(crate) fn start_and_wait_for_file(&self, file: &str, args: &[&str]) -> Child {
        let mut child = self.start(args);
        let start = Instant::now();
        while !self.path(file).exists() {
            let early = child.try_wait().unwrap();
            assert!(early.is_none(), "ended before {file} was there: {:?}", wait_for_exit(child));
            assert!(start.elapsed() < Duration::from_secs(60), "{file} does not appear");
            std::thread::sleep(Duration::from_millis(5));
        }
        child
    }

    /// Sends Ctrl-C to the program and waits for its end.
    pub(crate) fn interrupt(&self, child: Child) -> ProgramOutput {
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        wait_for_exit(child)
    }
}

/// Waits for the program to end and checks that it did not panic.
#[track_caller]
pub(crate) fn wait_for_exit(child: Child) -> ProgramOutput {
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    let outcome = ProgramOutput { code: output.status.code(), stdout, stderr };
    assert!(!outcome.stderr.contains("panicked"), "{}", outcome.stderr);
    outcome
}

/// Splits a command line at its spaces. Quotes are not supported.
pub(crate) fn split_at_spaces(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Scene of a tiny world with moving water, which runs in well under a second.
pub(crate) const POND: &str = r#"model = "flow"
seed = 7

[grid]
nx = 40
ny = 30
cell = 2

[time]
until = 10

[terrain]
noise = { height = 5 }

[rain]
rate = 200

[[source]]
at = [40, 30]
rate = 3

[output]
frames = 2
gif = false

[picture]
width = 160
"#;
