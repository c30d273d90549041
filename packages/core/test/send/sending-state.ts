import { Effect } from "effect";
import type { MailServerError } from "../../src/mail/index.ts";
import type {
  IdempotencyRecord,
  OutgoingContents,
  OutgoingMessage,
  SendQuota,
  SmtpReply,
  TrackedMessage,
} from "../../src/send/index.ts";
import type { AttemptOutcome } from "../../src/send/outgoing/AttemptOutcome.ts";
import type { Lease } from "../../src/shared/index.ts";

interface Row {
  message: OutgoingMessage;
  contents: OutgoingContents | null;
  lease: Lease | null;
}

/** What was stored, published and sent of one account, and how its stores and servers behave. */
export class SendingState {
  rows = new Map<string, Row>();
  keys = new Map<string, IdempotencyRecord>();
  tracked: Array<TrackedMessage> = [];
  quotas = new Map<string, SendQuota>();
  pins = new Map<string, ReadonlyArray<string>>();
  events: Array<string> = [];
  log: Array<string> = [];
  /** What the server says instead of accepting a message. */
  outcome: AttemptOutcome | undefined;
  /** What the server says about a recipient. */
  refused = new Map<string, SmtpReply>();
  /** Runs while the request is read. */
  reading: Effect.Effect<void> = Effect.void;
  /** Runs before the dot. */
  beforeDot: Effect.Effect<void> = Effect.void;
  /** Runs after the dot. */
  afterDot: Effect.Effect<void> = Effect.void;
  providerMessageId: string | undefined;
  copyFailure: MailServerError | undefined;
  credential = 1;
  isRejected = false;
  pausedAt: number | null = null;
  serviceKeys = new Set(["k1"]);
  isAutomatic = false;
  maxMessageBytes: number | undefined;
  /** Fails so many writes of the database. */
  failures = 0;

  get message(): OutgoingMessage {
    return [...this.rows.values()].at(-1)!.message;
  }
}
