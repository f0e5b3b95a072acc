import { digits, range } from "./table.mjs";

/**
 * One figure beside its bound: `value` is a spread, or undefined where it was not measured; the
 * bound is `{ most }` or `{ least }`. The median decides.
 */
export function budget(what, value, { most, least, unit = "×" }) {
  const met =
    value === undefined
      ? undefined
      : most === undefined
        ? value.median >= least
        : value.median <= most;
  return { what, value, most, least, unit, met };
}

/** The table that ends a run. */
export function budgetTable(figures) {
  return {
    title: "Budgets",
    columns: ["", "measured", "least–greatest", "budget", "met"],
    rows: figures.map(({ what, value, most, least, unit, met }) => [
      what,
      value ? `${digits(value.median)} ${unit}` : "not measured",
      value ? range(value) : "",
      most === undefined ? `at least ${least} ${unit}` : `at most ${most} ${unit}`,
      met === undefined ? "?" : met ? "yes" : "no",
    ]),
  };
}
