import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describeWithExim, Dovecot, Exim } from "@postern/testkit";
import { Effect, Layer, ManagedRuntime } from "effect";
import PostalMime, { decodeWords, type Email } from "postal-mime";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { post, started } from "./server-process.ts";

const USERS = ["me", "one", "two", "hidden"].map((name) => `${name}@x.test`);
const PNG = new Uint8Array(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);

describeWithExim("through a real mail server", () => {
  const home = mkdtempSync(join(tmpdir(), "homes-"));
  const runtime = ManagedRuntime.make(Layer.mergeAll(Dovecot.layer({ home }), Exim.layer({ home })));
  let environment: Record<string, string> = {};
  let service: { readonly base: string; readonly token: string };

  beforeAll(async () => {
    const [dovecot, exim] = await runtime.runPromise(Effect.all([Dovecot, Exim]));
    for (const user of USERS) {
      await runtime.runPromise(Effect.andThen(dovecot.setPassword(user, "pass"), exim.addUser(user, "pass")));
    }
    environment = {
      IMAP_URL: `imap://${dovecot.host}:${dovecot.port}`,
      SMTP_URL: `smtp://${exim.host}:${exim.port}`,
      SEND_RATE_PER_MINUTE: "1000",
    };
  });
  afterAll(async () => {
    await runtime.dispose();
    rmSync(home, { recursive: true, force: true });
  });

  beforeEach(async () => {
    const { base } = await started(environment);
    const answer = await post(base, "/api/auth/mobile-login", { email: "me@x.test", password: "pass" });
    service = { base, token: ((await answer.json()) as { readonly token: string }).token };
  });

  const send = async (mail: object) => {
    const answer = await post(service.base, "/api/send", mail, service.token);
    return { status: answer.status, body: (await answer.json()) as any };
  };

  const upload = async (name: string, type: string, contents: Uint8Array<ArrayBuffer>) => {
    const form = new FormData();
    form.append("file", new Blob([contents], { type }), name);
    const headers = { authorization: `Bearer ${service.token}` };
    const answer = await fetch(`${service.base}/api/uploads`, { method: "POST", headers, body: form });
    return ((await answer.json()) as { readonly data: { readonly id: string } }).data;
  };

  /** Returns the message with this subject in a user's mail. */
  const arrived = async (user: string, messageId: string): Promise<{ readonly raw: string; readonly mail: Email }> => {
    for (let tries = 0; tries < 400; tries++) {
      for (const folder of ["new", "cur"]) {
        const at = join(home, user, "Maildir", folder);
        for (const name of listed(at)) {
          const raw = readFileSync(join(at, name), "latin1");
          if (!raw.includes(messageId)) continue;
          return { raw, mail: await PostalMime.parse(Buffer.from(raw, "latin1")) };
        }
      }
      await sleep(25);
    }
    throw new Error(`${messageId} did not arrive: ${await runtime.runPromise(Effect.flatMap(Exim, ({ log }) => log))}`);
  };

  it("arrives as sent: names, texts, files, and no bcc recipient", async () => {
    const report = Uint8Array.from({ length: 200_000 }, (_, n) => (n * 31) % 256);
    const files = [
      await upload("Übersicht „Q3“ ✓ 報告.pdf", "application/pdf", report),
      await upload("plain.txt", "text/plain", new TextEncoder().encode("line\n.\nend\r\n..\r\n")),
      await upload(`${"long name ".repeat(20)}.txt`, "text/plain", new TextEncoder().encode("x")),
      await upload("letter.eml", "message/rfc822", new TextEncoder().encode("Subject: inner\r\n\r\nhi\r\n")),
    ];
    const picture = { ...(await upload("bild ü.png", "image/png", PNG)), contentId: "bild@x" };
    const text = `Grüße ✓\n.\n..\n. \nFrom here\n${"x".repeat(998)}\n${"ü".repeat(1200)}\nend  \n`;
    const html = `<p>Grüße ✓ <img src="cid:bild@x"></p>\n.\n<p>${"y".repeat(1500)}</p>`;
    const { status, body } = await send({
      to: ['"Örjan, der Große" <one@x.test>', { name: "日本 太郎", address: "two@x.test" }],
      cc: { name: 'Me, "myself"', address: "me@x.test" },
      bcc: "hidden@x.test",
      replyTo: '"Antwört" <me@x.test>',
      subject: "Grüße ✓ 日本語 and a subject that is rather long, so that it has to be folded somewhere on its way 🎉",
      text,
      html,
      headers: { "X-Case": "Nr. 5 ✓" },
      attachments: [files[0], { id: files[1]!.id }, ...files.slice(2), picture],
    });
    expect([status, body.status, body.rejected]).toEqual([200, "sent", []]);
    for (const user of USERS) {
      const { raw, mail } = await arrived(user, body.messageId);
      expect(raw, "hidden").not.toMatch(/hidden@|^Bcc:/im);
      expect(mail.subject).toMatch(/^Grüße ✓ 日本語 .* 🎉$/);
      expect(mail.to).toMatchObject([
        { name: "Örjan, der Große", address: "one@x.test" },
        { name: "日本 太郎", address: "two@x.test" },
      ]);
      expect(mail.cc).toMatchObject([{ name: 'Me, "myself"', address: "me@x.test" }]);
      expect(mail.replyTo).toMatchObject([{ name: "Antwört", address: "me@x.test" }]);
      expect(mail.from).toMatchObject({ address: "me@x.test" });
      expect(decodeWords(mail.headers.find(({ key }) => key === "x-case")?.value ?? "")).toBe("Nr. 5 ✓");
      expect(lines(mail.text)).toEqual(lines(text));
      expect(lines(mail.html)).toEqual(lines(html));
      expect(
        mail.attachments.map(({ filename, mimeType, disposition, contentId }) => [
          filename,
          mimeType,
          disposition,
          contentId,
        ]),
      ).toEqual(
        expect.arrayContaining([
          ["bild ü.png", "image/png", "inline", "<bild@x>"],
          ["Übersicht „Q3“ ✓ 報告.pdf", "application/pdf", "attachment", undefined],
          ["plain.txt", "text/plain", "attachment", undefined],
          [`${"long name ".repeat(20)}.txt`, "text/plain", "attachment", undefined],
          ["letter.eml", "application/octet-stream", "attachment", undefined],
        ]),
      );
      expect(mail.attachments).toHaveLength(5);
      const contentsOf = (name: string) =>
        Buffer.from(mail.attachments.find(({ filename }) => filename === name)!.content as ArrayBuffer);
      expect(contentsOf("Übersicht „Q3“ ✓ 報告.pdf").equals(report)).toBe(true);
      expect(contentsOf("plain.txt").toString()).toBe("line\n.\nend\r\n..\r\n");
      expect(contentsOf("bild ü.png").equals(PNG)).toBe(true);
      for (const line of raw.split(/\r?\n/)) expect(line.length).toBeLessThanOrEqual(998);
    }
    const copy = await sentCopy(body.messageId);
    expect(copy).toMatch(/^Bcc: hidden@x\.test/m);
  });

  it("returns texts unchanged", async () => {
    const texts = [
      ["one line", "x"],
      ["a dot alone", "."],
      ["dots at the beginnings of lines", ".\n..\n...\n.x"],
      ["what could end the message early", "a\r\n.\r\nMAIL FROM:<evil@x.test>\r\n"],
      ["lone line ends of every kind", "a\rb\nc\r\nd\n\re"],
      ["lines of 998 characters", `${"a".repeat(998)}\n${"b".repeat(998)}`],
      ["one line of a megabyte", "c".repeat(1_000_000)],
      ["blanks at the ends of lines", "a \nb\t\n \n\n"],
    ] as const;
    for (const [name, text] of texts) {
      const { status, body } = await send({ to: "one@x.test", subject: name, text });
      expect([status, body.status], name).toEqual([200, "sent"]);
      const { mail } = await arrived("one@x.test", body.messageId);
      expect(lines(mail.text), name).toEqual(lines(text));
    }
  });

  it("reports an unknown recipient, and sends to the others", async () => {
    const { status, body } = await send({ to: "one@x.test, nobody@x.test", subject: "half", text: "x" });
    expect([status, body.status]).toEqual([200, "sent"]);
    expect(body.rejected).toMatchObject([{ recipient: "nobody@x.test" }]);
    await arrived("one@x.test", body.messageId);
    const none = await send({ to: "nobody@x.test", subject: "none", text: "x" });
    expect([none.status, none.body.code]).toEqual([400, "recipient_refused"]);
  });

  const sentCopy = async (messageId: string): Promise<string> => {
    for (let tries = 0; tries < 400; tries++) {
      const at = join(home, "me@x.test", "Maildir", "Sent", "cur");
      const found = listed(at).map((name) => readFileSync(join(at, name), "latin1"));
      const copy = found.find((raw) => raw.includes(messageId));
      if (copy !== undefined) return copy;
      await sleep(25);
    }
    throw new Error("no copy in Sent");
  };
});

const listed = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** Returns the text with CRLF as LF and without a final line end, which servers may add. */
const lines = (text: string | undefined): ReadonlyArray<string> => {
  const all = (text ?? "").split(/\r\n|\r|\n/);
  while (all.at(-1) === "") all.pop();
  return all;
};
