import type { ServiceKey } from "./ServiceKey.ts";

/** The properties of a new key. */
export interface KeyRequest extends Omit<
  ServiceKey,
  "id" | "application" | "createdAt" | "lastUsedAt" | "suspendedAt"
> {
  /** The name of the application; if null, the id of the new key. */
  readonly application: string | null;
}

/** The changes of a key; omitted fields are unchanged. */
export type KeyChanges = Partial<Omit<KeyRequest, "application">>;
