//! Names that a reader takes for one another, though they are not the same.
//!
//! Each name has a skeleton: what is left where every character is the plainest one of those that look
//! like it. Names with one skeleton look alike. What NFKC tells to be the same, such as full-width
//! letters, is one name already; here are letters of other alphabets, and digits and pairs of letters
//! that look like one. Those of the names that skills have, not all of Unicode.

/// What a name looks like.
pub(crate) fn skeleton(name: &str) -> String {
    let mut skeleton = String::with_capacity(name.len());
    for character in name.chars() {
        skeleton.push(plainest(character));
        for (pair, one) in [("rn", 'm'), ("vv", 'w')] {
            if skeleton.ends_with(pair) {
                skeleton.truncate(skeleton.len() - pair.len());
                skeleton.push(one);
            }
        }
    }
    skeleton
}

/// The plainest character that looks like this one.
pub(crate) fn plainest(character: char) -> char {
    match character {
        'A'..='Z' if character != 'I' && character != 'O' => character.to_ascii_lowercase(),
        '_' | '.' | '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        'а' | 'α' | 'ɑ' | 'ա' => 'a',
        'Ь' => 'b',
        'с' => 'c',
        'ԁ' => 'd',
        'е' => 'e',
        'ɡ' => 'g',
        'һ' | 'հ' => 'h',
        'і' | 'ι' | 'ı' => 'i',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        '1' | 'I' | '|' => 'l',
        'η' | 'ո' => 'n',
        '0' | 'O' | 'о' | 'ο' | 'օ' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'ѕ' => 's',
        'τ' => 't',
        'υ' | 'ս' => 'u',
        'ν' => 'v',
        'ԝ' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_have_one_skeleton() {
        for (one, other) in [
            ("pdf", "рdf"),
            ("code-review", "соdе-rеviеw"),
            ("excel", "exceI"),
            ("tool1", "tooll"),
            ("s0rt", "sort"),
            ("modern", "modem"),
            ("vvrite", "write"),
            ("pdf_forms", "pdf-forms"),
            ("pdf\u{2011}forms", "pdf-forms"),
            ("PDF", "pdf"),
            ("login", "lοgin"),
            ("hosting", "հosting"),
        ] {
            assert_eq!(skeleton(one), skeleton(other), "{one} {other}");
        }
    }

    #[test]
    fn names_that_do_not_look_alike_have_another() {
        let names = [
            "pdf",
            "pdfs",
            "pdf-forms",
            "pdfforms",
            "doc",
            "docx",
            "s1",
            "s2",
            "日本",
            "日木",
        ];
        for (at, one) in names.iter().enumerate() {
            for other in names.iter().skip(at + 1) {
                assert_ne!(skeleton(one), skeleton(other));
            }
        }
    }
}
