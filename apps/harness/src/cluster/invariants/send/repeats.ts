import { MessageSender, OutgoingJournal, stateOf } from "@postern/core/send";
import { Context, Effect, Result } from "effect";
import type { Invariant } from "../../Invariant.ts";
import { INTERRUPTED } from "../../world/restarts.ts";

/**
 * The time from the end of a process until another process takes over its messages, after their leases expired; in
 * milliseconds.
 */
const TAKEN_OVER = 60_000;

/**
 * When no process works on a message, a repeated request gets the message as its answer, not `send_in_progress`.
 * [S6.5-2] [S6.5-4]
 */
export const repeats: Invariant = {
  name: "repeats",
  watch: (cluster) => {
    const found = () =>
      cluster
        .ask((ports) =>
          Context.get(ports, OutgoingJournal).list({ account: INTERRUPTED.account }, cluster.timeline.now, 1_000),
        )
        .find(({ message }) => message.subject === INTERRUPTED.request.subject);
    return {
      calm: (visit) =>
        Effect.gen(function* () {
          const until = visit.now + TAKEN_OVER;
          const isWaiting = () => {
            const entry = found();
            return entry !== undefined && !entry.leased && stateOf(entry.message, false) === "queued";
          };
          if (found() === undefined) return;
          while (!isWaiting() && visit.now < until) yield* visit.wait(500);
          if (!isWaiting()) return;
          const repeat = visit.ask("repeat what was cut off", (services) =>
            Context.get(services, MessageSender).send(INTERRUPTED.account, INTERRUPTED.request, INTERRUPTED.key),
          );
          const answer = Result.match(yield* Effect.result(repeat), {
            onFailure: ({ _tag }) => _tag,
            onSuccess: ({ status }) => status,
          });
          visit.same(answer, "queued", "the answer to the repeat of a request whose process ended");
        }),
    };
  },
};
