import { Clock, Context, DateTime, Effect, Layer, Redacted, type Scope } from "effect";
import type { MailServer } from "../../mail/index.ts";
import { type AccountId, Entropy } from "../../shared/index.ts";
import { holdsOneOf } from "./credential-forms.ts";
import { imapTranscript } from "./imap-transcript.ts";
import { LineBuffer } from "./LineBuffer.ts";
import { INSTANT_CHARS, printableLine } from "./protocol-lines.ts";
import { smtpTranscript } from "./smtp-transcript.ts";

/** Receives the traffic of one connection; none of its functions throws. */
export interface Recording {
  readonly sent: (bytes: Uint8Array) => void;
  readonly received: (bytes: Uint8Array) => void;
  /** Counts the bytes of contents that were sent but must not be recorded. */
  readonly sentContents: (bytes: number) => void;
  /** Records another event of the connection. */
  readonly note: (text: string) => void;
}

/** An account whose conversation is recorded, and the end of the recording in epoch milliseconds. */
export interface RecordedAccount {
  readonly account: AccountId;
  readonly until: number;
}

interface Recorder {
  /** Whether the account's conversation is recorded now. Connections opened before the recording are not recorded. */
  readonly isRecorded: (account: AccountId) => boolean;
  /**
   * Starts to record a connection; undefined if the account's conversation is not recorded. The recording omits lines
   * that contain one of the secrets in any form.
   */
  readonly open: (
    account: AccountId,
    protocol: "imap" | "smtp",
    server: MailServer,
    secrets: ReadonlyArray<Redacted.Redacted>,
  ) => Recording | undefined;
  /** Calls the listener when the recording of an account starts or ends, until the scope closes. */
  readonly onChange: (listener: (account: AccountId) => void) => Effect.Effect<void, never, Scope.Scope>;
  /** Sets which accounts are recorded from now on. */
  readonly follow: (accounts: ReadonlyArray<RecordedAccount>) => Effect.Effect<void>;
  /** Returns the accounts with lines that wait to be written. */
  readonly waiting: Effect.Effect<ReadonlyArray<AccountId>>;
  /** Removes and returns the lines of an account that wait to be written. */
  readonly take: (account: AccountId) => Effect.Effect<TakenLines>;
  /** Notes that taken lines may not have been written. The next batch starts with a line that says how many are missing. */
  readonly noteLost: (account: AccountId, taken: TakenLines) => Effect.Effect<void>;
}

interface TakenLines {
  readonly lines: ReadonlyArray<string>;
  /** The number of recorded lines: `lines`, and the missing lines that `lines` report. */
  readonly count: number;
}

const NO_RECORDER: Recorder = {
  isRecorded: () => false,
  open: () => undefined,
  onChange: () => Effect.void,
  follow: () => Effect.void,
  waiting: Effect.succeed([]),
  take: () => Effect.succeed({ lines: [], count: 0 }),
  noteLost: () => Effect.void,
};

/**
 * Records the IMAP and SMTP conversation of accounts in this process (spec 10.5). The mail adapters call this service
 * when they open or reuse a connection. For an account that is not recorded, the call costs one look-up in a map. The
 * default records nothing.
 */
export const ProtocolRecorder = Context.Reference<Recorder>("@postern/core/accounts/ProtocolRecorder", {
  defaultValue: () => NO_RECORDER,
});

