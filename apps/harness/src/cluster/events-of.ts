import { EventLedger, type EventType, type MailEvent } from "@postern/core/events";
import type { AccountId } from "@postern/core/shared";
import { Context } from "effect";
import type { Cluster } from "./Cluster.ts";

/** Returns the events of an account in the ledger. */
export const eventsOf = (cluster: Cluster, account: AccountId, type?: EventType): ReadonlyArray<MailEvent> => {
  const events = cluster.ask((ports) => Context.get(ports, EventLedger).list(account));
  return type === undefined ? events : events.filter((event) => event.type === type);
};

/** Returns a field of an event's data. */
export const dataOf = ({ body }: MailEvent, field: string): unknown =>
  JSON.parse(new TextDecoder().decode(body)).data[field];
