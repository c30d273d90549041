import { Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import { type List, listsOf } from "./lists-of.ts";

/** The number of entries of each list, of which some are made at the same time. */
const ENTRIES = 5;
/** The maximum number of entries on a page. */
const MOST = 200;

/**
 * The pages of a list, with any limit, have each entry once, in one order, although entries have equal times and others are added
 * meanwhile. Only the last page has no cursor. [S2.8-1] [S2.8-2] [S2.8-3] [S2.8-4]
 */
export const listPages: Invariant = {
  name: "list-pages",
  watch: (cluster) => ({
    calm: (visit) =>
      Effect.gen(function* () {
        const account = yield* visit.signUp("listed");
        const lists = yield* listsOf(visit, cluster, account);
        yield* Effect.forEach(Object.entries(lists), ([name, list]) => readList(visit, cluster, name, list), {
          discard: true,
        });
      }),
  }),
};

const readList = (visit: Visit, cluster: Cluster, name: string, list: List) =>
  Effect.gen(function* () {
    const read = (request: { limit?: number; cursor?: string | undefined }) =>
      visit.ask(`page of ${name}`, (services) => list.read(services, request));
    const refusal = (request: { limit?: number; cursor?: string | undefined }) =>
      visit.tagOf(`page of ${name}`, (services) => list.read(services, request));
    yield* Effect.all(
      Array.from({ length: ENTRIES }, (_, n) => list.make(n)),
      { concurrency: "unbounded" },
    );
    const whole = yield* read({ limit: MOST });
    visit.expect(whole.ids.length >= ENTRIES && whole.nextCursor === null, `the list of ${name} lacks entries`);
    for (const limit of new Set([1, cluster.random.between(2, ENTRIES + 1), whole.ids.length])) {
      const pages: Array<ReadonlyArray<string>> = [];
      let cursor: string | undefined;
      do {
        const page = yield* read({ limit, cursor });
        pages.push(page.ids);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined && pages.length <= whole.ids.length);
      visit.same(pages.flat(), whole.ids, `the ${name} on pages of ${limit}`);
      visit.same(pages.length, Math.ceil(whole.ids.length / limit), `the number of pages of ${limit} ${name}`);
    }
    const first = yield* read({ limit: 2 });
    yield* list.make(ENTRIES);
    const rest: Array<string> = [];
    for (let cursor = first.nextCursor; cursor !== null && rest.length <= whole.ids.length;) {
      const page = yield* read({ limit: 2, cursor });
      rest.push(...page.ids);
      cursor = page.nextCursor;
    }
    const known = new Set(whole.ids);
    const seen = [...first.ids, ...rest].filter((id) => known.has(id));
    visit.same(seen, whole.ids, `the ${name} on pages between which one was added`);
    visit.same(yield* refusal({ cursor: "no cursor" }), "InputInvalid", `a wrong cursor of ${name}`);
    visit.same(yield* refusal({ limit: 0 }), "InputInvalid", `a page of no ${name}`);
    visit.same(
      yield* refusal({ limit: MOST + 1 }),
      list.isReduced ? "Answered" : "InputInvalid",
      `a page of ${MOST + 1} ${name}`,
    );
  });
