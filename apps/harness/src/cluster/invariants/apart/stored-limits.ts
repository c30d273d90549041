import { Blocks } from "@postern/core/arrivals";
import { type EndpointOwner, WebhookEndpoints } from "@postern/core/webhooks";
import { SenderBlocks } from "@postern/core/watch";
import { Context, Effect } from "effect";
import { byText } from "../../by-text.ts";
import type { Cluster } from "../../Cluster.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";

const MAX_ENDPOINTS = 100;
const MAX_BLOCKS = 1_000;
/** The requests of one moment at a limit. */
const AT_ONCE = 3;

/**
 * An account and an application have at most 100 endpoints each, whichever keys of the application made them, and an account blocks
 * at most 1,000 senders: also if several requests reach the limit at once. A removal makes room for one more. [S5.9-1] [S7.6-1]
 * [S8.1-1]
 */
export const storedLimits: Invariant = {
  name: "stored-limits",
  watch: () => ({
    apart: (visit, cluster) => visit.pickInTurn([fillEndpoints, fillBlocks, fillEndpoints])(visit, cluster),
  }),
};

const fillEndpoints = (visit: Visit, cluster: Cluster): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { random } = cluster;
    const [full, free] = [yield* visit.signUp("full"), yield* visit.signUp("free")];
    const ofAccount = (account: typeof full): EndpointOwner => ({ _tag: "Account", account });
    /** The keys of an application reach other accounts and have other addresses for notices. */
    const ofKey = (application: string): EndpointOwner => ({
      _tag: "Application",
      application,
      reach: random.pick([["tag:a"], ["tag:b"], ["tag:a", "tag:b"]]),
      notify: random.pick([null, "ops@far.test"]),
    });
    const [owner, others] = random.pick([
      [() => ofAccount(full), [ofAccount(free), ofKey("full"), ofKey(full)]],
      [() => ofKey("full"), [ofAccount(full), ofKey("free")]],
    ] as const);
    const caller = "the owner of many endpoints";
    let count = 0;
    const create = (by: EndpointOwner, key?: string) =>
      visit.tagOf("create an endpoint", (services) =>
        Context.get(services, WebhookEndpoints).create(
          by,
          { url: `https://visit.sim.test/limit-${key ?? ++count}`, events: ["email.sent"] },
          key === undefined ? undefined : { caller, key, account: full },
        ),
      );
    const all: EndpointOwner = { ...owner(), ...("reach" in owner() && { reach: null }) };
    const list = Effect.gen(function* () {
      const ids: Array<string> = [];
      for (let cursor: string | undefined; ;) {
        const page = yield* visit.ask("endpoints", (services) =>
          Context.get(services, WebhookEndpoints).page(all, { limit: 200, cursor }),
        );
        ids.push(...page.items.map(({ endpoint }) => endpoint.id));
        if (page.nextCursor === null) return ids;
        cursor = page.nextCursor;
      }
    });
    const left = random.between(1, AT_ONCE);
    const filled = yield* Effect.forEach(
      Array.from({ length: MAX_ENDPOINTS - left }, () => owner()),
      (by) => create(by),
      { concurrency: 4 },
    );
    visit.same([...new Set(filled)], ["Answered"], "the creations of endpoints below the limit");
    const reach = (room: number) =>
      Effect.gen(function* () {
        const answers = yield* Effect.all(
          Array.from({ length: AT_ONCE }, () => create(owner())),
          { concurrency: AT_ONCE },
        );
        const promised = Array.from({ length: AT_ONCE }, (_, n) => (n < room ? "Answered" : "TooManyEndpoints"));
        visit.same(answers.toSorted(byText), promised, `creations at once with room for ${room} endpoints`);
        visit.same((yield* list).length, MAX_ENDPOINTS, "the number of endpoints at the limit");
      });
    yield* reach(left);
    for (const other of others) visit.same(yield* create(other), "Answered", "an endpoint of another owner");
    visit.same(yield* create(owner(), "again"), "TooManyEndpoints", "one endpoint more");
    const ids = yield* list;
    const change = <A, E>(use: (endpoints: WebhookEndpoints["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("change an endpoint", (services) => use(Context.get(services, WebhookEndpoints)));
    yield* change((endpoints) => endpoints.disable(all, random.pick(ids)!));
    visit.same(yield* create(owner(), "again"), "TooManyEndpoints", "one endpoint more beside a disabled one");
    yield* change((endpoints) => endpoints.remove(all, random.pick(ids)!));
    if (random.chance(0.5)) return yield* reach(1);
    visit.same(yield* create(owner(), "again"), "Answered", "the repeat of a creation that was refused");
    visit.same(yield* create(owner(), "again"), "Answered", "the repeat of a creation at the limit");
    visit.same((yield* list).length, MAX_ENDPOINTS, "the number of endpoints at the limit");
  });

const fillBlocks = (visit: Visit, cluster: Cluster): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { random } = cluster;
    const [full, free] = [yield* visit.signUp("full"), yield* visit.signUp("free")];
    const left = random.between(1, AT_ONCE);
    cluster.ask((ports) =>
      Effect.forEach(Array.from({ length: MAX_BLOCKS - left }), (_, n) =>
        Context.get(ports, SenderBlocks).insert(
          { id: `blk_filled${n}`, account: full, address: `sender-${n}@far.test`, createdAt: visit.now },
          MAX_BLOCKS,
        ),
      ),
    );
    const add = (account: typeof full, address: string) =>
      visit.tagOf("block a sender", (services) => Context.get(services, Blocks).add(account, address));
    let count = 0;
    const reach = (room: number) =>
      Effect.gen(function* () {
        const answers = yield* Effect.all(
          Array.from({ length: AT_ONCE }, () => add(full, `last-${++count}@far.test`)),
          { concurrency: AT_ONCE },
        );
        const promised = Array.from({ length: AT_ONCE }, (_, n) => (n < room ? "Answered" : "TooManyBlocks"));
        visit.same(answers.toSorted(byText), promised, `blocks at once with room for ${room}`);
        const { length } = cluster.ask((ports) => Context.get(ports, SenderBlocks).list(full));
        visit.same(length, MAX_BLOCKS, "the number of blocks at the limit");
      });
    yield* reach(left);
    visit.same(yield* add(full, "SENDER-3@far.test"), "Answered", "a sender who is blocked already");
    visit.same(yield* add(free, "first@far.test"), "Answered", "a block of another account");
    yield* visit.ask("remove a block", (services) => Context.get(services, Blocks).remove(full, "blk_filled7"));
    yield* reach(1);
  });
