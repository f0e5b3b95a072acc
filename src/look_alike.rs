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

/// The ASCII character that a letter, digit or sign is in another form, as in text that nobody has
/// normalized: full-width, mathematical, in a circle, or one of a few that stand alone.
pub(crate) fn ascii_form(character: char) -> char {
    let code = u32::from(character);
    let letter = |first: u8, place: u32| {
        u8::try_from(place).map_or(character, |place| char::from(first + place))
    };
    match character {
        '\u{FF01}'..='\u{FF5E}' => letter(b'!', code - 0xFF01),
        // Thirteen alphabets, each of capital and small letters.
        '\u{1D400}'..='\u{1D6A3}' => match (code - 0x1D400) % 52 {
            place @ 0..26 => letter(b'A', place),
            place => letter(b'a', place - 26),
        },
        '\u{24B6}'..='\u{24CF}' => letter(b'a', code - 0x24B6),
        '\u{24D0}'..='\u{24E9}' => letter(b'a', code - 0x24D0),
        'ſ' => 's',
        'ℓ' | 'ⅼ' | 'Ⅼ' => 'l',
        'ⅰ' | 'Ⅰ' | 'ℹ' => 'i',
        'ⅽ' | 'Ⅽ' => 'c',
        'ⅾ' | 'Ⅾ' => 'd',
        'ⅿ' | 'Ⅿ' => 'm',
        'ⅴ' | 'Ⅴ' => 'v',
        'ⅹ' | 'Ⅹ' => 'x',
        '\u{212A}' => 'k',
        'ℯ' => 'e',
        'ℎ' => 'h',
        'ℴ' => 'o',
        'ℊ' => 'g',
        _ => character,
    }
}

/// Whether a reader takes a character for this small letter or sign of ASCII, in whatever case, alphabet
/// and form.
pub(crate) fn is_read_as(character: char, ascii: char) -> bool {
    // Of the four strokes `l`, `1`, `|` and `i` only a look at the word tells which it is.
    let stroke = |c: char| if c == 'i' { 'l' } else { c };
    let character = ascii_form(character);
    ascii.eq_ignore_ascii_case(&character) || stroke(plainest(character)) == stroke(ascii)
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
    fn a_letter_is_read_in_every_form() {
        let spellings = [
            "skill",
            "SKILL",
            "ｓｋｉｌｌ",
            "ＳＫＩＬＬ",
            "𝐬𝐤𝐢𝐥𝐥",
            "𝕊𝕂𝕀𝕃𝕃",
            "𝓼𝓴𝓲𝓵𝓵",
            "𝚜𝚔𝚒𝚕𝚕",
            "ⓢⓚⓘⓛⓛ",
            "ⓈⓀⒾⓁⓁ",
            "ſkill",
            "s\u{212A}ill",
            "skiⅼℓ",
            "sk1ll",
            "sk|ll",
            "skіll",
            "ѕкill",
        ];
        for spelling in spellings {
            let letters = spelling.chars().zip("skill".chars());
            assert!(
                letters.into_iter().all(|(c, letter)| is_read_as(c, letter)),
                "{spelling}"
            );
        }
        for (character, letter) in [('a', 'b'), ('-', '_'), ('日', 'a'), ('5', 's'), ('é', 'e')] {
            assert!(!is_read_as(character, letter), "{character}");
        }
        assert!(is_read_as('＿', '_'));
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
