import { type AccountServers, type MailboxAccessError, MailServerError } from "@postern/core/mail";
import type { CurrentCredential, MailCredentials } from "@postern/core/oauth";
import type { AttemptOutcome, MailTransport, RecipientReplies, Submission } from "@postern/core/send";
import { AccountId } from "@postern/core/shared";
import { type Mailbox, type MailServerInMemory, SMTP_SERVER } from "@postern/memory";
import { Effect, Option, Stream } from "effect";
import type { Incarnation } from "../timeline/Incarnation.ts";
import type { SeededRandom } from "../timeline/SeededRandom.ts";
import type { Timeline } from "../timeline/Timeline.ts";
import type { Trace } from "../timeline/Trace.ts";
import { ACCEPTED, endAtData, endBeforeRcpt, GREYLISTED, replyTo, SIZE, SPAM } from "./smtp-replies.ts";

/** The server's treatment of submissions: the probability of a failure at each stage. */
export interface SmtpConduct {
  readonly busy: number;
  readonly cutBeforeDot: number;
  readonly refused: number;
  readonly cutAfterDot: number;
  /** The longest wait for an answer, in milliseconds. */
  readonly slow: number;
}

const RELIABLE: SmtpConduct = { busy: 0, cutBeforeDot: 0, refused: 0, cutAfterDot: 0, slow: 5 };
/** The longest time between DATA and the dot, in milliseconds. */
const DATA_MILLIS = 200;
/**
 * The time between DATA and the dot in milliseconds, by the beginning of the recipient's name; `crawling` takes longer
 * than a request to send waits for its answer.
 */
const SLOW: ReadonlyArray<readonly [kind: string, millis: number]> = [
  ["crawling", 17_000],
  ["slow", 4_000],
];

/** The operator's server for notices. */
export const NOTICES_HOST = "notices.sim.test";

const notSent = (reason: "busy" | "connection_cut" | "protocol", server = SMTP_SERVER): AttemptOutcome => ({
  _tag: "NotSent",
  reason,
  detail: "simulated",
  server,
});

const AWAY = Effect.fail(new MailServerError({ reason: "unreachable", operation: "connect", detail: "simulated" }));

/** Returns the mail server of an account; each account that begins with `alone` has a separate server. */
const serverOf = (account: string): string =>
  account.startsWith("alone") ? `${account.split("@")[0]}.sim.test:465` : SMTP_SERVER;

/** A message that the server accepted, with the time. */
export interface TakenMessage {
  readonly at: number;
  readonly from: AccountId;
  /** The id of the message in the journal. */
  readonly envelopeId: string;
  readonly recipients: ReadonlyArray<string>;
  readonly raw: Uint8Array;
  /** The host that took the message. */
  readonly host: string;
}

/** An attempt that reached the server. */
export interface SubmittedMessage {
  readonly at: number;
  readonly envelopeId: string;
  readonly recipients: ReadonlyArray<string>;
}

/**
 * An SMTP server behind a simulated network: once a node has sent the dot, the message arrives even if the node ends.
 */
export class SmtpSink {
  conduct: SmtpConduct = RELIABLE;
  /** Called when the dot of a message leaves a node. */
  onDot: (node: Incarnation, envelopeId: string) => void = () => {};
  /** The tracking images in accepted messages, by id, with the sender. */
  readonly images: Array<{ readonly from: AccountId; readonly id: string }> = [];
  /** Every accepted message, with the time. */
  readonly taken: Array<TakenMessage> = [];
  /** Every attempt, with the time at which it began. */
  readonly attempts: Array<SubmittedMessage> = [];
  /** The SIZE of the server of an account, once an attempt saw it. */
  readonly #sizes = new Map<string, number>();
  readonly #copies = new Map<string, number>();
  readonly #attempts = new Map<string, number>();
  readonly #timeline: Timeline;
  readonly #random: SeededRandom;
  readonly #trace: Trace;
  readonly #mail: MailServerInMemory;
  readonly #storesSent: (account: AccountId) => boolean;

  /** `storesSent` returns whether the mail server of an account copies the messages that it accepts to Sent. */
  constructor(
    timeline: Timeline,
    random: SeededRandom,
    trace: Trace,
    mail: MailServerInMemory,
    storesSent: (account: AccountId) => boolean,
  ) {
    this.#storesSent = storesSent;
    this.#timeline = timeline;
    this.#random = random;
    this.#trace = trace;
    this.#mail = mail;
  }

  /** Makes every later submission succeed. */
  repair(): void {
    this.conduct = RELIABLE;
  }

  /** Returns the number of copies of a message that arrived for a recipient. */
  copiesOf(messageId: string, recipient: string): number {
    return this.#copies.get(`${messageId} ${recipient}`) ?? 0;
  }

