import { chmodSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openConversation, describeWithDovecot, Dovecot } from "@postern/testkit";
import { Effect, ManagedRuntime } from "effect";
import { beforeEach, expect, it } from "vitest";
import { eventReader } from "./event-reader.ts";
import { orderedBursts } from "./ordered-bursts.ts";
import { dataDir, post, started } from "./server-process.ts";

const WITHIN = 40_000;

const until = async <A>(what: string, look: () => A | undefined | false): Promise<A> => {
  for (const began = performance.now(); performance.now() - began < WITHIN; await sleep(50)) {
    const seen = look();
    if (seen !== undefined && seen !== false) return seen;
  }
  throw new Error(`waited for ${what}`);
};

const text = (subject: string, to = "b@example.org") =>
  Buffer.from(
    `From: a@example.org\r\nTo: ${to}\r\nMessage-ID: <${subject}@example.org>\r\nSubject: ${subject}\r\n\r\n.\r\n`,
  );

describeWithDovecot("arrivals at a real mail server", () => {
  let home = "";
  let users = 0;
  const make = () => ManagedRuntime.make(Dovecot.layer({ home }));
  let runtime: ReturnType<typeof make>;
  const onServer = <A>(use: (dovecot: Dovecot["Service"]) => Effect.Effect<A>) =>
    runtime.runPromise(Effect.flatMap(Dovecot, use));

  beforeEach(async () => {
    // Dovecot runs as another user.
    chmodSync(dataDir(), 0o755);
    home = join(dataDir(), "mail");
    runtime = make();
    return () => runtime.dispose();
  });

  const signedIn = async () => {
    const user = `u${++users}@postern.test`;
    const { port } = await onServer((dovecot) => Effect.as(dovecot.setPassword(user, "pass"), dovecot));
    const server = await started({ IMAP_URL: `imap://127.0.0.1:${port}`, SMTP_URL: "smtp://127.0.0.1:9" });
    const append = async (...messages: ReadonlyArray<Buffer>) => {
      const session = await openConversation("127.0.0.1", port, user, "pass");
      for (const message of messages) await session.command("APPEND INBOX", message);
      session.close();
    };
    const streamed = async () => {
      const answer = await post(server.base, "/api/auth/mobile-login", { email: user, password: "pass" });
      const { token } = (await answer.json()) as { readonly token: string };
      const reader = eventReader(() => [server.base], token);
      await until("a stream", () => reader.connections() > 0);
      return reader;
    };
    const received = (reader: ReturnType<typeof eventReader>) =>
      reader.events.flatMap(({ event, data }) => (event === "email.received" ? [data.subject] : []));
    return { user, server, append, streamed, received, inbox: join(home, user, "Maildir") };
  };

  it("announces no message twice when a folder of 1,000 messages is recreated with another UIDVALIDITY", async () => {
    const { append, streamed, received, inbox } = await signedIn();
    await append(...Array.from({ length: 1_000 }, (_, n) => text(`old-${n}`)));
    const reader = await streamed();
    await append(text("watched"));
    await until("the watch", () => received(reader).includes("watched"));
    await onServer(({ stop }) => stop);
    for (const name of readdirSync(inbox))
      if (/^dovecot[.-]/.test(name)) rmSync(join(inbox, name), { recursive: true });
    await onServer(({ start }) => start);
    await append(text("after"));
    await until("the next arrival", () => received(reader).includes("after"));
    await sleep(1_000);
    expect(received(reader)).toEqual(["watched", "after"]);
    expect(reader.events.map(({ event }) => event).filter((event) => event === "email.deleted")).toEqual([]);
    await reader.stop();
  });

  it("sends bursts of mail to ordered endpoints of several accounts in the order of their arrival", async () => {
    const { port, setPassword } = await onServer((dovecot) => Effect.succeed(dovecot));
    const { base } = await started({
      IMAP_URL: `imap://127.0.0.1:${port}`,
      SMTP_URL: "smtp://127.0.0.1:9",
      WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
    });
    const mailServer = { port, setPassword: (...user: [string, string]) => Effect.runPromise(setPassword(...user)) };
    await orderedBursts(base, mailServer, 3, 2);
  });

  it("announces a message to 3,000 recipients, one of 0 bytes, and those after them", async () => {
    const { append, streamed, received, inbox } = await signedIn();
    const reader = await streamed();
    const many = Array.from({ length: 3_000 }, (_, n) => `"Recipient ${n}" <recipient-${n}@example.org>`).join(
      ",\r\n ",
    );
    await append(text("many", many));
    const toMany = await until("the first", () => reader.events.find(({ data }) => data.subject === "many"));
    expect(toMany.data).toMatchObject({ toCount: 3_000, truncated: true });
    expect((toMany.data as unknown as { to: ReadonlyArray<string> }).to).toHaveLength(50);
    writeFileSync(join(inbox, "new", "1000000000.M0.empty"), "", { mode: 0o666 });
    await append(text("next"));
    await until("the next", () => received(reader).includes("next"));
    await until("the empty one", () => received(reader).includes(""));
    expect(received(reader)).toHaveLength(3);
    await reader.stop();
  });

  it("ends streams when the service stops, and resumes them in the next process", async () => {
    const { append, streamed, server, received } = await signedIn();
    const reader = await streamed();
    await append(text("one"));
    await until("the first", () => received(reader).includes("one"));
    const began = performance.now();
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    expect(performance.now() - began).toBeLessThan(10_000);
    await reader.stop();
  });
});
