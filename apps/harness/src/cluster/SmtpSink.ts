import type { MailboxAccessError } from "@postern/core/mail";
import type { MailCredentials } from "@postern/core/oauth";
import type { AttemptOutcome, MailTransport, RecipientReplies, SmtpReply, Submission } from "@postern/core/send";
import { AccountId } from "@postern/core/shared";
import type { MailServerInMemory } from "@postern/memory";
import { Effect, Option, Stream } from "effect";
import type { Incarnation } from "./Incarnation.ts";
import type { SeededRandom } from "./SeededRandom.ts";
import type { Timeline } from "./Timeline.ts";
import type { Trace } from "./Trace.ts";

/** How the server treats submissions: the probabilities of a failure at each stage. */
export interface SmtpConduct {
  readonly busy: number;
  readonly cutBeforeDot: number;
  readonly refused: number;
  readonly cutAfterDot: number;
  /** The longest wait for an answer, in milliseconds. */
  readonly slow: number;
}

const RELIABLE: SmtpConduct = { busy: 0, cutBeforeDot: 0, refused: 0, cutAfterDot: 0, slow: 5 };
const ACCEPTED: SmtpReply = { code: 250, enhanced: "2.1.5", text: "accepted" };
const REFUSED: SmtpReply = { code: 550, enhanced: "5.1.1", text: "no such user" };
const LATER: SmtpReply = { code: 451, enhanced: "4.3.0", text: "later" };

const notSent = (reason: "busy" | "connection_cut" | "protocol"): AttemptOutcome => ({
  _tag: "NotSent",
  reason,
  detail: "simulated",
});

/** A message that the server took, with the time. */
export interface TakenMessage {
  readonly at: number;
  readonly from: AccountId;
  /** The id of the message in the journal. */
  readonly envelopeId: string;
  readonly recipients: ReadonlyArray<string>;
  readonly raw: Uint8Array;
}

/**
 * An SMTP server with a network before it: once the dot has left a node, the message arrives by itself, whether the node
 * lives or not.
 */
export class SmtpSink {
  conduct: SmtpConduct = RELIABLE;
  /** The ids of tracking images in messages that arrived. */
  readonly images: Array<string> = [];
  /** Every message that was taken, with the time. */
  readonly taken: Array<TakenMessage> = [];
  readonly #copies = new Map<string, number>();
  readonly #timeline: Timeline;
  readonly #random: SeededRandom;
  readonly #trace: Trace;
  readonly #mail: MailServerInMemory;
  readonly #storesSent: (account: AccountId) => boolean;

  /** `storesSent`: whether the mail server of an account puts a copy of what it takes into Sent. */
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

  /** The copies of a message that arrived for a recipient. */
  copiesOf(messageId: string, recipient: string): number {
    return this.#copies.get(`${messageId} ${recipient}`) ?? 0;
  }

  /** Returns the port of a node, which signs in with these credentials. */
  transport(node: Incarnation, { of, renew }: MailCredentials["Service"]): MailTransport["Service"] {
    const signIn = Effect.fnUntraced(function* (
      mail: MailServerInMemory,
      account: AccountId,
    ): Effect.fn.Return<number | null, MailboxAccessError> {
      const current = yield* of(account);
      if (mail.signIn(current.credential) !== undefined) return null;
      return (yield* renew(account, current)) ? yield* signIn(mail, account) : current.version;
    });
    return {
      maxMessageBytes: () => Effect.succeedNone,
      deliver: (account, submission, beforeDot) =>
        Effect.catchTag(
          Effect.flatMap(signIn(this.#mail, account), (refused) =>
            refused === null
              ? this.#submit(node, submission, beforeDot)
              : Effect.succeed<AttemptOutcome>({ _tag: "AuthRefused", version: refused }),
          ),
          "MailServerError",
          () => Effect.succeed(notSent("busy")),
        ),
    };
  }

  #submit(
    node: Incarnation,
    { from, recipients, envelopeId, message }: Submission,
    beforeDot: (replies: RecipientReplies) => Effect.Effect<boolean>,
  ): Effect.Effect<AttemptOutcome> {
    const { busy, cutBeforeDot, refused, cutAfterDot, slow } = this.conduct;
    const random = this.#random;
    const wait = Effect.suspend(() => Effect.andThen(node.wait(random.between(1, slow + 1)), node.gate));
    const replies = new Map(recipients.map((to) => [to, to.startsWith("refused") ? REFUSED : ACCEPTED]));
    const taken = recipients.filter((to) => replies.get(to) === ACCEPTED);
    return Effect.gen({ self: this }, function* () {
      yield* wait;
      if (random.chance(busy)) return notSent("busy");
      if (taken.length === 0) return { _tag: "RecipientsRefused", replies } as const;
      const parts = yield* Effect.option(Stream.runCollect(message));
      if (Option.isNone(parts)) return notSent("busy");
      if (random.chance(cutBeforeDot)) return notSent("connection_cut");
      if (!(yield* beforeDot(replies))) return notSent("protocol");
      yield* node.gate;
      if (random.chance(refused)) {
        yield* wait;
        return { _tag: "Answered", reply: LATER } as const;
      }
      const isLost = random.chance(cutAfterDot);
      // A connection that is cut after the dot may have lost the dot, or its reply.
      if (!isLost || random.chance(0.5)) this.#arrive(AccountId(from), envelopeId, taken, Buffer.concat(parts.value));
      yield* wait;
      if (isLost) return { _tag: "Unknown", reason: "connection_cut", detail: "simulated" } as const;
      return { _tag: "Answered", reply: ACCEPTED } as const;
    });
  }

  #arrive(from: AccountId, envelopeId: string, recipients: ReadonlyArray<string>, raw: Uint8Array): void {
    const image = /\/t\/([^.]+)\.gif/.exec(new TextDecoder().decode(raw))?.[1];
    if (image !== undefined) this.images.push(image);
    if (this.#storesSent(from)) this.#mail.account(from).mailbox("Sent").append(raw, this.#timeline.now, ["\\Seen"]);
    this.#timeline.after(this.#random.between(1, 50), () => {
      this.#trace.say(() => `smtp takes ${envelopeId} for ${recipients.join(", ")}`);
      this.taken.push({ at: this.#timeline.now, from, envelopeId, recipients, raw });
      for (const to of recipients) {
        const key = `${envelopeId} ${to}`;
        this.#copies.set(key, (this.#copies.get(key) ?? 0) + 1);
      }
    });
  }
}
