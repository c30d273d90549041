import type { AccountId, EgressGuard } from "@postern/core/shared";
import {
  isSameServer,
  type MailboxAccessError,
  type MailServer,
  MailServerError,
  type MailServers,
} from "@postern/core/mail";
import type { ConnectionPurpose, HostAdmission, ProtocolRecorder } from "@postern/core/accounts";
import { type MailCredential, secretOf } from "@postern/core/auth";
import type { CurrentCredential, MailCredentials } from "@postern/core/oauth";
import { Clock, Duration, Effect, Random, type Result, Semaphore } from "effect";
import type { ImapFlow } from "imapflow";
import { awaitAdmission } from "./await-admission.ts";
import { numberSession } from "./session-numbers.ts";
import { Backoff } from "./Backoff.ts";
import { connect, type SignInRefused } from "../connection/connect.ts";
import { recordServerAccount } from "./server-account.ts";
import type { ImapSettings } from "../connection/ImapOptions.ts";
import { serverOf } from "./server-of.ts";
import { disconnect, isConnected, type Lane, type Slot, Slots } from "./Slots.ts";
import { checkListening } from "../connection/check-listening.ts";

/** Milliseconds before another connection is tried at a server that refused one. */
const REFUSED_FOR = 30_000;

/** The time that a server needs to notice a closed connection. */
const AFTER_SHEDDING = Duration.millis(200);

const isBusy = (opened: Result.Result<unknown, SignInRefused | MailServerError>): boolean =>
  opened._tag === "Failure" && opened.failure._tag === "MailServerError" && opened.failure.reason === "busy";

/** Milliseconds without use after which a session without TLS is checked before its next use. */
const QUIET_FOR = 500;

const isSignedInAt = (slot: Slot, server: MailServer): boolean =>
  slot.server !== undefined && isSameServer(slot.server, server);

/** The connections of one account, signed in with the current credential. */
export class AccountConnections {
  readonly slots: Slots;
  readonly #account: AccountId;
  readonly #settings: ImapSettings;
  readonly #servers: MailServers["Service"];
  readonly #credentials: MailCredentials["Service"];
  readonly #guard: EgressGuard["Service"];
  readonly #hosts: HostAdmission["Service"];
  readonly #recorder: (typeof ProtocolRecorder)["Service"];
  readonly #clock: Clock.Clock;
  /** The server and the version of the credential that were tried last, with the delay before the next attempt. */
  #backoff = new Backoff();
  #tried: { readonly server: MailServer; readonly version: number } | undefined;
  /** Opens one connection at a time, so that a refused credential is refused once. */
  readonly #opening = Semaphore.makeUnsafe(1);

  constructor(
    account: AccountId,
    settings: ImapSettings,
    servers: MailServers["Service"],
    credentials: MailCredentials["Service"],
    guard: EgressGuard["Service"],
    hosts: HostAdmission["Service"],
    recorder: (typeof ProtocolRecorder)["Service"],
    clock: Clock.Clock,
  ) {
    this.#account = account;
    this.#settings = settings;
    this.#servers = servers;
    this.#credentials = credentials;
    this.#guard = guard;
    this.#hosts = hosts;
    this.#recorder = recorder;
    this.#clock = clock;
    this.slots = new Slots(settings.connectionsPerAccount, () => clock.currentTimeMillisUnsafe());
  }

  /** Waits until a slot is free. */
  wait(lane: Lane, mailbox: string): Effect.Effect<Slot, MailServerError> {
    const { command } = this.#settings.timeouts;
    const busy = () =>
      new MailServerError({ reason: "busy", operation: "connect", detail: `no connection free within ${command} ms` });
    return Effect.timeoutOrElse(this.slots.wait(lane, mailbox), {
      duration: command,
      orElse: () => Effect.fail(busy()),
    });
  }

