import type { AccountId } from "@postern/core/shared";
import { Effect } from "effect";
import type { HttpServerResponse } from "effect/http";
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api";
import { RequestRecord } from "../wire/RequestRecord.ts";

/** An operation of the contract. */
export interface Operation {
  readonly endpoint: HttpApiEndpoint.Top;
  readonly group: HttpApiGroup.Top;
}

/**
 * Logs each write by a key (spec 10.2). A write is logged even if it failed or its client disconnected, because the
 * write may have changed something. The request id is an annotation of the line; the line of the request has the
 * status.
 */
export const auditKey = <E, R>(
  httpEffect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  { endpoint, group }: Operation,
  accountId: (account: AccountId) => string,
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
  Effect.ensuring(
    httpEffect,
    Effect.flatMap(RequestRecord, ({ account, keyId }) =>
      Effect.logInfo("write by a key", {
        key: keyId,
        ...(account === undefined ? {} : { account: accountId(account) }),
        operation: `${group.identifier}.${endpoint.identifier}`,
      }),
    ),
  );
