/** Exports for other domains of the core only; `index.ts` has the exports for all packages. */

// Ports
export { isSamePlace } from "./ports/MailServers.ts";

// Errors
export { FolderChanged } from "./folder-errors.ts";

// Records and rules
export { AUTOMATIC_FIELDS, isAutomaticHeader } from "./automatic.ts";
export { isFolderRole } from "./FolderRole.ts";
export { hasHeader, headersOf } from "./ParsedMessage.ts";
export { rootOfThread } from "./thread-id.ts";
