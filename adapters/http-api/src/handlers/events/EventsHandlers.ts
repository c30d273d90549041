import { PosternApi } from "@postern/api";
import { LiveEvents, type LiveItem } from "@postern/core/lifecycle";
import { Effect, Stream } from "effect";
import { HttpServerResponse } from "effect/http";
import { handlerGroup } from "../handler-group.ts";
import { answer } from "../../problems/answer.ts";
import { currentAccount } from "../../auth/current-principal.ts";
import { permissionNow } from "../../auth/permission-now.ts";
import { Readiness } from "../../edge/Readiness.ts";

/** Handlers of live events as server-sent events (spec 7). They read from the ledger only as fast as the client reads. */
export const EventsHandlers = handlerGroup(
  PosternApi,
  "events",
  Effect.fn(function* (handlers) {
    const live = yield* LiveEvents;
    const permission = yield* permissionNow;
    const { stopping } = yield* Readiness;

    return handlers.handleRaw("stream", ({ headers, query }) =>
      Effect.gen(function* () {
        const account = yield* currentAccount;
        const isAllowed = Effect.catchTag(yield* permission("events"), "ApplicationSuspended", () =>
          Effect.succeed(false),
        );
        const items = yield* answer(live.open(account, headers["last-event-id"], isAllowed, query.folders));
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
      // Without data the client gets no event, but it remembers the id (WHATWG, server-sent events).
      return `id: ${item.id}\n\n`;
    case "Gap":
      return "event: gap\ndata: {}\n\n";
    case "Event":
      return `id: ${item.event.id}\nevent: ${item.event.type}\ndata: ${new TextDecoder().decode(item.event.body)}\n\n`;
  }
};
