import { PosternApi } from "@postern/api";
import { AccountAccess } from "@postern/core/accounts";
import { AccountRemoval } from "@postern/core/lifecycle";
import { Effect } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { ownAccount } from "../wire/account-record.ts";
import { answer } from "../problems/answer.ts";
import { currentAccount } from "../auth/current-account.ts";

/** Handlers of the account operations (spec 3). */
export const AccountHandlers = handlerGroup(
  PosternApi,
  "account",
  Effect.fn(function* (handlers) {
    const removal = yield* AccountRemoval;
    const access = yield* AccountAccess;
    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        const account = yield* answer(access.find(yield* currentAccount, null));
        return { ok: true as const, data: ownAccount(account) };
      }),

      remove: Effect.fnUntraced(function* () {
        const account = yield* currentAccount;
        yield* answer(removal.remove(account));
        return { ok: true as const, data: { email: account } };
      }),
    });
  }),
);
