/** Plots as SVG that a person can read: panels over each other, numbers of things on a logarithmic axis. */
import { digits, integer } from "./table.mjs";

const WIDTH = 780;
const HEIGHT = 250;
const LEFT = 70;
const RIGHT = 180;
const TOP = 40;
const BOTTOM = 40;
const HEADER = 50;

/** Between the labels of two lines. */
const LABEL = 15;

/** The first of each is what the plot is about. */
const COLORS = ["#1f5fbf", "#777777"];

/** `panels`: `{ title, lines: { name, points: [x, y][] }[] }`, all over the same `x`. */
export function plot({ title, about, across, panels }) {
  const height = HEADER + panels.length * HEIGHT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    text(20, 24, title, { size: 15 }),
    text(20, 42, about, { fill: "#777777" }),
    ...panels.flatMap((panel, index) => drawn(panel, across, HEADER + index * HEIGHT)),
    "</svg>",
    "",
  ].join("\n");
}

function drawn({ title, lines }, across, top) {
  const points = lines.flatMap((line) => line.points);
  const sizes = [...new Set(points.map(([x]) => x))];
  const most = niceAbove(Math.max(...points.map(([, y]) => y)));
  const bottom = HEIGHT - BOTTOM;
  const right = WIDTH - RIGHT;
  const [least, greatest] = [Math.min(...sizes), Math.max(...sizes)].map(Math.log);
  const x = (value) =>
    Math.round(LEFT + ((Math.log(value) - least) / (greatest - least)) * (right - LEFT));
  const y = (value) => Math.round(bottom - (value / most) * (bottom - TOP));
  const labels = apart(lines.map((line) => y(lastOf(line))));
  return [
    "",
    `<!-- ${escaped(title)}: ${lines.map(({ name, points }) => `${name} ${points.map(([at, value]) => `${at}: ${digits(value)}`).join(", ")}`).join("; ")} -->`,
    `<g transform="translate(0 ${top})">`,
    text(20, 22, title, { weight: "bold" }),
    ...[0, most / 2, most].flatMap((value) => [
      `<line x1="${LEFT}" x2="${right}" y1="${y(value)}" y2="${y(value)}" stroke="#dddddd"/>`,
      text(LEFT - 8, y(value) + 4, integer(value), { anchor: "end" }),
    ]),
    ...sizes.map((size) => text(x(size), bottom + 18, integer(size), { anchor: "middle" })),
    text(right + 30, bottom + 18, across),
    ...lines.flatMap((line, index) => {
      const fill = COLORS[index % COLORS.length];
      const last = lastOf(line);
      return [
        `<polyline points="${line.points.map(([at, value]) => `${x(at)},${y(value)}`).join(" ")}" fill="none" stroke="${fill}" stroke-width="2"/>`,
        ...line.points.map(
          ([at, value]) => `<circle cx="${x(at)}" cy="${y(value)}" r="3" fill="${fill}"/>`,
        ),
        text(right + 8, labels[index] + 4, `${line.name}, ${digits(last)}`, { fill }),
      ];
    }),
    "</g>",
  ];
}

function lastOf({ points }) {
  const [, value] = points[points.length - 1];
  return value;
}

/** Where labels stand, so that none is on another: the lower ones give way. */
function apart(heights) {
  const placed = [...heights];
  const fromAbove = heights.map((_, index) => index).sort((a, b) => heights[a] - heights[b]);
  let free = Number.NEGATIVE_INFINITY;
  for (const index of fromAbove) {
    placed[index] = Math.max(placed[index], free);
    free = placed[index] + LABEL;
  }
  return placed;
}

/** The least of 1, 2, 4 and 6 with zeros that is no less than the value. */
function niceAbove(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 6, 10].map((step) => step * power).find((step) => step >= value);
}

function text(x, y, content, { anchor, fill, size, weight } = {}) {
  const attributes = { "text-anchor": anchor, fill, "font-size": size, "font-weight": weight };
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const written = given.map(([name, value]) => ` ${name}="${value}"`).join("");
  return `<text x="${x}" y="${y}"${written}>${escaped(content)}</text>`;
}

function escaped(content) {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
