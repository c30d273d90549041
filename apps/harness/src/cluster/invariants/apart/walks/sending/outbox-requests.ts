import { Keys } from "@postern/core/auth";
import { type JournalEntry, Outbox, sendingKeyOf, stateOf } from "@postern/core/send";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import type { OutboxModel } from "./OutboxModel.ts";

const KEY = { scopes: ["mail:send"], accounts: null, networks: null, expiresAt: null, notify: null } as const;
/** The states that a message at rest can have. */
export const STATES = ["scheduled", "queued", "held", "sent", "failed", "unknown", "cancelled"] as const;
export const APPLICATIONS = ["shop", "news"];
/**
 * The difference of two times that count as equal, in milliseconds: nodes look for due messages every 15 seconds, and may find only
 * then that a message is held.
 */
const SAME = 18_000;

/** Makes a key of an application. */
export const makeKey = (
  visit: Visit,
  model: OutboxModel,
  application: string,
  sendPerDay: number | null,
): Effect.Effect<void, unknown> =>
  Effect.map(
    visit.ask("make a key", (services) =>
      Context.get(services, Keys).make({ ...KEY, application, name: application, sendPerDay }),
    ),
    ({ key }) => {
      model.keys.push({ ...sendingKeyOf(key), isDeleted: false });
    },
  );

/** Lets the work that is due be done, and follows it. */
export const settle = (visit: Visit, model: OutboxModel) =>
  Effect.andThen(
    visit.wait(2_000),
    Effect.sync(() => model.observe()),
  );

/** Compares everything that the outbox says with the model, by pages of random sizes and with each filter. */
export const compareAll = (visit: Visit, cluster: Cluster, model: OutboxModel) =>
  Effect.gen(function* () {
    const { random } = cluster;
    yield* visit.wait(500);
    model.observe();
    if (model.messages.some((message) => message.isUncertain(visit.now))) return;
    model.checkOutcomes();
    const account = random.pick([...model.accounts, undefined]);
    const filter = random.pick([
      {},
      { state: random.pick(STATES) },
      { key: random.pick(model.keys)?.id },
      { messageId: random.pick(model.messages)?.messageId },
      ...(account === undefined ? [{ application: random.pick(APPLICATIONS) }] : []),
    ]) as { state?: (typeof STATES)[number]; key?: string; messageId?: string; application?: string };
    const limit = random.pick([1, 2, 3, undefined]);
    const found: Array<JournalEntry> = [];
    for (let cursor: string | undefined; ;) {
      const page = yield* visit.ask("list", (services) => {
        const all = Context.get(services, Outbox);
        return account === undefined
          ? all.pageOfAll({ ...filter, limit, cursor })
          : all.page(account, { ...filter, limit, cursor });
      });
      found.push(...page.items);
      visit.expect(page.items.length <= (limit ?? Infinity), "a page has more entries than its limit");
      if (page.nextCursor === null) break;
      visit.expect(page.items.length > 0, "an empty page names a next page");
      cursor = page.nextCursor;
    }
    const listed = new Set(model.listed.map(({ id }) => id));
    const promised = model.listed.filter(
      (message) =>
        (account ?? message.account) === message.account &&
        (filter.state ?? message.state) === message.state &&
        (filter.key ?? message.author?.key) === message.author?.key &&
        (filter.application ?? message.author?.application) === message.author?.application &&
        (filter.messageId ?? message.messageId) === message.messageId,
    );
    const here = found.filter(({ message }) => listed.has(message.id));
    visit.same(
      here.map(({ message }) => message.subject).toSorted(),
      promised.map(({ subject }) => subject).toSorted(),
      `the messages listed by ${JSON.stringify(filter)}`,
    );
    visit.expect(
      found.every(({ message }, n) => n === 0 || found[n - 1]!.message.createdAt >= message.createdAt),
      "messages are not listed newest first",
    );
    for (const { message, leased } of here) {
      const known = model.messages.find(({ id }) => id === message.id)!;
      const { recipients, subject, author, due, held } = known;
      visit.same(stateOf(message, leased), known.state, `the state of ${subject}`);
      visit.same(
        message.recipients.map(({ address, state, reply }) => [
          address,
          state,
          reply === null ? null : Math.floor(reply.code / 100),
        ]),
        recipients.map(({ address, state, reply }) => [address, state, reply]),
        `the recipients of ${subject}`,
      );
      if (known.isWaiting) visit.same(message.author ?? null, author, `the key that asked for ${subject}`);
      visit.expect(
        held !== null || due === null || Math.abs((message.attemptAt ?? 0) - due) < SAME,
        `the next attempt at ${subject} is ${(message.attemptAt ?? 0) - due!} ms after it is promised`,
      );
      visit.same(message.heldSince !== undefined, held !== null, `whether ${subject} is held`);
    }
  });
