import type { Draft, DraftRecord } from "./draft.ts";
import type { KeptDraft, StoredDraft } from "./kept-draft.ts";

/** A draft that is being written, and the version that the service has stored. */
export interface SaverState {
  readonly draft: Draft;
  readonly stored: StoredDraft | null;
  readonly save:
    | { readonly is: "unchanged" | "unsaved" | "saving" | "saved" }
    /**
     * The service cannot be reached, or refuses the draft. `willRetry`: the saver tries again even without another
     * change.
     */
    | { readonly is: "failed"; readonly error: unknown; readonly willRetry: boolean }
    /** The draft was changed elsewhere; nothing is saved until the user chooses. */
    | { readonly is: "changed"; readonly theirs: DraftRecord }
    /** The draft was sent or deleted elsewhere. */
    | { readonly is: "gone" };
  /** Whether the browser keeps the changes that the service does not have. */
  readonly isKept: boolean;
}

/** The contents and the state with which a draft is opened. */
export interface Opening {
  readonly about: string;
  readonly draft: Draft;
  readonly stored: StoredDraft | null;
  /** The kept draft that the user continues. */
  readonly kept: KeptDraft | null;
}
