import { checkerOf } from "../shared/neighbours.ts";
import { accountFields } from "./rules.ts";

/** Checks what a request says about an account, a list of accounts or a protocol log. */
export const checkAccount = checkerOf(accountFields);
