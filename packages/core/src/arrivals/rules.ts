import { AddressText, RecordId, rule } from "../shared/rules.ts";

/** The rules of the fields of a block (spec 5.9). */
export const blockFields = {
  id: RecordId,
  address: AddressText.check(
    rule((text) => (/^[^\s@<>]+@[^\s@<>]+$/.test(text) ? undefined : "must be an e-mail address without a name")),
  ),
};
