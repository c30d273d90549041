import { freePort } from "@postern/testkit";
import { Effect } from "effect";
import type { Group } from "./group.ts";
import { ACCOUNTS, mailServer, PASSWORD } from "../processes/mail-server.ts";
import { residentMiB } from "../figures/process-figures.ts";
import { mailAt, signIn, startService } from "../processes/service.ts";
import { median } from "../figures/statistics.ts";

/** The time until a new service is ready, and its memory after one sign-in. */
export const start: Group = {
  rows: ["start and memory"],
  inQuick: true,
  mail: "generated",
  run: ({ plan, say }) =>
    Effect.gen(function* () {
      const dovecot = yield* mailServer(say);
      return yield* Effect.promise(async () => {
        const starts: Array<number> = [];
        const resident: Array<number> = [];
        for (let n = 0; n < plan.starts; n++) {
          const fresh = await startService(await freePort(), mailAt(dovecot.port));
          await signIn(fresh.base, ACCOUNTS[0].user, PASSWORD);
          starts.push(fresh.startMillis);
          resident.push(residentMiB(fresh.pid));
          await fresh.stop();
        }
        const figures = { startMillis: Math.round(median(starts)), residentMiB: Math.round(median(resident)) };
        const text = `start to ready ${figures.startMillis} ms · memory with one account ${figures.residentMiB} MiB`;
        return { text, lines: [figures] };
      });
    }),
};
