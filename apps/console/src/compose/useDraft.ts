import { useCallback, useLayoutEffect, useState } from "react";
import type { Draft } from "./draft.ts";
import { keepDraft, keptDraft } from "./kept-draft.ts";

/** Returns the saved draft or a fresh one. Each change is saved and gets a new Idempotency-Key. */
export const useDraft = (account: string, about: string, fresh: () => Draft) => {
  const [state, setState] = useState(() => {
    const kept = keptDraft(account, about);
    return { draft: kept ?? fresh(), isTouched: kept !== null };
  });
  const [isKept, setKept] = useState(true);
  const { draft, isTouched } = state;

  useLayoutEffect(() => {
    if (isTouched) setKept(keepDraft(account, about, draft));
  }, [account, about, draft, isTouched]);

  const change = useCallback((part: Partial<Draft>): void => {
    const key = crypto.randomUUID();
    setState((now) => ({ draft: { ...now.draft, ...part, key }, isTouched: true }));
  }, []);

  return { draft, isTouched, isKept, change };
};
