import { Unsubscription } from "@postern/core/lifecycle";
import { messageFields } from "@postern/core/rules";
import { Effect } from "effect";
import { currentKey } from "../auth/current-principal.ts";
import { answer } from "../problems/answer.ts";
import { ACCOUNT, tool } from "./tool.ts";

/** The tool that leaves a mailing list by one click (RFC 8058), for a key with `mail:send`. It sends no mail. */
export const unsubscribeTool = Effect.map(Unsubscription, (lists) =>
  tool(
    {
      name: "unsubscribe",
      description:
        "Leaves the mailing list of a message by one click, if the message offers it and a signature that passed covers the offer.",
      scopes: ["mail:send"],
      readOnly: false,
    },
    { account: ACCOUNT, id: messageFields.id.annotate({ description: "Id of the message." }) },
    Effect.fnUntraced(function* (account, { id }) {
      yield* answer(lists.unsubscribe(account, id, yield* currentKey, "one_click"));
      return { unsubscribed: true };
    }),
  ),
);
