import { Outbox, type SendingKey, stateOf } from "@postern/core/send";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import type { AgentUser } from "../../agents/agent.ts";
import { DAY, HOUR, MINUTE } from "../../durations.ts";
import type { WalkedGrant } from "./WalkedGrant.ts";

/** The longest time until the end of an unused grant takes effect. */
const SWEPT = 2 * HOUR;
const AHEAD = 20 * HOUR;
const PENDING = 7 * DAY;
const HELD = 30 * DAY;

/** What an assistant asked to send: a person is asked, or the message waits for its time. */
interface Asked {
  readonly grant: WalkedGrant;
  readonly subject: string;
  readonly at: number;
  readonly approval: string | undefined;
  readonly message: string | undefined;
  /** When the grant was first seen to have ended; null before. */
  endedAt: number | null;
  /** Whether the message was found sent. */
  wasSent: boolean;
}

/**
 * Returns what assistants ask to send, and how it ends: with its grant, approvals are withdrawn, and waiting messages held, also
 * if the grant ends unused. [S13.1-1] [S13.2-6] [S13.2-7] [S13.3-15] [S13.3-16] [S13.3-18]
 */
export const grantMail = (
  visit: Visit,
  cluster: Cluster,
  agent: AgentUser,
  senders: ReadonlyMap<string, SendingKey>,
) => {
  const { random } = cluster;
  const all: Array<Asked> = [];
  let count = 0;
  const hasEnded = ({ isEnded, expiresAt }: WalkedGrant) => isEnded || visit.now > expiresAt + SWEPT;
  const isUncertain = ({ grant: { isEnded, expiresAt }, at }: Asked) =>
    (!isEnded && visit.now > expiresAt && visit.now <= expiresAt + SWEPT) ||
    [at + AHEAD, at + PENDING].some((time) => Math.abs(visit.now - time) < SWEPT);

  const ask = (grant: WalkedGrant) =>
    Effect.gen(function* () {
      const sender = senders.get(grant.id);
      if (sender === undefined || visit.now >= grant.expiresAt) return;
      const { policy } = grant;
      const [subject, to] = [`assistant ${++count}.`, random.pick(["friend@far.test", "friend@else.test"])];
      const at = visit.now;
      const answer = yield* agent.ask({ ...sender, policy }, subject, {
        to,
        sendAt: new Date(at + AHEAD).toISOString(),
      });
      const isWithin = policy.approval !== "always" && to === "friend@far.test";
      const found = answer.refused ?? (answer.approval === undefined ? "sent" : "approval");
      visit.same(
        found,
        isWithin ? "sent" : policy.approval === "never" ? "OutsidePolicy" : "approval",
        `the answer to an assistant with ${policy.approval} that writes to ${to}`,
      );
      if (answer.refused !== undefined) return;
      all.push({
        grant,
        subject,
        at,
        approval: answer.approval?.id,
        message: answer.sent,
        endedAt: null,
        wasSent: false,
      });
    });

  const compareApproval = ({ grant, approval, at, endedAt, subject }: Asked) =>
    Effect.gen(function* () {
      const isOver = visit.now >= at + PENDING;
      const found = yield* agent.find(approval!);
      // A jump of time may pass the end of an unused grant and of its approval, which then expires.
      const isLate = isOver && !grant.isEnded && found.state === "expired";
      const isWithdrawn = endedAt !== null && endedAt < at + PENDING && !isLate;
      const state = isWithdrawn ? "withdrawn" : isOver ? "expired" : "pending";
      visit.same(found.state, state, `the approval of ${subject}, which an assistant asked for`);
      if (visit.now - at < 13 * DAY)
        visit.same(
          agent.told(approval!),
          state === "pending" ? ["requested"] : ["requested", state],
          `the events of the approval of ${subject}`,
        );
    });
  const compareMessage = (asked: Asked) =>
    Effect.gen(function* () {
      const { message, at, endedAt, subject } = asked;
      if (endedAt !== null && !asked.wasSent && visit.now > endedAt + HELD - SWEPT) return;
      const found = yield* visit.ask("find", (services) => Context.get(services, Outbox).find(agent.account, message!));
      // A jump of time may pass the due time of a message and the end of its grant, which nodes then notice in any order.
      const isLate = endedAt !== null && !asked.wasSent && stateOf(found.message, found.leased) === "held";
      const isHeld = endedAt !== null && (endedAt < at + AHEAD || isLate);
      const state = isHeld ? "held" : visit.now < at + AHEAD ? "scheduled" : "sent";
      visit.same(stateOf(found.message, found.leased), state, `the state of ${subject}, which an assistant sent`);
      visit.same(agent.copies(subject), state === "sent" ? 1 : 0, `the copies of ${subject}`);
      asked.wasSent = state === "sent";
    });

  return {
    ask,
    /** A grant asks shortly before it ends unused, and ends. */
    expire: (grant: WalkedGrant) =>
      Effect.gen(function* () {
        yield* visit.skip(Math.max(MINUTE, grant.expiresAt - HOUR - visit.now));
        for (let n = random.between(1, 4); n > 0; n--) yield* ask(grant);
        yield* visit.skip(Math.max(MINUTE, grant.expiresAt + SWEPT + MINUTE - visit.now));
      }),
    /** Compares what was asked for lately. */
    compare: Effect.gen(function* () {
      for (const asked of all.slice(-6)) {
        if (hasEnded(asked.grant)) asked.endedAt ??= asked.grant.isEnded ? visit.now : asked.grant.expiresAt;
        if (isUncertain(asked) || visit.now > asked.at + 28 * DAY) continue;
        yield* asked.approval === undefined ? compareMessage(asked) : compareApproval(asked);
      }
    }),
  };
};
