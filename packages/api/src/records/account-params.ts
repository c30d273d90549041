import { ACCOUNT_ID } from "../examples/accounts.ts";
import { Text } from "./wire.ts";

/** The account in a path. */
export const params = {
  id: Text.annotate({ description: "Id (`acc_…`) or address of the account.", examples: [ACCOUNT_ID] }),
};
