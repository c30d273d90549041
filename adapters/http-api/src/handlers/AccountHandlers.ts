import { PosternApi } from "@postern/api";
import { Accounts } from "@postern/core/accounts";
import { AccountRemoval } from "@postern/core/lifecycle";
import { OpaqueIds } from "@postern/core/shared";
import { Effect } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { ownAccount } from "../wire/account-record.ts";
import { answer } from "../problems/answer.ts";
import { currentAccount } from "../auth/current-principal.ts";

/** Handlers of the account operations (spec 3). */
export const AccountHandlers = handlerGroup(
  PosternApi,
  "account",
  Effect.fn(function* (handlers) {
    const removal = yield* AccountRemoval;
    const accounts = yield* Accounts;
    const ids = yield* OpaqueIds;
    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        const account = yield* answer(accounts.find(yield* currentAccount, null));
        return { ok: true as const, data: ownAccount(account) };
      }),

      remove: Effect.fnUntraced(function* () {
        const account = yield* currentAccount;
        yield* answer(removal.remove(account));
        return { ok: true as const, data: { id: ids.accountId(account), email: account, deleted: true as const } };
      }),
    });
  }),
);
