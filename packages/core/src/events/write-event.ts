import { DateTime } from "effect";
import { boundedData } from "./bounded-data.ts";
import type { EventAccount } from "./event-account.ts";
import type { EventData, EventType } from "./event-types.ts";
import type { MailEvent } from "./MailEvent.ts";

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/**
 * Returns an event with its bounded body `{id, event, timestamp, account, data}` (spec 2.4, 7), with `test: true` before `data`
 * if it only tests an endpoint.
 */
export const writeEvent = <Type extends EventType>(
  id: string,
  account: EventAccount,
  type: Type,
  occurredAt: number,
  data: EventData<Type>,
  origin: "mail" | "test" = "mail",
): MailEvent => {
  const timestamp = DateTime.formatIso(DateTime.makeUnsafe(occurredAt));
  const mark = origin === "test" ? { test: true } : {};
  const body = new TextEncoder().encode(
    JSON.stringify({ id, event: type, timestamp, account, ...mark, data: boundedData(data) }),
  );
  return { id, account: account.email, type, occurredAt, body };
};
