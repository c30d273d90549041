import type { Call } from "./calls.ts";
import type { EventSchemas } from "./contract-source.ts";
import type { Document } from "./document.ts";
import { pythonOperations } from "./python-operations.ts";
import { pythonTypes } from "./python-types.ts";

/** Returns the modules of types and of operations of the Python client. */
export const pythonSource = (
  document: Document,
  calls: ReadonlyArray<Call>,
  events: EventSchemas,
): { readonly types: string; readonly operations: string } => {
  const types = pythonTypes(document, events);
  const operations = pythonOperations(document, calls, types);
  return { types: types.module(), operations };
};
