import { Result } from "effect";
import { FolderNameInvalid } from "../mail/index.ts";

/** The maximum length of a name, in bytes of IMAP's encoding. */
const MAX_ENCODED_BYTES = 255;

/** The prefix of the names of mailboxes that are being removed; names of users' folders cannot start with it. */
export const REMOVAL_PREFIX = "postern-removal-";

/** Returns a name in Unicode NFC, its stored form, or the fault of the name (spec 4). */
export const folderName = (text: string, delimiter: string | null): Result.Result<string, FolderNameInvalid> => {
  const name = text.normalize("NFC");
  const reason = faultOf(name, delimiter);
  return reason === undefined ? Result.succeed(name) : Result.fail(new FolderNameInvalid({ reason }));
};

/** Returns the key by which names are compared, ignoring letter case and Unicode normalization. */
export const nameKey = (name: string): string =>
  name.normalize("NFD").toLowerCase().toUpperCase().toLowerCase().normalize("NFC");

/** Returns the length of a name in modified UTF-7 (RFC 3501, 5.1.3), in bytes. */
export const encodedLength = (name: string): number =>
  name.replaceAll("&", "&-").replace(/[^\x20-\x7e]+/g, (run) => "x".repeat(2 + Math.ceil((run.length * 16) / 6)))
    .length;

const faultOf = (name: string, delimiter: string | null): FolderNameInvalid["reason"] | undefined => {
  if (!name.isWellFormed()) return "malformed";
  if (name === "") return "empty";
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return "control_character";
  if (name !== name.trim()) return "edge_space";
  if (delimiter !== null && name.includes(delimiter)) return "delimiter";
  if (/[*%]/.test(name)) return "wildcard";
  if (name === "." || name.includes("..")) return "dots";
  if (nameKey(name).startsWith(REMOVAL_PREFIX)) return "reserved";
  return encodedLength(name) > MAX_ENCODED_BYTES ? "too_long" : undefined;
};
