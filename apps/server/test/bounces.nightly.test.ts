import { chmodSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openConversation, describeWithDovecot, Dovecot, nightly, ScriptedSmtp } from "@postern/testkit";
import { Effect, Layer, ManagedRuntime } from "effect";
import { expect, it } from "vitest";
import { eventReader } from "./event-reader.ts";
import { dataDir, post, started } from "./server-process.ts";

const USER = "sender@postern.test";
const REPORTS = nightly([1_000])[0] ?? 200;

/** Returns the recipient of a report. One report in a hundred is genuine; the report just before the kill has a separate recipient. */
const recipientOf = (n: number): string =>
  n === REPORTS / 2 - 1 ? "killed@y.test" : n % 100 === 0 ? "one@y.test" : `forged${n}@y.test`;

const dsn = (recipient: string, messageId: string) =>
  Buffer.from(
    [
      "From: MAILER-DAEMON@mx.example.org",
      `To: ${USER}`,
      "Subject: Undelivered Mail Returned to Sender",
      "MIME-Version: 1.0",
      'Content-Type: multipart/report; report-type=delivery-status; boundary="B"',
      "",
      "--B",
      "Content-Type: message/delivery-status",
      "",
      "Reporting-MTA: dns; mx.example.org",
      "",
      `Final-Recipient: rfc822; ${recipient}`,
      "Action: failed",
      "Status: 5.1.1",
      "",
      "--B",
      "Content-Type: text/rfc822-headers",
      "",
      `Message-ID: ${messageId}`,
      "",
      "--B--",
      "",
    ].join("\r\n"),
  );

describeWithDovecot("bounces at a real mail server", () => {
  it("counts a bounce once among many reports, most of them forged, and loses none to kill -9", async () => {
    // Dovecot runs as another user.
    chmodSync(dataDir(), 0o755);
    const runtime = ManagedRuntime.make(
      Layer.merge(Dovecot.layer({ home: join(dataDir(), "mail") }), ScriptedSmtp.layer()),
    );
    const { dovecot, smtp } = await runtime.runPromise(
      Effect.gen(function* () {
        const [dovecot, smtp] = [yield* Dovecot, yield* ScriptedSmtp];
        yield* dovecot.setPassword(USER, "pass");
        smtp.setPassword(USER, "pass");
        return { dovecot, smtp };
      }),
    );
    const settings = { IMAP_URL: `imap://127.0.0.1:${dovecot.port}`, SMTP_URL: `smtp://127.0.0.1:${smtp.port}` };
    let server = await started(settings);
    const login = await post(server.base, "/api/auth/mobile-login", { email: USER, password: "pass" });
    const { token } = (await login.json()) as { readonly token: string };
    const reader = eventReader(() => [server.base], token);
    while (reader.connections() === 0) await sleep(20);
    const body = { to: ["one@y.test", "killed@y.test", "two@y.test"], subject: "Offer", text: "Hi." };
    const sent = await post(server.base, "/api/send", body, token);
    const { messageId } = (await sent.json()) as { readonly messageId: string };

    const session = await openConversation("127.0.0.1", dovecot.port, USER, "pass");
    for (let n = 0; n < REPORTS; n++) {
      await session.command("APPEND INBOX", dsn(recipientOf(n), messageId));
      if (n !== REPORTS / 2) continue;
      server.child.kill("SIGKILL");
      await server.ended;
      server = await started(settings);
    }
    await session.command("APPEND INBOX", dsn("two@y.test", messageId));
    session.close();

    const bounced = () =>
      reader.events.flatMap(({ event, data }) =>
        event === "email.bounced" ? [(data as unknown as { recipient: string }).recipient] : [],
      );
    const until = performance.now() + 60_000;
    while (bounced().length < 3 && performance.now() < until) await sleep(100);
    await sleep(1_000);
    expect(bounced().toSorted()).toEqual(["killed@y.test", "one@y.test", "two@y.test"]);
    await reader.stop();
    await runtime.dispose();
  }, 180_000);
});
