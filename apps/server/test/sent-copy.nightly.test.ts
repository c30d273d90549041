import { setTimeout as sleep } from "node:timers/promises";
import { assert, it } from "@effect/vitest";
import {
  describeWithDovecot,
  Dovecot,
  dovecotControl,
  MailServerControl,
  refusingProxy,
  ScriptedSmtp,
} from "@postern/testkit";
import { Effect, Layer, Redacted } from "effect";
import { post, started } from "./server-process.ts";

interface SentCopy {
  readonly state: string;
  readonly nextAttemptAt: string | null;
  readonly failure: { readonly reason: string } | null;
}

describeWithDovecot("the outbox", () => {
  it.live(
    "shows a copy to Sent that a full mailbox refuses, and a message that waits because the server offers no AUTH [S1.3-12]",
    () =>
      Effect.gen(function* () {
        const imap = yield* refusingProxy((yield* Dovecot).port);
        const smtp = yield* ScriptedSmtp;
        const { credential } = yield* (yield* MailServerControl).newAccount;
        imap.refuse(/^APPEND$/, "[OVERQUOTA] Quota exceeded");
        yield* Effect.promise(async () => {
          const environment = {
            IMAP_URL: `imap://127.0.0.1:${imap.port}`,
            SMTP_URL: `smtp://${smtp.host}:${smtp.port}`,
          };
          const { base, child } = await started({ ...environment, SMTP_REQUIRE_AUTH: "false" });
          const password = Redacted.value(credential.password);
          const login = await post(base, "/api/auth/mobile-login", { email: credential.username, password });
          const { token } = (await login.json()) as { readonly token: string };
          const outbox = async (at: string) => {
            const answer = await fetch(`${at}/api/outbox`, { headers: { authorization: `Bearer ${token}` } });
            const { data } = (await answer.json()) as {
              data: ReadonlyArray<{ sentCopy: SentCopy; failure: { detail: string } | null }>;
            };
            return data[0]!;
          };
          const mail = { to: "a@y.test", subject: "x", text: "y" };
          assert.include(await (await post(base, "/api/send", mail, token)).json(), { status: "sent" });
          let copy = (await outbox(base)).sentCopy;
          for (; copy.failure === null; copy = (await outbox(base)).sentCopy) await sleep(50);
          assert.deepInclude(copy, { state: "owed" });
          assert.strictEqual(copy.failure?.reason, "over_quota");
          assert.isAbove(Date.parse(copy.nextAttemptAt!), Date.now());
          child.kill("SIGKILL");

          const strict = await started(environment);
          assert.include(await (await post(strict.base, "/api/send", mail, token)).json(), { status: "queued" });
          assert.match((await outbox(strict.base)).failure!.detail, /SMTP_REQUIRE_AUTH/);
          assert.lengthOf(smtp.taken(), 1);
        });
      }).pipe(
        Effect.scoped,
        Effect.provide(
          Layer.mergeAll(
            dovecotControl.pipe(Layer.provideMerge(Dovecot.layer())),
            ScriptedSmtp.layer({ extensions: [] }),
          ),
        ),
      ),
  );

  it.live(
    "names a message by the Message-ID that the SMTP server gave it, and makes no copy beside the server's [S6.6-2]",
    () =>
      Effect.gen(function* () {
        const { port } = yield* Dovecot;
        const smtp = yield* ScriptedSmtp;
        const control = yield* MailServerControl;
        const { account, credential } = yield* control.newAccount;
        const provided = (n: number) => `<new-${n}@prod.outlook.test>`;
        const given = (n: number) => {
          const text = `OK ${provided(n)} [Hostname=prod.outlook.test]`;
          smtp.behave({ dot: { code: 250, enhanced: "2.0.0", text } });
        };
        yield* control.append(account, "Sent", `Message-ID: ${provided(1)}\r\n\r\nSent\r\n`);
        yield* Effect.promise(async () => {
          const environment = { IMAP_URL: `imap://127.0.0.1:${port}`, SMTP_URL: `smtp://${smtp.host}:${smtp.port}` };
          const { base } = await started({ ...environment, SMTP_REQUIRE_AUTH: "false" });
          const password = Redacted.value(credential.password);
          const login = await post(base, "/api/auth/mobile-login", { email: credential.username, password });
          const { token } = (await login.json()) as { readonly token: string };
          const read = async (path: string) =>
            (await (await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${token}` } })).json()) as {
              readonly data: ReadonlyArray<{ readonly sentCopy: SentCopy; readonly providerMessageId: string }>;
              readonly emails: ReadonlyArray<{ readonly messageId: string }>;
            };
          for (const n of [1, 2]) {
            given(n);
            const answer = await (
              await post(base, "/api/send", { to: "a@y.test", subject: "x", text: "y" }, token)
            ).json();
            assert.include(answer, { status: "sent", providerMessageId: provided(n) });
            assert.notStrictEqual((answer as { readonly messageId: string }).messageId, provided(n));
            while ((await read("/api/outbox")).data[0]!.sentCopy.state !== "kept") await sleep(50);
          }
          assert.strictEqual((await read("/api/outbox")).data[0]!.providerMessageId, provided(2));
          const { emails } = await read("/api/inbox?folder=sent");
          assert.deepStrictEqual(
            emails.map(({ messageId }) => messageId),
            [provided(2), provided(1)],
          );
        });
      }).pipe(
        Effect.scoped,
        Effect.provide(
          Layer.mergeAll(
            dovecotControl.pipe(Layer.provideMerge(Dovecot.layer())),
            ScriptedSmtp.layer({ extensions: [] }),
          ),
        ),
      ),
  );
});
