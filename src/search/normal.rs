//! One form for what is looked for and what is looked into: NFKC, which the runtime makes.

use crate::operation::Io;

/// Bytes that are normalized at once: that form may be many times as long.
const PIECE: usize = 4096;

/// Texts in NFKC, however long, all in one step. Those that are in it already cost no request.
pub(super) async fn normalized(io: &Io, texts: Vec<String>) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut counts = Vec::new();
    for text in &texts {
        let before = pieces.len();
        if !is_normal(text) {
            push_pieces(text, &mut pieces);
        }
        counts.push(pieces.len() - before);
    }
    let mut pieces = io.normalize(pieces).await.into_iter();
    let texts = texts.into_iter().zip(counts);
    texts
        .map(|(text, count)| match count {
            0 => text,
            _ => pieces.by_ref().take(count).collect(),
        })
        .collect()
}

/// Whether a text is in NFKC, as far as that can be told without tables.
pub(super) fn is_normal(text: &str) -> bool {
    text.chars().all(is_own_form)
}

fn push_pieces(text: &str, pieces: &mut Vec<String>) {
    let mut rest = text;
    while rest.len() > PIECE {
        let (piece, _) = rest.split_at(rest.floor_char_boundary(PIECE));
        let cut = piece.rfind(is_own_form).filter(|&cut| cut > 0);
        let (piece, others) = rest.split_at(cut.unwrap_or(piece.len()));
        pieces.push(piece.to_owned());
        rest = others;
    }
    pieces.push(rest.to_owned());
}

/// Whether a character is its own form wherever it stands, and joins nothing before it: letters and
/// signs that most texts are made of.
fn is_own_form(c: char) -> bool {
    matches!(c,
        '\0'..='\u{7f}'
        | '\u{c0}'..='\u{131}' | '\u{134}'..='\u{13e}' | '\u{141}'..='\u{148}'
        | '\u{14a}'..='\u{17e}' | '\u{400}'..='\u{481}'
        // Dashes, quotes and bullets; arrows; boxes and signs.
        | '\u{2012}'..='\u{2016}' | '\u{2018}'..='\u{2023}' | '\u{2190}'..='\u{21ff}'
        | '\u{2500}'..='\u{2a0b}'
        // Japanese, Chinese, Korean.
        | '\u{3001}'..='\u{3029}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fe}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_where_nothing_is_joined() {
        let text = "e\u{301}".repeat(3000);
        let mut pieces = Vec::new();
        push_pieces(&text, &mut pieces);
        assert_eq!(pieces.concat(), text);
        assert_eq!(pieces.len(), 3);
        for piece in &pieces {
            assert!(piece.len() <= PIECE && piece.starts_with('e'));
        }
        let mut pieces = Vec::new();
        push_pieces(&"\u{1112}".repeat(3000), &mut pieces);
        assert_eq!(
            pieces.concat().len(),
            9000,
            "where everything may be joined"
        );
    }

    #[test]
    fn what_may_have_another_form_is_asked_for() {
        for text in [
            "Plain",
            "Größe — “so”",
            "流程图",
            "보고서",
            "тайный",
            "ガイド",
        ] {
            assert!(is_normal(text), "{text}");
        }
        for text in [
            "e\u{301}",
            "ﾃｽﾄ",
            "\u{1112}\u{1161}",
            "ﬁ",
            "ŉ",
            "ế",
            "①",
            "\u{f900}",
        ] {
            assert!(!is_normal(text), "{text}");
        }
    }
}
