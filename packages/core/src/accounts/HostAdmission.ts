import { Clock, Context, Duration, Effect, Layer, Option, Random } from "effect";
import type { MailServer } from "../mail/index.ts";
import type { StoreUnavailable } from "../shared/index.ts";
import type { WatchKind } from "../watch/index.ts";
import { HostLimited } from "./errors.ts";
import { hostWaits } from "./host-waits.ts";
import { HostConnections, type HostLimit } from "./ports/HostConnections.ts";

/** The maximum time a request waits for a connection. */
const MAX_WAIT_MILLIS = Duration.toMillis("10 seconds");
/** The share of the limit that first watches may use; the rest is for requests and for watches that continue. */
const FIRST_WATCH_SHARE = 0.8;
/** How often a watch asks for a connection again. */
const ASK_INTERVAL = Duration.seconds(1);

/** Why a connection is opened, in the order of priority at a host. */
export type ConnectionPurpose = "request" | WatchKind;

/** Limits the rate of new connections to accounts' own mail servers, so that no host is flooded (spec 10.3). */
export class HostAdmission extends Context.Service<
  HostAdmission,
  {
    /**
     * Waits until a connection to the server may be opened; servers of the operator are not limited. A request fails if
     * it would wait more than ten seconds. A watch waits without a limit. The order is: requests, watches that
     * continue, first watches.
     */
    readonly admit: (
      server: MailServer,
      purpose: ConnectionPurpose,
    ) => Effect.Effect<void, HostLimited | StoreUnavailable>;
  }
>()("@postern/core/accounts/HostAdmission") {
  static readonly layer = (limit: HostLimit): Layer.Layer<HostAdmission, never, HostConnections> =>
    Layer.effect(
      HostAdmission,
      Effect.gen(function* () {
        const { reserve } = yield* HostConnections;
        const measured = yield* hostWaits;
        const ofWatches: Record<WatchKind, HostLimit> = {
          watch: limit,
          "first watch": { ...limit, connections: Math.max(1, Math.floor(limit.connections * FIRST_WATCH_SHARE)) },
        };
        /** The number of waiting watches for each host; first watches are not counted. */
        const waiting = new Map<string, number>();
        const count = (host: string, by: 1 | -1) =>
          Effect.sync(() => {
            const left = (waiting.get(host) ?? 0) + by;
            if (left > 0) waiting.set(host, left);
            else waiting.delete(host);
          });

        const admitRequest = Effect.fnUntraced(function* (host: string) {
          const asked = yield* Clock.currentTimeMillis;
          const turn = yield* reserve(host, limit, asked, asked + MAX_WAIT_MILLIS);
          if (Option.isNone(turn)) return yield* new HostLimited();
          const left = turn.value - (yield* Clock.currentTimeMillis);
          if (left > 0) yield* measured(host, Effect.sleep(left));
        });

        const admitWatch = Effect.fnUntraced(function* (host: string, kind: WatchKind) {
          const isFirst = kind === "first watch";
          const reserved = Effect.gen(function* () {
            if (isFirst && waiting.has(host)) return false;
            const now = yield* Clock.currentTimeMillis;
            return Option.isSome(yield* reserve(host, ofWatches[kind], now, now));
          });
          if (yield* reserved) return;
          const turn = Effect.gen(function* () {
            do {
              yield* Effect.sleep(Duration.times(ASK_INTERVAL, 0.5 + (yield* Random.next)));
            } while (!(yield* reserved));
          });
          const counted = Effect.acquireUseRelease(
            count(host, 1),
            () => turn,
            () => count(host, -1),
          );
          yield* measured(host, isFirst ? turn : counted);
        });

        return HostAdmission.of({
          admit: ({ origin, host }, purpose) => {
            if (origin === "operator") return Effect.void;
            const name = host.toLowerCase();
            return purpose === "request" ? admitRequest(name) : admitWatch(name, purpose);
          },
        });
      }),
    );

  /** An implementation without limits. */
  static readonly unlimited: Layer.Layer<HostAdmission> = Layer.succeed(HostAdmission, { admit: () => Effect.void });
}
