import { AccountCreation } from "@postern/core/lifecycle";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect, Redacted } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Visit } from "../../Visit.ts";

const PASSWORD = "the password of a managed account";

/** Creates an account that is managed by the operator, so that its credential is kept for as long as the account. */
export const managedAccount = (visit: Visit, cluster: Cluster, name: string): Effect.Effect<AccountId, unknown> => {
  const email = `${name}@sim.test`;
  cluster.mail.addAccount(email, PASSWORD);
  const secret = { _tag: "Password" as const, password: Redacted.make(PASSWORD) };
  return Effect.map(
    visit.ask(`manage ${email}`, (services) =>
      Context.get(services, AccountCreation).create(
        { email, name: null, secret, tags: [], imap: null, smtp: null },
        null,
      ),
    ),
    ({ id }) => id,
  );
};
