/**
 * Returns the cases under `npm run nightly`, and none under `npm test`. `.config/nightly.mjs` lists the files with such
 * cases, each with the reason.
 */
export const nightly = <const A>(cases: ReadonlyArray<A>): ReadonlyArray<A> =>
  process.env["NIGHTLY"] === undefined ? [] : cases;
