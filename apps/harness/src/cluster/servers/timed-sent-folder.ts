import { SentFolder } from "@postern/core/send";
import { Effect, Layer, Stream } from "effect";
import type { Cluster } from "../Cluster.ts";
import type { Incarnation } from "../timeline/Incarnation.ts";
import type { SeededRandom } from "../timeline/SeededRandom.ts";

/**
 * The longest time between two of SELECT, SEARCH, APPEND and the answer to APPEND, in milliseconds; the second value is
 * that of a busy server.
 */
const STEP_MILLIS = 200;
const BUSY_STEP_MILLIS = 8_000;

/** A Sent folder whose commands take time, so that a paused or overtaken worker can act between them. */
export const timedSentFolder = <R>(
  node: Incarnation,
  cluster: Pick<Cluster, "onSentCopy" | "faults">,
  random: SeededRandom,
  sent: Layer.Layer<SentFolder, never, R>,
): Layer.Layer<SentFolder, never, R> => {
  const between = Effect.suspend(() => {
    const most = cluster.faults.isOn && random.chance(0.1) ? BUSY_STEP_MILLIS : STEP_MILLIS;
    return Effect.andThen(node.wait(random.between(0, most)), node.gate);
  });
  return Layer.effect(
    SentFolder,
    Effect.map(SentFolder, ({ keep }) => ({
      keep: (account, messageId, message, absentUntil) => {
        // The message is read after the search, immediately before it is stored.
        const literal = Stream.concat(Stream.drain(Stream.fromEffect(between)), message);
        const stored = Stream.drain(Stream.fromEffect(Effect.sync(() => cluster.onSentCopy(node, messageId))));
        const kept = keep(account, messageId, Stream.concat(literal, stored), absentUntil);
        return Effect.andThen(
          between,
          Effect.tap(kept, () => between),
        );
      },
    })),
  ).pipe(Layer.provide(sent));
};