/** Records in memory until `AccountProtocolLog` writes the lines. */
export const ProtocolRecorderInProcess = Layer.effect(
  ProtocolRecorder,
  Effect.gen(function* () {
    const clock = yield* Clock.Clock;
    const node = (yield* (yield* Entropy).id(24)).replaceAll(/[^A-Za-z0-9]/g, "0");
    const followed = new Map<AccountId, number>();
    const buffers = new Map<AccountId, LineBuffer>();
    /** The number of lines that may be missing, and the time up to which. */
    const unwritten = new Map<AccountId, { readonly at: string; readonly count: number }>();
    const listeners = new Set<(account: AccountId) => void>();
    let connections = 0;

    const records = (account: AccountId): boolean => {
      const until = followed.get(account);
      return until !== undefined && clock.currentTimeMillisUnsafe() < until;
    };

    const write = (account: AccountId, connection: string, text: string): void => {
      if (!records(account)) return;
      const buffer = buffers.get(account) ?? new LineBuffer();
      buffers.set(account, buffer);
      const at = DateTime.formatIso(DateTime.makeUnsafe(clock.currentTimeMillisUnsafe()));
      buffer.add(`${at} ${node} ${connection} ${text}`);
    };

    const open: Recorder["open"] = (account, protocol, { host, port, tls }, secrets) => {
      if (!records(account)) return undefined;
      const connection = `${protocol}#${++connections}`;
      const isSecret = holdsOneOf(secrets.map(Redacted.value));
      const transcript = protocol === "imap" ? imapTranscript() : smtpTranscript();
      const show = (from: string, text: string): void =>
        write(
          account,
          connection,
          `${from}: ${isSecret(text) ? "<a line with the credential was removed>" : printableLine(text)}`,
        );
      let isBroken = false;
      const safely = (run: () => void): void => {
        if (isBroken || !records(account)) return;
        try {
          run();
        } catch {
          isBroken = true;
          write(account, connection, "*: the rest of this connection could not be recorded");
        }
      };
      show("*", `connecting to ${host}:${port} (${tls})`);
      return {
        sent: (bytes) => safely(() => transcript.sent(bytes).forEach(({ from, text }) => show(from, text))),
        received: (bytes) => safely(() => transcript.received(bytes).forEach(({ from, text }) => show(from, text))),
        sentContents: (bytes) => safely(() => show("C", `<${bytes} removed>`)),
        note: (text) =>
          safely(() => {
            const unfinished = transcript.unfinished();
            show("*", unfinished === null ? text : `${text}; ${unfinished}`);
          }),
      };
    };

    return {
      isRecorded: records,
      open,
      onChange: (listener) =>
        Effect.asVoid(
          Effect.acquireRelease(
            Effect.sync(() => listeners.add(listener)),
            () => Effect.sync(() => listeners.delete(listener)),
          ),
        ),
      follow: (accounts) =>
        Effect.sync(() => {
          const before = [...followed.keys()];
          followed.clear();
          for (const { account, until } of accounts) followed.set(account, until);
          const changed = [
            ...before.filter((account) => !followed.has(account)),
            ...[...followed.keys()].filter((account) => !before.includes(account)),
          ];
          for (const account of changed) for (const listener of listeners) listener(account);
        }),
      waiting: Effect.sync(() => [...new Set([...buffers.keys(), ...unwritten.keys()])]),
      take: (account) =>
        Effect.sync(() => {
          const { lines, dropped } = buffers.get(account)?.take() ?? NO_LINES;
          const missing = unwritten.get(account);
          buffers.delete(account);
          unwritten.delete(account);
          const note = (at: string, text: string) => `${at} ${node} *: ${text}`;
          return {
            lines: [
              ...(missing === undefined
                ? []
                : [note(missing.at, `up to ${missing.count} lines are missing: they could not be written`)]),
              ...(dropped === 0 ? [] : [note(lines[0]!.slice(0, INSTANT_CHARS), `${dropped} lines did not fit`)]),
              ...lines,
            ],
            count: (missing?.count ?? 0) + dropped + lines.length,
          };
        }),
      noteLost: (account, { lines, count }) =>
        Effect.sync(() => {
          const at = lines.at(-1)?.slice(0, INSTANT_CHARS);
          if (at !== undefined) unwritten.set(account, { at, count: count + (unwritten.get(account)?.count ?? 0) });
        }),
    };
  }),
);

const NO_LINES = { lines: [], dropped: 0 };
