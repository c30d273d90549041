import { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ServerConduct } from "./ServerConduct.ts";

/** Fails like a connection to a server with this conduct. */
export const failureOf = (conduct: Exclude<ServerConduct, "unclear">): Effect.Effect<never, MailServerError> =>
  Effect.fail(
    new MailServerError({
      reason: conduct === "away" ? "unreachable" : "flood",
      operation: "connect",
      detail: "simulated",
    }),
  );
