import type { Account } from "@postern/core/accounts";
import type { AccountId } from "@postern/core/shared";
import { Effect, HashMap } from "effect";
import { Memory } from "./Memory.ts";

/** The accounts with and without a credential, shared by the directory and the vault. */
export const accountRows = Effect.flatMap(Memory, ({ cell }) => cell("accounts", HashMap.empty<AccountId, Account>()));
