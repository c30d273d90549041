import { rule } from "../shared/rules.ts";

/** The rule that a change of a folder has at least one field (spec 4.4). `folderName` and `placeFor` have the rules of names and locations. */
export const folderRule = rule((change: { readonly name?: unknown; readonly parentId?: unknown }) =>
  change.name === undefined && change.parentId === undefined
    ? { path: ["name"], issue: "is required, or parentId, or both" }
    : undefined,
);
