import type { ServiceKey } from "./ServiceKey.ts";

/** The properties of a new key. */
export interface KeyRequest extends Omit<ServiceKey, "id" | "application" | "createdAt" | "lastUsedAt"> {
  /** Null: the key's id. */
  readonly application: string | null;
}
