import type { Draft, DraftRecord } from "./draft.ts";
import type { KeptDraft, StoredPlace } from "./kept-draft.ts";

/** A draft that is being written, and the version that the service has stored. */
export interface SaverState {
  readonly draft: Draft;
  readonly stored: StoredPlace | null;
  readonly save:
    | { readonly is: "unchanged" | "unsaved" | "saving" | "saved" }
    /** The service cannot be reached or refuses the draft; `willRetry` without another change. */
    | { readonly is: "failed"; readonly error: unknown; readonly willRetry: boolean }
    /** The draft was changed elsewhere; nothing is saved until the user chooses. */
    | { readonly is: "changed"; readonly theirs: DraftRecord }
    /** The draft was sent or deleted elsewhere. */
    | { readonly is: "gone" };
  /** Whether the changes that the service does not have are kept in the browser. */
  readonly isKept: boolean;
}

/** What a draft is opened with. */
export interface Opening {
  readonly about: string;
  readonly draft: Draft;
  readonly stored: StoredPlace | null;
  /** A kept draft that is continued. */
  readonly kept: KeptDraft | null;
}
