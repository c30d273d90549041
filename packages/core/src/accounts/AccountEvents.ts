import { Clock, Context, Effect, Layer, Option } from "effect";
import { eventAccount, type EventData } from "../events/neighbours.ts";
import { eventId, EventPublisher, writeEvent } from "../events/index.ts";
import type { AccountServers, MailServer } from "../mail/index.ts";
import { type AccountId, Entropy, OpaqueIds, type StoreUnavailable } from "../shared/index.ts";
import { reasonOf } from "./account-state.ts";
import { faultMessage } from "./AccountFault.ts";
import { AccountDirectory } from "./ports/AccountDirectory.ts";

/** Publishes what happens to an account as a whole, inside the transaction of the change (spec 7.2, 10.3). */
export class AccountEvents extends Context.Service<
  AccountEvents,
  {
    /** The account is managed from now on. */
    readonly added: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** The mail server refused the account's credential; the account's reason is part of the event. */
    readonly authFailed: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** The mail server accepts the account again. */
    readonly recovered: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** The account lives on other mail servers from now on. */
    readonly serversChanged: (account: AccountId, servers: AccountServers) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/accounts/AccountEvents") {
  static readonly layer = Layer.effect(
    AccountEvents,
    Effect.gen(function* () {
      const directory = yield* AccountDirectory;
      const publisher = yield* EventPublisher;
      const entropy = yield* Entropy;
      const ids = yield* OpaqueIds;

      const publish = Effect.fnUntraced(function* <
        Type extends "added" | "auth_failed" | "recovered" | "servers_changed",
      >(account: AccountId, type: Type, data: EventData<`account.${Type}`>) {
        const now = yield* Clock.currentTimeMillis;
        const id = eventId(now, yield* entropy.id(128));
        yield* publisher.publish([writeEvent(id, eventAccount(ids, account), `account.${type}`, now, data)]);
      });

      return AccountEvents.of({
        added: (account) => publish(account, "added", { email: account }),
        authFailed: Effect.fnUntraced(function* (account) {
          const known = Option.getOrNull(yield* directory.find(account));
          const code = (known === null ? null : reasonOf(known)?.cause) ?? "auth_refused";
          yield* publish(account, "auth_failed", { email: account, reason: { code, message: faultMessage(code) } });
        }),
        recovered: (account) => publish(account, "recovered", { email: account }),
        serversChanged: (account, { imap, smtp }) =>
          publish(account, "servers_changed", { email: account, imap: addressOf(imap), smtp: addressOf(smtp) }),
      });
    }),
  );
}

const addressOf = ({ host, port }: MailServer) => ({ host, port });
