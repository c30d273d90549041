import { Effect, Layer } from "effect";
import { IdScopes } from "../shared/neighbours.ts";
import { AccountSettings } from "./AccountSettings.ts";
import { findIdScope } from "./operator-servers.ts";
import { AccountDirectory } from "./ports/AccountDirectory.ts";

/** Implements `IdScopes`: an account with its own servers has the generation that was drawn with these servers. */
export const IdScopesOfAccounts: Layer.Layer<never, never, AccountDirectory> = Layer.effect(
  IdScopes,
  Effect.gen(function* () {
    const settings = yield* AccountSettings;
    const directory = yield* AccountDirectory;
    return { of: findIdScope(settings, directory) };
  }),
);
