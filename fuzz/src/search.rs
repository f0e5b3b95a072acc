//! Searches for anything in skills of any text, on hosts that tell the truth or lie.

use skillshelf::{Catalog, LoadOptions, SearchHit, SearchOptions, ToolOptions};

use super::catalog::file;
use super::disk::Disk;
use super::host::Host;
use super::input::{Input, OF_A_BODY, quoted};

/// Searches for what the bytes say.
pub fn check(data: &[u8]) {
    let mut input = Input::new(data);
    let mut disk = Disk::default();
    for path in ["s/a/SKILL.md", "s/b/SKILL.md", "s/demo/SKILL.md"] {
        disk.write(path, file(&mut input));
    }
    let (description, body) = (quoted(&input.text()), input.text());
    let fine = format!("---\nname: fine\ndescription: {description}\n---\n{OF_A_BODY}{body}");
    disk.write("s/fine/SKILL.md", fine);
    let mut host = Host::new(&disk, input.seed(), input.flag());
    let load = Catalog::load(vec![disk.source("s")], LoadOptions::default());
    let Ok(catalog) = host.run(load) else { return };
    let view = host.run(catalog.only(vec!["!demo".to_owned()]));
    for _ in 0..=input.below(4) {
        let query = query(&mut input);
        let options = SearchOptions {
            limit: u32::try_from(input.below(5)).unwrap_or_default(),
            bodies: input.flag(),
        };
        for catalog in [&catalog, &view] {
            check_search(catalog, &mut host, &query, options);
            check_tool(catalog, &mut host, &query);
        }
        if input.flag() {
            let _ = host.run(catalog.refresh());
        }
    }
}

fn query(input: &mut Input<'_>) -> String {
    let known = input.pick(&["demo ", "fine", "a b", "Does it-all", ""]);
    let text = [known, &input.text()].concat();
    text.repeat(input.pick(&[1, 1, 1, 40]))
}

/// Of what is shown at most so many, the best first, with words of the query.
fn check_search(catalog: &Catalog, host: &mut Host<'_>, query: &str, options: SearchOptions) {
    let found = host.run(catalog.search(query.to_owned(), options));
    assert!(found.len() <= options.limit as usize);
    assert!(found.is_sorted_by(|a, b| a.score >= b.score));
    let shown = catalog.names();
    for SearchHit { name, matched, .. } in &found {
        assert!(shown.contains(name), "{name}");
        assert!(!matched.is_empty() && !matched.concat().contains(OF_A_BODY));
    }
    if host.is_honest() {
        let again = host.run(catalog.search(query.to_owned(), options));
        assert_eq!(again, found);
    }
}

/// An answer in any case, with no text of a body.
fn check_tool(catalog: &Catalog, host: &mut Host<'_>, query: &str) {
    let arguments = format!("{{\"query\":{}}}", quoted(query));
    let call = catalog.call(
        "search_skills".to_owned(),
        arguments,
        ToolOptions::default(),
    );
    let answer = host.run(call);
    assert_eq!(answer.is_error(), query.is_empty());
    assert!(!answer.content.contains(OF_A_BODY), "{}", answer.content);
}
