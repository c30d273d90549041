import { CurrentPrincipal, PosternApi } from "@postern/api";
import { KeyAuthentication } from "@postern/core/auth";
import { LiveEvents, type LiveItem } from "@postern/core/lifecycle";
import { AccountId } from "@postern/core/shared";
import { Effect, Option, Stream } from "effect";
import { HttpServerRequest, HttpServerResponse } from "effect/http";
import { handlerGroup } from "../handler-group.ts";
import { answer } from "../../problems/answer.ts";
import { permissionNow } from "../../auth/permission-now.ts";
import { PublicAddress } from "../../edge/PublicAddress.ts";
import { Readiness } from "../../edge/Readiness.ts";
import { keyClient } from "../../wire/request-client.ts";

/**
 * Handlers of live events as server-sent events (spec 7). The handlers read from the ledger only as fast as the client
 * reads.
 */
export const EventsHandlers = handlerGroup(
  PosternApi,
  "events",
  Effect.fn(function* (handlers) {
    const live = yield* LiveEvents;
    const permission = yield* permissionNow;
    const keys = yield* KeyAuthentication;
    const { trustedProxies } = yield* PublicAddress;
    const { stopping } = yield* Readiness;

    const isAllowed = Effect.map(permission("events"), (allowed) =>
      Effect.catchTag(allowed, "ApplicationSuspended", () => Effect.succeed(false)),
    );

    /** Returns the current rights of a key as a reader; none once the key may not read. */
    const readerBy = Effect.fnUntraced(function* (key: string) {
      const client = keyClient(yield* HttpServerRequest.HttpServerRequest, trustedProxies);
      return keys.recheck(key, "events", client).pipe(
        Effect.map((now) => Option.map(now, ({ accounts: reach, application }) => ({ reach, application }))),
        Effect.catchTag("ApplicationSuspended", () => Effect.succeedNone),
      );
    });

    return handlers.handleRaw("stream", ({ headers, query }) =>
      Effect.gen(function* () {
        const { account, key } = yield* CurrentPrincipal;
        const after = headers["last-event-id"];
        const items = yield* account === null
          ? answer(live.openFeed(after, yield* readerBy(key!.id), query.folders))
          : answer(live.open(AccountId(account), after, yield* isAllowed, query.folders));
        const body = items.pipe(Stream.interruptWhen(stopping), Stream.map(writeItem), Stream.encodeText);
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
const writeItem = (item: LiveItem): string => {
  switch (item._tag) {
    case "Heartbeat":
      return ":\n\n";
    case "Position":
      // Without data the client gets no event, but it remembers the id (WHATWG, server-sent events).
      return `id: ${item.id}\n\n`;
    case "Gap":
      return "event: gap\ndata: {}\n\n";
    case "Event":
      return `id: ${item.id}\nevent: ${item.event.type}\ndata: ${new TextDecoder().decode(item.event.body)}\n\n`;
  }
};
