import { PosternApi } from "@postern/api";
import { AccountChanges, AccountRemoval } from "@postern/core/lifecycle";
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
    const changes = yield* AccountChanges;
    const ids = yield* OpaqueIds;
    const shown = ({ account, follow, following }: Followed) => ({
      ok: true as const,
      data: ownAccount(account, follow, following),
    });
    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        return shown(yield* answer(changes.showFollowing(yield* currentAccount)));
      }),

      change: Effect.fnUntraced(function* ({ payload: { follow } }) {
        return shown(yield* answer(changes.follow(yield* currentAccount, follow)));
      }),

      remove: Effect.fnUntraced(function* () {
        const account = yield* currentAccount;
        yield* answer(removal.remove(account));
        return { ok: true as const, data: { id: ids.accountId(account), email: account, deleted: true as const } };
      }),
    });
  }),
);

/** An account with its followed mailboxes. */
type Followed = Effect.Success<ReturnType<AccountChanges["Service"]["showFollowing"]>>;
