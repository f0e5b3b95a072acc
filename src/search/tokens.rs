//! The words of a text, as a search compares them: in small letters, without accents, each part of a
//! compound and all of it.
//!
//! Chinese, Japanese, Korean and some others have no blanks to tell words by, or words that change
//! their endings: of their letters every two neighbors are a word.

/// Bytes of a word at most: what is longer is cut, in a text as in what is looked for.
const LONGEST: usize = 40;
/// Parts of a compound at most that is a word as a whole: longer ones are paths.
const MOST_PARTS: usize = 4;

/// What a word is to the text around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It stands alone.
    Word,
    /// One of those that a compound is made of: `type` of `type-script`.
    Part,
    /// A compound without what joins its parts: `typescript`.
    Joined,
    /// Two neighbors, or a letter that has none.
    Letters,
    /// The last letter of several, so that each of them begins something.
    LastLetter,
}

/// A word, and where it stands.
#[derive(Debug)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Gives each word of `text`, in its order; a compound after its parts.
pub(super) fn each(text: &str, give: &mut dyn FnMut(&Token<'_>)) {
    let mut at = 0;
    while let Some(rest) = text.get(at..)
        && let Some(first) = rest.chars().next()
    {
        let length = match Script::of(first) {
            Script::None => first.len_utf8(),
            Script::Blanks => compound_length(rest),
            Script::NoBlanks => length_while(rest, &|c| Script::of(c) == Script::NoBlanks),
        };
        let run = rest.get(..length).unwrap_or_default();
        match Script::of(first) {
            Script::None => {}
            Script::Blanks => each_of_compound(run, at, give),
            Script::NoBlanks => each_pair(run, at, give),
        }
        at += length.max(1);
    }
}

/// How words are told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    /// No letter.
    None,
    Blanks,
    NoBlanks,
}

impl Script {
    fn of(c: char) -> Self {
        match c {
            '0'..='9' | 'A'..='Z' | 'a'..='z' => Self::Blanks,
            '\0'..='\u{7f}' => Self::None,
            // Thai to Tibetan, Burmese, Korean in parts, Khmer; Japanese, Korean, Chinese.
            '\u{e00}'..='\u{fff}'
            | '\u{1000}'..='\u{109f}'
            | '\u{1100}'..='\u{11ff}'
            | '\u{1780}'..='\u{17ff}'
            | '\u{3005}'..='\u{3007}'
            | '\u{3040}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7ff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff66}'..='\u{ff9f}'
            | '\u{20000}'..='\u{3ffff}' => Self::NoBlanks,
            _ if c.is_alphanumeric() => Self::Blanks,
            _ => Self::None,
        }
    }
}

fn length_while(text: &str, is_in: &dyn Fn(char) -> bool) -> usize {
    text.find(|c| !is_in(c)).unwrap_or(text.len())
}

