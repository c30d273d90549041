import { DateTime } from "effect";
import { boundedData } from "./bounded-data.ts";
import type { EventAccount } from "./event-account.ts";
import type { EventData, EventType } from "./event-types.ts";
import type { MailEvent } from "./MailEvent.ts";

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/**
 * Returns the bounded body `{id, event, timestamp, account, data}` of an event (spec 2.4, 7), with `test: true` before `data`
 * if it only tests an endpoint. `account` is null for an event about no account.
 */
export const eventBody = <Type extends EventType>(
  id: string,
  account: EventAccount | null,
  type: Type,
  occurredAt: number,
  data: EventData<Type>,
  origin: "mail" | "test" = "mail",
): Uint8Array => {
  const timestamp = DateTime.formatIso(DateTime.makeUnsafe(occurredAt));
  const mark = origin === "test" ? { test: true } : {};
  return new TextEncoder().encode(
    JSON.stringify({ id, event: type, timestamp, account, ...mark, data: boundedData(data) }),
  );
};

/** Returns an event of an account with its body. */
export const writeEvent = <Type extends EventType>(
  id: string,
  account: EventAccount,
  type: Type,
  occurredAt: number,
  data: EventData<Type>,
): MailEvent => ({
  id,
  account: account.email,
  type,
  occurredAt,
  body: eventBody(id, account, type, occurredAt, data),
});
