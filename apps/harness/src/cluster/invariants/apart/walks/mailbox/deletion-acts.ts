import { MessageActions } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { hasMove } from "../../../../servers/server-traits.ts";
import type { WalkedAudit } from "../audited.ts";
import type { Act } from "../walk.ts";
import type { BoxMessage, BoxModel } from "./BoxModel.ts";

/** Acts that delete messages through Postern, also in a folder whose server refuses, and compare the answers and the audit. [S8.7-5] */
export const deletionActs = (
  visit: Visit,
  { random }: Cluster,
  model: BoxModel,
  audit: WalkedAudit,
): ReadonlyArray<Act> => {
  const { account } = model;
  const act = <A, E>(name: string, use: (actions: MessageActions["Service"]) => Effect.Effect<A, E>) =>
    visit.ask(name, (services) => audit.as(services, use(Context.get(services, MessageActions))));
  const isPossible = () => model.known.length > 0;
  const removeOne = (one: BoxMessage, isForEver: boolean) =>
    act("remove", (all) => all.remove(account, one.id!, isForEver));
  const removeAll = (ids: ReadonlyArray<string>, isForEver: boolean) =>
    act("batch", (all) => all.carryOut(account, ids, { _tag: isForEver ? "Destroy" : "Trash" }));
  const idsOf = (some: ReadonlyArray<BoxMessage>) => some.map(({ id }) => id!);

  return [
    {
      name: "delete messages",
      weight: 2,
      isPossible,
      run: Effect.gen(function* () {
        const [some, isForEver] = [random.some(model.known, random.between(1, 3)), random.chance(0.5)];
        const movedTo = isForEver ? null : "trash";
        if (some.length === 1) {
          const done = yield* removeOne(some[0]!, isForEver);
          visit.same(
            [done.movedTo, done.outcomes],
            [movedTo, model.outcomesOf(idsOf(some), isForEver)],
            "the answer to a deletion",
          );
          yield* audit.promise("messages.remove", ...idsOf(some));
        } else {
          const ids = model.idsOf(some);
          const done = yield* removeAll(ids, isForEver);
          visit.same(
            [done.movedTo, done.outcomes],
            [movedTo, model.outcomesOf(ids, isForEver)],
            "the outcomes of a deletion",
          );
          yield* audit.promise("messages.batch", ...idsOf(some));
        }
        for (const one of some) {
          if (isForEver) model.remove(one);
          else one.place = "Trash";
        }
        yield* audit.compare(1);
      }),
    },
    {
      name: "delete messages that the server keeps",
      weight: 2,
      isPossible,
      run: Effect.gen(function* () {
        const place = random.pick(model.known)!.place;
        const some = random.some(
          model.known.filter((one) => one.place === place),
          random.between(1, 3),
        );
        // Without MOVE, the server refuses only the last step of a move.
        const isForEver = place === "Trash" || !hasMove(account) || random.chance(0.5);
        model.mailbox(place).isReadOnly = true;
        const failure = yield* Effect.flip<unknown, { readonly _tag: string; readonly reason?: string }, never>(
          some.length === 1 ? removeOne(some[0]!, isForEver) : removeAll(idsOf(some), isForEver),
        );
        model.mailbox(place).isReadOnly = false;
        if (!isForEver) for (const one of some) one.sought.add("Trash");
        visit.same(
          [failure._tag, failure.reason],
          ["MailServerError", "not_permitted"],
          "a deletion in a folder that is read-only",
        );
        yield* audit.promise(some.length === 1 ? "messages.remove" : "messages.batch", ...idsOf(some));
        yield* audit.compare(1);
      }),
    },
  ];
};
