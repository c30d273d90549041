import { SignIn } from "@postern/core/lifecycle";
import { Context, Effect, Redacted } from "effect";
import type { Cluster } from "../../../Cluster.ts";
import { PASSWORD, type Visit } from "../../../Visit.ts";

/** The network of the user, from which wrong passwords come too. */
export const HOME = "192.0.2.50";

/** Returns a client that signs in with right and wrong passwords. */
export const guesserOf = (visit: Visit, cluster: Cluster) => {
  const attempt = (account: string, password: string, network: string) =>
    Effect.match(
      visit.ask(`sign in ${account}`, (services) =>
        Context.get(services, SignIn).withPassword(account, Redacted.make(password), { network, userAgent: "visit" }),
      ),
      {
        onFailure: (error) => [error._tag, "retryAfter" in error ? Number(error.retryAfter) : 0] as const,
        onSuccess: () => ["Answered", 0] as const,
      },
    );
  let wrong = 0;
  return {
    visit,
    cluster,
    attempt,
    enters: (account: string, network: string, password = PASSWORD) =>
      Effect.map(attempt(account, password, network), ([tag]) => tag),
    /** Tries this many wrong passwords, each of which the mail server refuses. */
    fail: (account: string, network: string, count: number) =>
      Effect.gen(function* () {
        for (let n = 0; n < count; n++)
          visit.same((yield* attempt(account, `wrong ${++wrong}`, network))[0], "LoginRefused", "a wrong password");
      }),
  };
};
export type Guesser = ReturnType<typeof guesserOf>;
