import type { Scope } from "../auth/neighbours.ts";
import type { MessageSummary } from "../mail/index.ts";
import type { FlagChange } from "./ports/MessageChanges.ts";

/** An action on messages: change flags or folder, move to Trash, or delete permanently. */
export type MessageAction =
  | { readonly _tag: "Change"; readonly flags: FlagChange; readonly folderId?: string | undefined }
  | { readonly _tag: "Trash" }
  | { readonly _tag: "Destroy" };

/** Returns the scope that an action needs (spec 10.2); permanent deletion has its own scope. */
export const scopeOfAction = (tag: MessageAction["_tag"]): Scope =>
  tag === "Destroy" ? "mail:delete" : "mail:organize";

/** The outcome for one message. `newId`, the id in listings, is null if the message was deleted or its new location is unknown. */
export interface ActionOutcome {
  readonly id: string;
  readonly found: boolean;
  readonly newId: string | null;
}

export interface ActionsDone {
  /** The id of the folder to which the messages were moved; null if they were not moved. */
  readonly movedTo: string | null;
  readonly outcomes: ReadonlyArray<ActionOutcome>;
}

/** A message after a change; id and UID are null if the message was moved and the server does not report its new UID. */
export interface ChangedMessage {
  readonly id: string | null;
  readonly folder: { readonly id: string; readonly path: string };
  readonly message: Omit<MessageSummary, "uid"> & { readonly uid: number | null };
}

/** Returns whether a change concerns flags or labels. */
export const hasFlags = (flags: FlagChange): boolean => Object.values(flags).some((value) => value !== undefined);
