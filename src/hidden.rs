//! Characters that a reader does not see and a model does.
//!
//! Some have a proper use: the tags of a flag emoji, the joiner inside an emoji or between two
//! Persian or Hindi letters, the signs around Arabic numbers. There they are left alone; anywhere else
//! they can hide text. What nobody sees is said here (`is_invisible`), for all who look for it.

use std::borrow::Cow;

use crate::eight_bytes::EightBytes;

const ZERO_WIDTH_NON_JOINER: char = '\u{200C}';
const ZERO_WIDTH_JOINER: char = '\u{200D}';
const BLACK_FLAG: char = '\u{1F3F4}';
const LAST_TAG: char = '\u{E007F}';
/// Looks like a blank; letters of Braille are parted by it.
pub(crate) const BRAILLE_BLANK: char = '\u{2800}';
/// What chooses the form of a Mongolian letter before it, or parts a vowel from it.
const MONGOLIAN_FIRST: char = '\u{180B}';
const MONGOLIAN_LAST: char = '\u{180F}';
/// How far blanks of Braille may lead a line of it, as in a picture.
const BRAILLE_LINE: usize = 80;

/// A hidden character and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// Offset in code points.
    pub offset: usize,
    /// The character.
    pub code_point: char,
}

/// The hidden characters of `text`, in order.
pub fn find(text: &str) -> impl Iterator<Item = Hidden> + '_ {
    Search {
        rest: text,
        offset: 0,
        before: Before::default(),
    }
}

struct Search<'a> {
    rest: &'a str,
    /// Offset of `rest` in code points.
    offset: usize,
    before: Before,
}

impl Iterator for Search<'_> {
    type Item = Hidden;

    fn next(&mut self) -> Option<Hidden> {
        loop {
            self.skip_plain();
            let mut characters = self.rest.chars();
            let code_point = characters.next()?;
            self.rest = characters.as_str();
            let is_hidden = is_invisible(code_point) && !self.before.allows(code_point, self.rest);
            self.before.advance(code_point, is_hidden);
            self.offset += 1;
            if is_hidden {
                return Some(Hidden {
                    offset: self.offset - 1,
                    code_point,
                });
            }
        }
    }
}

impl Search<'_> {
    /// Most text is ASCII without controls, where there is nothing to find.
    fn skip_plain(&mut self) {
        let bytes = self.rest.as_bytes();
        let is_passed = |bytes: &&[u8]| {
            let eight = EightBytes::first_of(bytes);
            eight.is_some_and(EightBytes::are_printable) || bytes.iter().copied().all(is_plain)
        };
        let steps = bytes
            .chunks_exact(EightBytes::COUNT)
            .take_while(is_passed)
            .count();
        let passed = steps * EightBytes::COUNT;
        let tail = bytes[passed..]
            .iter()
            .take_while(|byte| is_plain(**byte))
            .count();
        let length = passed + tail;
        if let Some(last) = bytes[..length].last() {
            self.before.advance(char::from(*last), false);
            self.offset += length;
            self.rest = &self.rest[length..];
        }
    }
}

/// Whether a byte is an ASCII character that is no hidden control.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t'..=b'\r')
}

/// `text` without its hidden characters.
pub fn strip(text: &str) -> Cow<'_, str> {
    let mut hidden = find(text).map(|found| found.offset).peekable();
    if hidden.peek().is_none() {
        drop(hidden);
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    for (offset, character) in text.chars().enumerate() {
        if hidden.next_if_eq(&offset).is_none() {
            kept.push(character);
        }
    }
    Cow::Owned(kept)
}

/// `text` with `\u{…}` in the place of each character that a reader does not see, and of each that
/// a terminal may obey. Line ends and tabs stay.
pub fn escaped(text: &str) -> String {
    let mut hidden = find(text).map(|found| found.offset).peekable();
    let mut out = String::with_capacity(text.len());
    for (offset, character) in text.chars().enumerate() {
        let is_hidden = hidden.next_if_eq(&offset).is_some();
        if is_hidden || is_control(character) && !matches!(character, '\n' | '\t') {
            out.extend(character.escape_unicode());
        } else {
            out.push(character);
        }
    }
    out
}

