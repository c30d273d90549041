import { setTimeout as sleep } from "node:timers/promises";
import { openConversation, Cyrus, describeWithCyrus, describeWithDovecot, Dovecot, Postgres } from "@postern/testkit";
import { Context, Effect, Layer } from "effect";
import { expect, it } from "vitest";
import { cuttingProxy } from "./cutting-proxy.ts";
import { eventReader } from "./event-reader.ts";
import { serverNodes, sharedKeys } from "./server-nodes.ts";
import { post } from "./server-process.ts";

const ARRIVALS = Number(process.env["ARRIVALS"] ?? 1_000);
const FAULT_EVERY = 3_000;
const USER = "faults@postern.test";
const PASSWORD = "pass";

const mail = (subject: string) =>
  Buffer.from(`From: a@example.org\r\nMessage-ID: <${subject}@example.org>\r\nSubject: ${subject}\r\n\r\nText.\r\n`);

/** Appends with retries until the server answers OK, each time with a new subject, because a lost OK may hide a success. */
const appender = (port: number) => {
  let session: Awaited<ReturnType<typeof openConversation>> | undefined;
  return async (name: string): Promise<string> => {
    for (let attempt = 0; ; attempt++) {
      const subject = `${name}-${attempt}`;
      try {
        session ??= await openConversation("127.0.0.1", port, USER, PASSWORD);
        await session.command("APPEND INBOX", mail(subject));
        return subject;
      } catch {
        session?.close();
        session = undefined;
        await sleep(50);
      }
    }
  };
};

interface MailServer {
  readonly port: number;
  readonly setPassword: (user: string, password: string) => Effect.Effect<void>;
  readonly restart?: Effect.Effect<void>;
}

const arrivalsAreAnnouncedOnce = Effect.fnUntraced(function* (server: MailServer) {
  yield* server.setPassword(USER, PASSWORD);
  const postgres = Context.get(yield* Layer.build(Postgres.own), Postgres);
  const proxy = yield* cuttingProxy(server.port);
  const nodes = yield* serverNodes({
    ...(yield* Effect.promise(sharedKeys)),
    DATABASE_URL: yield* postgres.newDatabase,
    IMAP_URL: `imap://127.0.0.1:${proxy.port}`,
    SMTP_URL: "smtp://127.0.0.1:9",
  });
  const faults: ReadonlyArray<readonly [string, () => Promise<unknown>]> = [
    ["cut", async () => proxy.arrange(1 + Math.floor(Math.random() * 4), Math.random() < 0.5 ? "before" : "after")],
    ["kill", async () => (await nodes.end(nodes.bases()[0]!, "SIGKILL"), nodes.start())],
    ["stop", async () => (await nodes.end(nodes.bases()[0]!, "SIGTERM"), nodes.start())],
    ...(server.restart === undefined ? [] : [["restart", () => Effect.runPromise(server.restart!)] as const]),
  ];

  yield* Effect.promise(async () => {
    const append = appender(server.port);
    await append("old");
    const [base] = [await nodes.start(), await nodes.start()];
    const login = await post(base, "/api/auth/mobile-login", { email: USER, password: PASSWORD });
    const { token } = (await login.json()) as { readonly token: string };
    const reader = eventReader(nodes.bases, token);
    while (reader.connections() === 0) await sleep(20);

    const wanted: Array<string> = [];
    const happened: Record<string, number> = {};
    let arriving = true;
    const trouble = (async () => {
      // A stream that breaks before its first event has no id to resume from.
      while (arriving && reader.events.length === 0) await sleep(100);
      for (let n = 0; arriving; n++) {
        await sleep(FAULT_EVERY * (0.5 + Math.random()));
        const [name, strike] = faults[n % faults.length]!;
        happened[name] = (happened[name] ?? 0) + 1;
        await strike();
      }
    })();
    for (let n = 0; n < ARRIVALS; n++) {
      wanted.push(await append(`new-${n}`));
      await sleep(Math.random() * 120);
    }
    arriving = false;
    await trouble;
    const got = () =>
      reader.events.filter(({ event }) => event === "email.received").map(({ data }) => subjectOf(data));
    const missing = () => {
      const seen = new Set(got());
      return wanted.filter((subject) => !seen.has(subject));
    };
    for (let tries = 0; tries < 600 && missing().length > 0; tries++) await sleep(100);
    await sleep(3_000);
    await reader.stop();
    const counts = Object.groupBy(got(), (subject) => subject);
    const twice = Object.entries(counts).filter(([, all]) => all!.length > 1);
    console.log(`${wanted.length} arrivals, faults ${JSON.stringify(happened)}, ${reader.connections()} streams`);
    expect(missing()).toEqual([]);
    expect(twice.map(([subject]) => subject)).toEqual([]);
    expect(got().filter((subject) => subject.startsWith("old"))).toEqual([]);
    expect(reader.problems.filter((problem) => !/^50[234]/.test(problem))).toEqual([]);
  });
}, Effect.scoped);

/** `data` of the body: the event's `data`. */
const subjectOf = (data: unknown): string => (data as { readonly subject: string }).subject;

describeWithDovecot("arrivals under faults", () => {
  it(`are announced once each: ${ARRIVALS} on Dovecot, which restarts`, async () => {
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const dovecot = Context.get(yield* Layer.build(Dovecot.layer()), Dovecot);
          const restart = Effect.andThen(dovecot.stop, Effect.andThen(Effect.sleep(500), dovecot.start));
          yield* arrivalsAreAnnouncedOnce({ ...dovecot, restart });
        }),
      ),
    );
  });
});

describeWithCyrus("arrivals under faults", () => {
  it(`are announced once each: ${ARRIVALS} on Cyrus`, async () => {
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          yield* arrivalsAreAnnouncedOnce(Context.get(yield* Layer.build(Cyrus.layer()), Cyrus));
        }),
      ),
    );
  });
});
