import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@postern/testkit";
import { Effect } from "effect";
import { cpuMillis } from "../figures/process-figures.ts";
import { textTable } from "../figures/table.ts";
import { ACCOUNTS, mailServer, PASSWORD } from "../processes/mail-server.ts";
import { mailAt, signIn, startService } from "../processes/service.ts";
import type { Group } from "./group.ts";

const ROW = "first baseline, 100k";
const COLUMNS = ["all folders followed from now on", "messages", "seconds", "CPU s", "bytes a message"];

/** The time to record all messages of an account, and their size in the database. */
export const baseline: Group = {
  rows: [ROW],
  inQuick: false,
  mail: "generated",
  run: ({ say }) =>
    Effect.gen(function* () {
      const dovecot = yield* mailServer(say);
      const { user, inbox: messages } = ACCOUNTS[1];
      return yield* Effect.promise(async () => {
        const dataDir = mkdtempSync(join(tmpdir(), "bench-"));
        const environment = { ...mailAt(dovecot.port), DATA_DIR: dataDir };
        const bytes = () => statSync(join(dataDir, "postern.db")).size;
        const before = await startService(await freePort(), environment);
        await signIn(before.base, user, PASSWORD);
        await before.stop();
        const empty = bytes();
        const service = await startService(await freePort(), environment);
        const token = await signIn(service.base, user, PASSWORD);
        const ask = async (method: string, body?: object) => {
          const answer = await fetch(`${service.base}/api/account`, {
            method,
            headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          });
          if (!answer.ok) throw new Error(`${method} /api/account answered ${answer.status}: ${await answer.text()}`);
          return ((await answer.json()) as { readonly data: { readonly following: Following } }).data.following;
        };
        const [began, cpu] = [performance.now(), cpuMillis(service.pid)];
        await ask("PATCH", { follow: "all" });
        for (let following = await ask("GET"); following.done < following.folders; following = await ask("GET")) {
          await sleep(100);
        }
        const row = {
          operation: ROW,
          messages,
          seconds: (performance.now() - began) / 1000,
          cpuSeconds: (cpuMillis(service.pid) - cpu) / 1000,
          bytesPerMessage: 0,
        };
        await service.stop();
        row.bytesPerMessage = (bytes() - empty) / messages;
        rmSync(dataDir, { recursive: true, force: true });
        const cells = [messages, row.seconds.toFixed(1), row.cpuSeconds.toFixed(1), row.bytesPerMessage.toFixed(0)];
        return { text: textTable(COLUMNS, [[ROW, ...cells.map(String)]]), lines: [row] };
      });
    }),
};

interface Following {
  readonly folders: number;
  readonly done: number;
}
