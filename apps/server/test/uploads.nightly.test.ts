import { readdir, readFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { describeWithPostgres, nightly, Postgres } from "@postern/testkit";
import { Effect, ManagedRuntime } from "effect";
import { afterAll, describe, expect, it } from "vitest";
import { sharedKeys } from "./server-nodes.ts";
import { dataDir, post, signIn, started } from "./server-process.ts";

const MIB = 1024 * 1024;
const FILE = new Uint8Array(25 * MIB).map((_, n) => n % 251);

/** Returns a form with a file. */
const formOf = (contents: Uint8Array, name = "big.bin"): Buffer<ArrayBuffer> =>
  Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`),
    contents,
    Buffer.from("\r\n--b--\r\n"),
  ]);

const PIECE = 256 * 1024;

/** Streams a form in pieces. If the client wrote twenty whole forms, its event loop would be blocked for so long that the server would close connections without a header. */
const inPieces = (form: Buffer<ArrayBuffer>) => {
  let at = 0;
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      controller.enqueue(form.subarray(at, (at += PIECE)));
      if (at >= form.length) controller.close();
    },
  });
};

const upload = (base: string, token: string, form: Buffer<ArrayBuffer> | ReturnType<typeof inPieces>) =>
  fetch(`${base}/api/uploads`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "multipart/form-data; boundary=b" },
    body: form,
    duplex: "half",
  } as RequestInit);

/** Returns the peak memory of a process in MiB. */
const peakMemory = async (pid: number): Promise<number> =>
  Number(/VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, "utf8"))![1]) / 1024;

/** Starts an upload and cuts its connection in the middle. */
const brokenOff = async (base: string, token: string, bytes: number) => {
  const request = httpRequest(`${base}/api/uploads`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "multipart/form-data; boundary=b",
      "content-length": 2 * bytes,
    },
  });
  request.on("error", () => {});
  request.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n');
  await new Promise((resolve) => request.write(new Uint8Array(bytes), resolve));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const closed = new Promise((resolve) => request.once("close", resolve));
  request.destroy();
  await closed;
};

const received = async (base: string, token: string, subject: string) => {
  const answer = await fetch(`${base}/api/inbox?limit=5`, { headers: { authorization: `Bearer ${token}` } });
  const { emails } = (await answer.json()) as {
    readonly emails: ReadonlyArray<{ subject: string; attachments: unknown }>;
  };
  return emails.find((email) => email.subject === subject)?.attachments;
};

const twentyAtOnce = async (base: string, pid: number, token: string) => {
  const before = await peakMemory(pid);
  const form = formOf(FILE);
  const answers = await Promise.all(Array.from({ length: 20 }, () => upload(base, token, inPieces(form))));
  const sizes = await Promise.all(
    answers.map(async (answer) => ((await answer.json()) as { data: { size: number } }).data.size),
  );
  expect(sizes).toEqual(Array.from({ length: 20 }, () => FILE.length));
  const grown = (await peakMemory(pid)) - before;
  console.log(`20 uploads of 25 MiB at once: ${before.toFixed(0)} MiB at most before, ${grown.toFixed(0)} MiB more`);
  return grown;
};

/** The allowed growth of memory, in MiB, for 500 MiB of uploads; includes garbage not yet collected. */
const MAX_GROWTH = 250;

describe("uploads into a folder", () => {
  it("use as much memory for twenty concurrent ones as for a small one, and arrive [S6.1-3]", async () => {
    const { base, child } = await started();
    const { token } = await signIn(base);
    await upload(base, token, formOf(new Uint8Array(1000)));
    expect(await twentyAtOnce(base, child.pid!, token)).toBeLessThan(MAX_GROWTH);
    expect(await readdir(join(dataDir(), "uploads"))).toHaveLength(21);
  });

  it("leave no file when they are cut off or too large, and a large one is answered with the limit", async () => {
    const { base } = await started();
    const { token } = await signIn(base);
    await brokenOff(base, token, 3 * MIB);
    await expect.poll(() => readdir(join(dataDir(), "uploads"))).toEqual([]);
    for (const size of [25 * MIB + 1, 25.5 * MIB, 30 * MIB]) {
      const answer = await upload(base, token, formOf(new Uint8Array(size)));
      expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
        413,
        expect.stringContaining("26214400"),
      ]);
    }
    expect(await readdir(join(dataDir(), "uploads"))).toEqual([]);
  });

  it("survive the process, and incomplete ones are swept", async () => {
    const first = await started();
    const { token } = await signIn(first.base);
    const answer = await upload(first.base, token, formOf(FILE.slice(0, MIB), "kept.bin"));
    const { data } = (await answer.json()) as { data: { id: string } };
    first.child.kill("SIGKILL");
    await first.ended;
    const second = await started();
    const again = (await signIn(second.base)).token;
    const mail = { to: "friend@postern.test", subject: "survived", text: "x", attachments: [data] };
    expect((await post(second.base, "/api/send", mail, again)).status).toBe(200);
  });
});

describeWithPostgres(
  "uploads into Postgres",
  () => {
    const runtime = ManagedRuntime.make(Postgres.own);
    afterAll(() => runtime.dispose());
    const environment = async () => ({
      ...(await sharedKeys()),
      DATABASE_URL: await runtime.runPromise(Effect.flatMap(Postgres, ({ newDatabase }) => newDatabase)),
      DATA_DIR: "/nowhere/at/all",
    });

    it.each(nightly(["twenty"]))("use as much memory for %s concurrent ones as for a small one", async () => {
      const { base, child } = await started(await environment());
      const { token } = await signIn(base);
      await upload(base, token, formOf(new Uint8Array(1000)));
      expect(await twentyAtOnce(base, child.pid!, token)).toBeLessThan(MAX_GROWTH);
    });

    it("are sent by another process after the one that received them was killed [S6.1-4]", async () => {
      const shared = await environment();
      const [a, b] = await Promise.all([started(shared), started(shared)]);
      const { token } = await signIn(a.base);
      const answer = await upload(a.base, token, formOf(FILE, "whole.bin"));
      const { data } = (await answer.json()) as { data: { id: string; size: number } };
      a.child.kill("SIGKILL");
      await a.ended;
      const mail = { to: "friend@postern.test", subject: "from A", text: "x", attachments: [data] };
      const sent = await post(b.base, "/api/send", mail, token);
      expect([sent.status, await sent.json()]).toEqual([200, expect.objectContaining({ status: "sent" })]);
      const friend = await post(b.base, "/api/auth/mobile-login", { email: "friend@postern.test", password: "demo" });
      const there = ((await friend.json()) as { token: string }).token;
      expect(await received(b.base, there, "from A")).toMatchObject([{ name: "whole.bin" }]);
    });
  },
  { own: true },
);
