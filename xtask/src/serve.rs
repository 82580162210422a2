//! Local HTTP server for the files of the web page.

use crate::page::INDEX;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use tiny_http::{Header, Method, Request, Response, Server};

/// Number of threads of the server. Browsers request several files at the same time.
const THREADS: usize = 4;

/// Running server of the web page, whose threads run until the program ends.
#[derive(Debug)]
pub(crate) struct RunningServer {
    /// URL of the page on the server.
    pub(crate) address: String,
    threads: Vec<thread::JoinHandle<()>>,
}

/// Serves the web page in `folder` on a port of this machine until the program is ended.
pub(crate) fn serve(folder: &Path, port: u16) -> Result<()> {
    let served = start(folder, port)?;
    println!("{}", served.address);
    for thread in served.threads {
        let _ = thread.join();
    }
    Ok(())
}

/// Starts a server for the web page in `folder`. The server runs in the background after the
/// function has returned.
pub(crate) fn start(folder: &Path, port: u16) -> Result<RunningServer> {
    if !folder.join(INDEX).is_file() {
        bail!("{} contains no page; build it with `cargo xtask web`", folder.display());
    }
    let server = Server::http(("127.0.0.1", port)).map_err(|error| anyhow::anyhow!("{error}"));
    let server = Arc::new(server.with_context(|| format!("port {port} cannot be used"))?);
    let address = format!("http://{}/", server.server_addr());
    let answer = |server: Arc<Server>, folder: PathBuf| {
        thread::spawn(move || {
            while let Ok(request) = server.recv() {
                // A connection that the browser closes is not an error.
                let _ = respond(request, &folder);
            }
        })
    };
    let threads = (0..THREADS).map(|_| answer(Arc::clone(&server), folder.to_owned())).collect();
    Ok(RunningServer { address, threads })
}

fn respond(request: Request, folder: &Path) -> std::io::Result<()> {
    if !matches!(request.method(), Method::Get | Method::Head) {
        return request.respond(Response::from_string("only GET").with_status_code(405));
    }
    let found = file_for_url(request.url());
    let Some((content, kind)) = found.and_then(|(name, kind)| {
        let content = fs::read(folder.join(name)).ok()?;
        Some((content, kind))
    }) else {
        return request.respond(Response::from_string("not found").with_status_code(404));
    };
    let mut response = Response::from_data(content);
    let headers = [
        ("Content-Type", kind),
        ("Cache-Control", "no-cache"),
        ("X-Content-Type-Options", "nosniff"),
    ];
    // All headers are plain ASCII, so every header is valid.
    for header in headers.iter().flat_map(|(field, value)| Header::from_bytes(*field, *value)) {
        response.add_header(header);
    }
    request.respond(response)
}

/// Returns the file name and the media type for the URL of a request; `None` if the path of the URL
/// contains a folder.
fn file_for_url(url: &str) -> Option<(String, &'static str)> {
    let path = url.split(['?', '#']).next()?.strip_prefix('/')?;
    let name = if path.is_empty() { INDEX } else { path };
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if !name.chars().all(plain) || name.starts_with('.') {
        return None;
    }
    let kind = match name.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        _ => return None,
    };
    Some((name.to_owned(), kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    fn get_response(address: &str, request: &str) -> String {
        let host = address.trim_start_matches("http://").trim_end_matches('/');
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "{request}\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    #[test]
    fn files_have_their_media_types() {
        let folder = tempfile::tempdir().unwrap();
        assert!(start(folder.path(), 0).unwrap_err().to_string().contains("build it with"));
        fs::write(folder.path().join(INDEX), "<p>water").unwrap();
        fs::write(folder.path().join("a.wasm"), "plain").unwrap();
        let served = start(folder.path(), 0).unwrap();
        let index = get_response(&served.address, "GET / HTTP/1.1");
        assert!(index.starts_with("HTTP/1.1 200") && index.ends_with("<p>water"), "{index}");
        assert!(index.contains("text/html"), "{index}");
        let plain = get_response(&served.address, "GET /a.wasm?x=1 HTTP/1.1");
        assert!(plain.contains("application/wasm") && plain.ends_with("plain"), "{plain}");
        for gone in ["/b.js", "/../a.wasm", "/.git", "/a", "/x/a.wasm"] {
            let answer = get_response(&served.address, &format!("GET {gone} HTTP/1.1"));
            assert!(answer.starts_with("HTTP/1.1 404"), "{gone}: {answer}");
        }
        assert!(get_response(&served.address, "POST / HTTP/1.1").starts_with("HTTP/1.1 405"));
    }
}
