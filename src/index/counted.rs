//! An index within a number of tokens that the caller counts. To ask is expensive, so the search
//! goes by an estimate that each answer corrects.

use super::Form;
use super::fit::{Fitted, Fitting, Limit};
use super::room::Scale;
use crate::budget::Budget;
use crate::error::Error;
use crate::operation::Io;

/// How often the caller is asked at most.
const MOST_COUNTS: usize = 20;

/// How many rooms are tried at most; of those that give a text that is known nothing is asked.
const MOST_ROOMS: usize = 40;

/// ASCII characters that a token stands for at most, over a whole text: what is longer than these
/// allow does not fit, and is not counted.
const LONGEST_TOKEN: usize = 32;

/// The longest index that is found to fit, and its tokens.
pub(super) async fn within<'a>(
    io: &Io,
    fitting: &Fitting<'a>,
    budget: Budget,
) -> Result<(Fitted<'a>, usize), Error> {
    let scale = Scale::QuarterTokens;
    let tokens = budget.limit();
    let mut best = (Fitted::nothing(), 0);
    let mut between = Between {
        fits: 0,
        does_not: tokens.saturating_mul(LONGEST_TOKEN).saturating_add(1),
    };
    let mut counts = 0;
    let mut guess = Some(scale.limit(tokens));
    for round in 0..MOST_ROOMS {
        let Some(room) = between.next(guess.take().filter(|_| round % 3 < 2)) else {
            break;
        };
        let fitted = fitting.within(Limit { scale, room });
        // With more room than it takes it would be the same.
        let size = scale.of(&fitted.text);
        if size <= scale.of(&best.0.text) {
            between.fits = room;
            continue;
        }
        if counts == MOST_COUNTS {
            break;
        }
        counts += 1;
        let count = budget.sizes(io, &[&fitted.text]).await?;
        let count = count.first().copied().unwrap_or(usize::MAX);
        guess = tokens.saturating_mul(size).checked_div(count);
        if count > tokens {
            between.does_not = size;
            continue;
        }
        between.fits = room;
        let is_all = fitted.form == Form::Full;
        best = (fitted, count);
        if is_all || count == tokens {
            break;
        }
    }
    Ok(best)
}

/// Between what room the longest index that fits is.
struct Between {
    /// What is known to fit.
    fits: usize,
    /// The least that is known not to.
    does_not: usize,
}

impl Between {
    /// The room to try: `guess`, or the middle. None where nothing is left between.
    fn next(&self, guess: Option<usize>) -> Option<usize> {
        let most = self.does_not.checked_sub(1)?;
        let least = self.fits.checked_add(1).filter(|least| *least <= most)?;
        let middle = usize::midpoint(least, most);
        Some(guess.unwrap_or(middle).clamp(least, most))
    }
}
