//! Media types: of files that are not text, by their ending, and of pages for people.

/// The media type of what may be anything.
pub(crate) const BYTES: &str = "application/octet-stream";

/// The media type of a file, as registered with IANA
/// (<https://www.iana.org/assignments/media-types>).
pub(crate) fn of(path: &str) -> &'static str {
    let ending = path
        .rsplit_once('.')
        .map_or("", |(_, ending)| ending)
        .to_ascii_lowercase();
    match ending.as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "ico" => "image/vnd.microsoft.icon",
        "bmp" => "image/bmp",
        "tif" | "tiff" => "image/tiff",
        "pdf" => "application/pdf",
        "zip" | "skill" => "application/zip",
        "gz" | "tgz" => "application/gzip",
        "tar" => "application/x-tar",
        "7z" => "application/x-7z-compressed",
        "docx" => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx" => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "pptx" => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "woff" => "font/woff",
        "woff2" => "font/woff2",
        "ttf" => "font/ttf",
        "otf" => "font/otf",
        "mp3" => "audio/mpeg",
        "wav" => "audio/wav",
        "ogg" => "audio/ogg",
        "mp4" => "video/mp4",
        "webm" => "video/webm",
        "wasm" => "application/wasm",
        "sqlite" | "db" => "application/vnd.sqlite3",
        _ => BYTES,
    }
}

/// The media type of a file of a skill, text or not; `None` where its ending does not tell.
pub(crate) fn of_resource(path: &str) -> Option<&'static str> {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let text = match ending.to_ascii_lowercase().as_str() {
        "md" | "markdown" => "text/markdown",
        "txt" => "text/plain",
        "html" | "htm" => "text/html",
        "css" => "text/css",
        "csv" => "text/csv",
        "js" | "mjs" | "cjs" => "text/javascript",
        "json" => "application/json",
        "yaml" | "yml" => "application/yaml",
        "xml" => "application/xml",
        "svg" => "image/svg+xml",
        _ => return Some(of(path)).filter(|known| *known != BYTES),
    };
    Some(text)
}

/// Whether a `Content-Type` is that of a page for people.
pub fn is_page(content_type: &str) -> bool {
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    ["text/html", "application/xhtml+xml"]
        .iter()
        .any(|page| media_type.eq_ignore_ascii_case(page))
}

/// Whether a file may be a page for people, by its ending.
pub fn may_be_page(path: &str) -> bool {
    ends_in(path, &["html", "htm", "xhtml", "xhtm"])
}

/// Whether a path has one of these endings, in either case.
pub(crate) fn ends_in(path: &str, endings: &[&str]) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    endings.iter().any(|one| ending.eq_ignore_ascii_case(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_told_by_their_type() {
        for page in [
            "text/html",
            " Text/HTML ; charset=utf-8",
            "application/xhtml+xml",
        ] {
            assert!(is_page(page), "{page}");
        }
        for other in ["", "text/plain", "text/html5", "text/markdown; x=text/html"] {
            assert!(!is_page(other), "{other}");
        }
    }

    #[test]
    fn files_that_may_be_pages_are_told_by_their_ending() {
        for page in ["a.html", "x/a.HTM", "a.xhtml"] {
            assert!(may_be_page(page), "{page}");
        }
        for other in ["html", "a.html.md", "SKILL.md", "a.html/b"] {
            assert!(!may_be_page(other), "{other}");
        }
    }
}
