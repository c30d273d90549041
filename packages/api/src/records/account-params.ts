import { ACCOUNT_ID } from "../examples/accounts.ts";
import { accountFields } from "@postern/core/rules";

/** The account in a path. */
export const params = {
  id: accountFields.id.annotate({ description: "Id (`acc_…`) or address of the account.", examples: [ACCOUNT_ID] }),
};
