import { it } from "@effect/vitest";
import { describeWithPostgres, Postgres } from "@postern/testkit";
import { Context, Effect, Layer } from "effect";
import { expect } from "vitest";
import { beforeTheEnd, statementsOfMessage } from "./send-statements.ts";
import { postgresStores } from "./sql-stores.ts";
import { statementProxy } from "./statement-proxy.ts";

describeWithPostgres("a message", () => {
  it.live("takes 24 round trips to PostgreSQL; the rows, their audit entry and the commit take one each", () =>
    Effect.gen(function* () {
      const postgres = Context.get(yield* Layer.build(Postgres.layer), Postgres);
      const database = yield* postgres.newDatabase;
      const { url, log } = yield* Effect.promise(() => statementProxy(database));
      const statements = yield* statementsOfMessage(Layer.orDie(postgresStores(url)), log);
      const insert = "with outgoing outgoing_recipient json_to_recordset outgoing_contents";
      const end = "with outgoing json_to_recordset of ours outgoing_contents";
      expect(statements).toEqual([
        ...beforeTheEnd([insert, "select credential", "insert audit_entry"]),
        end,
        "select session",
      ]);
    }).pipe(Effect.scoped),
  );
});
