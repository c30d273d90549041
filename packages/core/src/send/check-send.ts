import { IdempotencyKey } from "../creations/rules.ts";
import { checkerOf } from "../shared/neighbours.ts";
import { sendFields } from "./rules.ts";

/** Checks the fields of a message to send or of a draft; `readSendRequest` applies the rules of e-mail formats. */
export const checkSend = checkerOf(sendFields);

/** Checks the key of a request to send. */
export const checkSendKey = checkerOf({ "idempotency-key": IdempotencyKey });
