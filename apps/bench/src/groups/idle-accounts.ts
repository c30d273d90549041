import { Dovecot } from "@postern/testkit";
import { Effect } from "effect";
import type { Group } from "./group.ts";
import { IDLE_COLUMNS, idleCells, type IdleFigures, measureIdle } from "../processes/idle-figures.ts";
import { PASSWORD } from "../processes/mail-server.ts";
import { mailAt, signIn } from "../processes/service.ts";
import { textTable } from "../figures/table.ts";

const COUNTS = [1, 100, 1_000];
const SIGNING_IN_AT_ONCE = 4;

const rowOf = (accounts: number): string => `idle accounts, ${accounts}`;
const userOf = (n: number): string => `idle${n}@bench.test`;

/** The cost of watching idle mailboxes. */
export const idleAccounts: Group = {
  rows: COUNTS.map(rowOf),
  inQuick: false,
  mail: "empty",
  run: ({ wants, say }) =>
    Effect.gen(function* () {
      const dovecot = yield* Dovecot;
      const counts = COUNTS.filter((accounts) => wants(rowOf(accounts)));
      for (let n = 0; n < Math.max(...counts); n++) yield* dovecot.setPassword(userOf(n), PASSWORD);
      return yield* Effect.promise(async () => {
        const found: Array<IdleFigures> = [];
        for (const accounts of counts) {
          const watch = (base: string) => watchAll(base, accounts);
          const { figures } = await measureIdle(accounts, dovecot.port, mailAt(dovecot.port), watch);
          found.push(figures);
          say(JSON.stringify(figures));
        }
        const cells = found.map((figures) => idleCells(rowOf(figures.accounts), figures, found[0]!));
        return { text: textTable(IDLE_COLUMNS, cells), lines: found };
      });
    }),
};

/** Adds an endpoint, so that the account is watched. */
const watchAll = async (base: string, accounts: number): Promise<void> => {
  let next = 0;
  const loop = async () => {
    while (next < accounts) {
      const token = await signIn(base, userOf(next++), PASSWORD);
      const answer = await fetch(`${base}/api/settings/webhooks`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ url: "http://127.0.0.1:9/", events: ["email.received"] }),
      });
      if (!answer.ok) throw new Error(`the endpoint answered ${answer.status}: ${await answer.text()}`);
    }
  };
  await Promise.all(Array.from({ length: SIGNING_IN_AT_ONCE }, loop));
};
