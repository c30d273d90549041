// Ports
export { type AccountServers, isSameServer, type MailServer, MailServers, serverKey } from "./ports/MailServers.ts";

// Errors
export {
  DestinationInvalid,
  FolderAmbiguous,
  FolderChanged,
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
export type { ListedMailbox, MailboxStatus } from "./ListedMailbox.ts";
export type { MailboxAccessError } from "./MailboxAccessError.ts";
export type { MailboxCursor } from "./MailboxCursor.ts";
export { isRefused } from "./MailServerError.ts";
export {
  type Address,
  type Attachment,
  type MessageSummary,
  MAX_ADDRESSES,
  MAX_SHOWN_CHARACTERS,
} from "./MessageSummary.ts";
export {
  type HeaderField,
  headerOf,
  type MessagePart,
  MAX_NESTING,
  type ParsedMessage,
  MAX_PARTS,
  MAX_PART_CHARACTERS,
} from "./ParsedMessage.ts";
export { ReceiveBudget, SURPLUS } from "./ReceiveBudget.ts";
export { KnownFloods, ServerFloods } from "./ServerFloods.ts";
export { derivedThreadId, type RelationFields } from "./thread-id.ts";
