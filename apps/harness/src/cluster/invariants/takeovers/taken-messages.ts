import { MessageSender, type OutgoingMessage } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Visit } from "../../Visit.ts";
import { keysOf } from "../send/mail-of-keys.ts";
import { clientOf } from "../send/outbox-client.ts";
import { begin, insist } from "./insist.ts";
import type { Takeover } from "./Takeover.ts";

/** The time until the node of an attempt is stopped, in milliseconds. */
const ATTEMPT_MILLIS = 8_000;
/**
 * A time longer than the lease of a message plus the time in which another worker then finishes the message, in
 * milliseconds.
 */
const LEASE = 35_000;
const TAKEN_OVER = 45_000;
/** A number of messages with which normally each node learns that the mail server stores no copies itself. */
const MESSAGES = 5;

const send = (visit: Visit, account: AccountId, subject: string) =>
  visit.ask(`send ${subject}`, (services) =>
    Context.get(services, MessageSender).send(account, { to: "reader@far.test", subject, text: "simulated" }, subject),
  );

/** Sent gets one copy, even if the worker ends right after it stored the copy. [S6.6-1] */
export const copyStored: Takeover = (visit, cluster, stop) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("copied");
    for (let number = 0; number < MESSAGES; number++) yield* insist(visit, send(visit, account, `known ${number}`));
    yield* visit.wait(ATTEMPT_MILLIS);
    stop.arm(({ port, method, args }) => port === "SentFolder" && method === "keep" && args[0] === account);
    yield* begin(send(visit, account, "copied"));
    yield* visit.within(ATTEMPT_MILLIS, "no copy is stored in Sent", () => stop.isHit);
    yield* visit.wait(TAKEN_OVER);
    const sent = cluster.mail.account(account).mailbox("Sent").messages;
    const copies = sent.filter(({ summary }) => summary.subject === "copied").length;
    visit.same(copies, 1, "the copies in Sent of a message whose worker ended after it stored one");
  });

/** A worker that was paused before the dot until its lease ended sends no dot. [S9.3-5] [S6.3-4] */
export const dotDue: Takeover = (visit, cluster, stop) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("dotted");
    const isMark = ({ account: of, recipients }: OutgoingMessage) =>
      of === account && recipients.some(({ state }) => state === "dot");
    stop.arm(
      ({ port, method, args }) => port === "OutgoingJournal" && method === "save" && isMark(args[0] as OutgoingMessage),
      LEASE,
    );
    yield* begin(send(visit, account, "dotted"));
    yield* visit.within(ATTEMPT_MILLIS, "no message is marked before its dot", () => stop.isHit);
    yield* visit.wait(TAKEN_OVER);
    const taken = cluster.smtp.taken.filter(({ from }) => from === account).length;
    visit.same(taken, 0, "the messages whose dot was sent after the lease had ended");
  });

/** A message is held whose key is deleted after its node ended, before the first attempt. [S6.6-7] */
export const keyDeleted: Takeover = (visit, cluster, stop) =>
  Effect.gen(function* () {
    const client = clientOf(visit, cluster, yield* visit.signUp("deleted-key"));
    const { ask, make } = keysOf(visit);
    const by = yield* make("deleted-key");
    stop.arm(
      ({ port, method, args }) =>
        port === "OutgoingJournal" && method === "insert" && (args[0] as OutgoingMessage).account === client.account,
    );
    yield* begin(client.send("deleted-key", { by }));
    yield* visit.within(ATTEMPT_MILLIS, "no message is accepted", () => stop.isHit);
    yield* ask((keys) => keys.remove(by.id));
    yield* visit.wait(TAKEN_OVER);
    visit.same(
      yield* client.state("deleted-key"),
      "held",
      "the message whose key was deleted before its first attempt",
    );
  });
