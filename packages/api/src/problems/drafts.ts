import { problem } from "./problem.ts";

/** 404: the account has no such draft (spec 12.1). */
export class DraftNotFound extends problem<DraftNotFound>()(
  "draft_not_found",
  404,
  "Draft not found",
  "The account has no draft with this id; it may have been sent or deleted. List the drafts with GET /api/drafts.",
) {}

/** 409: the draft has another version (spec 12.1). */
export class DraftChanged extends problem<DraftChanged>()(
  "draft_changed",
  409,
  "The draft was changed meanwhile",
  "Nothing was saved: the draft was saved again, is being sent, or another mail program changed it. Read it with GET /api/drafts/{id}, then repeat the change with its version.",
) {}

/** 428: the request needs If-Match with the version of the draft (RFC 6585, 3). */
export class IfMatchRequired extends problem<IfMatchRequired>()(
  "if_match_required",
  428,
  "The request does not say which version it replaces",
  "Send the header If-Match with the version of the draft as GET /api/drafts/{id} returned it.",
) {}

/** 413: the files of all drafts together are too large (spec 12.1). */
export class StorageExceeded extends problem<StorageExceeded>()(
  "storage_exceeded",
  413,
  "The drafts of the account have too many files",
  "The files in the drafts of an account may have at most 1 GiB together. Remove files from drafts, or send or delete drafts.",
) {}
