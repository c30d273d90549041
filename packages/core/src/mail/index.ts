// Ports
export { type AccountServers, isSameServer, type MailServer, MailServers } from "./ports/MailServers.ts";

// Errors
export {
  DestinationInvalid,
  FolderAmbiguous,
  FolderExists,
  FolderHasChildren,
  FolderIsSystem,
  FolderNameInvalid,
  FolderNotFound,
  FolderNotSelectable,
  FolderParentInvalid,
} from "./folder-errors.ts";
export { MailboxCredentialsRejected } from "./MailboxCredentialsRejected.ts";
export { MailServerError } from "./MailServerError.ts";
export { NoMailServers } from "./NoMailServers.ts";

// Records and rules
export { addressKey } from "./address-key.ts";
export { isAutomatic } from "./automatic.ts";
export { type BodyPart, leavesOf } from "./BodyPart.ts";
export type { FolderRole } from "./FolderRole.ts";
export type { ListedMailbox } from "./ListedMailbox.ts";
export { foldLabel, keywordOf, labelsOf } from "./labels.ts";
export type { MailboxAccessError } from "./MailboxAccessError.ts";
export type { MailboxCursor } from "./MailboxCursor.ts";
export { isRefused } from "./MailServerError.ts";
export {
  type Address,
  type Attachment,
  type MessageSummary,
  MAX_ADDRESSES,
  MAX_ATTACHMENTS,
  MAX_SHOWN_CHARS,
} from "./MessageSummary.ts";
export {
  type HeaderField,
  headerOf,
  type MessagePart,
  MAX_NESTING,
  type ParsedMessage,
  MAX_PARTS,
  MAX_PART_CHARS,
} from "./ParsedMessage.ts";
export { ReceiveBudget } from "./ReceiveBudget.ts";
export { KnownFloods, ServerFloods } from "./ServerFloods.ts";
export { deriveThreadId, type RelationFields } from "./thread-id.ts";
