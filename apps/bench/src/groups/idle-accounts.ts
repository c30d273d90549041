import { Dovecot } from "@postern/testkit";
import { Effect } from "effect";
import type { Group } from "./group.ts";
import { IDLE_COLUMNS, idleCells, type IdleFigures, measureIdle } from "../processes/idle-figures.ts";
import { PASSWORD } from "../processes/mail-server.ts";
import { mailAt, signIn } from "../processes/service.ts";
import { textTable } from "../figures/table.ts";

/** The numbers of watched accounts, with their followed folders. */
const WATCHED = [
  { accounts: 1, follow: "inbox" },
  { accounts: 100, follow: "inbox" },
  { accounts: 1_000, follow: "inbox" },
  { accounts: 1, follow: "all" },
  { accounts: 1_000, follow: "all" },
] as const;
const SIGNING_IN_AT_ONCE = 4;

const rowOf = ({ accounts, follow }: (typeof WATCHED)[number]): string =>
  `idle accounts, ${accounts}${follow === "all" ? ", all folders" : ""}`;
const userOf = (n: number): string => `idle${n}@bench.test`;

/** The cost of watching idle mailboxes. */
export const idleAccounts: Group = {
  rows: WATCHED.map(rowOf),
  inQuick: false,
  mail: "empty",
  run: ({ wants, say }) =>
    Effect.gen(function* () {
      const dovecot = yield* Dovecot;
      const watched = WATCHED.filter((one) => wants(rowOf(one)));
      for (let n = 0; n < Math.max(...watched.map(({ accounts }) => accounts)); n++) {
        yield* dovecot.setPassword(userOf(n), PASSWORD);
      }
      return yield* Effect.promise(async () => {
        const found: Array<IdleFigures & { readonly row: string; readonly follow: string }> = [];
        for (const one of watched) {
          const settings = { ...mailAt(dovecot.port), FOLLOW: one.follow };
          const watch = (base: string) => watchAll(base, one.accounts);
          const { figures } = await measureIdle(one.accounts, dovecot.port, settings, watch);
          found.push({ ...figures, row: rowOf(one), follow: one.follow });
          say(JSON.stringify(figures));
        }
        const cells = found.map(({ row, follow, ...figures }) =>
          idleCells(
            row,
            figures,
            found.find((other) => other.follow === follow)!,
          ),
        );
        return { text: textTable(IDLE_COLUMNS, cells), lines: found };
      });
    }),
};

/** Adds an endpoint to each account, so that it is watched. */
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
