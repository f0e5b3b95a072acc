//! How much room texts take, and how it is shared.

use std::borrow::Cow;

use super::listing::Writer;
use crate::order::sort_by;
use crate::text::one_line;

/// Below this, a description is left out: it would say nothing. In characters, `…` too.
const SHORTEST: usize = 10;

/// What room is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// Code points.
    Characters,
    /// Quarters of an estimated token: one for ASCII, four for anything else.
    QuarterTokens,
}

impl Scale {
    fn of_char(self, c: char) -> usize {
        match self {
            Self::QuarterTokens if !c.is_ascii() => 4,
            _ => 1,
        }
    }

    /// The room that a text takes.
    pub(super) fn of(self, text: &str) -> usize {
        let ascii = text.bytes().filter(u8::is_ascii).count();
        if ascii == text.len() {
            return ascii;
        }
        let others = text.chars().count() - ascii;
        ascii + others * self.of_char('…')
    }

    /// The room of so many characters, or tokens.
    pub(super) fn limit(self, number: usize) -> usize {
        match self {
            Self::Characters => number,
            Self::QuarterTokens => number.saturating_mul(4),
        }
    }
}

/// A description that is to be shown, and what it takes.
pub(super) struct Wanted<'a> {
    pub(super) description: &'a str,
    /// With what stands around it, all of it shown.
    pub(super) size: usize,
    /// Whether it is ASCII that stands in the index as it is: each byte takes 1.
    is_plain: bool,
}

/// How often a share is raised at most, to give away what words that were kept whole have left.
const MOST_RAISES: usize = 6;

/// What descriptions are measured with.
pub(super) struct Measure {
    pub(super) scale: Scale,
    /// How they are written.
    pub(super) writer: Writer,
    /// What stands around a description.
    pub(super) around: usize,
}

impl Measure {
    pub(super) fn wanted<'a>(&self, description: &'a str) -> Wanted<'a> {
        let size = self.size(description);
        Wanted {
            description,
            size: self.around + size,
            is_plain: size == description.len() && description.is_ascii(),
        }
    }

    /// As much of each description as fits into `room` when it is shared evenly: what a short one
    /// does not need goes to the others. Gives what is shown of each, and the room that is left.
    pub(super) fn shared<'a>(
        &self,
        wanted: &[Wanted<'a>],
        room: usize,
    ) -> (Vec<Option<Cow<'a, str>>>, usize) {
        let mut share = share(wanted, room);
        let (mut shown, mut used) = self.within(wanted, share);
        // Who is cut at a word leaves room too: at most all of that goes to each.
        let mut too_much = share
            .saturating_add(room.saturating_sub(used))
            .saturating_add(1);
        for _ in 0..MOST_RAISES {
            let next = usize::midpoint(share, too_much);
            if next == share {
                break;
            }
            let (more, needed) = self.within(wanted, next);
            if needed > room {
                too_much = next;
            } else {
                share = next;
                (shown, used) = (more, needed);
            }
        }
        (shown, room.saturating_sub(used))
    }

    /// The room that a text takes as it stands in the index.
    fn size(&self, text: &str) -> usize {
        text.chars().map(|c| self.size_of_char(c)).sum()
    }

    fn size_of_char(&self, c: char) -> usize {
        self.scale.of_char(c) + (self.writer.escape)(c)
    }

    /// What is shown of each where each has this share, and what all of it takes.
    fn within<'a>(
        &self,
        wanted: &[Wanted<'a>],
        share: usize,
    ) -> (Vec<Option<Cow<'a, str>>>, usize) {
        let mut used = 0;
        let mut shown = Vec::with_capacity(wanted.len());
        for wanted in wanted {
            if wanted.size <= share {
                used += wanted.size;
                shown.push(Some(Cow::Borrowed(wanted.description)));
                continue;
            }
            let cut = self.cut(wanted, share.saturating_sub(self.around));
            if let Some((_, size)) = &cut {
                used += self.around + size;
            }
            shown.push(cut.map(|(text, _)| Cow::Owned(text)));
        }
        (shown, used)
    }

    /// The beginning of a description that is longer than `room`, with `…`, and what it takes.
    fn cut(&self, wanted: &Wanted<'_>, room: usize) -> Option<(String, usize)> {
        let room = room.checked_sub(self.scale.of_char('…'))?;
        let Beginning { whole, words } = if wanted.is_plain {
            beginning_of_plain(wanted.description, room)
        } else {
            self.beginning(wanted.description, room)
        };
        // A word is kept whole, unless that would cost a third of the room, or all of it.
        let keeps_words =
            words.characters * 3 >= whole.characters * 2 && words.characters + 1 >= SHORTEST;
        let end = if keeps_words { words.end } else { whole.end };
        let beginning = wanted.description.get(..end).unwrap_or_default();
        // What was part of a sequence that is cut now is hidden by itself.
        let beginning = one_line(beginning);
        let beginning = beginning.trim_end_matches([' ', ',', ';', ':', '.', '-', '(', '…']);
        if beginning.chars().take(SHORTEST).count() + 1 < SHORTEST {
            return None;
        }
        let text = [beginning, "…"].concat();
        let size = self.size(&text);
        Some((text, size))
    }

    /// What of a description fits into `room`.
    fn beginning(&self, description: &str, room: usize) -> Beginning {
        let mut found = Beginning::default();
        let (mut used, mut characters) = (0, 0);
        let mut rest = description.char_indices().peekable();
        while let Some((at, c)) = rest.next() {
            used += self.size_of_char(c);
            if used > room {
                break;
            }
            characters += 1;
            let next = rest.peek().map_or('\0', |(_, next)| *next);
            if !is_part_of(c, next) {
                let end = at + c.len_utf8();
                found.whole = Border { end, characters };
            }
            if next == ' ' {
                found.words = found.whole;
            }
        }
        found
    }
}

