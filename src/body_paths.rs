//! Paths of files that a body names.

/// Bytes of a path that a body may name.
const LONGEST: usize = 512;

/// Directories of the specification, in which files lie one level deep.
pub(crate) const RESOURCE_DIRECTORIES: [&str; 3] = ["scripts", "references", "assets"];

/// The relative paths in a body: targets of Markdown links, and code spans that begin with
/// one of the specification's directories. With their offsets.
pub(crate) fn find(body: &str) -> impl Iterator<Item = (usize, &str)> {
    // A longer target is no path: without a bound a body of openings is read again at each.
    let rest = |start: usize| {
        let end = body.floor_char_boundary(start.saturating_add(LONGEST));
        body.get(start..end)
    };
    let links = body.match_indices("](").filter_map(move |(at, _)| {
        let start = at + 2;
        let target = rest(start)?.split([')', ' ', '\n']).next()?;
        let target = target.trim_start_matches('<').trim_end_matches('>');
        let target = target.split(['#', '?']).next()?;
        let relative = !target.is_empty() && !target.contains(':') && !target.starts_with('/');
        relative
            .then_some((start, target.trim_end_matches('/')))
            .filter(|(_, target)| !target.is_empty())
    });
    let spans = body.match_indices('`').filter_map(move |(at, _)| {
        let start = at + 1;
        let span = rest(start)?.split(['`', '\n']).next()?;
        let (directory, _) = span.split_once('/')?;
        let is_path = RESOURCE_DIRECTORIES.contains(&directory)
            && !span.ends_with('/')
            && !span
                .contains(|c: char| c.is_whitespace() || matches!(c, '*' | '<' | '{' | '$' | ':'));
        is_path.then_some((start, span))
    });
    links.chain(spans)
}
