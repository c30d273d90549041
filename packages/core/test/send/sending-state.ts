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

/** The stored, published and sent data of one account, and the behaviour of its stores and servers. */
export class SendingState {
  rows = new Map<string, Row>();
  keys = new Map<string, IdempotencyRecord>();
  tracked: Array<TrackedMessage> = [];
  quotas = new Map<string, SendQuota>();
  pins = new Map<string, ReadonlyArray<string>>();
  events: Array<string> = [];
  log: Array<string> = [];
  /** The server's reply instead of accepting a message. */
  outcome: AttemptOutcome | undefined;
  /** The server's reply to a recipient. */
  refused = new Map<string, SmtpReply>();
  /** Runs while the request is read. */
  reading: Effect.Effect<void> = Effect.void;
  /** Runs after a message was claimed. */
  afterClaim: Effect.Effect<void> = Effect.void;
  /** Runs before the dot. */
  beforeDot: Effect.Effect<void> = Effect.void;
  /** Runs after the dot. */
  afterDot: Effect.Effect<void> = Effect.void;
  providerMessageId: string | undefined;
  copyFailure: MailServerError | undefined;
  credential = 1;
  isRejected = false;
  pausedAt: number | null = null;
  /** Whether the account was removed. */
  isRemoved = false;
  serviceKeys = new Set(["k1"]);
  /** The number of readings of a key that still find its application suspended. */
  suspendedReads = 0;
  /** The ends of grants, by id. */
  grants = new Map<string, number>();
  isAutomatic = false;
  maxMessageBytes: number | undefined;
  /** Whether the answer to the next commit is lost while the database still commits. */
  losesCommit = false;
  /** The rows of a commit that is under way. They are visible to a process that waits for its locks. */
  underWay: Map<string, Row> | undefined;
  /** The number of database writes to fail. */
  failures = 0;

  get message(): OutgoingMessage {
    return [...this.rows.values()].at(-1)!.message;
  }
}
