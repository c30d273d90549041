import { EVENT_TYPES } from "@postern/core/rules";
import { Schema } from "effect";
import type { EventSchemas } from "./contract-source.ts";

/** Returns the meaning of each type of event, and the schema of its `data`. */
export const eventSchemas = (): EventSchemas =>
  Object.fromEntries(
    Object.entries(EVENT_TYPES).map(([name, { meaning, data }]) => [
      name,
      { meaning, data: Schema.toJsonSchemaDocument(data).schema },
    ]),
  ) as EventSchemas;
