import { LiveEvents } from "@postern/core/lifecycle";
import type { MailEvent as StoredEvent } from "@postern/core/events";
import { Context, Effect, Stream } from "effect";
import type { Service } from "../wiring/service.ts";
import { StopSignal } from "../wiring/StopSignal.ts";
import type { Ask } from "./direct-calls.ts";
import type { Events, EventsOptions, FollowOptions, MailEvent } from "./Postern.ts";
import { PosternError } from "./PosternError.ts";
import { problemError } from "./problem-error.ts";

/** Runs an effect of the service; rejects with an error of the embedded service. */
type Run = <A, E>(effect: Effect.Effect<A, E>) => Promise<A>;

/** Returns the events of one account, or of all. */
export const eventsBy = (ask: Ask, run: Run, behind: Service["behind"]): Events =>
  ((of: string | FollowOptions = {}, options: EventsOptions = {}) =>
    typeof of === "string" ? liveEvents(ask, of, options) : allEvents(run, behind, of)) as Events;

async function* allEvents(
  run: Run,
  behind: Service["behind"],
  options: FollowOptions,
): AsyncGenerator<MailEvent, void> {
  const { begins } = Context.get(behind, StopSignal);
  const following = Context.get(behind, LiveEvents)
    .follow(options)
    .pipe(
      Effect.catchTag("InputInvalid", ({ errors }) => {
        const message = errors.map((fault) => `${fault.field} ${fault.message}`).join("; ");
        return Effect.die(new PosternError(message, { code: "invalid_request", errors }));
      }),
      Effect.flatMap((events) => Stream.toAsyncIterableEffect(Stream.interruptWhen(events, begins))),
    );
  for await (const event of await run(following)) yield bodyOf(event);
}

const bodyOf = ({ body }: StoredEvent): MailEvent => JSON.parse(new TextDecoder().decode(body)) as MailEvent;

/** Yields the events of an account as they happen, until the caller leaves the loop or the service stops. */
async function* liveEvents(ask: Ask, address: string, options: EventsOptions): AsyncGenerator<MailEvent, void> {
  const { lastEventId, onGap } = options;
  const response = await ask(
    address,
    "/api/events",
    lastEventId === undefined ? {} : { headers: { "last-event-id": lastEventId } },
  );
  if (!response.ok) throw await problemError(response);
  let text = "";
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const messages = text.split("\n\n");
    text = messages.pop()!;
    for (const message of messages) {
      const data = /^data: (.*)$/m.exec(message)?.[1];
      if (/^event: gap$/m.test(message)) onGap?.();
      else if (data !== undefined) yield JSON.parse(data) as MailEvent;
    }
  }
}
