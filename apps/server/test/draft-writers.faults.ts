import { setTimeout as sleep } from "node:timers/promises";
import { describeWithPostgres, Dovecot, Postgres, ScriptedSmtp } from "@postern/testkit";
import { Effect, Layer, ManagedRuntime } from "effect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type DraftClient, draftClient } from "./draft-client.ts";
import { fieldOf, type MailboxView, mailboxView } from "./mailbox-view.ts";
import { sharedKeys } from "./server-nodes.ts";
import { post, started } from "./server-process.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 150);
const [ME, PASSWORD] = ["me@x.test", "pass"];

/** The words that a writer added, and their fate. */
interface Ledger {
  /** Words in texts that were saved. */
  readonly written: Set<string>;
  /** Words in copies that the other mail program deleted on purpose. */
  readonly deleted: Set<string>;
  readonly answers: Map<string, number>;
}

const wordsOf = (text: string): ReadonlyArray<string> => text.match(/\b[a-z]\d+w\b/g) ?? [];

describeWithPostgres("a draft that two processes and another mail program edit", () => {
  const mail = ManagedRuntime.make(Layer.mergeAll(Dovecot.layer(), ScriptedSmtp.layer(), Postgres.own));
  afterAll(() => mail.dispose());
  let environment: Readonly<Record<string, string>> = {};
  let port = 0;

  beforeAll(async () => {
    const [dovecot, smtp, postgres] = await mail.runPromise(Effect.all([Dovecot, ScriptedSmtp, Postgres]));
    await mail.runPromise(dovecot.setPassword(ME, PASSWORD));
    smtp.setPassword(ME, PASSWORD);
    port = dovecot.port;
    environment = {
      ...(await sharedKeys()),
      DATABASE_URL: await mail.runPromise(postgres.newDatabase),
      IMAP_URL: `imap://127.0.0.1:${dovecot.port}`,
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      LOG_LEVEL: "warn",
    };
  });

  it(`loses no saved word in ${ROUNDS} edits of each, and refuses stale versions with 409`, async () => {
    const nodes = [(await started(environment)).base, (await started(environment)).base];
    const login = await post(nodes[0]!, "/api/auth/mobile-login", { email: ME, password: PASSWORD });
    const { token } = (await login.json()) as { readonly token: string };
    const clients = nodes.map((base) => draftClient(() => base, token));
    const views = [await mailboxView(port, ME, PASSWORD), await mailboxView(port, ME, PASSWORD)];
    await views[0]!.create("Elsewhere");
    const ledger: Ledger = { written: new Set(), deleted: new Set(), answers: new Map() };
    await clients[0]!.done("POST", "/api/drafts", { subject: "shared", text: "start" });

    let isOver = false;
    const foreign = otherProgram(views[0]!, ledger, () => isOver);
    await Promise.all(clients.map((client, n) => writer(client, "ab"[n]!, ledger)));
    isOver = true;
    await foreign;

    // The next poll of the draft takes over the last version of another program.
    for (const { id } of await clients[0]!.list()) await clients[0]!.get(id);
    const copies = [...(await views[1]!.messages("Drafts")), ...(await views[1]!.messages("Elsewhere"))];
    const kept = new Set(copies.flatMap(({ raw }) => wordsOf(raw)));
    const lost = [...ledger.written].filter((word) => !kept.has(word) && !ledger.deleted.has(word));
    console.log({
      words: ledger.written.size,
      deleted: ledger.deleted.size,
      answers: Object.fromEntries(ledger.answers),
    });
    expect(lost).toEqual([]);
    expect([...ledger.answers.keys()].filter((status) => !/^(?:GET|PUT) (?:200|404|409)$/.test(status))).toEqual([]);
    for (const status of ["PUT 200", "PUT 409"]) expect(ledger.answers.get(status), status).toBeGreaterThan(10);
    for (const view of views) view.close();
  });
});

/** Repeatedly saves a draft with one more word. After a refusal, reads the draft again, as a client must. */
const writer = async (client: DraftClient, name: string, { written, answers }: Ledger): Promise<void> => {
  const count = (status: string) => answers.set(status, (answers.get(status) ?? 0) + 1);
  for (let n = 0; n < ROUNDS; n++) {
    const drafts = await client.list();
    const id = drafts[n % Math.max(1, Math.min(2, drafts.length))]?.id;
    if (id === undefined) {
      await client.done("POST", "/api/drafts", { subject: "shared", text: "start" });
      continue;
    }
    const found = await client.get(id);
    count(`GET ${found?.status}`);
    if (found?.status !== 200) continue;
    const { version, text } = found.body.data;
    await sleep((n * 13) % 40);
    const word = `${name}${n}w`;
    const saved = await client.save(id, version, { subject: "shared", text: `${text.trim()}\n${word}` });
    count(`PUT ${saved?.status}`);
    if (saved?.status === 200) written.add(word);
    if (saved?.status === 409) expect(saved.body.code).toBe("draft_changed");
  }
};

/** Edits copies with and without the mark, moves them away and back, and deletes some, as other programs do. */
const otherProgram = async (view: MailboxView, { written, deleted }: Ledger, isOver: () => boolean): Promise<void> => {
  for (let n = 0; !isOver(); n++) {
    await sleep(150 + ((n * 37) % 200));
    const [copy] = (await view.messages("Drafts")).toReversed();
    if (copy === undefined) continue;
    const step = n % 24;
    if (step % 6 === 4) {
      if (await view.move("Drafts", copy.uid, "Elsewhere")) await sleep(100);
      for (const { uid } of await view.messages("Elsewhere")) await view.move("Elsewhere", uid, "Drafts");
    } else if (step === 5) {
      if (await view.remove("Drafts", copy.uid)) for (const word of wordsOf(copy.raw)) deleted.add(word);
    } else {
      // An editor first stores its version, and then deletes the version that it had read.
      const mark = step % 6 < 3 ? `X-Postern-Draft: ${fieldOf(copy.raw, "X-Postern-Draft")}\r\n` : "";
      const body = copy.raw.slice(copy.raw.indexOf("\r\n\r\n") + 4).trimEnd();
      const word = `f${n}w`;
      await view.append("Drafts", `From: ${ME}\r\nSubject: shared\r\n${mark}\r\n${body}\r\n${word}\r\n`);
      await view.remove("Drafts", copy.uid);
      written.add(word);
    }
  }
};
