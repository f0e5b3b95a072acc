//! Mending what is safe to mend in a skill file: the ends of its lines, its fences, and quotes
//! around values that cannot be YAML. All else stays as it is, byte for byte.
//!
//! It is safe where nobody has to guess: the mended file, read strictly, has the values that the
//! broken one has when it is loaded, and its body.

use crate::front_matter::{self, AFTER_BLANK_LINE, IN_CODE_BLOCK, LANGUAGE, Split, WITHOUT_FENCE};
use crate::json::{Object, ToJson};
use crate::limits::Limits;
use crate::{Mode, yaml};

/// What mending came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mended {
    /// The file as it should be.
    pub text: String,
    /// What was mended, in words.
    pub mends: Vec<&'static str>,
}

impl ToJson for Mended {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("text", &self.text)
            .field("mends", &self.mends)
            .end();
    }
}

type Mend = (&'static str, fn(&str) -> Option<String>);

const MENDS: [Mend; 3] = [
    ("the ends of lines", with_line_ends),
    ("the fences", with_fences),
    ("quotes", with_quotes),
];

/// The file with what can safely be mended; nothing where there is nothing to mend.
pub fn mend(file: &[u8]) -> Option<Mended> {
    let mut text = std::str::from_utf8(file).ok()?.to_owned();
    let mut mends = Vec::new();
    for (name, mend) in MENDS {
        if let Some(mended) = mend(&text) {
            text = mended;
            mends.push(name);
        }
    }
    (!mends.is_empty()).then_some(Mended { text, mends })
}

fn with_line_ends(text: &str) -> Option<String> {
    if !text.contains("\r\n") {
        return None;
    }
    let mut mended = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.strip_suffix('\n') {
            Some(line) => mended.extend([line.trim_end_matches('\r'), "\n"]),
            None => mended.push_str(line),
        }
    }
    Some(mended)
}

fn split(text: &str) -> Split<'_> {
    let limit = Limits::default().front_matter;
    front_matter::split(text.as_bytes(), true, limit, Mode::Strict)
}

/// A file may have more than one thing wrong above its front matter, such as blank lines in a code
/// block.
fn with_fences(text: &str) -> Option<String> {
    let mut mended = with_fence(text)?;
    while let Some(further) = with_fence(&mended) {
        mended = further;
    }
    matches!(split(&mended), Split::Complete { .. }).then_some(mended)
}

/// Mends one thing. Each leaves less text above the front matter, or the fence that was missing.
fn with_fence(text: &str) -> Option<String> {
    let Split::Fault(fault) = split(text) else {
        return None;
    };
    let content = text.trim_start_matches(['\u{FEFF}', '\n', '\r', ' ', '\t']);
    if fault.code == AFTER_BLANK_LINE.code {
        return Some(content.to_owned());
    }
    let (first, rest) = text.split_once('\n')?;
    if fault.code == IN_CODE_BLOCK.code {
        let block = rest.trim_end();
        let (inside, last) = block.rsplit_once('\n')?;
        let is_closed = matches!(last, "```" | "~~~") && first.starts_with(last);
        return is_closed.then(|| [inside, "\n"].concat());
    }
    if fault.code == WITHOUT_FENCE.code {
        return Some(["---\n", content].concat());
    }
    let language = first.trim_start_matches(['\u{FEFF}', '-']).trim();
    let is_yaml = matches!(language, "yaml" | "yml");
    (fault.code == LANGUAGE.code && is_yaml).then(|| ["---\n", rest].concat())
}

fn with_quotes(text: &str) -> Option<String> {
    let Split::Complete { block, body_start } = split(text) else {
        return None;
    };
    let quoted = yaml::with_quotes(block, &Limits::default())?;
    let start = text.find(block)?;
    let after = text.get(start + block.len()..)?;
    debug_assert!(start + block.len() <= body_start);
    Some([text.get(..start)?, &quoted, after].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(file: &str) -> Option<(String, String)> {
        mend(file.as_bytes()).map(|mended| (mended.text, mended.mends.join(", ")))
    }

    #[test]
    fn what_is_safe_is_mended() {
        let good = "---\nname: a\ndescription: d\n---\nB\n";
        for (file, expected, what) in [
            (
                "---\r\nname: a\ndescription: d\r\n---\r\nB\n",
                good,
                "the ends of lines",
            ),
            (
                "\n \n---\nname: a\ndescription: d\n---\nB\n",
                good,
                "the fences",
            ),
            ("name: a\ndescription: d\n---\nB\n", good, "the fences"),
            (
                "--- yaml\nname: a\ndescription: d\n---\nB\n",
                good,
                "the fences",
            ),
            (
                "```markdown\n---\nname: a\ndescription: d\n---\nB\n```\n",
                good,
                "the fences",
            ),
            (
                "---\nname: a\ndescription: Use: when \"it\" is  # due\nversion: '1'\n---\n\nB: c\n",
                "---\nname: a\ndescription: \"Use: when \\\"it\\\" is  # due\"\nversion: '1'\n---\n\nB: c\n",
                "quotes",
            ),
            (
                "---\nname: a\ndescription: Use: when\n  it is: due\nlicense: MIT\n---\nB",
                "---\nname: a\ndescription: \"Use: when it is: due\"\nlicense: MIT\n---\nB",
                "quotes",
            ),
            (
                "---\nname: a\ndescription: d\nargument-hint: [a] [b]\n---\nB\n",
                "---\nname: a\ndescription: d\nargument-hint: \"[a] [b]\"\n---\nB\n",
                "quotes",
            ),
            (
                "\r\n---\r\nname: a\r\ndescription: a: b\r\n---\r\nB\r\n",
                "---\nname: a\ndescription: \"a: b\"\n---\nB\n",
                "the ends of lines, the fences, quotes",
            ),
        ] {
            let (text, mends) = mended(file).unwrap_or_else(|| panic!("{file:?} is not mended"));
            assert_eq!(text, expected);
            assert_eq!(mends, what);
            assert_eq!(mended(&text), None, "it is mended for good");
        }
    }

    #[test]
    fn what_is_not_safe_stays_as_it_is() {
        for file in [
            "",
            "Just text.\n",
            "---\nname: a\ndescription: d\n---\nB\n",
            "---\nname: a\ndescription: d\n",
            "--- js\nname: a\ndescription: d\n---\nB\n",
            "```\n---\nname: a\ndescription: d\n---\nB\n",
            "<!-- (c) -->\n---\nname: a\ndescription: d\n---\nB\n",
            "---\nname: a # b\ndescription: d\n---\nB\n",
            "---\n- a: b: c\n---\nB\n",
            // What was not finished may be text, or not.
            "---\nname: a\ndescription: [a, b\n---\nB\n",
            "---\nname: a\ndescription: {a: b\n---\nB\n",
            "---\nname: a\ndescription: \"a\n---\nB\n",
            "---\nname: a\ndescription: a: b\ntags: ['a, b]\n---\nB\n",
        ] {
            assert_eq!(mended(file), None, "{file:?}");
        }
        assert_eq!(mend(b"---\r\nname: \xff\r\n---\r\n"), None);
    }
}
