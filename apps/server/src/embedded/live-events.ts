import type { Ask } from "./direct-calls.ts";
import type { EventsOptions, MailEvent } from "./Postern.ts";
import { problemError } from "./problem-error.ts";

/** Yields the events of an account as they happen, until the caller leaves the loop or the service stops. */
export async function* liveEvents(
  ask: Ask,
  address: string,
  options: EventsOptions = {},
): AsyncGenerator<MailEvent, void> {
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
