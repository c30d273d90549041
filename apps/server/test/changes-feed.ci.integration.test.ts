import { describeWithPostgres, Postgres } from "@postern/testkit";
import { Effect, ManagedRuntime } from "effect";
import { Client } from "pg";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { askWithKey } from "./ask-with-key.ts";
import { sharedKeys } from "./server-nodes.ts";
import { started } from "./server-process.ts";

const ADMIN_KEY = "a".repeat(40);
const ACCOUNTS = ["demo@postern.test", "friend@postern.test"];

interface Part {
  readonly data: ReadonlyArray<{ readonly id: string; readonly data: { readonly subject?: string } }>;
  readonly next: string;
}

describeWithPostgres(
  "the feed of two processes",
  () => {
    const runtime = ManagedRuntime.make(Postgres.own);
    afterAll(() => runtime.dispose());

    it("returns each event once and in one order, even if its transaction stayed open [S7.10-9]", async () => {
      const url = await runtime.runPromise(Effect.flatMap(Postgres, ({ newDatabase }) => newDatabase));
      const settings = { ADMIN_KEY, DATABASE_URL: url, ...(await sharedKeys()) };
      const [a, b] = [await started(settings), await started(settings)];
      const scopes = ["events", "accounts:write", "mail:send"];
      const { body } = await askWithKey(() => a.base, ADMIN_KEY)("POST", "/api/keys", { name: "crm", scopes });
      const [onA, onB] = [a, b].map(({ base }) => askWithKey(() => base, body.data.key));
      for (const email of ACCOUNTS) await onA!("POST", "/api/accounts", { email, password: "demo" });
      const feed = async (ask: typeof onA, query: string) =>
        (await ask!("GET", `/api/changes?types=email.sent&${query}`)).body as Part;
      const { next } = await feed(onA, "limit=1");
      const send = (n: number) =>
        [onA, onB][n % 2]!(
          "POST",
          "/api/send",
          { to: "friend@postern.test", subject: `n${n}`, text: "x" },
          ACCOUNTS[n % 3 === 0 ? 0 : 1],
        );

      const waiting = feed(onB, `after=${next}&wait=60`);
      await send(0);
      expect((await waiting).data.map(({ data }) => data.subject)).toEqual(["n0"]);

      // Another process that has written an event and has not committed it.
      const client = new Client({ connectionString: url });
      await client.connect();
      onTestFinished(() => client.end());
      await client.query("begin");
      await client.query(
        `insert into event (id, account, type, occurred_at, body, position)
         select 'evt_open', account, type, occurred_at - 60000,
           convert_to(replace(convert_from(body, 'UTF8'), id, 'evt_open'), 'UTF8'), position + 1000 from event where type = 'email.sent' limit 1`,
      );
      await Promise.all(Array.from({ length: 30 }, (_, n) => send(n + 1)));
      const readAll = async (ask: typeof onA, limit: number, enough: number) => {
        const ids: Array<string> = [];
        for (let after = next; ids.length < enough;) {
          const part = await feed(ask, `after=${after}&limit=${limit}&wait=10`);
          if (part.data.length === 0) break;
          ids.push(...part.data.map(({ id }) => id));
          after = part.next;
        }
        return ids;
      };
      const before = await readAll(onA, 7, 31);
      expect(before).toHaveLength(31);
      await client.query("commit");
      const [byA, byB] = [await readAll(onA, 5, 32), await readAll(onB, 11, 32)];
      expect(byA).toEqual([...before, "evt_open"]);
      expect(byB).toEqual(byA);
    });
  },
  { own: true },
);
