/**
 * Returns cases that only `npm run nightly` tests; none in `npm test`. `.config/nightly.mjs` lists the files that have
 * some, each with the reason.
 */
export const nightly = <const A>(cases: ReadonlyArray<A>): ReadonlyArray<A> =>
  process.env["NIGHTLY"] === undefined ? [] : cases;
