import { assert, it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { EventLedger } from "@postern/core/events";
import { OutgoingJournal } from "@postern/core/send";
import {
  DeliveryLog,
  DeliveryQueue,
  Endpoints,
  initialSecrets,
  newEndpoint,
  ownedBy,
  reapDelivery,
} from "@postern/core/webhooks";
import { MovedMessages } from "@postern/core/watch";
import { Effect, Layer, Redacted } from "effect";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { afterEach, vi } from "vitest";
import { inMemory } from "./databases.ts";

const ACCOUNT = AccountId("a@x.test");
/** The big tables, and their aliases, whose rows no statement may sort. */
const UNSORTED = /^(?:SEARCH|SCAN) (?:delivery|event|attempt|d|n|x)\b/;
const BIG = new Set(["delivery", "event", "attempt", "moved_message", "begun_move", "d", "n", "x"]);

afterEach(() => vi.restoreAllMocks());

interface Step {
  readonly parent: number;
  readonly detail: string;
}

/** Records each statement on the big tables with SQLite's query plan. */
const watchPlans = () => {
  const plans = new Map<string, ReadonlyArray<string>>();
  /** Marks the sort of a big table, which is read at the same level of the plan. */
  const detailIn = (steps: ReadonlyArray<Step>) => (step: Step) =>
    step.detail.startsWith("USE TEMP B-TREE") &&
    steps.some(({ parent, detail }) => parent === step.parent && UNSORTED.test(detail))
      ? `SORT of ${step.detail}`
      : step.detail;
  const prepare = Reflect.get(DatabaseSync.prototype, "prepare") as (this: DatabaseSync, text: string) => StatementSync;
  vi.spyOn(DatabaseSync.prototype, "prepare").mockImplementation(function (
    this: DatabaseSync,
    text: string,
  ): StatementSync {
    if (/^\s*(select|update|delete|with)/i.test(text)) {
      const steps = prepare.call(this, `explain query plan ${text}`).all() as unknown as ReadonlyArray<Step>;
      plans.set(text, steps.map(detailIn(steps)));
    }
    return prepare.call(this, text);
  });
  return plans;
};

/** Matches a table scan, a sort, or a read of all rows of an endpoint for a narrower condition. */
const isSlow = (text: string, detail: string): boolean => {
  const [, scanned] = /^SCAN (\w+)/.exec(detail) ?? [];
  if (scanned !== undefined) return BIG.has(scanned);
  if (detail.startsWith("SORT of")) return true;
  return /USING (COVERING )?INDEX delivery_log \(endpoint_id=\?\)/.test(detail) && /event_id/.test(text);
};

it.effect("no statement about one account scans the tables of events, deliveries or attempts", () =>
  Effect.gen(function* () {
    const plans = watchPlans();
    yield* Effect.gen(function* () {
      const [log, queue, endpoints, ledger] = [
        yield* DeliveryLog,
        yield* DeliveryQueue,
        yield* Endpoints,
        yield* EventLedger,
      ];
      const settings = { url: "https://h.test/", events: ["email.sent"] } as const;
      const endpoint = newEndpoint("we_1", ownedBy(ACCOUNT), settings, 1);
      yield* endpoints.insert(endpoint, initialSecrets(Redacted.make("whsec_AAAA")));
      plans.clear();
      for (const state of [undefined, "pending", "held", "exhausted"] as const) {
        for (const type of [undefined, "email.sent"] as const) {
          for (const before of [undefined, "del_1"]) yield* log.page(endpoint, { state, type, before }, 10);
        }
      }
      yield* log.find("we_1", "del_1");
      yield* log.ofEvents("we_1", ["evt_1"]);
      const after = { eventId: "evt_1", occurredAt: 1, position: 1 };
      yield* log.listReplayable("we_1", { since: 1, until: 2, after: null }, 10);
      yield* log.listReplayable("we_1", { since: 1, until: 2, after }, 10);
      yield* queue.claim(5, { token: "t", until: 6 }, 10);
      yield* queue.renew(["del_1"], { token: "t", until: 9 });
      yield* queue.release(["del_1"], "t", 5);
      yield* queue.reap(5, (lost) => reapDelivery(lost, 5, []));
      yield* queue.nextDue;
      yield* queue.countBacklog(5);
      yield* ledger.after(ACCOUNT, 0, 10);
      yield* ledger.newest(ACCOUNT);
      yield* ledger.positionOf(ACCOUNT, "evt_1");
      yield* ledger.find(["evt_1"]);
      yield* ledger.forget(5, 10);
      yield* ledger.erase(ACCOUNT, 10);
      yield* endpoints.remove(ownedBy(ACCOUNT), "we_1");
      yield* endpoints.eraseRemoved(10);
    }).pipe(Effect.provide(Layer.fresh(inMemory)));
    assert.isAbove(plans.size, 25);
    const slow = [...plans].flatMap(([text, steps]) =>
      steps.filter((step) => isSlow(text, step)).map((step) => `${step}: ${text}`),
    );
    assert.deepStrictEqual(slow, []);
  }),
);

it.effect("no statement on the outbox of the operator scans or sorts the outgoing messages", () =>
  Effect.gen(function* () {
    const plans = watchPlans();
    yield* Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      plans.clear();
      const chosen: ReadonlyArray<Parameters<OutgoingJournal["Service"]["list"]>[0]> = [
        { application: "a" },
        { key: "k" },
        { account: ACCOUNT },
        { state: "sent" },
        {},
      ];
      const after = { at: 1, id: "out_1" };
      for (const whose of chosen) for (const place of [undefined, after]) yield* journal.list(whose, 1, 10, place);
      for (const whose of [{ application: "a" }, { key: "k" }]) {
        const slice = { after: "out_1", limit: 10, now: 1, asked: "release" } as const;
        yield* journal.changeSlice(whose, (message) => message, slice);
      }
    }).pipe(Effect.provide(inMemory));
    const slow = [...plans].flatMap(([text, steps]) =>
      steps
        .filter((step) => /^SCAN outgoing(?! USING INDEX outgoing_by_age)|TEMP B-TREE/.test(step))
        .map((step) => `${step}: ${text}`),
    );
    assert.isAbove(plans.size, 5);
    assert.deepStrictEqual(slow, []);
  }),
);

it.effect("no statement about the moves of one account scans their tables", () =>
  Effect.gen(function* () {
    const plans = watchPlans();
    yield* Effect.gen(function* () {
      const moved = yield* MovedMessages;
      plans.clear();
      const at = (folderId: string, uid: number) => ({ folderId, uidValidity: 1, uid });
      yield* moved.settle(ACCOUNT, [{ from: at("a", 1), now: at("b", 2) }], 1);
      yield* moved.find(ACCOUNT, [
        { folderId: "a", uidValidity: 1, uids: [1, 2] },
        { folderId: "b", uidValidity: 2, uids: [1] },
      ]);
      yield* moved.listBegun(ACCOUNT);
      yield* moved.listFolders(ACCOUNT);
      yield* moved.giveUp(ACCOUNT, [{ from: at("a", 1), toFolderId: "b", begunAt: 1 }]);
      yield* moved.erase(ACCOUNT, 10);
    }).pipe(Effect.provide(inMemory));
    const details = [...plans.values()].flat();
    assert.isAbove(details.length, 6);
    assert.deepStrictEqual(
      details.filter((detail) => isSlow("", detail)),
      [],
    );
    assert.isTrue(details.some((detail) => detail.includes("moved_message_by_now")));
  }),
);
