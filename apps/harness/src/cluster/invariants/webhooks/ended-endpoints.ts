import type { AccountId } from "@postern/core/shared";
import { Effect } from "effect";
import { byText } from "../../by-text.ts";
import { dataOf, eventsOf } from "../../events-of.ts";
import type { ReceiverConduct } from "../../servers/WebhookReceivers.ts";
import { DAY, DELIVERY_MILLIS, type Owner, says } from "./owner-of.ts";

/** A receiver that works. */
export const WORKS: ReceiverConduct = { broken: 0, silent: 0, cut: 0, slow: 2 };
/** The attempts of the ladder. */
const ATTEMPTS = 6;
/** More than the clock of a node may be off, in milliseconds. */
const SKEW = 2_000;
/** The endpoints by the rule that disables them; one that had no success is disabled by each rule. */
export const POLICIES = { literal: "literal", lucky: "no_success", luckless: "no_success" } as const;
export type Name = keyof typeof POLICIES;
/** Returns the URL of an endpoint. */
export const urlOf = (name: Name): string => `https://visit.sim.test/ending-${name}`;

/** Endpoints at which an event failed from a time on. */
export interface Begun {
  readonly account: AccountId;
  readonly ids: Readonly<Record<Name, string>>;
  readonly failed: string;
  readonly at: number;
}

/** Checks the endpoints after all attempts, enables one again and replays its events. */
export const checkEnds = (
  { visit, cluster, owner, ask, arrive, posts, page }: Owner,
  { ids, failed, account, at }: Begun,
): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const find = (name: Name) =>
      Effect.map(
        ask("find", (all) => all.find(owner, ids[name])),
        ({ endpoint }) => endpoint,
      );
    for (const name of Object.keys(POLICIES) as ReadonlyArray<Name>) {
      visit.same(posts(urlOf(name)).filter(says(failed)).length, ATTEMPTS, `the attempts at the ${name} endpoint`);
      const { state, disabledReason, disabledAt, consecutiveFailures, lastStatus } = yield* find(name);
      const isLucky = name === "lucky";
      visit.same(
        [state, disabledReason],
        isLucky ? ["enabled", null] : ["disabled", "exhausted"],
        `the ${name} endpoint after its ladder`,
      );
      // Two retries failed after the success.
      if (name !== "luckless")
        visit.same([consecutiveFailures, lastStatus], [2, 500], `the failures of the ${name} endpoint`);
      visit.expect(isLucky ? disabledAt === null : disabledAt! > at, "the time when an endpoint was disabled");
      visit.same((yield* page(ids[name], "exhausted")).length, 1, `the exhausted deliveries of the ${name} endpoint`);
    }
    const told = eventsOf(cluster, account, "webhook.disabled").map((event) => [
      dataOf(event, "endpointId"),
      dataOf(event, "reason"),
    ]);
    visit.same(
      told.toSorted(byText),
      [
        [ids.literal, "exhausted"],
        [ids.luckless, "exhausted"],
      ].toSorted(byText),
      "the events about disabled endpoints",
    );

    const held = arrive();
    yield* visit.wait(DELIVERY_MILLIS);
    for (const name of Object.keys(POLICIES) as ReadonlyArray<Name>) cluster.receivers.behave(urlOf(name), WORKS);
    yield* ask("enable", (all) => all.enable(owner, ids.literal));
    const enabled = yield* find("literal");
    visit.same(
      [enabled.state, enabled.disabledAt, enabled.disabledReason, enabled.consecutiveFailures],
      ["enabled", null, null, 0],
      "an endpoint that was enabled again",
    );
    yield* ask("enable", (all) => all.enable(owner, ids.literal));
    const again = yield* find("literal");
    visit.same(
      [again.generation, again.updatedAt],
      [enabled.generation, enabled.updatedAt],
      "an endpoint that was enabled twice",
    );
    const count = posts(urlOf("literal")).length;
    const replay = (more: { until?: string; states?: ReadonlyArray<"held" | "exhausted"> }) =>
      Effect.map(
        ask("replay", (_, deliveries) =>
          deliveries.replay(owner, ids.literal, { since: new Date(at - DAY / 24).toISOString(), ...more }),
        ),
        ({ queued }) => queued,
      );
    visit.same(yield* replay({ until: new Date(at - SKEW).toISOString() }), 0, "a replay of the time before");
    visit.same(yield* replay({ states: ["exhausted"] }), 1, "a replay of what failed");
    visit.same(yield* replay({ states: ["held"] }), 1, "a replay of what was held");
    yield* visit.wait(DELIVERY_MILLIS);
    const replayed = posts(urlOf("literal")).slice(count);
    visit.same(
      [failed, held].map((id) => replayed.filter(says(id)).length),
      [1, 1],
      "the POSTs of two replays",
    );
    visit.same(yield* replay({}), 0, "what another replay adds");
  });
