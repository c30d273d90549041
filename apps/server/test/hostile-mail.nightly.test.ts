import { assert, it } from "@effect/vitest";
import {
  describeWithDovecot,
  Dovecot,
  dovecotControl,
  HOSTILE_MAILS,
  crlfLines,
  MailServerControl,
  randomMails,
} from "@postern/testkit";
import { Effect, Layer, Redacted } from "effect";
import { post, started } from "./server-process.ts";

/** The longest a request may take: five seconds in a worker, and a margin for a busy machine. */
const MAX_MILLIS = 9_000;

describeWithDovecot("hostile mail", () => {
  it.live(
    "every message is returned in time, with an unchanged raw form, and delays no other request",
    () =>
      Effect.gen(function* () {
        const { host, port } = yield* Dovecot;
        const control = yield* MailServerControl;
        const { account, credential } = yield* control.newAccount;
        const mails = [...HOSTILE_MAILS.map(([, make]) => make()), ...randomMails(60)];
        for (const raw of mails) yield* control.append(account, "INBOX", raw.toString("latin1"));
        yield* control.append(account, "INBOX", crlfLines("Subject: last", "", "Good."));

        yield* Effect.promise(async () => {
          const { base } = await started({ IMAP_URL: `imap://${host}:${port}`, SMTP_URL: "smtp://127.0.0.1:9" });
          const { username, password } = credential;
          const login = await post(base, "/api/auth/mobile-login", {
            email: username,
            password: Redacted.value(password),
          });
          const { token } = (await login.json()) as { readonly token: string };
          const get = (path: string) => fetch(`${base}${path}`, { headers: { authorization: `Bearer ${token}` } });
          const page = (await (await get("/api/inbox?limit=200")).json()) as {
            readonly total: number;
            readonly emails: ReadonlyArray<{
              readonly id: string;
              readonly uid: number;
              readonly size: number;
              readonly subject: string;
            }>;
          };
          assert.strictEqual(page.total, mails.length + 1);
          assert.lengthOf(page.emails, mails.length + 1);
          for (const { id, uid, size } of page.emails) {
            const what = HOSTILE_MAILS[uid - 1]?.[0] ?? `random ${uid}`;
            const began = performance.now();
            const answer = await get(`/api/messages/${id}`);
            const { data } = (await answer.json()) as {
              data: { parsed: boolean; text: string | null; rawUrl: string };
            };
            const took = performance.now() - began;
            assert.strictEqual(answer.status, 200, `${what}: ${JSON.stringify(data)}`);
            assert.isBelow(took, MAX_MILLIS, what);
            if (process.env["VERBOSE"] !== undefined) console.log(Math.round(took), data.parsed, what);
            assert.strictEqual(data.parsed, data.text !== null, what);
            const raw = await get(data.rawUrl);
            assert.strictEqual(raw.status, 200, what);
            assert.strictEqual((await raw.arrayBuffer()).byteLength, size, what);
          }
          const last = await get(`/api/messages/${page.emails[0]!.id}`);
          assert.deepInclude(await last.json().then(({ data }: any) => data), { subject: "last", parsed: true });
        });
      }).pipe(Effect.provide(dovecotControl.pipe(Layer.provideMerge(Dovecot.layer()))), Effect.scoped),
    300_000,
  );
});
