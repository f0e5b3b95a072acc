//! Names that a reader takes for one another, though they are not the same.
//!
//! Each name has a skeleton: what is left where every character is the plainest one of those that look
//! like it. Names with one skeleton look alike. What NFKC tells to be the same, such as full-width
//! letters, is one name already; here are letters of other alphabets, and digits and pairs of letters
//! that look like one. Those of the names that skills have, not all of Unicode.

use crate::hidden::is_invisible;

/// What a name looks like.
pub(crate) fn skeleton(name: &str) -> String {
    let mut skeleton = String::with_capacity(name.len());
    for character in name.chars().filter(|c| !is_invisible(*c)) {
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
        'а' | 'А' | 'α' | 'Α' | 'ɑ' | 'ա' => 'a',
        'В' | 'Β' | 'Ь' => 'b',
        'с' | 'С' | 'Ϲ' | 'Ꮯ' | 'ꮯ' | 'ꓚ' => 'c',
        'ԁ' => 'd',
        'е' | 'Е' | 'Ε' | 'Ꭼ' | 'ꭼ' | 'ꓰ' => 'e',
        'ɡ' => 'g',
        'һ' | 'Н' | 'Η' | 'հ' => 'h',
        'і' | 'ι' | 'ı' | 'ɩ' | 'Ꭵ' | 'ꭵ' => 'i',
        'ј' | 'Ј' => 'j',
        'к' | 'К' | 'κ' | 'Κ' | 'Ꮶ' | 'ꮶ' | 'ꓗ' => 'k',
        '1' | 'I' | '|' | 'І' | 'Ӏ' | 'Ι' | 'ǀ' | '∣' | '│' | 'Ꮮ' | 'ꮮ' | 'ꓡ' | 'ꓲ' => {
            'l'
        }
        'М' | 'Μ' => 'm',
        'η' | 'Ν' | 'ո' | 'ꓠ' => 'n',
        '0' | 'O' | 'о' | 'О' | 'ο' | 'Ο' | 'օ' | 'ꓳ' => 'o',
        'р' | 'Р' | 'ρ' | 'Ρ' => 'p',
        'ԛ' => 'q',
        'Ꮢ' | 'ꮢ' | 'ꓣ' => 'r',
        'ѕ' | 'Ѕ' | 'Ꮪ' | 'ꮪ' | 'ꓢ' => 's',
        'τ' | 'Т' | 'Τ' | 'Ꭲ' | 'ꭲ' | 'ꓔ' => 't',
        'υ' | 'ս' | 'ꓴ' => 'u',
        'ν' => 'v',
        'ԝ' => 'w',
        'х' | 'Х' | 'χ' | 'Χ' => 'x',
        'у' | 'У' | 'γ' | 'Υ' => 'y',
        'Ζ' => 'z',
        _ => character,
    }
}

/// The ASCII character that a letter, digit or sign is in another form, as in text that nobody has
/// normalized: full-width, mathematical, in a circle, a square or parentheses, raised, lowered, a small
/// capital, or one of a few that stand alone.
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
        '\u{249C}'..='\u{24B5}' => letter(b'a', code - 0x249C),
        '\u{24B6}'..='\u{24CF}' => letter(b'a', code - 0x24B6),
        '\u{24D0}'..='\u{24E9}' => letter(b'a', code - 0x24D0),
        '\u{1F110}'..='\u{1F129}' => letter(b'a', code - 0x1F110),
        '\u{1F130}'..='\u{1F149}' => letter(b'a', code - 0x1F130),
        '\u{1F150}'..='\u{1F169}' => letter(b'a', code - 0x1F150),
        '\u{1F170}'..='\u{1F189}' => letter(b'a', code - 0x1F170),
        'ſ' => 's',
        'ℓ' | 'ⅼ' | 'Ⅼ' | 'ℒ' => 'l',
        'ⅰ' | 'Ⅰ' | 'ℹ' | 'ℐ' | 'ℑ' | '\u{1D6A4}' => 'i',
        'ⅽ' | 'Ⅽ' | 'ℂ' | 'ℭ' => 'c',
        'ⅾ' | 'Ⅾ' => 'd',
        'ⅿ' | 'Ⅿ' | 'ℳ' => 'm',
        'ⅴ' | 'Ⅴ' => 'v',
        'ⅹ' | 'Ⅹ' => 'x',
        '\u{212A}' => 'k',
        'ℬ' => 'b',
        'ℯ' | 'ℰ' => 'e',
        'ℱ' => 'f',
        'ℎ' | 'ℋ' | 'ℌ' | 'ℍ' => 'h',
        'ℕ' => 'n',
        'ℴ' => 'o',
        'ℙ' => 'p',
        'ℚ' => 'q',
        'ℛ' | 'ℜ' | 'ℝ' => 'r',
        'ℤ' | 'ℨ' => 'z',
        'ℊ' => 'g',
        _ => {
            let places = ALPHABETS
                .iter()
                .map(|all| all.chars().position(|c| c == character));
            let place = places
                .flatten()
                .next()
                .and_then(|place| u32::try_from(place).ok());
            place.map_or(character, |place| letter(b'a', place))
        }
    }
}

/// Small capitals, raised and lowered letters, from A to Z; the letter itself where Unicode has none.
const ALPHABETS: [&str; 3] = [
    "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ",
    "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖqʳˢᵗᵘᵛʷˣʸᶻ",
    "ₐbcdₑfgₕᵢⱼₖₗₘₙₒₚqᵣₛₜᵤᵥwₓyz",
];

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
            ("é", "é\u{FE00}"),
            ("葛", "葛\u{E0100}"),
            ("میخ", "می\u{200C}خ"),
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
