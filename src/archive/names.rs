//! The names of an archive, put into one tree: no two of them may be one on some disk.

use crate::places::Places;
use crate::text::lowercase;

/// How two entries are in each other's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clash {
    /// Both are one file.
    Same,
    /// They differ in case, or in how letters are composed.
    Folded,
    /// They differ in dots or blanks at the end, which some systems leave away.
    Trailing,
    /// One is a file and the directory of the other.
    FileAndDirectory,
}

/// A name in a directory.
struct Node {
    name: String,
    is_file: bool,
    /// The entry that brought it.
    entry: usize,
}

impl Node {
    /// How an entry with a name that is this one's on some disk is in its way.
    fn clash(&self, name: &str, is_file: bool) -> Option<Clash> {
        if self.name != name {
            let is_trailing = bare(&self.name) == bare(name);
            return Some(if is_trailing {
                Clash::Trailing
            } else {
                Clash::Folded
            });
        }
        match (self.is_file, is_file) {
            (true, true) => Some(Clash::Same),
            (false, false) => None,
            _ => Some(Clash::FileAndDirectory),
        }
    }
}

/// Names that were there before.
#[derive(Default)]
pub(super) struct Names {
    nodes: Vec<Node>,
    /// Nodes by their parent's number and their name, folded.
    places: Places,
}

impl Names {
    /// Adds the path of an entry; `folded` is the same with letters that are one on some disk as one
    /// letter, but for the case of ASCII ones. Tells which entry is in its way.
    pub(super) fn add(
        &mut self,
        path: &str,
        folded: &str,
        is_file: bool,
        entry: usize,
    ) -> Result<(), (usize, Clash)> {
        let mut parent = 0;
        let mut names = path.split('/').zip(folded.split('/')).peekable();
        while let Some((name, folded)) = names.next() {
            let is_file = is_file && names.peek().is_none();
            let key = [&parent.to_string(), "/", &lowercase(bare(folded))].concat();
            let Some(place) = self.places.get(&key) else {
                self.places.add(key, self.nodes.len());
                self.nodes.push(Node {
                    name: name.to_owned(),
                    is_file,
                    entry,
                });
                parent = self.nodes.len();
                continue;
            };
            // What is not the root's has the number of its node, from 1.
            parent = place + 1;
            let Some(there) = self.nodes.get(place) else {
                continue;
            };
            if let Some(clash) = there.clash(name, is_file) {
                return Err((there.entry, clash));
            }
        }
        Ok(())
    }
}

/// A name without what Windows leaves away at its end.
fn bare(name: &str) -> &str {
    name.trim_end_matches(['.', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds paths in their order; a trailing `/` makes a directory.
    fn clash(paths: &[&str]) -> Option<(usize, Clash)> {
        let mut names = Names::default();
        let mut entries = paths.iter().enumerate();
        entries.find_map(|(entry, path)| {
            let is_file = !path.ends_with('/');
            let path = path.trim_end_matches('/');
            let folded = path.replace("u\u{308}", "ü").to_uppercase();
            names.add(path, &folded, is_file, entry).err()
        })
    }

    #[test]
    fn names_that_are_one_on_some_disk_clash() {
        for (paths, expected) in [
            (&["a", "b", "a/"][..], Some((0, Clash::FileAndDirectory))),
            (&["a", "a"], Some((0, Clash::Same))),
            (&["x/a", "x/b", "x/a"], Some((0, Clash::Same))),
            (&["x/a", "x/A"], Some((0, Clash::Folded))),
            (&["x/a", "X/b"], Some((0, Clash::Folded))),
            (&["s", "ſ"], Some((0, Clash::Folded))),
            (&["ß", "SS"], Some((0, Clash::Folded))),
            (&["σ", "ς"], Some((0, Clash::Folded))),
            (&["É", "é"], Some((0, Clash::Folded))),
            (&["x/ü", "x/u\u{308}"], Some((0, Clash::Folded))),
            (&["a.md", "a.md."], Some((0, Clash::Trailing))),
            (&["x /a", "x/b"], Some((0, Clash::Trailing))),
            (&["a. .", "a"], Some((0, Clash::Trailing))),
            (&["a.", "A"], Some((0, Clash::Folded))),
            (&[".a", "a", " a"], None),
            (&["b", "a", "a/b"], Some((1, Clash::FileAndDirectory))),
            (&["a/b", "a"], Some((0, Clash::FileAndDirectory))),
            (&["a/", "a/", "a/b", "a/"], None),
            (&["a/b", "a/c", "b/b", "ab"], None),
            (&["a/1", "1/a", "1/1", "1/2/1", "1/2/2"], None),
        ] {
            assert_eq!(clash(paths), expected, "{paths:?}");
        }
    }
}
