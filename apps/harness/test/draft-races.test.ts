import { it } from "@effect/vitest";
import { IdempotencyKeys } from "@postern/core/send";
import { AccountId } from "@postern/core/shared";
import { harnessWithStores } from "@postern/harness";
import { Context, Effect, Layer } from "effect";
import { expect } from "vitest";
import { call, signIn } from "./call.ts";
import { sqliteStores } from "./sql-stores.ts";

const DEMO = AccountId("demo@postern.test");

it.live("does not send a draft that is saved while it is prepared, and keeps the saved version [S12.1-21]", () =>
  Effect.gen(function* () {
    const context = yield* Layer.build(Layer.orDie(sqliteStores));
    const keys = Context.get(context, IdempotencyKeys);
    let meanwhile: Effect.Effect<unknown> = Effect.void;
    const find: typeof keys.find = (account, key) =>
      Effect.andThen(
        Effect.suspend(() => meanwhile),
        keys.find(account, key),
      );
    const stores = Layer.succeedContext(Context.add(context, IdempotencyKeys, { ...keys, find }));
    const service = yield* harnessWithStores(stores);
    const token: string = (yield* signIn(service)).body.token;
    const to = "friend@postern.test";
    const created = yield* call(service, "POST", "/api/drafts", { token, json: { to, subject: "first" } });
    const path = `/api/drafts/${created.body.data.id}`;
    meanwhile = Effect.suspend(() => {
      meanwhile = Effect.void;
      const headers = { "if-match": "1" };
      return call(service, "PUT", path, { token, json: { to, subject: "second" }, headers });
    });
    const sent = yield* call(service, "POST", `${path}/send`, { token, headers: { "idempotency-key": "once" } });
    expect(sent).toMatchObject({ status: 409, body: { code: "draft_changed" } });
    const { body } = yield* call(service, "GET", path, { token });
    expect(body.data).toMatchObject({ state: "draft", version: "2", subject: "second" });
    const sentSubjects = service.mail
      .account(DEMO)
      .mailbox("Sent")
      .messages.map(({ summary }) => summary.subject);
    expect(sentSubjects).not.toContain("first");
  }).pipe(Effect.scoped),
);
