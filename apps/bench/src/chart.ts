import type { Row } from "./figures/table.ts";

const WIDTH = 760;
const LABELS = 300;
const BAR = 11;
const STEP = 40;
const TOP = 34;

/** Returns a bar chart of rows as SVG: rates per second on a logarithmic scale, each beside its floor. */
export const chart = (rows: ReadonlyArray<Row>): string => {
  const most = Math.max(10, ...rows.flatMap(({ ours, beside }) => [ours.perSecond, beside.perSecond]));
  const decades = Math.ceil(Math.log10(most));
  const widthOf = (perSecond: number) =>
    Math.round((Math.max(0, Math.log10(perSecond)) / decades) * (WIDTH - LABELS - 110));
  const height = TOP + rows.length * STEP + 10;
  const bar = (y: number, perSecond: number, name: string, colour: string) => [
    `<rect x="${LABELS}" y="${y}" width="${widthOf(perSecond)}" height="${BAR}" fill="${colour}"/>`,
    `<text x="${LABELS + widthOf(perSecond) + 6}" y="${y + BAR - 2}">${escapeXml(name)} ${Math.round(perSecond)}</text>`,
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="sans-serif" font-size="11">`,
    "<title>Requests per second, on a logarithmic scale</title>",
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="10" y="20" font-size="13">Per second, on a logarithmic scale</text>`,
    ...rows.flatMap(({ operation, connections, floor, ours, beside }, n) => [
      `<text x="10" y="${TOP + n * STEP + 16}" font-size="12">${escapeXml(`${operation}, at ${connections}`)}</text>`,
      ...bar(TOP + n * STEP, ours.perSecond, "Postern", "#2563eb"),
      ...bar(TOP + n * STEP + BAR + 3, beside.perSecond, floor, "#9ca3af"),
    ]),
    "</svg>",
    "",
  ].join("\n");
};

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
