import { PosternApi } from "@postern/api";
import { AccountRemoval } from "@postern/core/lifecycle";
import { Effect } from "effect";
import { HttpApiBuilder } from "effect/http-api";
import { answer } from "../answer.ts";
import { currentAccount } from "../current-account.ts";

/** Handlers of the account operations (spec 3). */
export const AccountHandlers = HttpApiBuilder.group(
  PosternApi,
  "account",
  Effect.fn(function* (handlers) {
    const removal = yield* AccountRemoval;
    return handlers.handleAll({
      remove: Effect.fnUntraced(function* () {
        const account = yield* currentAccount;
        yield* answer(removal.remove(account));
        return { ok: true as const, data: { email: account } };
      }),
    });
  }),
);
