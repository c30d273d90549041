import { describeWithDovecot, describeWithPostgres, Dovecot, Postgres } from "@postern/testkit";
import { Effect, Layer, ManagedRuntime } from "effect";
import { afterAll, it } from "vitest";
import { orderedBursts } from "./ordered-bursts.ts";
import { started } from "./server-process.ts";
import { sharedDatabase } from "./webhook-nodes.ts";

const ACCOUNTS = 50;
const BURSTS = Number(process.env["BURSTS"] ?? 1_000);

describeWithDovecot("ordered endpoints", () => {
  describeWithPostgres("of many accounts concurrently", () => {
    const runtime = ManagedRuntime.make(Layer.merge(Dovecot.layer(), Postgres.own));
    afterAll(() => runtime.dispose());

    const bursts = async (settings: Readonly<Record<string, string>>) => {
      const dovecot = await runtime.runPromise(Dovecot);
      const { base } = await started({
        ...settings,
        LOG_LEVEL: "warn",
        IMAP_URL: `imap://127.0.0.1:${dovecot.port}`,
        SMTP_URL: "smtp://127.0.0.1:9",
        WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
      });
      const setPassword = (user: string, password: string) => Effect.runPromise(dovecot.setPassword(user, password));
      await orderedBursts(base, { port: dovecot.port, setPassword }, ACCOUNTS, Math.ceil(BURSTS / ACCOUNTS));
    };

    it(`get ${BURSTS} bursts of mail in order, on SQLite`, () => bursts({}));

    it(`get ${BURSTS} bursts of mail in order, on PostgreSQL`, async () => {
      const url = await runtime.runPromise(Effect.flatMap(Postgres, ({ newDatabase }) => newDatabase));
      await bursts((await sharedDatabase(url)).environment);
    });
  });
});
