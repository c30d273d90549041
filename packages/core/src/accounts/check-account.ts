import { checkerOf } from "../shared/neighbours.ts";
import { accountFields } from "./rules.ts";

/** Checks the fields of a request about an account, a list of accounts or a protocol log. */
export const checkAccount = checkerOf(accountFields);
