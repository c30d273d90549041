import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type ForeignMessage,
  foreignMessage,
  type ForeignServer,
  type MailConversation,
  openConversation,
} from "@postern/testkit";
import { Effect } from "effect";

/** A mail server that other clients change, beside the service. */
export interface ChangedServer {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Stops the server, runs an action on its files, and starts it again; undefined if the server cannot give a folder a new UIDVALIDITY. */
  readonly whileStopped?: (change: () => Promise<void>) => Promise<void>;
  /** The folder of the user's mail. */
  readonly maildir?: string;
}

const uidIn = (answer: string, code: "APPENDUID" | "COPYUID"): number =>
  Number(new RegExp(`\\[${code} \\d+ (?:\\d+ )?(\\d+)\\]`).exec(answer)![1]);

/** Two other clients of a mailbox, with a connection each. */
interface ForeignClients extends ForeignServer {
  readonly messagesOf: (path: string) => Promise<ReadonlyArray<ForeignMessage>>;
  readonly close: () => void;
}

/** Returns two clients that change this server. */
export const foreignServer = (server: ChangedServer): ForeignClients => {
  const sessions = new Map<number, { readonly session: MailConversation; selected: string | undefined }>();
  const open = async (client: number) => {
    const known = sessions.get(client);
    if (known?.session.isOpen() === true) return known;
    const session = await openConversation("127.0.0.1", server.port, server.user, server.password);
    const opened = { session, selected: undefined };
    sessions.set(client, opened);
    return opened;
  };
  /** Runs a command, in a selected folder if a path is given. */
  const run = async (client: number, path: string | null, ...words: ReadonlyArray<string | Buffer>) => {
    const known = await open(client);
    // A session learns of new messages only at certain commands, and ignores commands about messages that it does not
    // know.
    if (path !== null) await known.session.command(known.selected === path ? "NOOP" : `SELECT "${path}"`);
    known.selected = path ?? known.selected;
    return known.session.command(...words);
  };
  const close = () => {
    for (const { session } of sessions.values()) session.close();
    sessions.clear();
  };
  const messagesOf = async (path: string) =>
    messagesIn(await run(0, path, "UID FETCH 1:* (UID FLAGS BODY.PEEK[HEADER.FIELDS (SUBJECT)])"));
  const effect = <A>(work: () => Promise<A>) => Effect.promise(work);
  return {
    messagesOf,
    close,
    append: (path, subject, client) =>
      effect(async () => {
        const raw = Buffer.from(foreignMessage(subject, server.user));
        return uidIn(await run(client, null, `APPEND "${path}"`, raw), "APPENDUID");
      }),
    flag: (path, uid, flags, client) =>
      effect(async () => void (await run(client, path, `UID STORE ${uid} FLAGS.SILENT (${flags.join(" ")})`))),
    move: (path, uid, to, client) =>
      effect(async () => uidIn(await run(client, path, `UID MOVE ${uid} "${to}"`), "COPYUID")),
    copy: (path, uid, to, client) =>
      effect(async () => uidIn(await run(client, path, `UID COPY ${uid} "${to}"`), "COPYUID")),
    expunge: (path, uid, client) =>
      effect(async () => {
        await run(client, path, `UID STORE ${uid} +FLAGS.SILENT (\\Deleted)`);
        await run(client, path, `UID EXPUNGE ${uid}`);
      }),
    rename: (path, to, client) =>
      effect(async () => {
        close();
        await run(client, null, `RENAME "${path}" "${to}"`);
      }),
    renumber: (path) =>
      effect(async () => {
        if (server.whileStopped === undefined) return undefined;
        close();
        const folder = join(server.maildir!, path === "INBOX" ? "" : path);
        // Processes of the server may still write after it has stopped.
        await server.whileStopped(async () => {
          while (forgetUids(folder) > 0) await sleep(500);
        });
        return messagesOf(path);
      }),
  };
};

/** Removes the files in which Dovecot stores the UIDs of a folder; returns the number of files. */
const forgetUids = (folder: string): number => {
  const files = readdirSync(folder).filter((file) => /^dovecot[-.](?:uidlist|index)/.test(file));
  for (const file of files) rmSync(join(folder, file), { force: true });
  return files.length;
};

/** Returns the messages of a FETCH response. */
const messagesIn = (answer: string): ReadonlyArray<ForeignMessage> =>
  [...answer.matchAll(/ FETCH \(([^{]*)\{\d+\}\r\nSubject: ([^\r]*)/g)].map(([, items, subject]) => ({
    uid: Number(/\bUID (\d+)/.exec(items!)![1]),
    subject: subject!,
    flags: new Set(
      /\bFLAGS \(([^)]*)\)/
        .exec(items!)![1]!
        .split(" ")
        .filter((flag) => flag !== "" && flag !== "\\Recent"),
    ),
  }));