  /**
   * Returns the port of a node, which signs in with the credentials that are presented at the servers of an account.
   * `sendsNotices`: the operator has a server for notices.
   */
  transport(
    node: Incarnation,
    { renew }: MailCredentials["Service"],
    present: (
      account: AccountId,
    ) => Effect.Effect<readonly [AccountServers | null, CurrentCredential], MailboxAccessError>,
    sendsNotices: boolean,
  ): MailTransport["Service"] {
    const signIn = Effect.fnUntraced(function* (
      world: MailServerInMemory,
      account: AccountId,
    ): Effect.fn.Return<{ readonly host: string; readonly refused: number | null }, MailboxAccessError> {
      const [servers, current] = yield* present(account);
      const host = servers?.smtp.host ?? "";
      const mail = world.at(host);
      if (mail.conductTo(current.credential.username) === "away") return yield* AWAY;
      if (mail.signIn(current.credential) !== undefined) return { host, refused: null };
      return (yield* renew(account, current)) ? yield* signIn(world, account) : { host, refused: current.version };
    });
    return {
      maxMessageBytes: (account) => Effect.sync(() => Option.fromUndefinedOr(this.#sizes.get(account))),
      deliver: (account, submission, beforeDot) =>
        submission.kind === "notice" && sendsNotices
          ? this.#submit(node, NOTICES_HOST, submission, beforeDot)
          : Effect.catchTag(
              Effect.flatMap(signIn(this.#mail, account), ({ host, refused }) =>
                refused === null
                  ? this.#submit(node, host, submission, beforeDot)
                  : Effect.succeed<AttemptOutcome>({ _tag: "AuthRefused", version: refused }),
              ),
              "MailServerError",
              () => Effect.succeed(notSent("busy")),
            ),
    };
  }

  #submit(
    node: Incarnation,
    host: string,
    { from, recipients, envelopeId, message }: Submission,
    beforeDot: (replies: RecipientReplies) => Effect.Effect<boolean>,
  ): Effect.Effect<AttemptOutcome> {
    const { busy, cutBeforeDot, refused, cutAfterDot, slow } = this.conduct;
    const random = this.#random;
    const wait = Effect.suspend(() => Effect.andThen(node.wait(random.between(1, slow + 1)), node.gate));
    const has = (kind: string) => recipients.some((to) => to.startsWith(kind));
    const slowly = SLOW.find(([kind]) => has(kind))?.[1];
    const server = serverOf(from);
    return Effect.gen({ self: this }, function* () {
      this.attempts.push({ at: this.#timeline.now, envelopeId, recipients });
      const attempt = (this.#attempts.get(envelopeId) ?? 0) + 1;
      this.#attempts.set(envelopeId, attempt);
      const replies = new Map(recipients.map((to) => [to, replyTo(to, attempt)]));
      const taken = recipients.filter((to) => replies.get(to) === ACCEPTED);
      yield* wait;
      if (random.chance(busy) || (has("busy") && attempt === 1) || has("away")) return notSent("busy", server);
      const ended = endBeforeRcpt(has, attempt);
      if (ended?._tag === "TooLarge") this.#sizes.set(from, SIZE);
      if (ended !== null) return ended._tag === "HostLimited" ? ended : { ...ended, server };
      if (taken.length === 0) return { _tag: "RecipientsRefused", replies, server } as const;
      const refusal = endAtData(has, attempt);
      if (refusal !== null) return { ...refusal, server };
      const parts = yield* Effect.option(Stream.runCollect(message));
      if (Option.isNone(parts)) return notSent("busy", server);
      if (random.chance(cutBeforeDot)) return notSent("connection_cut", server);
      // A worker may be paused or overtaken between its commands.
      yield* Effect.andThen(node.wait(slowly ?? random.between(0, DATA_MILLIS)), node.gate);
      if (!(yield* beforeDot(replies))) return notSent("protocol", server);
      yield* node.gate;
      // The mark is stored, and the connection ends before the dot.
      if (has("cut")) return notSent("connection_cut", server);
      if (has("stopped")) return { _tag: "MessageRefused", reply: SPAM, server } as const;
      this.onDot(node, envelopeId);
      const isSpam = has("spam");
      if (random.chance(refused) || isSpam) {
        yield* wait;
        return { _tag: "Answered", reply: isSpam ? SPAM : GREYLISTED, server } as const;
      }
      const isLost = random.chance(cutAfterDot) || has("lost");
      // Some services replace the Message-ID, and tell the new one in their reply.
      const renamed = has("renamed") ? { providerMessageId: `<renamed-${envelopeId}@far.test>` } : {};
      // A connection that is cut after the dot may have lost the dot, or its reply.
      if (!isLost || random.chance(0.5)) {
        const raw = withMessageId(Buffer.concat(parts.value), renamed.providerMessageId);
        this.#arrive({ from: AccountId(from), envelopeId, recipients: taken, raw, host });
      }
      yield* wait;
      if (isLost) return { _tag: "Unknown", reason: "connection_cut", detail: "simulated" } as const;
      return { _tag: "Answered", reply: ACCEPTED, server, ...renamed } as const;
    });
  }

  #arrive(message: Omit<TakenMessage, "at">): void {
    const { from, envelopeId, recipients, raw } = message;
    const image = /\/t\/([^.]+)\.gif/.exec(new TextDecoder().decode(raw))?.[1];
    if (image !== undefined) this.images.push({ from, id: image });
    if (this.#storesSent(from)) this.#keepCopy(this.#mail.account(from).mailbox("Sent"), raw);
    this.#timeline.after(this.#random.between(1, 50), () => {
      this.#trace.say(() => `smtp takes ${envelopeId} for ${recipients.join(", ")}`);
      this.taken.push({ at: this.#timeline.now, ...message });
      for (const to of recipients) {
        const key = `${envelopeId} ${to}`;
        this.#copies.set(key, (this.#copies.get(key) ?? 0) + 1);
      }
    });
  }

  /** Stores one copy of each Message-ID, like Gmail: a message to further recipients is the same message. */
  #keepCopy(sent: Mailbox, raw: Uint8Array): void {
    const messageId = /^Message-ID: (\S+)/m.exec(new TextDecoder().decode(raw))?.[1];
    if (sent.messages.some(({ summary }) => summary.messageId === messageId)) return;
    sent.append(raw, this.#timeline.now, ["\\Seen"]);
  }
}

/** Returns a message with another Message-ID, if the server gives it one. */
const withMessageId = (raw: Buffer, id: string | undefined): Uint8Array =>
  id === undefined
    ? raw
    : Buffer.from(raw.toString("latin1").replace(/^Message-ID: \S+/m, `Message-ID: ${id}`), "latin1");
