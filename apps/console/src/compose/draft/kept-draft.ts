import type { Draft } from "./draft.ts";

/** The draft at the service: its id, the version known to the console, and the time to send it, if any. */
export interface StoredDraft {
  readonly id: string;
  readonly version: string;
  readonly sendAt: string | null;
}

/** A draft with changes that the service does not have yet. */
export interface KeptDraft {
  readonly copy: string;
  /** The tab and the page in which the draft was written, so that the user can continue after a reload. */
  readonly tab: string;
  readonly about: string;
  /** The draft at the service; null if the service does not have it. */
  readonly stored: StoredDraft | null;
  /** The contents of an unanswered request to create the draft. */
  readonly tried: string | null;
  readonly draft: Draft;
  readonly keptAt: number;
}
