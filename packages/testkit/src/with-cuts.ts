import { MailServerError } from "@postern/core/mail";
import { FolderRemovals, MailboxChanges, MailboxTree } from "@postern/core/folders";
import { Context, Effect, Layer } from "effect";
import { Cuts } from "./Cuts.ts";

const LEASING = new Set(["claim", "claimOne", "renew", "release"]);

const CUT = new MailServerError({ reason: "unreachable", operation: "test", detail: "cut" });

/**
 * Adds `Cuts` to the ports of folder management. After a cut, every call fails until the next `cut`, except that leases are
 * still claimed and released.
 */
export const withCuts = <E, R>(
  ports: Layer.Layer<MailboxChanges | MailboxTree | FolderRemovals | R, E>,
): Layer.Layer<MailboxChanges | MailboxTree | FolderRemovals | Cuts | R, E> =>
  Layer.provideMerge(
    Layer.effectContext(
      Effect.gen(function* () {
        let [left, moment, happened] = [0, "before", false];
        const through = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
          Effect.suspend(() => {
            const fail = Effect.fail(CUT as E);
            if (happened) return fail;
            if (left === 0 || --left > 0) return call;
            happened = true;
            return moment === "before" ? fail : Effect.andThen(call, fail);
          });
        const guard = <S extends object>(service: S): S =>
          Object.fromEntries(
            Object.entries(service).map(([name, member]) => [
              name,
              Effect.isEffect(member)
                ? through(member)
                : (...args: ReadonlyArray<unknown>) => (LEASING.has(name) ? member(...args) : through(member(...args))),
            ]),
          ) as S;
        return Context.make(Cuts, {
          cut: (nth, when) => Effect.sync(() => void ([left, moment, happened] = [nth, when, false])),
          happened: Effect.sync(() => happened),
        }).pipe(
          Context.add(MailboxChanges, guard(yield* MailboxChanges)),
          Context.add(MailboxTree, guard(yield* MailboxTree)),
          Context.add(FolderRemovals, guard(yield* FolderRemovals)),
        );
      }),
    ),
    ports,
  );
