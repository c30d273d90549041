import type { MailServer } from "@postern/core/mail";
import { Clock, Duration, Effect, Option, type Scope } from "effect";
import { connect } from "node:net";

/** The time for which an answer is used before the next check. */
const KNOWN_FOR = Duration.toMillis("10 seconds");
const PATIENCE = "5 seconds";

/** Returns whether a server accepts a connection. No command is sent. */
const takesConnections = ({ host, port }: MailServer): Effect.Effect<boolean> =>
  Effect.callback<boolean>((resume) => {
    const socket = connect({ host, port, autoSelectFamily: true });
    socket.once("error", () => resume(Effect.succeed(false)));
    socket.once("connect", () => {
      socket.end();
      resume(Effect.succeed(true));
    });
    return Effect.sync(() => socket.destroy());
  }).pipe(Effect.timeoutOrElse({ duration: PATIENCE, orElse: () => Effect.succeed(false) }));

const NAMES = ["imap", "smtp"] as const;
type Name = (typeof NAMES)[number];

/**
 * Returns an effect with the names of the servers that accepted no connection at their last check. The effect never
 * waits: it also returns an old answer, and starts the next check in the background.
 */
export const unreachableMailServers = (servers: {
  readonly [_ in Name]: Option.Option<MailServer>;
}): Effect.Effect<Effect.Effect<ReadonlyArray<Name>>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    let known: ReadonlyArray<Name> = [];
    let lookedAt = -Infinity;
    const isUnreachable = (name: Name) =>
      Option.match(servers[name], {
        onNone: () => Effect.succeed(false),
        onSome: (server) => Effect.map(takesConnections(server), (takes) => !takes),
      });
    const look = Effect.map(Effect.filter(NAMES, isUnreachable, { concurrency: "unbounded" }), (names) => {
      known = names;
    });
    return Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis;
      if (now - lookedAt >= KNOWN_FOR) {
        lookedAt = now;
        yield* Effect.forkIn(look, scope);
      }
      return known;
    });
  });
