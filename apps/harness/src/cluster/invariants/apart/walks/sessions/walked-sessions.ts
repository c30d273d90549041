import { AccountId } from "@postern/core/shared";
import { Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import { dataOf, eventsOf } from "../../../../events-of.ts";
import { PASSWORD, type Visit } from "../../../../Visit.ts";
import { DAY, HOUR, MINUTE } from "../../durations.ts";
import { sessionsOf } from "../../sessions/session-user.ts";

/** A session as its client knows it. */
export interface WalkedSession {
  readonly kind: "bearer" | "cookie" | "host";
  readonly id: string;
  readonly cookie: string;
  /** The time of the last use or refresh that extends the session. */
  usedAt: number;
  /** The end of the session, whatever the client does. */
  readonly endsAt: number;
  refreshToken: string;
  /** The refresh token before, when it was replaced, and until when it is valid by itself. */
  previous: { readonly token: string; readonly at: number; readonly until: number } | null;
  accesses: ReadonlyArray<{ readonly token: string; readonly until: number }>;
}

export const IDLE = { bearer: 30 * DAY, cookie: DAY, host: 30 * DAY };
/** Uses are recorded every five minutes. */
const PRECISION = 5 * MINUTE;
/** A time longer than sweeps take to notice the end of a session. */
const SWEPT = 4 * MINUTE;

const SIGNED_OUT = "account.auth_failed signed_out";

/** Returns the sessions of an account, with all else that needs its credential, and a model of their ends. */
export const walkedSessions = (visit: Visit, cluster: Cluster, name: string) => {
  const id = AccountId(`${name}@sim.test`);
  cluster.mail.addAccount(id, PASSWORD);
  const sessions = new Set<WalkedSession>();
  const endpoints = new Set<string>();
  /** Messages that wait, by id, with the time at which they are due. */
  const messages = new Map<string, number>();
  const user = sessionsOf(visit, cluster);
  const known = {
    password: PASSWORD,
    hasCredential: false,
    isRefused: false,
    /** The last moment at which something may have needed the credential. */
    neededAt: 0,
    /** The last moment at which a message was due. */
    dueAt: 0,
    /** The events that are promised and not compared yet. */
    promised: [] as Array<string>,
  };
  const compared = new Set<string>();

  /** Returns until when a session lasts at least, and at most. */
  const endOf = ({ kind, usedAt, endsAt }: WalkedSession) => {
    const most = Math.min(usedAt + IDLE[kind], endsAt);
    return { least: Math.min(most, usedAt + IDLE[kind] - (kind === "bearer" ? 0 : PRECISION)), most };
  };
  const isLive = (one: WalkedSession) => sessions.has(one) && visit.now < endOf(one).least;
  const mayLive = (one: WalkedSession) => sessions.has(one) && visit.now < endOf(one).most;
  const isNeeded = () =>
    [...sessions].some(isLive) || endpoints.size > 0 || [...messages.values()].some((at) => at > visit.now);
  /** Returns whether something that began before this time needed the credential then. */
  const wasNeeded = (at: number) =>
    [...sessions].some((one) => one.usedAt < at && at < endOf(one).least) ||
    endpoints.size > 0 ||
    [...messages.values()].some((due) => due > at);
  /** The ends that are in the future, of all that ends by itself. */
  const deadlines = () => [
    ...[...sessions].flatMap((one) => [endOf(one).least, endOf(one).most, ...one.accesses.map(({ until }) => until)]),
    ...messages.values(),
  ];
  /** The events that were raised and are not compared yet; events are kept for a shorter time than may pass. */
  const told: Array<string> = [];
  const noteEvents = () => {
    for (const event of eventsOf(cluster, id)) {
      if (compared.has(event.id) || !event.type.startsWith("account.")) continue;
      compared.add(event.id);
      const reason = dataOf(event, "reason") as { readonly code: string } | undefined;
      const text = `${event.type} ${reason?.code ?? ""}`.trim();
      told.push(text);
      // A sign-in during the erasure stored the credential again.
      const isStoredAgain = known.hasCredential && user.isKept(id) && !wasNeeded(event.occurredAt);
      if (text === SIGNED_OUT && isStoredAgain) known.promised.push(text);
    }
  };
  const noteErasure = () => {
    if (!known.hasCredential || user.isKept(id)) return;
    visit.expect(!isNeeded(), `${id} lost its credential although it is needed`);
    known.hasCredential = false;
    known.isRefused = false;
    known.promised.push(SIGNED_OUT);
  };
  /** Forgets what ended while time passed. */
  const age = () => {
    noteErasure();
    noteEvents();
    for (const one of sessions)
      if (!mayLive(one) && sessions.delete(one)) known.neededAt = Math.max(known.neededAt, endOf(one).most);
    // A jump of time may pass the due time of a message, which is then sent after the jump.
    for (const [message, at] of messages)
      if (at < visit.now - MINUTE && messages.delete(message)) known.neededAt = known.dueAt = visit.now;
  };
  return {
    ...user,
    id,
    sessions,
    endpoints,
    messages,
    known,
    isLive,
    mayLive,
    endOf,
    /** Returns whether a session goes on. Shortly before its end, only the list of the sessions tells. */
    lasts: (session: WalkedSession): Effect.Effect<boolean, unknown> =>
      isLive(session)
        ? Effect.succeed(true)
        : Effect.map(user.list(id), (all) => all.some((one) => one.id === session.id)),
    deadlines,
    age,
    /** Compares the credential and the account's events with the model. */
    compare: Effect.gen(function* () {
      // A session may have ended while the act waited.
      age();
      const mayBeNeeded = sessions.size > 0 || endpoints.size > 0 || messages.size > 0;
      if (mayBeNeeded) known.neededAt = visit.now;
      const isOver = !mayBeNeeded && visit.now - known.neededAt > SWEPT + 2 * HOUR;
      if (isOver) visit.expect(!user.isKept(id), `${id} keeps a credential that nothing needs`);
      visit.same(told.splice(0), known.promised.splice(0), `the events about ${id}`);
      const live = [...sessions].filter(isLive).map((one) => one.id);
      const listed = (yield* user.list(id)).map((one) => one.id);
      visit.expect(
        live.every((one) => listed.includes(one)) &&
          listed.every((one) => [...sessions].some((s) => s.id === one && mayLive(s))),
        `the sessions of ${id} are ${listed.join()}, not ${live.join()}`,
      );
    }),
  };
};
export type WalkedSessions = ReturnType<typeof walkedSessions>;
