//! How much room texts take, and how it is shared.

use std::borrow::Cow;

use crate::order::sort_by;

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

/// What descriptions are measured with.
pub(super) struct Measure {
    pub(super) scale: Scale,
    /// A text as it stands in the index.
    pub(super) escaped: fn(&str) -> Cow<'_, str>,
    /// What stands around a description.
    pub(super) around: usize,
}

impl Measure {
    pub(super) fn wanted<'a>(&self, description: &'a str) -> Wanted<'a> {
        let size = self.scale.of(&(self.escaped)(description));
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
        // Who is cut at a word leaves room too.
        while let Some(left) = room.checked_sub(used) {
            let cut = wanted.iter().filter(|wanted| wanted.size > share).count();
            let more = left / cut.max(1);
            if cut == 0 || more == 0 {
                break;
            }
            let (next, needed) = self.within(wanted, share + more);
            if needed > room {
                break;
            }
            share += more;
            (shown, used) = (next, needed);
        }
        (shown, room.saturating_sub(used))
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
        let beginning = beginning.trim_end_matches([' ', ',', ';', ':', '.', '-', '(', '…']);
        if beginning.chars().take(SHORTEST).count() + 1 < SHORTEST {
            return None;
        }
        let text = [beginning, "…"].concat();
        let size = self.scale.of(&(self.escaped)(&text));
        Some((text, size))
    }

    /// What of a description fits into `room`.
    fn beginning(&self, description: &str, room: usize) -> Beginning {
        let mut found = Beginning::default();
        let (mut used, mut characters) = (0, 0);
        let mut letters = [0; 4];
        let mut rest = description.char_indices().peekable();
        while let Some((at, c)) = rest.next() {
            used += self.scale.of(&(self.escaped)(c.encode_utf8(&mut letters)));
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

/// Whether nothing may be cut between two characters: an accent, a variation or a joined emoji
/// belongs to what stands before it.
fn is_part_of(before: char, next: char) -> bool {
    let joins = |c: char| c == '\u{200d}';
    joins(before)
        || joins(next)
        || matches!(next,
            '\u{300}'..='\u{36f}' | '\u{fe00}'..='\u{fe0f}' | '\u{20d0}'..='\u{20ff}'
            | '\u{1f3fb}'..='\u{1f3ff}' | '\u{3099}' | '\u{309a}')
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
    use crate::text::xml_escaped;

    fn measure(scale: Scale) -> Measure {
        Measure {
            scale,
            escaped: xml_escaped,
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
