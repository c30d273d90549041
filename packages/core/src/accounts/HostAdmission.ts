import { Clock, Context, Duration, Effect, Layer, Option, Random } from "effect";
import type { MailServer } from "../mail/index.ts";
import type { StoreUnavailable } from "../shared/index.ts";
import { HostLimited } from "./errors.ts";
import { hostWaits } from "./host-waits.ts";
import { HostConnections, type HostLimit } from "./ports/HostConnections.ts";

/** The longest wait of a request. */
const LONGEST_WAIT = Duration.toMillis("10 seconds");
/** The share of the limit that watches may use; the rest is for requests. */
const WATCHES = 0.8;
/** How often a watch asks again. */
const AGAIN = Duration.seconds(1);

/** Makes new connections to accounts' own mail servers wait for their turn, so that no host is flooded (spec 10.3). */
export class HostAdmission extends Context.Service<
  HostAdmission,
  {
    /**
     * Waits until a connection to the server may be opened; servers of the operator are not limited. A request fails if
     * it would wait more than ten seconds; a watch waits as long as it takes, and lets requests go first.
     */
    readonly admit: (
      server: MailServer,
      purpose: "request" | "watch",
    ) => Effect.Effect<void, HostLimited | StoreUnavailable>;
  }
>()("@postern/core/accounts/HostAdmission") {
  static readonly layer = (limit: HostLimit): Layer.Layer<HostAdmission, never, HostConnections> =>
    Layer.effect(
      HostAdmission,
      Effect.gen(function* () {
        const { reserve } = yield* HostConnections;
        const measured = yield* hostWaits;
        const ofWatches = { ...limit, connections: Math.max(1, Math.floor(limit.connections * WATCHES)) };

        const admitRequest = Effect.fnUntraced(function* (host: string) {
          const now = yield* Clock.currentTimeMillis;
          const turn = yield* reserve(host, limit, now, now + LONGEST_WAIT);
          if (Option.isNone(turn)) return yield* new HostLimited();
          if (turn.value > now) yield* measured(host, Effect.sleep(turn.value - now));
        });

        const admitWatch = Effect.fnUntraced(function* (host: string) {
          const reserved = Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis;
            return Option.isSome(yield* reserve(host, ofWatches, now, now));
          });
          if (yield* reserved) return;
          const turn = Effect.gen(function* () {
            do {
              yield* Effect.sleep(Duration.times(AGAIN, 0.5 + (yield* Random.next)));
            } while (!(yield* reserved));
          });
          yield* measured(host, turn);
        });

        return HostAdmission.of({
          admit: ({ origin, host }, purpose) => {
            if (origin === "operator") return Effect.void;
            return purpose === "request" ? admitRequest(host.toLowerCase()) : admitWatch(host.toLowerCase());
          },
        });
      }),
    );

  /** Limits nothing. */
  static readonly unlimited: Layer.Layer<HostAdmission> = Layer.succeed(HostAdmission, { admit: () => Effect.void });
}
