import { EventRetention } from "@postern/core/events";
import { AccountSessions, LoginThrottle } from "@postern/core/auth";
import { MessageActions } from "@postern/core/messages";
import { SendRetention, Uploads } from "@postern/core/send";
import { WebhookEndpoints } from "@postern/core/webhooks";
import { AccountRemoval } from "@postern/core/lifecycle";
import { Effect, Layer, Schedule } from "effect";

/** What is swept at start and once an hour; a pass that fails is told of and tried again the next time. */
export const Housekeeping = Layer.effectDiscard(
  Effect.gen(function* () {
    const sessions = yield* AccountSessions;
    const throttle = yield* LoginThrottle;
    const actions = yield* MessageActions;
    const uploads = yield* Uploads;
    const sent = yield* SendRetention;
    const events = yield* EventRetention;
    const removal = yield* AccountRemoval;
    const endpoints = yield* WebhookEndpoints;
    const sweeps = [
      removal.resume,
      endpoints.sweep,
      sessions.sweep,
      throttle.sweep,
      actions.sweep,
      uploads.sweep,
      sent.sweep,
      events.sweep,
    ];
    const pass = Effect.forEach(sweeps, (sweep) =>
      Effect.catchCause(sweep, (cause) => Effect.logWarning("a sweep failed", cause)),
    );
    yield* Effect.forkScoped(Effect.repeat(pass, Schedule.spaced("1 hour")));
  }),
);
