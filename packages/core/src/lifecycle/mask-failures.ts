import { Clock, Duration, Effect } from "effect";
import type { LoginRefused, PasswordRefused, TooManyLoginFailures } from "../auth/index.ts";
import { MailServerError } from "../mail/index.ts";
import type { StoreUnavailable } from "../shared/index.ts";

/** The time after which a failed sign-in is answered, if the server must not be revealed. */
const ANSWERED_AFTER = Duration.seconds(10);

type SignInFailure = LoginRefused | PasswordRefused | TooManyLoginFailures | MailServerError | StoreUnavailable;

/**
 * Returns a sign-in whose failures reveal only whether the mail server is at fault. All failures are answered ten
 * seconds after the request, and all faults of a server get the same answer (spec 10.3).
 */
export const maskFailures = <A, R>(signIn: Effect.Effect<A, SignInFailure, R>): Effect.Effect<A, SignInFailure, R> =>
  delayFailures(
    signIn.pipe(
      Effect.timeoutOrElse({ duration: ANSWERED_AFTER, orElse: () => Effect.fail(atFault()) }),
      Effect.catchTag("MailServerError", () => Effect.fail(atFault())),
    ),
  );

/** Returns an effect whose failures are answered ten seconds after the request, so that their timing reveals nothing. */
export const delayFailures = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(ANSWERED_AFTER);
    const untilThen = Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.sleep(Math.max(0, until - now)));
    return yield* Effect.tapError(effect, () => untilThen);
  });

const atFault = () =>
  new MailServerError({ reason: "unreachable", operation: "login", detail: "no mail server accepted the connection" });
