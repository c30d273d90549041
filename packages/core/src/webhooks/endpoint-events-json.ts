import { Option, Schema } from "effect";
import { type EventType, isEventType } from "../events/index.ts";
import { storedJson, type StoredJson } from "../shared/index.ts";

const texts = storedJson(Schema.Array(Schema.String));

/** The kinds of events an endpoint chose, as a store keeps them; kinds that no longer exist are left out. */
export const endpointEventsJson: StoredJson<ReadonlyArray<EventType>> = {
  write: texts.write,
  read: (text) => Option.map(texts.read(text), (all) => all.filter(isEventType)),
};
