import { parseStatusList } from "imapflow/lib/commands/status-fields.js";
import { isListed, readListRow } from "./list-row.ts";

/** Returns an object for the values of a STATUS response by name, and a function that reads the response into it. */
export const collectStatus = () => {
  const status: Record<string, unknown> = {};
  const take = (payload: Buffer, literals: ReadonlyArray<Buffer>): boolean => {
    const row = isListed(payload) ? readListRow(payload, literals) : undefined;
    if (row?.command !== "STATUS") return false;
    parseStatusList(row.attributes[1] as Parameters<typeof parseStatusList>[0], (key, value) => {
      status[key] = value;
    });
    return true;
  };
  return { status, take };
};
