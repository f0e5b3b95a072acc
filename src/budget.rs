//! Budgets: how much text may be used, in characters or in tokens.

use crate::error::Error;
use crate::host::Request;
use crate::operation::Io;
use crate::options::Fields;
use crate::text::estimated_tokens;

/// How much text may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// So many code points.
    Characters(u32),
    /// So many tokens, by an estimate.
    Tokens(u32),
    /// So many tokens, as the caller counts them.
    CountedTokens(u32),
}

impl Budget {
    /// Reads the field `budget`: `{"characters": n}`, or `{"tokens": n}`, with a `count` where the
    /// caller counts.
    pub(crate) fn from_fields(fields: &Fields<'_>) -> Option<Self> {
        fields.get("budget")?;
        let budget = fields.object("budget", "budget.");
        let characters = budget.get("characters").is_some();
        if characters == budget.get("tokens").is_some() {
            fields.refuse("budget", "must be either { characters } or { tokens }");
            return None;
        }
        let read = if characters {
            Self::Characters(budget.number("characters", 0))
        } else {
            budget.function("count");
            let tokens = budget.number("tokens", 0);
            match budget.get("count") {
                Some(_) => Self::CountedTokens(tokens),
                None => Self::Tokens(tokens),
            }
        };
        budget.finish();
        Some(read)
    }

    /// How much it allows.
    pub(crate) fn limit(self) -> usize {
        match self {
            Self::Characters(limit) | Self::Tokens(limit) | Self::CountedTokens(limit) => {
                limit as usize
            }
        }
    }

    /// How much of it each text takes.
    ///
    /// # Errors
    ///
    /// The caller's function does not give a number.
    pub(crate) async fn sizes(self, io: &Io, texts: &[&str]) -> Result<Vec<usize>, Error> {
        match self {
            Self::Characters(_) => Ok(texts.iter().map(|text| text.chars().count()).collect()),
            Self::Tokens(_) => Ok(texts.iter().map(|text| estimated_tokens(text)).collect()),
            Self::CountedTokens(_) => counted(io, texts).await,
        }
    }
}

async fn counted(io: &Io, texts: &[&str]) -> Result<Vec<usize>, Error> {
    let requests = texts
        .iter()
        .map(|text| Request::Count {
            text: (*text).to_owned(),
        })
        .collect();
    let mut sizes = Vec::with_capacity(texts.len());
    for reply in io.perform(requests).await {
        let count = reply.text().ok().and_then(|count| rounded_up(&count));
        sizes.push(count.ok_or_else(|| {
            Error::SourceUnsupported(
                "The budget's count function must give a number of tokens, 0 or more, and at once: not a promise.".to_owned(),
            )
        })?);
    }
    Ok(sizes)
}

/// A number as JavaScript writes it. An estimate may have a fraction.
fn rounded_up(number: &str) -> Option<usize> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let is_number = fraction.bytes().all(|byte| byte.is_ascii_digit());
    let whole: usize = whole.parse().ok().filter(|_| is_number)?;
    Some(whole.saturating_add(usize::from(!fraction.is_empty())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_rounded_up() {
        for (number, count) in [
            ("0", Some(0)),
            ("12", Some(12)),
            ("12.25", Some(13)),
            ("-1", None),
            ("-0.5", None),
            ("NaN", None),
            ("Infinity", None),
            ("1e+21", None),
            ("1.5e+21", None),
            ("a promise", None),
            ("", None),
        ] {
            assert_eq!(rounded_up(number), count, "{number}");
        }
    }
}
