import { once } from "node:events";
import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openConversation, describeWithDovecot, Dovecot } from "@postern/testkit";
import { Effect, ManagedRuntime } from "effect";
import { expect, it, onTestFinished } from "vitest";
import { eventReader } from "./event-reader.ts";
import { post, started } from "./server-process.ts";

const MESSAGES = 200_000;
const USER = "large@postern.test";

const text = (subject: string) =>
  Buffer.from(
    `From: "A Sender" <a@example.org>\r\nTo: b@example.org\r\nMessage-ID: <${subject}@example.org>\r\n` +
      `Subject: ${subject}\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nText.\r\n`,
  );

/** Fills a Maildir with links to its files, because links are created and removed faster than files. */
const linkedMessages = (folder: string) => {
  const files = readdirSync(folder);
  for (let n = files.length; n < MESSAGES; n++) {
    const file = files[n % files.length]!;
    linkSync(join(folder, file), join(folder, `${1_100_000_000 + n}.${file}`));
  }
};

/** A proxy that counts the server's bytes and the IDLE commands, which a watch sends when it is up to date. */
const countingProxy = async (port: number) => {
  const counts = { bytes: 0, idles: 0 };
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    upstream.on("data", (bytes) => {
      counts.bytes += bytes.length;
      client.write(bytes);
    });
    client.on("data", (bytes) => {
      if (/ IDLE\r\n/.test(bytes.toString("latin1"))) counts.idles++;
      upstream.write(bytes);
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on("error", () => socket.destroy());
      socket.on("close", () => other.destroy());
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, counts };
};

const until = async (what: string, look: () => boolean) => {
  for (const began = performance.now(); performance.now() - began < 300_000; await sleep(20)) if (look()) return;
  throw new Error(`waited for ${what}`);
};

/** Returns the resident memory of a process in MiB; 0 if it has ended. */
const memoryOf = (pid: number | undefined) => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return 0;
  }
};

describeWithDovecot("watching a large mailbox", () => {
  it("announces an arrival before the whole mailbox is recorded, and records it in little memory", async () => {
    const home = mkdtempSync(join(tmpdir(), "large-mailbox-"));
    const runtime = ManagedRuntime.make(Dovecot.layer({ home }));
    onTestFinished(async () => {
      await runtime.dispose();
      rmSync(home, { recursive: true });
    }, 300_000);
    const { port } = await runtime.runPromise(
      Effect.gen(function* () {
        const dovecot = yield* Dovecot;
        yield* dovecot.setPassword(USER, "pass");
        const old = Array.from({ length: 100 }, (_, n) => ({ raw: text(`old-${n}`), arrivedAt: 1_700_000_000_000 }));
        yield* dovecot.deliver(USER, "INBOX", old);
        linkedMessages(join(home, USER, "Maildir", "cur"));
        return dovecot;
      }),
    );
    const proxy = await countingProxy(port);
    const server = await started({
      IMAP_URL: `imap://127.0.0.1:${proxy.port}`,
      SMTP_URL: "smtp://127.0.0.1:9",
      LOG_LEVEL: "info",
    });
    const answer = await post(server.base, "/api/auth/mobile-login", { email: USER, password: "pass" });
    const { token } = (await answer.json()) as { readonly token: string };
    const listing = await fetch(`${server.base}/api/inbox`, { headers: { authorization: `Bearer ${token}` } });
    expect(await listing.json()).toMatchObject({ total: MESSAGES });

    const [idle, before] = [memoryOf(server.child.pid), proxy.counts.bytes];
    let peak = idle;
    const sampling = setInterval(() => (peak = Math.max(peak, memoryOf(server.child.pid))), 50);
    server.child.once("exit", () => clearInterval(sampling));
    const reader = eventReader(() => [server.base], token);
    await until("a stream", () => reader.connections() > 0);
    const session = await openConversation("127.0.0.1", port, USER, "pass");
    await session.command("APPEND INBOX", text("new"));
    session.close();
    const arrivedAt = performance.now();
    await until("the arrival", () => reader.events.some(({ data }) => data.subject === "new"));
    expect(performance.now() - arrivedAt).toBeLessThan(5_000);
    expect(proxy.counts.idles, "the rest is not recorded yet").toBe(0);
    await until("a watch with nothing more to do", () => proxy.counts.idles > 0);
    expect((proxy.counts.bytes - before) / MESSAGES).toBeLessThan(300);
    expect(peak - idle).toBeLessThan(50);
    await reader.stop();
  });
});
