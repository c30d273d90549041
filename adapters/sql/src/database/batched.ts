import { Deferred, Effect, Option } from "effect";

interface Batch<K, A, E> {
  readonly keys: Set<K>;
  readonly found: Deferred.Deferred<ReadonlyMap<K, A>, E>;
}

/**
 * Batches the lookups of many callers. One query runs at a time. Callers that arrive during a query share the next
 * query, so that no caller gets a result that was read before its call.
 */
export const batched = <K, A, E>(
  findAll: (keys: ReadonlyArray<K>) => Effect.Effect<ReadonlyMap<K, A>, E>,
): ((key: K) => Effect.Effect<Option.Option<A>, E>) => {
  let next: Batch<K, A, E> | undefined;
  let running = false;

  const run = Effect.gen(function* () {
    while (next !== undefined) {
      const batch: Batch<K, A, E> = next;
      next = undefined;
      yield* Deferred.done(batch.found, yield* Effect.exit(findAll([...batch.keys])));
    }
  }).pipe(Effect.ensuring(Effect.sync(() => void (running = false))));

  return (key) =>
    Effect.suspend(() => {
      next ??= { keys: new Set(), found: Deferred.makeUnsafe() };
      const { keys, found } = next;
      keys.add(key);
      const answer = Effect.map(Deferred.await(found), (all) => Option.fromUndefinedOr(all.get(key)));
      if (running) return answer;
      running = true;
      return Effect.andThen(Effect.forkDetach(run), answer);
    });
};
