//! Serialization of values to streams in postcard format.

use serde::Serialize;
use std::io::{self, BufWriter, Write};

/// Size of the buffer (bytes) that collects output, because postcard writes numbers one by one.
const BUFFER_BYTES: usize = 1 << 16;

/// Writes a value to a stream in postcard format.
///
/// # Errors
/// Returns the error of the stream if it fails.
pub(in crate::run) fn write(value: &impl Serialize, writer: &mut dyn Write) -> io::Result<()> {
    let mut recorder = ErrorRecorder { writer, error: None };
    let mut buffer = BufWriter::with_capacity(BUFFER_BYTES, &mut recorder);
    let written = postcard::to_io(value, &mut buffer).map(drop);
    let flushed = buffer.flush();
    drop(buffer);
    match (written, recorder.error) {
        (Ok(()), None) => flushed,
        (_, Some(error)) => Err(error),
        (Err(error), None) => Err(io::Error::other(error)),
    }
}

/// Writer that stores the first I/O error, because postcard returns an error without a reason.
struct ErrorRecorder<'a> {
    writer: &'a mut dyn Write,
    error: Option<io::Error>,
}

impl Write for ErrorRecorder<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.writer.write(bytes) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                let kind = error.kind();
                self.error.get_or_insert(error);
                Err(kind.into())
            }
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct FullWriter(usize);

    impl Write for FullWriter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = bytes.len().min(self.0);
            self.0 -= taken;
            if taken > 0 { Ok(taken) } else { Err(io::Error::other("the disk is full")) }
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn output_equals_postcard_and_errors_keep_their_reason() {
        let value = (vec![0.5_f32; 50_000], "words", 7_u64);
        let mut bytes = Vec::new();
        write(&value, &mut bytes).unwrap();
        assert_eq!(bytes, postcard::to_stdvec(&value).unwrap());
        for room in [0, 10, 70_000, bytes.len() - 1] {
            assert_eq!(
                write(&value, &mut FullWriter(room)).unwrap_err().to_string(),
                "the disk is full"
            );
        }
        write(&value, &mut FullWriter(bytes.len())).unwrap();
    }
}
