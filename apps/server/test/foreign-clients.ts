import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@postern/client";
import {
  CopyingProgram,
  foreignActs,
  ForeignMail,
  judgeFollowing,
  type Judgement,
  openConversation,
  type ShownMessage,
  shownOf,
} from "@postern/testkit";
import { Effect } from "effect";
import { expect } from "vitest";
import { type ChangedServer, foreignServer } from "./foreign-server.ts";

const FOLDERS = "*,junk,trash";
const SPECIAL = ["INBOX", "Sent", "Junk", "Trash"];
const OTHERS = ["A", "B", "C", "D", "E", "F", "G", "H"];
/** The time in which the service must report all changes; it polls every two minutes. */
const AT_REST_MILLIS = 300_000;

/** The service under test: its current address, and functions that kill it and cut its connections to the mail server. */
export interface TestedService {
  readonly base: () => string;
  readonly kill: () => Promise<void>;
  readonly cut: () => void;
}

const happens = (chance: number) => Math.random() < chance;

/**
 * Plays the acts of a seed against a service and a real mail server, with kills and cuts. Judges the reported events
 * once everything is at rest. Time is real, so a seed repeats the acts but not the history.
 */
export const playOnServer = async (
  server: ChangedServer,
  service: TestedService,
  seed: number,
  count: number,
): Promise<Judgement> => {
  const session = await openConversation("127.0.0.1", server.port, server.user, server.password);
  // Dovecot has the special folders, Cyrus none.
  for (const path of SPECIAL.slice(1)) await session.command(`CREATE "${path}" (USE (\\${path}))`);
  for (const path of OTHERS) await session.command(`CREATE "${path}"`);
  session.close();
  const clients = foreignServer(server);
  const mail = new ForeignMail(clients, SPECIAL, OTHERS);
  for (let n = 0; n < 24; n++) {
    mail.before.add(await Effect.runPromise(mail.append(mail.folders[n % mail.folders.length]!)));
  }

  const fetch: typeof globalThis.fetch = (input, init) =>
    globalThis.fetch(String(input).replace("http://service.test", service.base()), init);
  const client = createClient({ baseUrl: "http://service.test", fetch });
  await client.signIn(server.user, server.password);
  await client("PATCH /api/account", { payload: { follow: "all" } });
  let token = "";
  /** Returns an answer as soon as there is one; null for 404. */
  const ask = async (path: string): Promise<any> => {
    for (; ; await sleep(300)) {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await globalThis.fetch(`${service.base()}${path}`, { headers }).catch(() => undefined);
      if (answer?.status === 404) return null;
      if (answer?.ok === true) return answer.json();
      if (answer?.status !== 401) continue;
      const login = await globalThis
        .fetch(`${service.base()}/api/auth/mobile-login`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ email: server.user, password: server.password }),
        })
        .catch(() => undefined);
      if (login?.ok === true) ({ token } = (await login.json()) as { readonly token: string });
    }
  };
  const handed = new Map<string, string>();
  const hand = (message: ShownMessage) => {
    handed.set(message.id, message.subject);
    return shownOf(message);
  };
  const list = async () => {
    const found: Array<ShownMessage> = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const part = await ask(`/api/messages?limit=200&folders=${FOLDERS}${cursor && `&cursor=${cursor}`}`);
      found.push(...part.data.map(hand));
      cursor = part.nextCursor;
    }
    return found;
  };
  await list();
  let { next } = await ask(`/api/changes?folders=${FOLDERS}`);
  const events: Array<{ readonly event: string; readonly data: any }> = [];
  const hear = async () => {
    for (let more = true; more;) {
      const part = await ask(`/api/changes?folders=${FOLDERS}&limit=100&after=${next}`);
      events.push(...part.data);
      ({ next, more } = part);
    }
    for (const { data } of events) if (typeof data.subject === "string") handed.set(data.id, data.subject);
  };

  const program = new CopyingProgram((options) => client.sync(options), hand);
  program.start();
  for (const act of foreignActs(seed, count)) {
    await Effect.runPromise(mail.act(act));
    if (happens(0.02)) service.cut();
    if (happens(0.01)) await service.kill();
    if (happens(0.03)) program.killSoon(1 + Math.floor(Math.random() * 8));
    await sleep(Math.random() * 200);
  }
  // Without CONDSTORE, flags are read in a folder in which another change was seen.
  for (const folder of mail.folders) await Effect.runPromise(mail.append(folder));
  // If the record of the judge were wrong, it would blame the service.
  for (const { path, messages } of mail.folders) {
    const subjects = (some: ReadonlyArray<{ readonly subject: string }>) =>
      some.map(({ subject }) => subject).toSorted();
    expect(subjects(messages), path).toEqual(subjects(await clients.messagesOf(path)));
  }
  const late = new CopyingProgram((options) => client.sync(options), hand);
  late.position = "another-database.1";
  late.start();
  for (const began = performance.now(); ;) {
    await sleep(5_000);
    await hear();
    const listing = await list();
    const { folders } = await ask("/api/folders");
    const folderIds = new Map<string, string>(folders.map(({ path, id }: { path: string; id: string }) => [path, id]));
    const opened = new Map<string, ShownMessage | null>();
    for (const id of handed.keys()) opened.set(id, (await ask(`/api/messages/${id}`))?.data ?? null);
    const views = {
      "the listing": listing,
      "the copy": [...program.rows.values()],
      "the late copy": [...late.rows.values()],
    };
    const judgement = judgeFollowing({ mail, folderIds, events, views, handed, opened });
    const faults = [...program.faults, ...late.faults];
    if (judgement.violations.length > 0 && faults.length === 0 && performance.now() - began < AT_REST_MILLIS) continue;
    for (const one of [program, late]) one.stop();
    clients.close();
    return { ...judgement, violations: [...judgement.violations, ...faults.map(String)] };
  }
};
