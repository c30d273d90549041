import type { Draft } from "./draft.ts";

/** The draft at the service: its id, the version that the console knows, and the time to send it, if it has one. */
export interface StoredPlace {
  readonly id: string;
  readonly version: string;
  readonly sendAt: string | null;
}

/** A draft with changes that the service does not have yet. */
export interface KeptDraft {
  readonly copy: string;
  /** The tab and the page that it was written in, to continue it after a reload. */
  readonly tab: string;
  readonly about: string;
  /** Null: the service does not have it at all. */
  readonly stored: StoredPlace | null;
  /** The contents of a request to create it that was not answered. */
  readonly tried: string | null;
  readonly draft: Draft;
  readonly keptAt: number;
}