/// Whether it changes the letter before it: an accent that stands by itself.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// How far a compound goes, with what joins its parts.
fn compound_length(text: &str) -> usize {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |&(_, next)| next);
        let joins = matches!(c, '-' | '_' | '.' | '/' | '\'' | '\u{2019}');
        // `C++`, `C#`
        let ends_name = matches!(c, '+' | '#') && at <= 2 && Script::of(next) == Script::None;
        let goes_on = Script::of(c) == Script::Blanks
            || is_mark(c)
            || ends_name
            || (joins && Script::of(next) == Script::Blanks);
        if !goes_on {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

/// A part of a compound, and where it stands.
#[derive(Default)]
struct Part {
    text: String,
    start: usize,
    end: usize,
}

/// Gives the words of a compound that stands at `offset`.
fn each_of_compound(compound: &str, offset: usize, give: &mut dyn FnMut(&Token<'_>)) {
    let parts = parts_of(compound, offset);
    let kind = match parts.len() {
        1 => Kind::Word,
        _ => Kind::Part,
    };
    let mut joined = String::new();
    for part in &parts {
        joined.push_str(&part.text);
        give(&Token {
            text: &part.text,
            kind,
            start: part.start,
            end: part.end,
        });
    }
    if (2..=MOST_PARTS).contains(&parts.len()) && joined.len() <= LONGEST {
        give(&Token {
            text: &joined,
            kind: Kind::Joined,
            start: offset,
            end: offset + compound.len(),
        });
    }
}

fn parts_of(compound: &str, offset: usize) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut part = Part::default();
    let mut follows_small = false;
    // What follows an apostrophe is an ending: the `s` of `it's`.
    let mut is_ending = false;
    for (at, c) in compound.char_indices() {
        let is_letter = Script::of(c) == Script::Blanks || matches!(c, '+' | '#');
        let is_apostrophe = matches!(c, '\'' | '\u{2019}');
        // `camelCase` has two parts.
        let ends = !is_letter && !is_mark(c) || follows_small && c.is_ascii_uppercase();
        if ends && !part.text.is_empty() {
            is_ending = is_apostrophe && part.text.len() > 1;
            parts.push(std::mem::take(&mut part));
        }
        follows_small = c.is_ascii_lowercase();
        if !is_letter || is_ending {
            continue;
        }
        if part.text.is_empty() {
            part.start = offset + at;
        }
        if part.text.len() < LONGEST {
            part.text.push(folded(c));
        }
        part.end = offset + at + c.len_utf8();
    }
    if !part.text.is_empty() {
        parts.push(part);
    }
    parts
}

/// Gives every two neighbors of a run of letters that stands at `offset`.
fn each_pair(run: &str, offset: usize, give: &mut dyn FnMut(&Token<'_>)) {
    let mut chars = run.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = match chars.peek() {
            Some((next, c)) => next + c.len_utf8(),
            None => run.len(),
        };
        let is_last = chars.peek().is_none() && at > 0;
        let kind = if is_last {
            Kind::LastLetter
        } else {
            Kind::Letters
        };
        give(&Token {
            text: run.get(at..end).unwrap_or_default(),
            kind,
            start: offset + at,
            end: offset + at + c.len_utf8().max(end - at),
        });
    }
}

/// What the letters from `À` on are without accents, as far as these are letters of English.
const PLAIN: &str = "aaaaaaaceeeeiiiidnooooo*ouuuuytsaaaaaaaceeeeiiiidnooooo*ouuuuyty\
    aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooorrrrrr\
    ssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

/// The same of the letters from U+1E00 to U+1EF9.
const MORE_PLAIN: &str = "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnn\
    oooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwyassssd\
    aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy";

/// A letter as a small one, without accents.
fn folded(c: char) -> char {
    let code = u32::from(c);
    match c {
        '\0'..='\u{7f}' => c.to_ascii_lowercase(),
        '\u{c0}'..='\u{17f}' => {
            let plain = PLAIN.as_bytes().get(code as usize - 0xc0);
            plain.map_or(c, |&plain| char::from(plain))
        }
        '\u{1e00}'..='\u{1ef9}' => {
            let plain = MORE_PLAIN.as_bytes().get(code as usize - 0x1e00);
            plain.map_or(c, |&plain| char::from(plain))
        }
        // As wide as Chinese letters.
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(code - 0xfee0).map_or(c, |c| c.to_ascii_lowercase())
        }
        _ => c.to_lowercase().next().unwrap_or(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        let mut words = Vec::new();
        each(text, &mut |token| {
            assert!(text.get(token.start..token.end).is_some(), "{text}");
            words.push(token.text.to_owned());
        });
        words.join(" ")
    }

    #[test]
    fn a_compound_is_its_parts_and_all_of_it() {
        for (text, expected) in [
            ("", ""),
            ("Two words, here.", "two words here"),
            ("type-script", "type script typescript"),
            ("snake_case Node.js", "snake case snakecase node js nodejs"),
            ("camelCase", "camel case camelcase"),
            ("PDFs HTTPServer", "pdfs httpserver"),
            ("CI/CD", "ci cd cicd"),
            ("-a- _b_ .c", "a b c"),
            ("C++ c# F#, a+b #1", "c++ c# f# a b 1"),
            ("it's the user\u{2019}s", "it the user"),
            ("a/b/c/d/e", "a b c d e"),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn accents_make_no_difference_and_other_letters_stay() {
        for (text, expected) in [
            ("Café cafe\u{301} ÀÖØÞßÿ łžſ", "cafe cafe aootsy lzs"),
            ("ＰＤＦ１", "pdf1"),
            ("Tiếng Việt ẞ ỹ", "tieng viet s y"),
            ("Привет ΑΒΓ", "привет αβγ"),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
        assert_eq!(PLAIN.len(), 0x180 - 0xc0);
        assert_eq!(MORE_PLAIN.len(), 0x1efa - 0x1e00);
        assert_eq!([folded('ı'), folded('Œ'), folded('ŝ')], ['i', 'o', 's']);
        assert_eq!([folded('ĸ'), folded('ŋ'), folded('ŷ')], ['k', 'n', 'y']);
    }

    #[test]
    fn where_there_are_no_blanks_two_neighbors_are_a_word() {
        for (text, expected) in [
            ("生成流程图", "生成 成流 流程 程图 图"),
            ("图", "图"),
            ("割り当て", "割り り当 当て て"),
            ("보고서 작성", "보고 고서 서 작성 성"),
            ("用AI写", "用 ai 写"),
            ("ไทย", "ไท ทย ย"),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn a_long_word_is_cut() {
        assert_eq!(words(&"x".repeat(100)).len(), LONGEST);
        assert!(words(&"é".repeat(100)).len() <= LONGEST);
    }
}