  /**
   * Returns the slot's connection, or a new connection. Returns undefined if the server refuses a further connection
   * and the caller can wait for another connection of the account.
   */
  connection(slot: Slot, purpose: ConnectionPurpose): Effect.Effect<ImapFlow | undefined, MailboxAccessError> {
    return Effect.gen({ self: this }, function* (): Effect.fn.Return<ImapFlow | undefined, MailboxAccessError> {
      const version = yield* this.#credentials.version(this.#account);
      const server = yield* serverOf(this.#servers, this.#account);
      const serves = (kept: Slot) => kept.version === version && isSignedInAt(kept, server) && this.#isAsRecorded(kept);
      if (isConnected(slot) && serves(slot)) return yield* this.#kept(slot, server);
      disconnect(slot);
      this.slots.closeFree((other) => !serves(other));
      this.slots.closeIdle((other) => !isSignedInAt(other, server));
      yield* awaitAdmission(this.#hosts, server, purpose);
      const opened = yield* this.#opening.withPermits(1)(this.#open(slot, server, version));
      return opened === "changed" ? yield* this.connection(slot, purpose) : opened;
    });
  }

  /** Closes the connections whose recording must be started or stopped. */
  followRecording(): void {
    this.slots.closeFree((slot) => !this.#isAsRecorded(slot));
    this.slots.closeIdle((slot) => !this.#isAsRecorded(slot));
  }

  #isAsRecorded(slot: Slot): boolean {
    return slot.isRecorded === this.#recorder.isRecorded(this.#account);
  }

  /** Returns the slot's connection. After a pause, a session without TLS is checked for a listening server first. */
  #kept(
    slot: Slot & { readonly client: ImapFlow },
    { host, port, tls }: MailServer,
  ): Effect.Effect<ImapFlow, MailServerError> {
    const { timeouts } = this.#settings;
    const quiet = this.#clock.currentTimeMillisUnsafe() - slot.idleSince;
    if (tls !== "plaintext" || quiet < QUIET_FOR) return Effect.succeed(slot.client);
    return checkListening(host, port, timeouts.connect).pipe(
      Effect.tapError(() => Effect.sync(() => this.slots.closeFree(() => true))),
      Effect.tapError(() => Effect.sync(() => disconnect(slot))),
      Effect.as(slot.client),
    );
  }

  /**
   * Opens a connection. A server gets only the version of the credential that was current for it, because another
   * version may belong to another server.
   */
  readonly #open = Effect.fnUntraced(
    { self: this },
    function* (
      slot: Slot,
      server: MailServer,
      version: number,
    ): Effect.fn.Return<ImapFlow | undefined | "changed", MailboxAccessError> {
      const now = yield* Clock.currentTimeMillis;
      const last = this.#tried;
      if (last?.version !== version || !isSameServer(last.server, server)) this.#backoff = new Backoff();
      this.#tried = { server, version };
      const standing = this.#backoff.standing(now);
      if (standing !== undefined) return yield* standing;
      const current = yield* this.#credentials.of(this.#account);
      if (current.version !== version) return "changed";
      const { credential } = current;
      let opened = yield* Effect.result(this.#connect(slot, server, credential));
      if (isBusy(opened) && slot.lane === "interactive" && !this.slots.hasOthers(slot) && this.slots.shedIdle(slot)) {
        opened = yield* Effect.result(Effect.delay(this.#connect(slot, server, credential), AFTER_SHEDDING));
      }
      if (opened._tag === "Success") {
        this.#backoff.succeeded();
        yield* this.#credentials.recordAccepted(this.#account);
        recordServerAccount(opened.success, this.#account, server);
        numberSession(opened.success);
        slot.client = opened.success;
        slot.version = version;
        slot.server = server;
        return opened.success;
      }
      if (opened.failure._tag === "SignInRefused") {
        return yield* this.#refused(current, slot, server, opened.failure.isExplained);
      }
      const failedAt = yield* Clock.currentTimeMillis;
      if (isBusy(opened) && this.slots.hasOthers(slot)) {
        slot.refusedUntil = failedAt + REFUSED_FOR;
        return undefined;
      }
      this.#backoff.failed(opened.failure, failedAt, yield* Random.next);
      return yield* opened.failure;
    },
  );

  #connect(slot: Slot, server: MailServer, credential: MailCredential) {
    return Effect.suspend(() => {
      const recording = this.#recorder.open(this.#account, "imap", server, [secretOf(credential)]);
      slot.isRecorded = recording !== undefined;
      return connect(this.#guard, this.#settings, server, credential, recording);
    });
  }

  /** Tries once more with a new access token; a credential that cannot be renewed is rejected. */
  readonly #refused = Effect.fnUntraced(
    { self: this },
    function* (current: CurrentCredential, slot: Slot, server: MailServer, isExplained: boolean) {
      if (yield* this.#credentials.renew(this.#account, current))
        return yield* this.#open(slot, server, current.version);
      const failure = yield* Effect.flip(this.#credentials.reject(this.#account, current, isExplained));
      if (failure._tag === "MailServerError") {
        this.#backoff.failed(failure, yield* Clock.currentTimeMillis, yield* Random.next);
      } else if (failure._tag === "MailboxCredentialsRejected") {
        this.slots.closeFree((other) => other.version === current.version);
      }
      return yield* failure;
    },
  );
}
