// Use cases and workers
export { Inbox } from "./Inbox.ts";
export { MessageActions } from "./MessageActions.ts";
export { scopeOfAction } from "./MessageAction.ts";
export { MessageLocator } from "./MessageLocator.ts";
export { Messages } from "./Messages.ts";
export { PageCache } from "./PageCache.ts";
export { Previews } from "./Previews.ts";
export { Search } from "./Search.ts";
export { Threads } from "./Threads.ts";

// Ports
export { MailboxReader, type MailboxState, type MailboxView, type NewestWanted } from "./ports/MailboxReader.ts";
export { type FlagChange, applyFlagChange, type MailboxPlace, MessageChanges } from "./ports/MessageChanges.ts";
export {
  type EncodedBody,
  MessageParser,
  type ReadableMessage,
  type UnparsedMessage,
  type VisibleText,
} from "./ports/MessageParser.ts";
export {
  type ExpectedTexts,
  MAX_HEADER_BYTES,
  type MessagePlace,
  MessageReader,
  type WantedBytes,
} from "./ports/MessageReader.ts";
export { type FoundUids, MessageSearch } from "./ports/MessageSearch.ts";

// Errors
export {
  CursorMalformed,
  CursorStale,
  LabelInvalid,
  LabelsNotSupported,
  ListingNotReady,
  MessageNotFound,
  MessageUnparsable,
  SearchCharsetRefused,
  UnsubscribeFailed,
} from "./errors.ts";

// Records and rules
export { authenticationResults } from "./authentication-results.ts";
export { encodedBodyOf, PREVIEW_BYTES, choosePreview, type PreviewedText } from "./choose-bodies.ts";
export type { Invitation } from "./invitations/Invitation.ts";
export type { FolderEntry } from "./search-folders.ts";
export { messageBatchOf } from "./message-batch.ts";
export type { AgedPage, InboxEntry, InboxPage } from "./InboxPage.ts";
export type { ChangedMessage } from "./MessageAction.ts";
export { ReadCacheSettings } from "./ReadCacheSettings.ts";
export type { ReadMessage } from "./ReadMessage.ts";
export { DEFAULT_LIMIT, MAX_LIMIT } from "./listing/rules.ts";
export type { SearchCriteria } from "./SearchCriteria.ts";
export { cutHeader } from "./ReadMessage.ts";
export { splitQuoted } from "./split-quoted.ts";
export { unsubscribeWayOf } from "./lists/unsubscribe-way.ts";
