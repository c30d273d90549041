import { useSyncExternalStore } from "react";
import { queries } from "../../api/client.ts";
import { PREFIX } from "../../api/prefix.ts";
import { accountHeader } from "../../api/signed-in.ts";
import { toast } from "../../ui/toast.ts";
import { dropDraft } from "../../kept/kept-drafts.ts";
import { t } from "../../texts/text.ts";

/** The time for which Undo is offered. The draft is deleted only afterwards, because a deletion cannot be undone. */
const UNDO_MILLIS = 8_000;

let discarded: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

const replace = (next: ReadonlySet<string>): void => {
  discarded = next;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns the ids and copies of drafts that are about to be deleted. Lists do not show them. */
export const pendingDiscards = (): ReadonlySet<string> => discarded;

export const useDiscarded = (): ReadonlySet<string> => useSyncExternalStore(subscribe, pendingDiscards);

export interface Discarded {
  readonly account: string;
  /** The id; null if the service does not have the draft. */
  readonly id: string | null;
  /** The copy that the browser keeps, if there is one. */
  readonly copy: string | null;
}

/**
 * Deletes a draft after some seconds, or when the page is closed. Until then, Undo restores the draft and calls `undo`.
 */
export const discard = ({ account, id, copy }: Discarded, undo?: () => void): void => {
  const names = [id, copy].filter((name) => name !== null);
  const settle = (): void => {
    stop();
    if (copy !== null) dropDraft(account, copy);
    if (id === null) return;
    // Unlike the calls of the client, this request continues when the page is closed.
    const request = fetch(`${PREFIX}/api/drafts/${encodeURIComponent(id)}`, {
      method: "DELETE",
      keepalive: true,
      headers: accountHeader(account),
    });
    void request.then(listAgain, listAgain);
  };
  const timer = setTimeout(settle, UNDO_MILLIS);
  const stop = (): void => {
    clearTimeout(timer);
    window.removeEventListener("pagehide", settle);
  };
  window.addEventListener("pagehide", settle);
  replace(new Set([...discarded, ...names]));
  toast(t("Draft discarded."), () => {
    stop();
    replace(new Set([...discarded].filter((name) => !names.includes(name))));
    undo?.();
  });
};

const listAgain = (): void => {
  void queries.invalidateQueries({ queryKey: ["drafts"] });
  void queries.invalidateQueries({ queryKey: ["folders"] });
};
