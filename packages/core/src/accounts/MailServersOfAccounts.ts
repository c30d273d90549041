import { Effect, Layer } from "effect";
import { MailServers, NoMailServers } from "../mail/index.ts";
import { AccountSettings } from "./AccountSettings.ts";
import { findServers } from "./operator-servers.ts";
import { AccountDirectory } from "./ports/AccountDirectory.ts";

/** Implements `MailServers`: the deployment's servers, or those stored with the account (spec 10.4). */
export const MailServersOfAccounts: Layer.Layer<MailServers, never, AccountDirectory> = Layer.effect(
  MailServers,
  Effect.gen(function* () {
    const settings = yield* AccountSettings;
    const directory = yield* AccountDirectory;
    return MailServers.of({
      of: Effect.fnUntraced(function* (account) {
        return (yield* findServers(settings, directory, account)) ?? (yield* new NoMailServers());
      }),
    });
  }),
);
