import { setTimeout as sleep } from "node:timers/promises";
import { describeWithDovecot, Dovecot } from "@postern/testkit";
import { ManagedRuntime } from "effect";
import { afterAll, expect, it } from "vitest";
import { labelledMails } from "./labelled-mails.ts";
import { post, started } from "./server-process.ts";

const [ME, PASSWORD] = ["me@x.test", "pass"];

/** Words of style sheets, and links that identify the reader. */
const MACHINE_TEXT =
  /\{[^}]*:|!important|(?:color|font-[a-z]+|padding|display) ?:|<\/?(?:a|br|div|img|p|span|style|t[dr]|table)\b|&[a-z#]\w+;|https?:\/\/\S{60}/i;

/** Invisible characters, except joiners within a word or an emoji. */
const PADDING = /[\u034f\u00ad\u2007\u200b\u200e\u200f\u2060\u2800\ufeff]|[\u200c\u200d](?:\s|[\u200c\u200d]|$)/u;

describeWithDovecot("the previews of labelled mails", () => {
  const runtime = ManagedRuntime.make(Dovecot.layer());
  afterAll(() => runtime.dispose());

  it("are the text that a person reads first in at least 95 of 100, and never styles, tracking links or padding [S12.3-2]", async () => {
    const mails = labelledMails();
    expect(mails.length).toBeGreaterThanOrEqual(200);
    const dovecot = await runtime.runPromise(Dovecot);
    await runtime.runPromise(dovecot.setPassword(ME, PASSWORD));
    const messages = mails.map(({ raw }, n) => ({ raw, arrivedAt: 1_700_000_000_000 + n * 1_000 }));
    await runtime.runPromise(dovecot.deliver(ME, "INBOX", messages));
    const { base } = await started({ IMAP_URL: `imap://127.0.0.1:${dovecot.port}`, SMTP_URL: "smtp://127.0.0.1:9" });
    const login = await post(base, "/api/auth/mobile-login", { email: ME, password: PASSWORD });
    const { token } = (await login.json()) as { readonly token: string };
    const shown = new Map<string, string | null>();
    const lacking = () =>
      mails.filter(({ name, preview }) => preview !== null && !shown.get(name.split(",")[0]!)).length;
    // A listing waits for previews for 300 ms; a later one has them.
    for (let reads = 0; reads < 50 && (reads === 0 || lacking() > 0); reads++) {
      for (const page of [1, 2]) {
        const headers = { authorization: `Bearer ${token}` };
        const answer = await fetch(`${base}/api/inbox?limit=200&page=${page}`, { headers });
        const { emails } = (await answer.json()) as {
          readonly emails: ReadonlyArray<{ readonly subject: string; readonly preview: string | null }>;
        };
        for (const { subject, preview } of emails) shown.set(subject, preview);
      }
      await sleep(100);
    }
    expect(shown.size).toBe(mails.length);
    const wrong = mails.flatMap(({ name, preview }) => {
      const found = shown.get(name.split(",")[0]!);
      return found === preview ? [] : [`${name}\n  is       ${found}\n  expected ${preview}`];
    });
    expect(wrong.length / mails.length, wrong.join("\n")).toBeLessThanOrEqual(0.05);
    for (const preview of shown.values()) {
      expect(preview ?? "").not.toMatch(MACHINE_TEXT);
      expect(preview ?? "").not.toMatch(PADDING);
      expect([...(preview ?? "")].length).toBeLessThanOrEqual(200);
    }
  });
});
