import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describeWithExim, describeWithPostgres, Dovecot, Exim, Postgres } from "@postern/testkit";
import { Effect, Exit, Layer, ManagedRuntime, Scope } from "effect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { commitProxy } from "./commit-proxy.ts";
import { type Answer, type DraftClient, draftClient } from "./draft-client.ts";
import { COMMIT_HOLDS, type DraftStep, type Hold, HOLDS } from "./draft-holds.ts";
import { fieldOf, type MailboxView, mailboxView } from "./mailbox-view.ts";
import { sharedKeys } from "./server-nodes.ts";
import { post, started } from "./server-process.ts";
import { type StrikingProxy, strikingProxy } from "./striking-proxy.ts";

const KILLS = Number(process.env["KILLS"] ?? 60);
const STEPS: ReadonlyArray<DraftStep> = ["create", "save", "send"];
const [ME, TO, HIDDEN, PASSWORD] = ["me@x.test", "to@x.test", "hidden@x.test", "pass"];
const MINUTE = { timeout: 90_000, interval: 100 };

/** Moments between the answer to DATA and the record of the reply, at which the outcome may be unknown. */
const MAY_BE_UNKNOWN = /DATA|dot|random/;

type CommitProxy = Awaited<ReturnType<typeof commitProxy>>;

describeWithExim("a draft, while the process is killed", () => {
  const home = mkdtempSync(join(tmpdir(), "homes-"));
  const runtime = ManagedRuntime.make(Layer.mergeAll(Dovecot.layer({ home }), Exim.layer({ home })));
  const scope = Effect.runSync(Scope.make());
  let [imap, smtp]: ReadonlyArray<StrikingProxy> = [];
  let port = 0;

  beforeAll(async () => {
    const [dovecot, exim] = await runtime.runPromise(Effect.all([Dovecot, Exim]));
    for (const user of [ME, TO, HIDDEN, `pg-${ME}`]) {
      await runtime.runPromise(Effect.andThen(dovecot.setPassword(user, PASSWORD), exim.addUser(user, PASSWORD)));
    }
    const proxied = (to: number) => Effect.runPromise(Scope.provide(strikingProxy(to), scope));
    [imap, smtp] = [await proxied(dovecot.port), await proxied(exim.port)];
    port = dovecot.port;
  });
  afterAll(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void));
    await runtime.dispose();
    rmSync(home, { recursive: true, force: true });
  });

  const killed = async (account: string, stores: Readonly<Record<string, string>>, commits?: CommitProxy) => {
    const environment = {
      IMAP_URL: `imap://127.0.0.1:${imap!.port}`,
      SMTP_URL: `smtp://127.0.0.1:${smtp!.port}`,
      SEND_RATE_PER_MINUTE: "100000",
      SEND_RATE_PER_DAY: "100000",
      LOG_LEVEL: "warn",
      ...stores,
    };
    let server = await started(environment);
    const login = await post(server.base, "/api/auth/mobile-login", { email: account, password: PASSWORD });
    const client = draftClient(() => server.base, ((await login.json()) as { readonly token: string }).token);
    const [own, received, hidden] = await Promise.all(
      [account, TO, HIDDEN].map((user) => mailboxView(port, user, PASSWORD)),
    );
    const holds = [...HOLDS, ...(commits === undefined ? [] : COMMIT_HOLDS)];

    /** Runs requests, and kills the process at a moment during them or, without a moment, after some milliseconds. */
    const struck = async <A>(n: number, hold: Hold | undefined, requests: () => Promise<A>): Promise<A> => {
      const kill = () => void server.child.kill("SIGKILL");
      if (hold === undefined) setTimeout(kill, (n * 137) % 700);
      else if (hold.at.server === "database") void commits!.strikeAt(hold.at.when, hold.at.wrote, kill);
      else {
        const { moment } = hold.at;
        // The step after a forwarded answer happens at once or somewhat later.
        const strike = () => (moment.isForwarded ? void setTimeout(kill, (n * 7) % 23) : kill());
        (hold.at.server === "imap" ? imap : smtp)!.arrange(moment, strike);
      }
      const answers = requests();
      await Promise.race([server.ended, sleep(30_000)]);
      for (const proxy of [imap!, smtp!]) proxy.disarm();
      expect(server.child.killed, "the moment was reached").toBe(true);
      const given = await answers;
      server = await started(environment);
      return given;
    };

    const ends = new Map<string, string>();
    for (let n = 0; n < KILLS; n++) {
      const hold = n < KILLS - KILLS / 5 ? holds[n % holds.length] : undefined;
      const step = hold?.step ?? STEPS[n % STEPS.length]!;
      const name = `${account} ${n}: ${step}, ${hold?.name ?? "random"}`;
      const strike =
        (at: DraftStep) =>
        <A>(requests: () => Promise<A>) =>
          at === step ? struck(n, hold, requests) : requests();
      const id = await created(client, own!, name, strike("create"));
      await saved(client, own!, id, name, strike("save"));
      const end = await sent(client, id, name, strike("send"));
      if (end === "unknown") expect(name).toMatch(MAY_BE_UNKNOWN);
      ends.set(name, end);
    }
    await sleep(2_000);
    const copies = await own!.messages("Sent");
    for (const [name, end] of ends) {
      const [visible, invisible] = [received!, hidden!].map((view) => view.messages("INBOX").then(named(name)));
      const mails = [...(await visible!), ...(await invisible!)];
      expect([0, 2], name).toContain(mails.length);
      if (end === "sent") {
        expect(mails, name).toHaveLength(2);
        expect(named(name)(copies), `${name} in Sent`).toHaveLength(1);
      }
      for (const { raw } of mails) {
        expect(raw).not.toMatch(/^(?:Bcc|X-Postern-Draft):/im);
        expect(raw, name).toContain("second text");
      }
      expect(named(name)(await own!.messages("Drafts")), `${name} in Drafts`).toHaveLength(end === "sent" ? 0 : 1);
    }
    const count = (end: string) => [...ends.values()].filter((one) => one === end).length;
    console.log({ kills: KILLS, sent: count("sent"), unknown: count("unknown") });
    for (const view of [own!, received!, hidden!]) view.close();
  };

  it(`${KILLS} times, on SQLite: is kept, and sent once`, () => killed(ME, {}));

  describeWithPostgres("with PostgreSQL", () => {
    const postgres = ManagedRuntime.make(Postgres.own);
    afterAll(() => postgres.dispose());

    it(`${KILLS} times: is kept, and sent once`, async () => {
      const url = await postgres.runPromise(Effect.flatMap(Postgres, ({ newDatabase }) => newDatabase));
      const commits = await commitProxy(url);
      await killed(`pg-${ME}`, { ...(await sharedKeys()), DATABASE_URL: commits.url }, commits);
    });
  });
});

