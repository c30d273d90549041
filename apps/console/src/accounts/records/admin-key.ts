import { browserClient } from "@postern/client/browser";
import { useSyncExternalStore } from "react";
import { t } from "../../texts/text.ts";
import { queries } from "../../api/client.ts";
import { PREFIX } from "../../api/prefix.ts";
import { toast } from "../../ui/toast.ts";

/** The operator's key (spec 10.1). It stays in the memory of the tab: a reload drops it, and it is never stored. */
let key: string | null = null;
const listeners = new Set<() => void>();

const keep = (next: string | null): void => {
  key = next;
  for (const listener of listeners) listener();
};

/** Remembers the key if the service accepts it. */
export const enterKey = async (candidate: string): Promise<void> => {
  const { data, nextCursor } = await browserClient({ baseUrl: PREFIX, bearer: () => candidate })("GET /api/keys");
  if (nextCursor === null) queries.setQueryData(["admin", "keys"], data);
  keep(candidate);
};

/** Drops the key, and all data that was read with it. */
export const forgetKey = (): void => {
  keep(null);
  queries.removeQueries({ queryKey: ["admin"] });
};

const dropRejectedKey = (): void => {
  if (key === null) return;
  forgetKey();
  toast(t("The service no longer accepts this admin key."));
};

/** Calls the operations of the operator, with the key and without the cookie. */
export const adminApi = browserClient({ baseUrl: PREFIX, bearer: () => key ?? "", onUnauthorized: dropRejectedKey });

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns whether the tab has an admin key. */
export const useHasKey = (): boolean => useSyncExternalStore(subscribe, () => key !== null);
