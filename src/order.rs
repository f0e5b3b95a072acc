//! Sorting. One sort for the whole crate, over indexes: the standard library's would be there once
//! for every type and every order, some kilobytes each.

use std::cmp::Ordering;

/// Sorts `items`; equal ones stay in their order.
pub(crate) fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = sorted(items.len(), &|a, b| compare(&items[a], &items[b]));
    if let Some(order) = order {
        arrange(&order, &mut |a, b| items.swap(a, b));
    }
}

/// Brings items into `order` by swapping pairs of them.
fn arrange(order: &[usize], swap: &mut dyn FnMut(usize, usize)) {
    let mut targets = vec![0; order.len()];
    for (target, &index) in order.iter().enumerate() {
        targets[index] = target;
    }
    for index in 0..order.len() {
        while targets[index] != index {
            let target = targets[index];
            swap(index, target);
            targets.swap(index, target);
        }
    }
}

/// The numbers below `count`, sorted: a merge sort from the bottom up. Nothing where they are, as most
/// lists come.
fn sorted(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Option<Vec<usize>> {
    if (1..count).all(|at| compare(at - 1, at).is_le()) {
        return None;
    }
    let mut order: Vec<usize> = (0..count).collect();
    let mut merged = Vec::with_capacity(count);
    let mut width = 1;
    while width < count {
        for pair in order.chunks(2 * width) {
            let (left, right) = pair.split_at(width.min(pair.len()));
            merge(left, right, compare, &mut merged);
        }
        std::mem::swap(&mut order, &mut merged);
        merged.clear();
        width *= 2;
    }
    Some(order)
}

fn merge(
    mut left: &[usize],
    mut right: &[usize],
    compare: &dyn Fn(usize, usize) -> Ordering,
    merged: &mut Vec<usize>,
) {
    // Parts of many lists come sorted already.
    if let (Some(&last), Some(&first)) = (left.last(), right.first())
        && compare(last, first).is_le()
    {
        merged.extend_from_slice(left);
        left = &[];
    }
    while let (Some((&a, after_a)), Some((&b, after_b))) = (left.split_first(), right.split_first())
    {
        if compare(a, b).is_le() {
            merged.push(a);
            left = after_a;
        } else {
            merged.push(b);
            right = after_b;
        }
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_sorts_like_the_standard_library(numbers in prop::collection::vec(0_u8..20, 0..70)) {
            let mut items: Vec<(u8, usize)> = numbers.into_iter().zip(0..).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            sort_by(&mut items, |a, b| a.0.cmp(&b.0));
            prop_assert_eq!(items, expected);
        }
    }
}
