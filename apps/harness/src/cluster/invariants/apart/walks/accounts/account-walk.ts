import { Accounts } from "@postern/core/accounts";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Invariant } from "../../../../Invariant.ts";
import type { Visit } from "../../../../Visit.ts";
import { walk, worldActs } from "../walk.ts";
import { changeActs } from "./change-acts.ts";
import { mailActs } from "./mail-acts.ts";
import { type WalkedAccount, walkedAccount } from "./walked-account.ts";

const STEPS = 40;
const EMAILS = ["walker-one@own.test", "walker-two@own.test", "walker-three@sim.test"];

/**
 * Managed accounts, on their own servers and on the deployment's, while they are changed in any order and their servers
 * refuse, are away or flood: each record, list and event is the promised one. A stored secret goes to no other server. A
 * change of servers ends the message ids, and announces no mail from before. [S10.3-1] [S10.3-2] [S10.3-3] [S10.3-7]
 * [S10.3-8] [S10.3-10] [S10.3-18] [S10.3-22] [S10.3-26] [S10.3-27] [S10.3-47] [S10.4-9] [S3.7-2] [S3.7-3]
 */
export const accountWalk: Invariant = {
  name: "account-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const all = EMAILS.map((email, n) => walkedAccount(visit, cluster, email, n === 1));
        for (const { places, arrive, known } of all)
          for (const place of places)
            for (let n = cluster.random.between(0, 6); n > 0; n--) known.old.set(arrive(place), 0);
        const acts = [
          ...worldActs(visit, cluster, () => []).map((act) => ({ ...act, weight: 2 })),
          ...all.flatMap((one) => [...changeActs(visit, cluster, one), ...mailActs(visit, cluster, one)]),
          { name: "list", weight: 8, run: listAccounts(visit, cluster, all) },
        ];
        yield* walk(visit, cluster, acts, STEPS);
      }),
  }),
};

/** A list has each account that matches once, in the order of the addresses, by pages of any length. */
const listAccounts = (visit: Visit, cluster: Cluster, all: ReadonlyArray<WalkedAccount>) =>
  Effect.gen(function* () {
    const { random } = cluster;
    const search = random.pick([
      {},
      { tag: "a" },
      { state: "paused" },
      { state: "active" },
      { state: "needs_reauth" },
      { query: "WALKER-T" },
      { query: "name" },
      { query: "own.test", tag: "b" },
    ] as const);
    const [limit, reach] = [random.between(1, 4), random.pick([null, ["tag:a"], ["*@own.test"]])];
    const found: Array<string> = [];
    let cursor: string | undefined;
    do {
      const page = yield* visit.ask("list accounts", (services) =>
        Context.get(services, Accounts).page({ ...search, limit, ...(cursor !== undefined && { cursor }) }, reach),
      );
      visit.expect(page.accounts.length <= limit, "a page has more accounts than its limit");
      found.push(...page.accounts.map(({ account }) => account.id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    const isListed = ({ email, known }: WalkedAccount) => {
      const { tag, state, query } = search as { tag?: string; state?: string; query?: string };
      const is = known.isPaused ? "paused" : known.isRefused ? "needs_reauth" : "active";
      const isReached =
        reach === null || (reach[0] === "tag:a" ? known.tags.includes("a") : email.endsWith("@own.test"));
      const text = `${email}\n${known.name ?? ""}`.toLowerCase();
      return (
        known.exists &&
        isReached &&
        (tag === undefined || known.tags.includes(tag)) &&
        (state === undefined || is === state) &&
        (query === undefined || text.includes(query.toLowerCase()))
      );
    };
    const promised = all.filter(isListed).map(({ email }) => email);
    visit.same(found, promised.toSorted(), `the accounts of ${JSON.stringify(search)} within ${JSON.stringify(reach)}`);
  });
