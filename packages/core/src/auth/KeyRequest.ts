import type { ServiceKey } from "./ServiceKey.ts";

/** The properties of a new key. */
export interface KeyRequest extends Omit<
  ServiceKey,
  "id" | "application" | "createdAt" | "lastUsedAt" | "suspendedAt"
> {
  /** If null, the id of the new key becomes the name of its application. */
  readonly application: string | null;
}

/** The fields of a key to change; omitted fields stay. */
export type KeyChanges = Partial<Omit<KeyRequest, "application">>;
