import { type ChosenMail, PosternApi } from "@postern/api";
import { AccountNotFound, Accounts } from "@postern/core/accounts";
import { Outbox } from "@postern/core/send";
import { OpaqueIds } from "@postern/core/shared";
import { ownedByApplication, WebhookDeliveries, WebhookEndpoints } from "@postern/core/webhooks";
import { Effect, Option } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { answer } from "../problems/answer.ts";
import { deliveryRecord } from "../wire/delivery-record.ts";
import { endpointRecord } from "../wire/endpoint-record.ts";
import { recordVersions } from "../wire/record-versions.ts";
import { operatorItem } from "../wire/outgoing-item.ts";

/** Handlers of the operations on the outbox of all accounts and on the endpoints of applications (spec 6.7, 7.13). */
export const OperatorHandlers = handlerGroup(
  PosternApi,
  "operator",
  Effect.fn(function* (handlers) {
    const outbox = yield* Outbox;
    const accounts = yield* Accounts;
    const ids = yield* OpaqueIds;
    const endpoints = yield* WebhookEndpoints;
    const deliveries = yield* WebhookDeliveries;
    const versions = yield* recordVersions;

    /** Returns the account of a filter, by its id or address. */
    const accountNamed = (named: string | undefined) =>
      named === undefined
        ? Effect.undefined
        : Option.match(accounts.idOf(named), { onNone: () => new AccountNotFound(), onSome: Effect.succeed });

    const change = (kind: "hold" | "release" | "cancel") =>
      Effect.fnUntraced(function* ({
        payload: { account, key, application, state },
      }: {
        readonly payload: typeof ChosenMail.Type;
      }) {
        const chosen = { key, application, state, account: yield* answer(accountNamed(account)) };
        return { ok: true as const, data: yield* answer(outbox.changeAll(kind, chosen)) };
      });

    return handlers.handleAll({
      endpoints: Effect.fnUntraced(function* ({ params: { name }, query }) {
        const owner = yield* answer(ownedByApplication(name));
        const { items, nextCursor } = yield* answer(endpoints.page(owner, query));
        const data = items.map((view) => endpointRecord(view, versions.endpoint(view.endpoint)));
        return { ok: true as const, data, nextCursor };
      }),
      deliveries: Effect.fnUntraced(function* ({ params: { name, id }, query }) {
        const owner = yield* answer(ownedByApplication(name));
        const page = yield* answer(deliveries.page(owner, id, query));
        return { ok: true as const, data: page.deliveries.map(deliveryRecord), nextCursor: page.nextCursor };
      }),
      readBody: Effect.fnUntraced(function* ({ params: { name, id, deliveryId } }) {
        const owner = yield* answer(ownedByApplication(name));
        const body = yield* answer(deliveries.readBody(owner, id, deliveryId));
        return { ok: true as const, data: { id: deliveryId, body: new TextDecoder().decode(body) } };
      }),
      list: Effect.fnUntraced(function* ({ query: { account, key, application, state, cursor, limit } }) {
        const chosen = { key, application, state, cursor, limit, account: yield* answer(accountNamed(account)) };
        const { items, nextCursor } = yield* answer(outbox.pageOfAll(chosen));
        return { ok: true as const, data: items.map((entry) => operatorItem(entry, ids)), nextCursor };
      }),
      hold: change("hold"),
      release: change("release"),
      cancel: change("cancel"),
    });
  }),
);
