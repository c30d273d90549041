import { CurrentPrincipal, PosternApi, type PrincipalKey } from "@postern/api";
import { Accounts } from "@postern/core/accounts";
import { Authentication, KeyAuthentication, type KeyClient } from "@postern/core/auth";
import type { AccountId } from "@postern/core/shared";
import { LiveEvents, type LiveItem } from "@postern/core/lifecycle";
import { Effect, Option, Stream } from "effect";
import { HttpServerRequest, HttpServerResponse } from "effect/http";
import { handlerGroup } from "../handler-group.ts";
import { answer } from "../../problems/answer.ts";
import { currentAccount } from "../../auth/current-principal.ts";
import { keyClient } from "../../wire/request-client.ts";
import { PublicAddress } from "../../edge/PublicAddress.ts";
import { Readiness } from "../../edge/Readiness.ts";
import { RequestAuthority } from "../../auth/RequestAuthority.ts";

/** Live events as server-sent events (spec 7). Reads from the ledger only as fast as the client does. */
export const EventsHandlers = handlerGroup(
  PosternApi,
  "events",
  Effect.fn(function* (handlers) {
    const live = yield* LiveEvents;
    const authentication = yield* Authentication;
    const keys = yield* KeyAuthentication;
    const accounts = yield* Accounts;
    const { stopping } = yield* Readiness;
    const { trustedProxies } = yield* PublicAddress;

    /** Whether the key, as it is now, may open this stream. */
    const mayGoOn = Effect.fnUntraced(function* (account: AccountId, { id }: PrincipalKey, client: KeyClient) {
      const checked = keys.recheck(id, "events", client);
      const key = yield* Effect.catchTag(checked, "ApplicationSuspended", () => Effect.succeedNone);
      if (Option.isNone(key)) return false;
      const found = Effect.as(accounts.find(account, key.value.accounts), true);
      return yield* Effect.catchTag(found, ["AccountNotFound", "InputInvalid"], () => Effect.succeed(false));
    });

    return handlers.handleRaw("stream", ({ headers }) =>
      Effect.gen(function* () {
        const { key, sessionId } = yield* CurrentPrincipal;
        const account = yield* currentAccount;
        const authority = yield* RequestAuthority;
        const request = yield* HttpServerRequest.HttpServerRequest;
        const isAllowed = Effect.suspend(() => {
          if (key !== null) return mayGoOn(account, key, keyClient(request, trustedProxies));
          if (authority === null) return authentication.isLive(account, sessionId);
          const isVouched = Effect.map(authority(request), (current) => current === account);
          return Effect.tap(isVouched, (vouched) => (vouched ? authentication.byHost(account) : Effect.void));
        });
        const items = yield* answer(live.open(account, headers["last-event-id"], isAllowed));
        const body = items.pipe(Stream.interruptWhen(stopping), Stream.map(written), Stream.encodeText);
        return HttpServerResponse.stream(body, {
          contentType: "text/event-stream",
          // Proxies such as nginx would buffer events.
          headers: { "cache-control": "no-store", "x-accel-buffering": "no" },
        });
      }),
    );
  }),
);

/** Writes an item; a body is JSON in one line, as `data:` requires. */
const written = (item: LiveItem): string => {
  switch (item._tag) {
    case "Heartbeat":
      return ":\n\n";
    case "Start":
      // Without data it is no event to the client, which remembers the id (WHATWG, server-sent events).
      return `id: ${item.id}\n\n`;
    case "Gap":
      return "event: gap\ndata: {}\n\n";
    case "Event":
      return `id: ${item.event.id}\nevent: ${item.event.type}\ndata: ${new TextDecoder().decode(item.event.body)}\n\n`;
  }
};
