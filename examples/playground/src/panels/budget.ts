// The slider of the index's budget: which budget a step stands for, and the other way round.

/** The smallest budget that the slider gives. */
export const LEAST = 40;
/** Steps of the slider; the last one is no budget at all. */
export const STEPS = 200;

/** Which budget a step stands for: small ones are told apart best. `full` is what the whole index needs. */
export function budgetAt(step: number, full: number): number | undefined {
  if (step >= STEPS) return undefined;
  return Math.round(LEAST * (full / LEAST) ** (step / STEPS));
}

/** The first step that gives as much; of a budget that no step gives, the next one below. */
export function stepOf(budget: number | undefined, full: number): number {
  if (budget === undefined) return STEPS;
  const share = Math.log(budget / LEAST) / Math.log(full / LEAST);
  return Math.min(STEPS - 1, Math.max(0, Math.round(share * STEPS)));
}
