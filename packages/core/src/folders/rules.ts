import { rule } from "../shared/rules.ts";

/** A change of a folder changes something (spec 4.4); `folderName` and `placeFor` have the rules of names and places. */
export const folderRule = rule((change: { readonly name?: unknown; readonly parentId?: unknown }) =>
  change.name === undefined && change.parentId === undefined
    ? { path: ["name"], issue: "is required, or parentId, or both" }
    : undefined,
);
