import { Duration } from "effect";
import { UPLOAD_LIFETIME } from "../limits.ts";
import type { FoundUpload } from "../ports/UploadRecords.ts";

/** Returns whether a found upload has not expired. */
export const isKept = ({ createdAt, isPinned }: FoundUpload, now: number): boolean =>
  isPinned || now < createdAt + Duration.toMillis(UPLOAD_LIFETIME);
