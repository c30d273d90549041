import type { AccountId, MessageRef } from "@postern/core/shared";
import { MovedMessages } from "@postern/core/messages";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";

const nameOf = (account: AccountId, { folderId, uidValidity, uid }: MessageRef) =>
  JSON.stringify([account, folderId, uidValidity, uid]);

/** The new locations of moved messages, kept in memory. */
export const layer = Layer.effect(
  MovedMessages,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const moves = yield* cell(
      "moved messages",
      HashMap.empty<string, { readonly account: AccountId; readonly to: MessageRef; readonly movedAt: number }>(),
    );
    return MovedMessages.of({
      record: (account, more, movedAt) =>
        moves.modify((all) => [
          undefined,
          more.reduce((map, { from, to }) => HashMap.set(map, nameOf(account, from), { account, to, movedAt }), all),
        ]),
      find: (account, from) =>
        Effect.map(moves.get, (all) => HashMap.get(all, nameOf(account, from))).pipe(
          Effect.map(Option.map(({ to }) => to)),
        ),
      erase: (account) => moves.modify((all) => [false, HashMap.filter(all, (move) => move.account !== account)]),
      removeOld: (before) => moves.modify((all) => [false, HashMap.filter(all, ({ movedAt }) => movedAt >= before)]),
    });
  }),
);