/// Controls, line separators and code points that are no characters: what must not appear in a
/// line of the index, and what XML has no place for.
pub fn is_control(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}')
        || is_no_character(character)
}

fn is_no_character(character: char) -> bool {
    matches!(character, '\u{FDD0}'..='\u{FDEF}') || u32::from(character) & 0xFFFE == 0xFFFE
}

/// What came before a character, as far as it decides whether that character may stand there.
#[derive(Default)]
struct Before {
    last: char,
    /// The last character that is not a variation selector; none after a hidden one.
    base: char,
    /// Inside the tags of a flag emoji.
    in_flag: bool,
}

impl Before {
    /// Whether `candidate`, which is invisible, has a proper use between this and `after`.
    fn allows(&self, candidate: char, after: &str) -> bool {
        match candidate {
            ZERO_WIDTH_JOINER | ZERO_WIDTH_NON_JOINER => {
                let next = after.chars().next().unwrap_or_default();
                // Also at the end of a word, and between a word of another script and an ending.
                let joins_letters = is_joining_letter(self.last)
                    || (self.last.is_alphanumeric() && is_joining_letter(next));
                let joins_emoji = candidate == ZERO_WIDTH_JOINER
                    && (self.in_flag || is_pictograph(self.base))
                    && is_pictograph(next);
                joins_letters || joins_emoji
            }
            // One variation selector may follow what has such a variant.
            '\u{FE00}'..='\u{FE0F}' => {
                let has_variant = has_variant(self.base, candidate) || is_keycap(self.base, after);
                self.last == self.base && has_variant
            }
            '\u{E0100}'..='\u{E01EF}' => self.last == self.base && is_ideograph(self.base),
            MONGOLIAN_FIRST..=MONGOLIAN_LAST => matches!(self.last, '\u{1820}'..='\u{18AA}'),
            BRAILLE_BLANK => {
                let mut line = after.chars().take(BRAILLE_LINE);
                let next = line.find(|next| *next != BRAILLE_BLANK);
                is_braille(self.base) || next.is_some_and(is_braille)
            }
            '\u{13430}'..='\u{1343F}' => {
                is_hieroglyph(self.last) || after.starts_with(is_hieroglyph)
            }
            _ if is_number_sign(candidate) => {
                let is_signed = |c: char| c.is_numeric() || is_joining_letter(c) || is_kaithi(c);
                let is_end = matches!(candidate, '\u{6DD}' | '\u{70F}');
                after.starts_with(is_signed) || is_end && is_signed(self.last)
            }
            '\u{E0020}'..=LAST_TAG => {
                (self.in_flag && self.last != LAST_TAG)
                    || (self.last == BLACK_FLAG && is_flag_tail(candidate, after))
            }
            _ => false,
        }
    }

    fn advance(&mut self, character: char, is_hidden: bool) {
        self.in_flag = !is_hidden && is_tag(character);
        self.last = character;
        if is_hidden {
            self.base = char::default();
        } else if !is_variation_selector(character) {
            self.base = character;
        }
    }
}

