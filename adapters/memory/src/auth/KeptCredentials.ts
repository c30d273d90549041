import type { FoundCredential } from "@postern/core/auth";
import type { Grant } from "@postern/core/oauth";
import type { AccountId, StoreUnavailable } from "@postern/core/shared";
import { Clock, Context, Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";
import type { Cell } from "../store/StoreClient.ts";

/** The credential of an account; `grant` where it is one. */
export interface Kept {
  readonly credential: FoundCredential;
  readonly grant: Grant | null;
  /** Whether its rejection was announced. */
  readonly told: boolean;
}

/** The credentials of all accounts, which the vault and the grants share. */
export class KeptCredentials extends Context.Service<
  KeptCredentials,
  {
    readonly all: Cell<HashMap.HashMap<AccountId, Kept>>;
    /** Stores a credential with a new version. */
    readonly keep: (account: AccountId, kept: (version: number) => Kept) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/memory/auth/KeptCredentials") {
  static readonly layer = Layer.effect(
    KeptCredentials,
    Effect.gen(function* () {
      const { cell } = yield* Memory;
      const all = yield* cell("credentials", HashMap.empty<AccountId, Kept>());
      return KeptCredentials.of({
        all,
        keep: Effect.fnUntraced(function* (account, kept) {
          const now = yield* Clock.currentTimeMillis;
          yield* all.modify((some) => {
            const version = Option.match(HashMap.get(some, account), {
              onNone: () => now,
              onSome: ({ credential }) => credential.version + 1,
            });
            return [undefined, HashMap.set(some, account, kept(version))];
          });
        }),
      });
    }),
  );
}
