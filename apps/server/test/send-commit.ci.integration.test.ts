import { assert, it } from "@effect/vitest";
import { describeWithPostgres, Postgres } from "@postern/testkit";
import { Effect } from "effect";
import { commitProxy } from "./commit-proxy.ts";
import { serverNodes, sharedKeys } from "./server-nodes.ts";
import { post } from "./server-process.ts";

interface Outbox {
  readonly data: ReadonlyArray<{ readonly messageId: string; readonly state: string }>;
}

describeWithPostgres("a message that is being journaled", () => {
  it.live(
    "is sent and answered once if the answer of its commit was lost, and not at all if the commit failed [S6.4-17] [S6.5-2]",
    () =>
      Effect.gen(function* () {
        const database = yield* (yield* Postgres).newDatabase;
        const proxy = yield* Effect.promise(() => commitProxy(database));
        const nodes = yield* serverNodes({
          DATABASE_URL: proxy.url,
          ...(yield* Effect.promise(sharedKeys)),
        });
        yield* Effect.promise(async () => {
          const base = await nodes.start();
          const login = { email: "demo@postern.test", password: "demo" };
          const { token } = (await (await post(base, "/api/auth/mobile-login", login)).json()) as { token: string };
          const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
          const send = (subject: string) =>
            fetch(`${base}/api/send`, {
              method: "POST",
              headers,
              body: JSON.stringify({ to: "friend@postern.test", subject, text: "Hi" }),
            });
          const outbox = async () => (await (await fetch(`${base}/api/outbox`, { headers })).json()) as Outbox;

          const after = proxy.strikeAt("after", 'insert into "outgoing', () => {});
          const heard = await send("Unheard");
          await after;
          const { messageId, status } = (await heard.json()) as { messageId: string; status: string };
          assert.deepStrictEqual([heard.status, status], [200, "sent"]);

          const before = proxy.strikeAt("before", 'insert into "outgoing', () => {});
          const refused = await send("Never came");
          await before;
          assert.deepInclude(await refused.json(), { status: 503, code: "database_unavailable" });

          const { data } = await outbox();
          assert.deepStrictEqual(
            data.map((one) => [one.messageId, one.state]),
            [[messageId, "sent"]],
          );
        });
      }).pipe(Effect.scoped, Effect.provide(Postgres.layer)),
    60_000,
  );
});
