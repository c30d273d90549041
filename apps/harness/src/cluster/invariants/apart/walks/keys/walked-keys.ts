import { Audit } from "@postern/core/audit";
import { type Application, Keys, type ServiceKey } from "@postern/core/auth";
import type { SendingKey } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { operatorOf } from "../../applications/operator.ts";
import { clientOf } from "../../../send/outbox-client.ts";
import { askAsOperator } from "../operator-audit.ts";
import { DAY, MINUTE, SECOND } from "../../durations.ts";

/** A key as the operator knows it, with its text. */
export interface WalkedKey {
  key: ServiceKey;
  readonly text: string;
  isGone: boolean;
  usedAt: number | null;
}

/** A message that a key sends later, and what holds it back. */
export interface WalkedMessage {
  readonly id: string;
  readonly name: string;
  /** The key that the message belongs to; null once it belongs to a person. */
  key: WalkedKey | null;
  readonly at: number;
  isHeld: boolean;
  isCancelled: boolean;
  isSent: boolean;
}

const NO_PROFILE = { displayName: null, purpose: null, colour: null, logo: null, notify: null };
/** A time longer than a due message needs to be sent. */
const SENT = 20 * SECOND;

/** Returns the keys and applications of an operator, with a model of what is promised about them. */
export const walkedKeys = (visit: Visit, cluster: Cluster, account: AccountId) => {
  const { random } = cluster;
  const operator = operatorOf(visit, cluster);
  const keys: Array<WalkedKey> = [];
  const messages: Array<WalkedMessage> = [];
  const suspended = new Set<string>();
  const profiles = new Map<string, Omit<Application, "name" | "keys" | "suspendedAt">>();
  /** The entries that the audit must have, the newest last. */
  const audit: Array<readonly [operation: string, target: string, at: number]> = [];
  const client = clientOf(visit, cluster, account);
  const live = () => keys.filter(({ isGone }) => !isGone);
  const isSuspended = ({ key }: WalkedMessage) => key !== null && suspended.has(key.key.application);
  return {
    send: (name: string, sendAt: number, by: SendingKey): Effect.Effect<string, unknown> =>
      Effect.map(client.send(name, { sendAt, by }), ({ id }) => id),
    release: (id: string) => client.release(id, null),
    keys,
    messages,
    suspended,
    profiles,
    audit,
    live,
    present: operator.present,
    recheck: operator.recheck,
    make: (application: string, more: Partial<ServiceKey>): ReturnType<typeof operator.make> =>
      operator.make(application, more),
    /** Makes a request of the operator that the audit records; returns its answer, or the tag of its error. */
    as: <A, E extends { readonly _tag: string }>(use: (all: Keys["Service"]) => Effect.Effect<A, E>) =>
      askAsOperator(visit, "keys", (services) => use(Context.get(services, Keys))),
    deadlines: () => [
      ...live().flatMap(({ key }) => (key.expiresAt === null ? [] : [key.expiresAt])),
      ...messages.flatMap(({ at, isSent, isCancelled }) => (isSent || isCancelled ? [] : [at])),
    ],
    /** Whether a message may be on its way to the server. */
    isSending: () =>
      messages.some(
        (one) =>
          !one.isCancelled && !one.isHeld && !isSuspended(one) && one.at <= visit.now && visit.now < one.at + SECOND,
      ),
    /** Compares all keys, applications, messages and the audit with the model. */
    compare: Effect.gen(function* (): Effect.fn.Return<void, unknown> {
      const limit = random.between(1, 4);
      const found: Array<ServiceKey> = [];
      for (let cursor: string | undefined; ;) {
        const page = yield* operator.keys((all) => all.page({ limit, cursor }));
        found.push(...page.items);
        if (page.nextCursor === null) break;
        cursor = page.nextCursor;
      }
      const shown = (key: ServiceKey) => [
        key.id,
        key.name,
        key.application,
        key.scopes,
        key.accounts,
        key.networks,
        key.expiresAt,
        key.sendPerDay,
        key.sendPolicy ?? null,
        key.notify,
        key.createdAt,
      ];
      const promised = live().map(({ key }) => shown(key));
      const byId = (one: ReadonlyArray<unknown>, other: ReadonlyArray<unknown>) =>
        String(one[0]) < String(other[0]) ? -1 : 1;
      visit.same(found.map(shown).toSorted(byId), promised.toSorted(byId), "the keys");
      const times = found.map(({ createdAt }) => createdAt);
      visit.same(
        times,
        times.toSorted((one, other) => other - one),
        "the order of the keys",
      );
      for (const { key, usedAt } of live()) {
        const is = found.find(({ id }) => id === key.id)?.lastUsedAt ?? null;
        const isRight = usedAt === null ? is === null : is !== null && is <= usedAt && usedAt - is <= MINUTE;
        visit.expect(isRight, `a key was last used at ${usedAt}, not ${is}`);
      }
      const names = [...new Set(live().map(({ key }) => key.application))].toSorted();
      const { items } = yield* operator.keys((all) => all.applications({ limit: 50 }));
      visit.same(
        items.map(({ name, keys: count, suspendedAt, displayName, purpose, colour, logo, notify }) => [
          name,
          count,
          suspendedAt !== null,
          { displayName, purpose, colour, logo, notify },
        ]),
        names.map((name) => [
          name,
          live().filter(({ key }) => key.application === name).length,
          suspended.has(name),
          { ...NO_PROFILE, ...profiles.get(name) },
        ]),
        "the applications",
      );
      for (const one of messages) {
        const isWaiting = !one.isCancelled && !one.isSent && !one.isHeld && !isSuspended(one);
        if (isWaiting && visit.now > one.at + SENT) one.isSent = true;
        if (isWaiting && Math.abs(visit.now - one.at) <= SENT) continue;
        const state = one.isCancelled ? "cancelled" : one.isSent ? "sent" : isWaiting ? "scheduled" : "held";
        if (visit.now - one.at < 20 * DAY) visit.same(yield* client.state(one.name), state, `the message ${one.name}`);
        visit.same(client.copies(one.id, one.name), one.isSent ? 1 : 0, `the copies of ${one.name}`);
      }
      const entries = yield* visit.ask("audit", (services) =>
        Context.get(services, Audit).page({ limit: 50 }, { key: "admin", account: null }),
      );
      const due = audit.filter(([, , at]) => visit.now - at < 89 * DAY).slice(-12);
      visit.same(
        entries.items
          .slice(0, due.length)
          .map(({ operation, target }) => `${operation} ${target}`)
          .toSorted(),
        due.map(([operation, target]) => `${operation} ${target}`).toSorted(),
        "the last changes in the audit",
      );
    }),
  };
};
export type WalkedKeys = ReturnType<typeof walkedKeys>;
