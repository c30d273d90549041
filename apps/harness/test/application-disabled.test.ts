import { assert, describe, it } from "@effect/vitest";
import { AccountId, type StoreUnavailable } from "@postern/core/shared";
import { type EndpointOwner, newDelivery, ownedBy } from "@postern/core/webhooks";
import { freshAccount } from "@postern/testkit";
import { StoresInMemory, UploadContentsInMemory } from "@postern/memory";
import { Clock, Effect, Layer, Logger, Metric, Option } from "effect";
import { answered, endpointNow, newEndpointOn, newEvent, type WebhookNode, webhookNode } from "./webhook-node.ts";

const CRM = { _tag: "Application", application: "crm", reach: null, notify: null } as const;
const OPS = AccountId("ops@example.com");
const HOOKS = "https://hooks.example.com";

/**
 * Webhook services over which the endpoint "failing" of an application was disabled, because the only attempt of a
 * delivery failed; with the bodies that each URL got, the error lines and the count of notices that were not sent.
 */
const disabled = Effect.fnUntraced(function* (
  owner: EndpointOwner,
  noticesFrom: string | null,
  prepare: (node: WebhookNode) => Effect.Effect<unknown, StoreUnavailable> = () => Effect.void,
) {
  const bodies = new Map<string, Array<any>>();
  const errors: Array<string> = [];
  const recording = Logger.make(({ logLevel, message }) => void (logLevel === "Error" && errors.push(String(message))));
  return yield* Effect.gen(function* () {
    const node = yield* webhookNode(
      Layer.merge(StoresInMemory, UploadContentsInMemory),
      ({ url, body }) =>
        Effect.sync(() => {
          bodies.set(url, [...(bodies.get(url) ?? []), JSON.parse(new TextDecoder().decode(body))]);
          return answered(url === `${HOOKS}/failing` ? 500 : 200);
        }),
      [],
      noticesFrom,
    );
    const failing = yield* newEndpointOn(node, { owner, url: `${HOOKS}/failing` });
    yield* prepare(node);
    const event = yield* newEvent(yield* freshAccount);
    const now = yield* Clock.currentTimeMillis;
    const [{ position } = { position: 0 }] = yield* node.publisher.publish([event]);
    const delivered = { eventId: event.id, account: event.account, type: event.type, occurredAt: now, position };
    yield* node.queue.insert([newDelivery(`del_${position}`, delivered, failing, "event", now)]);
    while ((yield* node.dispatcher.runDue) > 0);
    const unsent = (yield* Metric.snapshot).find(({ id }) => id === "webhook_notices_unsent_total");
    return {
      node,
      failing: yield* endpointNow(node, failing),
      got: (path: string) => bodies.get(`${HOOKS}/${path}`) ?? [],
      errors,
      unsent: unsent?.type === "Counter" ? Number(unsent.state.count) : undefined,
      notice: yield* node.journal.find(OPS, `out_notice_${failing.id}_1`, now),
    };
  }).pipe(Effect.provide(Logger.layer([recording])), Effect.provideService(Metric.MetricRegistry, new Map()));
});

describe("a disabled endpoint of an application", () => {
  it.live("is reported to the application's other endpoints, and to no others [S7.1-1] [S10.3-38]", () =>
    Effect.gen(function* () {
      const { failing, got } = yield* disabled(
        CRM,
        null,
        Effect.fnUntraced(function* (node) {
          yield* newEndpointOn(node, { owner: { ...CRM, reach: ["tag:vip"] }, url: `${HOOKS}/other` });
          yield* newEndpointOn(node, { owner: CRM, url: `${HOOKS}/elsewhere`, events: ["email.received"] });
          yield* newEndpointOn(node, { owner: { ...CRM, application: "shop" }, url: `${HOOKS}/shop` });
          yield* newEndpointOn(node, { owner: ownedBy(yield* freshAccount), url: `${HOOKS}/account` });
        }),
      );
      assert.lengthOf(got("failing"), 1);
      assert.deepInclude(failing, { state: "disabled", disabledReason: "exhausted" });
      const [event, ...rest] = got("other");
      assert.deepInclude(event, {
        event: "webhook.disabled",
        account: null,
        data: { endpointId: failing.id, reason: "exhausted" },
      });
      assert.deepStrictEqual([rest, got("elsewhere"), got("shop"), got("account")], [[], [], [], []]);
    }).pipe(Effect.scoped),
  );

  it.live("is reported by mail to the address of the key, if a server for notices is set [S10.3-37]", () =>
    Effect.gen(function* () {
      const { errors, notice, unsent } = yield* disabled({ ...CRM, notify: OPS }, "postern@example.com");
      assert.deepInclude(Option.getOrThrow(notice).message, { kind: "notice", from: "postern@example.com", to: [OPS] });
      assert.deepStrictEqual([errors, unsent], [[], 0]);
    }).pipe(Effect.scoped),
  );

  it.live.each([
    ["the key has no address for notices", { ...CRM, notify: null }, "postern@example.com"],
    ["notices have no server", { ...CRM, notify: OPS }, null],
  ] as const)("is logged as an error and counted where %s [S10.3-37]", ([, owner, noticesFrom]) =>
    Effect.gen(function* () {
      const { errors, failing, node, notice, unsent } = yield* disabled(owner, noticesFrom);
      assert.isTrue(Option.isNone(notice));
      assert.strictEqual(unsent, 1);
      assert.match(errors.join(), /endpoint of an application was disabled/);
      const listed = yield* node.endpoints.list(CRM);
      assert.deepStrictEqual(
        listed.map(({ id, state }) => [id, state]),
        [[failing.id, "disabled"]],
      );
    }).pipe(Effect.scoped),
  );
});
