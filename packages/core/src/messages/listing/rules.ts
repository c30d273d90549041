import { rule, textUpTo, wholeBetween } from "../../shared/rules.ts";

/** The default and maximum page size (spec 5.1). A larger limit is reduced to the maximum, and the response contains the reduced limit. */
export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 200;

const FOLDER = /^(\*|inbox|sent|drafts|trash|junk|archive|f_[\w-]{1,64})$/;

/** The rules of the parameters of a listing of an account (spec 5.7). */
export const listingFields = {
  folders: textUpTo(1_000).check(
    rule((text) =>
      text.split(",").every((id) => FOLDER.test(id))
        ? undefined
        : "must be roles and ids of folders, or * for all but Junk and Trash, with commas between them",
    ),
  ),
  cursor: textUpTo(4096),
  limit: wholeBetween(1, MAX_LIMIT),
};