/// Whether a character is invisible by itself, wherever it stands: what Unicode lets programs ignore
/// (`Default_Ignorable_Code_Point`), formats (`Cf`) and controls (`Cc`) but for those that are white space,
/// what is no character (`Noncharacter_Code_Point`), and the blank of Braille and other signs without ink. As
/// of Unicode 17.0.
pub(crate) fn is_invisible(character: char) -> bool {
    (character.is_control() && !character.is_whitespace())
        || is_no_character(character)
        || matches!(character,
        '\u{AD}' | '\u{34F}' | '\u{600}'..='\u{605}' | '\u{61C}' | '\u{6DD}' | '\u{70F}'
        | '\u{890}' | '\u{891}' | '\u{8E2}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | BRAILLE_BLANK
        | '\u{2D7F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}' | '\u{1107F}' | '\u{110BD}' | '\u{110CD}' | '\u{13430}'..='\u{1343F}'
        | '\u{16FE4}' | '\u{1D159}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Signs of Arabic, Syriac and Kaithi around or over what follows. They are formats that are seen, but
/// not where there is nothing of these scripts.
fn is_number_sign(character: char) -> bool {
    matches!(
        character,
        '\u{600}'
            ..='\u{605}'
                | '\u{6DD}'
                | '\u{70F}'
                | '\u{890}'
                | '\u{891}'
                | '\u{8E2}'
                | '\u{110BD}'
                | '\u{110CD}'
    )
}

fn is_braille(character: char) -> bool {
    matches!(character, BRAILLE_BLANK..='\u{28FF}')
}

fn is_kaithi(character: char) -> bool {
    matches!(character, '\u{11080}'..='\u{110BA}')
}

/// A sign of Egyptian that is seen, and that formats arrange.
fn is_hieroglyph(character: char) -> bool {
    matches!(character, '\u{13000}'..='\u{1342F}' | '\u{13440}'..='\u{143FA}')
}

fn is_variation_selector(character: char) -> bool {
    matches!(character, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

fn is_tag(character: char) -> bool {
    matches!(character, '\u{E0020}'..=LAST_TAG)
}

/// Whether the tags that begin with `first` are those of a flag that Unicode recommends: England,
/// Scotland or Wales (<https://www.unicode.org/emoji/charts/full-emoji-list.html>). Any others would
/// be a way to write what nobody sees.
fn is_flag_tail(first: char, after: &str) -> bool {
    const FLAGS: [&str; 3] = ["gbeng", "gbsct", "gbwls"];
    let tags = std::iter::once(first).chain(after.chars());
    FLAGS.iter().any(|flag| {
        let expected = flag
            .chars()
            .filter_map(|letter| char::from_u32(u32::from(letter) + TAGS));
        tags.clone()
            .take(flag.len() + 1)
            .eq(expected.chain([LAST_TAG]))
    })
}

/// What is added to an ASCII character to make a tag of it.
const TAGS: u32 = 0xE0000;

/// A digit, `#` or `*` that becomes a key: followed by the selector and the keycap.
fn is_keycap(base: char, after: &str) -> bool {
    matches!(base, '0'..='9' | '#' | '*') && after.starts_with('\u{20E3}')
}

/// Whether Unicode has a variant of `base` by this selector: in the style of text or emoji, or another form
/// of a symbol, an ideograph, a sign beside one, a letter of Myanmar and Phags-pa, a hieroglyph.
fn has_variant(base: char, selector: char) -> bool {
    let is_sign = matches!(
        base,
        '\u{3001}' | '\u{3002}' | '\u{FF01}' | '\u{FF0C}' | '\u{FF1A}' | '\u{FF1B}' | '\u{FF1F}'
    );
    match selector {
        '\u{FE0E}' | '\u{FE0F}' => {
            is_pictograph(base)
                || matches!(
                    base,
                    '©' | '®' | '‼' | '⁉' | '™' | 'ℹ' | '〰' | '〽' | '㊗' | '㊙'
                )
        }
        '\u{FE00}'
            if matches!(base, '\u{2190}'..='\u{2BFF}' | '\u{1000}'..='\u{109F}'
            | '\u{A840}'..='\u{A877}' | '\u{AA60}'..='\u{AA7F}') =>
        {
            !is_braille(base)
        }
        '\u{FE00}' | '\u{FE01}' if is_sign => true,
        '\u{FE00}'..='\u{FE02}' if is_ideograph(base) => true,
        '\u{FE00}'..='\u{FE06}' => is_hieroglyph(base),
        _ => false,
    }
}

fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Characters of emoji sequences: symbols, pictographs, skin tones.
fn is_pictograph(character: char) -> bool {
    matches!(character, '\u{2190}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}')
        && !is_braille(character)
}

/// Letters and marks of the scripts in which joiners change the shape of words: Arabic, Syriac,
/// Mandaic, the scripts of India, Tibetan, Myanmar, Khmer, Mongolian, Adlam.
fn is_joining_letter(character: char) -> bool {
    !is_invisible(character)
        && matches!(character,
        '\u{620}'..='\u{65F}' | '\u{66E}'..='\u{6D3}' | '\u{6D5}'..='\u{6DC}'
        | '\u{6DF}'..='\u{6EF}' | '\u{6FA}'..='\u{7BF}' | '\u{7CA}'..='\u{963}'
        | '\u{971}'..='\u{DFF}' | '\u{F40}'..='\u{FBC}' | '\u{1000}'..='\u{103F}'
        | '\u{1050}'..='\u{109F}' | '\u{1780}'..='\u{17B3}' | '\u{17B6}'..='\u{17D3}'
        | '\u{1820}'..='\u{18AF}' | '\u{A840}'..='\u{A873}' | '\u{FB50}'..='\u{FDFF}'
        | '\u{FE70}'..='\u{FEFC}' | '\u{1E900}'..='\u{1E95F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offsets(text: &str) -> Vec<usize> {
        find(text).map(|hidden| hidden.offset).collect()
    }

    #[test]
    fn characters_without_a_proper_use_are_found() {
        for (text, hidden) in [
            ("", &[][..]),
            (
                "plain ASCII text that is longer than one step of the search",
                &[],
            ),
            ("naïve — café, 日本語, русский, \u{A0}", &[]),
            ("a\u{200B}b", &[1]),
            ("é\u{AD}\u{2060}x\u{FEFF}", &[1, 2, 4]),
            ("\u{202E}abc\u{202C}", &[0, 4]),
            ("\u{2066}abc\u{2069}", &[0, 4]),
            ("sixteen letters.\u{200B}", &[16]),
            // Text in tags, as smuggled into prompts.
            ("hi\u{E0001}\u{E0068}\u{E0069}", &[2, 3, 4]),
            ("x\u{E0068}\u{E007F}", &[1, 2]),
            // Bytes in variation selectors.
            ("😀\u{E0100}\u{E0101}", &[1, 2]),
            ("a\u{FE0F}", &[1]),
            ("😀\u{FE0F}\u{FE0F}", &[2]),
            // Joiners where nothing joins.
            ("a\u{200D}b", &[1]),
            (".\u{200C}ب\u{200D}\u{200D}", &[1, 4]),
            // Selectors after what is not seen, or has no such variant.
            (
                "\u{A0}\u{FE00} \u{2800}\u{FE05}⠓ é\u{FE00} —\u{FE0F}",
                &[1, 3, 4, 8, 11],
            ),
            ("😀\u{FE01} 葛\u{FE05} x\u{E007F}\u{200D}😀", &[1, 4, 7, 8]),
            ("😀\u{200D}a", &[1]),
            ("😀\u{200C}😀", &[1]),
            ("\u{200D}😀", &[0]),
            // Controls that are no white space.
            ("a\u{1b}[2J\t\u{b}\u{c}\r\n\0", &[1, 10]),
            ("sixteen letters\u{7f} and é\u{9b}\u{85}", &[15, 22]),
            // Signs and blanks of scripts that are not there.
            ("a\u{600}b \u{6DD}c", &[1, 4]),
            (
                "\u{600}\u{600}\u{601}1 a\u{200B}\u{600}\u{200B}b",
                &[0, 1, 6, 7, 8],
            ),
            ("a\u{2800}\u{2800}b ⠓", &[1, 2]),
            // No characters, and signs without ink.
            ("a\u{FDD0}\u{600}\u{FDD0}b", &[1, 2, 3]),
            ("ب\u{FDD0}\u{200D}\u{FDD0}ب", &[1, 2, 3]),
            (
                "ب\u{FDD0}\u{FFFE} \u{1D159}\u{16FE4}\u{2D7F}\u{1107F}",
                &[1, 2, 4, 5, 6, 7],
            ),
            ("a\u{13430}b\u{180B}", &[1, 3]),
            ("\u{13000}\u{13430}\u{13431}\u{13432}\u{13000}", &[2]),
            ("\u{1BCA0}\u{FFF0}\u{3164}\u{115F}", &[0, 1, 2, 3]),
        ] {
            assert_eq!(offsets(text), hidden, "{}", text.escape_unicode());
        }
    }

    #[test]
    fn emoji_sequences_and_joining_scripts_are_left_alone() {
        for text in [
            "❤️ ☎️ ©️ 1️⃣ #️⃣",
            "👨\u{200D}👩\u{200D}👧\u{200D}👦",
            "🏳️\u{200D}🌈 ❤️\u{200D}🔥",
            "👩🏽\u{200D}🚀",
            // The flag of Scotland.
            "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}!",
            "می\u{200C}خواهم API\u{200C}ها ۱۲\u{200C}ساله",
            "ക\u{D4D}\u{200D} क\u{94D}\u{200D}, ‼\u{FE0F} ≨\u{FE00} 葛\u{FE01}",
            "क\u{94D}\u{200D}ष",
            "ක\u{DCA}\u{200D}ර",
            "葛\u{E0100}",
            // The year 1446, the end of a verse, an abbreviation.
            "\u{600}١٤٤٦ \u{601}1446 \u{6DD}٢ \u{70F}ܐܒ",
            "⠓⠑\u{2800}⠺⠕ \u{2800}\u{2800}\u{2800}⣿\u{2800}",
            "ᠠ\u{180B}ᠨ\u{180E}ᠠ",
            "\u{13000}\u{13430}\u{13001}\u{13438}",
        ] {
            assert_eq!(offsets(text), [0; 0], "{}", text.escape_unicode());
            assert!(matches!(strip(text), Cow::Borrowed(_)));
        }
    }

    #[test]
    fn a_flag_is_only_as_long_as_a_flag() {
        let tags = "\u{E0068}".repeat(20);
        assert_eq!(offsets(&format!("🏴{tags}\u{E007F}")).len(), 21);
        assert_eq!(offsets("🏴\u{E0067}\u{E0062}x"), [1, 2]);
        assert_eq!(offsets("🏴\u{E007F}"), [1]);
        assert_eq!(
            offsets("🏴\u{E0067}\u{E007F}\u{E0067}\u{E007F}"),
            [1, 2, 3, 4]
        );
        // Scotland's with one letter changed: text that nobody would see.
        assert_eq!(
            offsets("🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0075}\u{E007F}").len(),
            6
        );
    }

    #[test]
    fn stripping_leaves_the_rest() {
        assert_eq!(
            strip("a\u{200B}b😀\u{FE0F}\u{FE0F}\u{202E}c"),
            "ab😀\u{FE0F}c"
        );
        assert_eq!(strip("\u{200B}"), "");
        assert_eq!(
            find("a\u{200B}").next(),
            Some(Hidden {
                offset: 1,
                code_point: '\u{200B}'
            })
        );
    }

    #[test]
    fn escaping_shows_what_is_not_seen_and_what_is_obeyed() {
        for (text, shown) in [
            ("a\n\tb é 日 👩\u{200D}🚀", "a\n\tb é 日 👩\u{200D}🚀"),
            ("a\u{1b}[2Jb", "a\\u{1b}[2Jb"),
            ("\u{9b}1m\r\n", "\\u{9b}1m\\u{d}\n"),
            ("a\u{200B}\u{202E}\u{2028}", "a\\u{200b}\\u{202e}\\u{2028}"),
        ] {
            assert_eq!(escaped(text), shown);
        }
    }

    #[test]
    fn controls_and_line_separators_are_controls() {
        for character in [
            '\0', '\t', '\n', '\u{1b}', '\u{7f}', '\u{85}', '\u{2028}', '\u{2029}',
        ] {
            assert!(is_control(character), "{}", character.escape_unicode());
        }
        for character in [' ', 'a', '\u{A0}', '\u{200B}', '日'] {
            assert!(!is_control(character), "{}", character.escape_unicode());
        }
    }
}
