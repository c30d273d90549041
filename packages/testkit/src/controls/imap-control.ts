import { randomBytes } from "node:crypto";
import { type AccountId, accountIdOf } from "@postern/core/shared";
import type { PasswordCredential } from "@postern/core/auth";
import { Effect, Layer, Option, Redacted, Semaphore } from "effect";
import { Courier } from "../servers/Courier.ts";
import { Cyrus } from "../servers/Cyrus.ts";
import { Dovecot } from "../servers/Dovecot.ts";
import { openConversation, type MailConversation, quoteString } from "./mail-conversation.ts";
import { encodeMailboxName } from "../servers/mail-names.ts";
import { MailServerControl } from "./MailServerControl.ts";

interface Known {
  readonly credential: PasswordCredential;
  readonly turn: Semaphore.Semaphore;
  conversation: MailConversation | undefined;
}

type Command = ReadonlyArray<string | Buffer>;

type Server = Pick<Dovecot["Service"], "host" | "port" | "setPassword">;

/**
 * Controls a real server by plain IMAP, with one session per account. Dies if a command is refused. `special` creates the
 * special folders of an account.
 */
const imapControl = Effect.fnUntraced(function* (server: Server, special: ReadonlyArray<Command>) {
  const accounts = new Map<AccountId, Known>();
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const { conversation } of accounts.values()) conversation?.close();
    }),
  );

  /** Runs commands of an account in sequence; returns the last answer. */
  const run = (account: AccountId, ...commands: ReadonlyArray<Command>): Effect.Effect<string> => {
    const known = accounts.get(account)!;
    return Effect.promise(async () => {
      if (known.conversation?.isOpen() !== true) {
        const { username, password } = known.credential;
        known.conversation = await openConversation(server.host, server.port, username, Redacted.value(password));
      }
      let answer = "";
      for (const words of commands) answer = await known.conversation.command(...words);
      return answer;
    }).pipe(known.turn.withPermits(1));
  };
  const name = (path: string) => quoteString(encodeMailboxName(path));
  const select = (path: string): Command => ["SELECT", name(path)];

  return MailServerControl.of({
    newAccount: Effect.gen(function* () {
      const username = `u${accounts.size}-${randomBytes(4).toString("hex")}@example.test`;
      const account = Option.getOrThrow(accountIdOf(username));
      const credential = {
        _tag: "Password" as const,
        username,
        password: Redacted.make(`${randomBytes(6).toString("hex")} é"\\:%{}&`),
      };
      yield* server.setPassword(username, Redacted.value(credential.password));
      accounts.set(account, { credential, turn: yield* Semaphore.make(1), conversation: undefined });
      yield* run(account, ...special);
      return { account, credential };
    }),
    makeReadOnly: (account, path) =>
      Effect.asVoid(
        run(account, ["SETACL", name(path), quoteString(accounts.get(account)!.credential.username), "lr"]),
      ),
    createMailbox: (account, path) => Effect.asVoid(run(account, ["CREATE", name(path)])),
    // Servers close a session that deletes or renames its selected mailbox.
    deleteMailbox: (account, path) => Effect.asVoid(run(account, select("INBOX"), ["DELETE", name(path)])),
    renameMailbox: (account, from, to) =>
      Effect.asVoid(run(account, select("INBOX"), ["RENAME", name(from), name(to)])),
    append: (account, path, raw, { flags = [], arrivedAt } = {}) =>
      Effect.map(
        run(account, [
          "APPEND",
          name(path),
          `(${flags.join(" ")})`,
          ...(arrivedAt === undefined ? [] : [internalDate(arrivedAt)]),
          Buffer.from(raw),
        ]),
        (answer) => Number(/\[APPENDUID \d+ (\d+)\]/.exec(answer)![1]),
      ),
    expunge: (account, path, uids) =>
      Effect.asVoid(
        run(
          account,
          select(path),
          ["UID STORE", uids.join(","), "+FLAGS.SILENT (\\Deleted)"],
          ["UID EXPUNGE", uids.join(",")],
        ),
      ),
    setFlags: (account, path, uid, flags) =>
      Effect.asVoid(run(account, select(path), ["UID STORE", `${uid}`, `FLAGS.SILENT (${flags.join(" ")})`])),
  });
});

/** Controls a Dovecot, which itself creates the special folders of an account. */
export const dovecotControl: Layer.Layer<MailServerControl, never, Dovecot> = Layer.effect(
  MailServerControl,
  Effect.flatMap(Dovecot, (server) => imapControl(server, [])),
);

const SPECIAL = ["Sent", "Drafts", "Junk", "Trash"];

/** Controls a Cyrus whose mailbox names begin with `prefix`. */
export const cyrusControl = (prefix = ""): Layer.Layer<MailServerControl, never, Cyrus> =>
  Layer.effect(
    MailServerControl,
    Effect.flatMap(Cyrus, (server) =>
      imapControl(
        server,
        SPECIAL.map((name) => ["CREATE", `${prefix}${name}`, `(USE (\\${name}))`]),
      ),
    ),
  );

/**
 * Controls a Courier, which marks no special folders. A folder has no lasting UIDVALIDITY before its
 * first SELECT.
 */
export const courierControl: Layer.Layer<MailServerControl, never, Courier> = Layer.effect(
  MailServerControl,
  Effect.flatMap(Courier, (server) => {
    const special = SPECIAL.map((name) => `INBOX.${name}`);
    const touched = ["INBOX", ...special].map((path) => ["SELECT", path]);
    return imapControl(server, [...special.map((path) => ["CREATE", path]), ...touched]);
  }),
);

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Returns IMAP's date-time (RFC 9051, 9). */
const internalDate = (at: number): string => {
  const [, year, month, day, time] = /^(\d+)-(\d+)-(\d+)T([\d:]+)/.exec(new Date(at).toISOString())!;
  return `"${day}-${MONTHS[Number(month) - 1]}-${year} ${time} +0000"`;
};
