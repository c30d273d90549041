import { Effect, Layer } from "effect";
import { MailServers, NoMailServers } from "../mail/index.ts";
import { CurrentServers } from "./CurrentServers.ts";
import type { AccountDirectory } from "./ports/AccountDirectory.ts";

/** Implements `MailServers`: the deployment's servers, or those stored with the account (spec 10.4). */
export const MailServersOfAccounts: Layer.Layer<MailServers, never, AccountDirectory> = Layer.effect(
  MailServers,
  Effect.map(CurrentServers, (current) =>
    MailServers.of({
      of: Effect.fnUntraced(function* (account) {
        return (yield* current.of(account)) ?? (yield* new NoMailServers());
      }),
    }),
  ),
).pipe(Layer.provide(CurrentServers.layer));
