import { DateTime, Option } from "effect";
import type { AccountId, OpaqueIds } from "../shared/index.ts";
import { boundedData } from "./bounded-data.ts";
import type { EventData, EventType } from "./event-types.ts";
import type { MailEvent } from "./MailEvent.ts";

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** Returns an id that sorts by time (epoch milliseconds) and is unique by its random text. */
export const eventId = (occurredAt: number, random: string): string =>
  `evt_${occurredAt.toString(36).padStart(9, "0")}${random}`;

/** Returns the time in an event id, in epoch milliseconds; none if the text is not an event id. */
export const eventTime = (id: string): Option.Option<number> => {
  const time = /^evt_([0-9a-z]{9})/.exec(id)?.[1];
  return time === undefined ? Option.none() : Option.some(Number.parseInt(time, 36));
};

/** The account of an event, as its body names it (spec 7.1). */
export interface EventAccount {
  /** The outside id, `acc_…`. */
  readonly id: string;
  readonly email: AccountId;
}

/** Returns an account as the bodies of its events name it. */
export const eventAccount = (ids: OpaqueIds["Service"], account: AccountId): EventAccount => ({
  id: ids.accountId(account),
  email: account,
});

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
