import { Effect } from "effect";
import { PASSWORD } from "../../../Visit.ts";
import type { Manager } from "./manager.ts";

/** A list has each account that matches once, in pages of any length. */
export const listAccounts = ({ visit, cluster, create, change, page }: Manager): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const letters = ["a", "b", "c", "d", "e"];
    const emails = letters.map((letter) => `listed-${letter}@sim.test`);
    for (const [n, email] of emails.entries()) {
      cluster.mail.addAccount(email, PASSWORD);
      yield* create(email, {
        name: `Person ${letters[n]!.toUpperCase()}`,
        tags: [n % 2 === 0 ? "even" : "odd", "listed"],
      });
    }
    yield* change(emails[1]!, { paused: true });
    yield* visit.signUp("listed-unmanaged");
    const [a, b, c, d, e] = emails;
    const cases = [
      [{ tag: "even" }, null, [a, c, e]],
      [{ tag: "listed", state: "paused" }, null, [b]],
      [{ tag: "listed", state: "active" }, null, [a, c, d, e]],
      [{ query: "LISTED-C" }, null, [c]],
      [{ query: "person d" }, null, [d]],
      [{ query: "person" }, ["tag:odd"], [b, d]],
      [{ tag: "even" }, ["tag:odd"], []],
      [{ tag: "listed" }, [a!, "tag:odd"], [a, b, d]],
      [{ query: "_isted" }, null, []],
      [{ query: "%" }, null, []],
    ] as const;
    for (const [search, reach, promised] of cases) {
      const found = yield* page(search, reach);
      visit.same(
        [found.ids, found.nextCursor],
        [promised, null],
        `the accounts for ${JSON.stringify([search, reach])}`,
      );
    }
    for (const limit of [1, 2, 5]) {
      const all: Array<string> = [];
      for (let cursor: string | null | undefined, parts = 0; cursor !== null && parts < 9; parts++) {
        const part = yield* page({ tag: "listed", limit, ...(cursor !== undefined && { cursor }) });
        visit.expect(part.ids.length <= limit, "a page of accounts is longer than its limit");
        all.push(...part.ids);
        cursor = part.nextCursor;
      }
      visit.same(all, emails, `the accounts in pages of ${limit}`);
    }
  });
