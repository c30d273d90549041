import { type AuthorizationCode, AuthorizationCodes } from "@postern/core/assistants";
import { Effect, HashMap, Layer } from "effect";
import { Memory } from "../store/Memory.ts";

/** Codes, kept in memory. */
export const layer = Layer.effect(
  AuthorizationCodes,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const codes = yield* cell("authorization codes", HashMap.empty<string, AuthorizationCode>());
    const keep = (isKept: (code: AuthorizationCode) => boolean) =>
      codes.modify((all) => [undefined, HashMap.filter(all, isKept)]);

    return AuthorizationCodes.of({
      insert: (code) => codes.modify((all) => [undefined, HashMap.set(all, code.id, code)]),
      take: (id) => codes.modify((all) => [HashMap.get(all, id), HashMap.remove(all, id)]),
      removeAll: (account) => keep((code) => code.account !== account),
      removeExpired: (before) => keep(({ expiresAt }) => expiresAt >= before),
    });
  }),
);
