import { existsSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Dovecot, freePort } from "@postern/testkit";
import { Effect } from "effect";
import { closedLoop } from "../load/closed-loop.ts";
import type { Group } from "./group.ts";
import { CACHE, PASSWORD } from "../processes/mail-server.ts";
import { messages } from "../processes/mailboxes.ts";
import { residentMiB } from "../figures/process-figures.ts";
import { mailAt, type RunningService, signIn, startService } from "../processes/service.ts";

const USER = "big@bench.test";
const DOWNLOADS = 20;
const FILE_BYTES = 25 * 1024 * 1024;

/** Listings during downloads. */
export const downloads: Group = {
  rows: ["downloads"],
  inQuick: false,
  mail: "generated",
  run: () =>
    Effect.gen(function* () {
      const dovecot = yield* Dovecot;
      yield* bigMailbox(dovecot);
      return yield* Effect.promise(async () => {
        const service = await startService(await freePort(), mailAt(dovecot.port));
        const found = await besideDownloads(service);
        await service.stop();
        return { text: textOf(found), lines: [found] };
      });
    }),
};

const textOf = ({ alone, beside, downloadSeconds, residentBefore, residentMost }: BesideDownloads): string =>
  [
    `${DOWNLOADS} downloads of 25 MiB: ${downloadSeconds.toFixed(1)} s`,
    `a page of 50 during them ${beside.toFixed(1)} ms, alone ${alone.toFixed(1)} ms`,
    `memory ${Math.round(residentBefore)} MiB before, ${Math.round(residentMost)} MiB at most`,
  ].join(" · ");

/** Creates, at the first run, an account whose newest message has a file of 25 MiB. */
const bigMailbox = (dovecot: Dovecot["Service"]) =>
  Effect.gen(function* () {
    yield* dovecot.setPassword(USER, PASSWORD);
    const mark = join(CACHE, "big-1");
    if (existsSync(mark)) return;
    yield* dovecot.deliver(USER, "INBOX", messages(1000, 1));
    yield* dovecot.deliver(USER, "INBOX", [{ raw: bigMessage(), arrivedAt: Date.UTC(2026, 5, 1), flags: "S" }]);
    writeFileSync(mark, "");
  });

const bigMessage = (): string => {
  const file = Buffer.alloc(FILE_BYTES, "Postern ").toString("base64").replaceAll(/.{76}/g, "$&\r\n");
  return (
    `Subject: big\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n\r\nHello\r\n--b\r\n` +
    `Content-Type: application/pdf; name="big.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\n${file}\r\n--b--\r\n`
  );
};

interface BesideDownloads {
  /** Milliseconds of a page of 50, alone and during the downloads. */
  readonly alone: number;
  readonly beside: number;
  readonly downloadSeconds: number;
  readonly residentBefore: number;
  readonly residentMost: number;
}

/** Measures a page of 50 alone, then during 20 downloads of 25 MiB by the same account. */
const besideDownloads = async ({ base, pid }: RunningService): Promise<BesideDownloads> => {
  const headers = { authorization: `Bearer ${await signIn(base, USER, PASSWORD)}` };
  const page = async () => (await fetch(`${base}/api/inbox?limit=50`, { headers })).json();
  const list = (millis: number) => closedLoop(page, { lanes: 1, millis });
  const found = await fetch(`${base}/api/search?subject=big&larger=1000000`, { headers });
  const { emails } = (await found.json()) as {
    readonly emails: ReadonlyArray<{ id: string; attachments: ReadonlyArray<{ id: string }> }>;
  };
  const url = `${base}/api/messages/${emails[0]!.id}/attachments/${emails[0]!.attachments[0]!.id}`;

  const alone = (await list(3000)).p50;
  const residentBefore = residentMiB(pid);
  let [running, residentMost] = [DOWNLOADS, residentBefore];
  const began = performance.now();
  const downloads = Promise.all(
    Array.from({ length: DOWNLOADS }, () => download(url, headers).finally(() => running--)),
  );
  const watch = (async () => {
    for (; running > 0; await sleep(100)) residentMost = Math.max(residentMost, residentMiB(pid));
  })();
  const took: Array<number> = [];
  while (running > DOWNLOADS / 2) took.push((await list(500)).p50);
  for (const bytes of await downloads) if (bytes !== FILE_BYTES) throw new Error(`${bytes} bytes came down`);
  await watch;
  return {
    alone,
    beside: took.toSorted((one, other) => one - other)[Math.floor(took.length / 2)]!,
    downloadSeconds: (performance.now() - began) / 1000,
    residentBefore,
    residentMost,
  };
};

const download = (url: string, headers: Record<string, string>) =>
  new Promise<number>((resolve, reject) => {
    get(url, { headers, agent: false }, (response) => {
      let bytes = 0;
      response.on("data", (some: Buffer) => (bytes += some.length));
      response.on("end", () => resolve(bytes));
      response.on("error", reject);
    }).on("error", reject);
  });