type Strike = <A>(requests: () => Promise<A>) => Promise<A>;

const mailOf = (name: string, text: string) => ({
  to: TO,
  bcc: HIDDEN,
  subject: name,
  text: `${text} text`,
});

const named =
  (name: string) =>
  <M extends { readonly raw: string }>(messages: ReadonlyArray<M>): ReadonlyArray<M> =>
    messages.filter(({ raw }) => fieldOf(raw, "Subject") === name);

/** Creates a draft and returns its id. Checks after a lost answer that a stored draft is listed once. */
const created = async (client: DraftClient, own: MailboxView, name: string, strike: Strike): Promise<string> => {
  const answer = await strike(() => client.create(mailOf(name, "first")));
  const copies = named(name)(await own.messages("Drafts"));
  const listed = (await client.list()).filter(({ subject }) => subject === name);
  expect(listed.length, `${name} in the list`).toBe(copies.length);
  expect(copies.length, name).toBeLessThanOrEqual(1);
  if (answer?.status === 200) expect(listed.map(({ id }) => id)).toEqual([answer.body.data.id]);
  return listed[0]?.id ?? (await client.done("POST", "/api/drafts", mailOf(name, "first"))).data.id;
};

/** Saves a draft. Checks after a lost answer that the draft has the earlier or the new text, and that the next save leaves one copy. */
const saved = async (client: DraftClient, own: MailboxView, id: string, name: string, strike: Strike) => {
  const { version } = (await client.done("GET", `/api/drafts/${id}`)).data;
  const answer = await strike(() => client.save(id, version, mailOf(name, "second")));
  const copies = named(name)(await own.messages("Drafts"));
  expect([1, 2], `${name}: copies`).toContain(copies.length);
  const now = (await client.done("GET", `/api/drafts/${id}`)).data;
  expect(["first text", "second text"], name).toContain(now.text.trim());
  if (answer?.status === 200) expect(now.text).toContain("second");
  const again = await client.save(id, now.version, mailOf(name, "second"));
  expect([again?.status, again?.body.data?.id], name).toEqual([200, id]);
  expect(named(name)(await own.messages("Drafts")), `${name}: one copy`).toHaveLength(1);
};

/** Sends a draft by repeated requests, with and without a key, which all get the same receipt. Returns the outcome. */
const sent = async (client: DraftClient, id: string, name: string, strike: Strike): Promise<"sent" | "unknown"> => {
  const repeat = () => Promise.all([client.send(id), client.send(id, `key ${name}`), client.send(id)]);
  const answers: ReadonlyArray<Answer | undefined> = [...(await strike(repeat)), ...(await repeat())];
  const given = answers.flatMap((answer) => (answer === undefined ? [] : [answer]));
  for (const { status, body } of given) {
    expect(status === 200 ? "ok" : body.code, `${name}: ${JSON.stringify(body)}`).toMatch(
      /^(?:ok|send_outcome_unknown)$/,
    );
  }
  expect(new Set(given.map(({ body }) => body.messageId)).size, `${name}: one receipt`).toBe(1);
  const { messageId } = given[0]!.body;
  await expect.poll(() => client.stateOf(messageId), MINUTE).toMatch(/^(?:sent|unknown)$/);
  if ((await client.stateOf(messageId)) === "sent") {
    await expect.poll(async () => (await client.get(id))?.status, MINUTE).toBe(404);
    await expect.poll(async () => (await client.send(id))?.body.messageId, MINUTE).toBe(messageId);
    return "sent";
  }
  const draft = (await client.done("GET", `/api/drafts/${id}`)).data;
  expect([draft.state, draft.reason.reason]).toEqual(["draft", "send_outcome_unknown"]);
  expect((await client.send(id))?.body.code).toBe("send_outcome_unknown");
  return "unknown";
};
