import { Option, Schema } from "effect";
import type { EventType } from "../events/index.ts";
import { isEventType } from "../events/neighbours.ts";
import type { StoredJson } from "../shared/index.ts";
import { storedJson } from "../shared/neighbours.ts";

const texts = storedJson(Schema.Array(Schema.String));

/** The stored form of an endpoint's event types; types that no longer exist are dropped on reading. */
const endpointEventsJson: StoredJson<ReadonlyArray<EventType>> = {
  write: texts.write,
  read: (text) => Option.map(texts.read(text), (all) => all.filter(isEventType)),
};

/** The stored forms of an endpoint's columns; a reach and folders are lists of texts. */
export const endpointJson = { events: endpointEventsJson, reach: texts, folders: texts };