/// As much of a description as there is room for: of its characters, and of its words.
#[derive(Default)]
struct Beginning {
    whole: Border,
    words: Border,
}

/// Where a text can be cut.
#[derive(Clone, Copy, Default)]
struct Border {
    /// In bytes.
    end: usize,
    characters: usize,
}

/// The same of a description whose bytes take 1 each.
fn beginning_of_plain(description: &str, room: usize) -> Beginning {
    let border = |end| Border {
        end,
        characters: end,
    };
    let end = room.min(description.len());
    // A blank right behind the room ends a word too.
    let seen = description.get(..=end).unwrap_or(description);
    Beginning {
        whole: border(end),
        words: border(seen.rfind(' ').unwrap_or_default()),
    }
}

/// Whether nothing may be cut between two characters: an accent, a vowel sign, a variation, the other
/// half of a flag or a joined emoji belongs to what stands before it.
fn is_part_of(before: char, next: char) -> bool {
    if next.is_ascii() {
        return false;
    }
    let joins = |c: char| c == '\u{200d}';
    let is_of_flag = |c: char| ('\u{1f1e6}'..='\u{1f1ff}').contains(&c);
    joins(before)
        || joins(next)
        || is_of_flag(before) && is_of_flag(next)
        || is_indic_sign(next)
        || matches!(next,
            '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{64b}'..='\u{65f}' | '\u{670}'
            | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}'
            | '\u{1160}'..='\u{11ff}' | '\u{20d0}'..='\u{20ff}' | '\u{3099}' | '\u{309a}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}')
}

/// The scripts of India have a block of 128 characters each, with their signs at the same places.
fn is_indic_sign(c: char) -> bool {
    let place = u32::from(c) % 0x80;
    ('\u{900}'..='\u{dff}').contains(&c)
        && matches!(place, 0..=3 | 0x3a..=0x3c | 0x3e..=0x4f | 0x51..=0x57 | 0x62 | 0x63)
}

/// The largest share such that the sizes, each at most the share, fit into `room`.
fn share(wanted: &[Wanted<'_>], room: usize) -> usize {
    let mut sizes: Vec<usize> = wanted.iter().map(|wanted| wanted.size).collect();
    sort_by(&mut sizes, usize::cmp);
    let mut left = room;
    for (index, size) in sizes.iter().enumerate() {
        let even = left / (sizes.len() - index);
        if *size > even {
            return even;
        }
        left -= size;
    }
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Style;
    use crate::index::listing::writer;
    use crate::text::xml_escaped;

    fn measure(scale: Scale) -> Measure {
        Measure {
            scale,
            writer: writer(Style::Xml),
            around: 2,
        }
    }

    fn shown(descriptions: &[&str], room: usize) -> Vec<String> {
        let measure = measure(Scale::Characters);
        let wanted: Vec<_> = descriptions
            .iter()
            .map(|description| measure.wanted(description))
            .collect();
        let (shown, left) = measure.shared(&wanted, room);
        let used: usize = shown
            .iter()
            .flatten()
            .map(|shown| 2 + xml_escaped(shown).chars().count())
            .sum();
        assert_eq!(used + left, room, "what is left is what is not used");
        shown
            .into_iter()
            .map(|shown| shown.unwrap_or_default().into_owned())
            .collect()
    }

    #[test]
    fn room_is_shared_evenly_and_what_is_short_gives_back() {
        for (descriptions, room, expected) in [
            (&["short", "short too"][..], 18, &["short", "short too"][..]),
            (
                &["short", "abcdefghijklmnopqrstuvwxyz"],
                7 + 2 + 13,
                &["short", "abcdefghijkl…"],
            ),
            (
                &["abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"],
                2 * 14,
                &["abcdefghijk…", "ABCDEFGHIJK…"],
            ),
            (&["abcdefghijklmnopqrstuvwxyz"], 2 + SHORTEST - 1, &[""]),
            (&["abcdefghijklmnopqrstuvwxyz"], 0, &[""]),
        ] {
            assert_eq!(
                shown(descriptions, room),
                expected,
                "{descriptions:?} {room}"
            );
        }
    }

    #[test]
    fn a_cut_is_at_a_word_where_one_is_near_and_never_inside_a_character_or_an_entity() {
        for (description, room, expected) in [
            ("Fills in forms and more", 18, "Fills in forms…"),
            ("Fills in forms, and more", 18, "Fills in forms…"),
            ("Internationalization of it", 12, "Internation…"),
            ("Compares x & y with z", 16, "Compares x…"),
            ("abcdefghij&&&&&", 14, "abcdefghij…"),
            ("abcdefghij&&&&&", 16, "abcdefghij&…"),
            ("abcdefghie\u{301}fghij", 11, "abcdefghi…"),
            ("abcdefghi👩\u{200d}👩\u{200d}👧jklmn", 12, "abcdefghi…"),
            (
                "日本語の文書を読み取り表にする道具",
                11,
                "日本語の文書を読み取…",
            ),
        ] {
            let measure = measure(Scale::Characters);
            let wanted = measure.wanted(description);
            let (text, size) = measure.cut(&wanted, room).unwrap_or_default();
            assert_eq!(text, expected, "{description} {room}");
            let slow = Wanted {
                is_plain: false,
                ..wanted
            };
            assert_eq!(measure.cut(&slow, room).unwrap_or_default().0, expected);
            assert_eq!(size, xml_escaped(&text).chars().count());
            assert!(size <= room, "{text} is longer than {room}");
        }
    }
}
