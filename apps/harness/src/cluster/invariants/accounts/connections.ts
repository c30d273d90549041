import { AccountDirectory } from "@postern/core/accounts";
import { AccountConnection, AccountCreation } from "@postern/core/lifecycle";
import { AccountId } from "@postern/core/shared";
import { Context, Effect, Option, Redacted } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";

const EMAIL = "connected@sim.test";

/**
 * A user who connects an existing account again replaces only its credential: the account keeps its id, its name and,
 * unless the link has tags, its tags. [S11.3-11] [S11.3-12]
 */
export const connections: Invariant = {
  name: "connections",
  watch: (cluster) => ({ calm: (visit) => connectAgain(visit, cluster) }),
};

const connectAgain = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = AccountId(EMAIL);
    const change = (password: string) => {
      cluster.mail.addAccount(account, password);
      return Redacted.make(password);
    };
    const secret = { _tag: "Password" as const, password: change("the first password") };
    yield* visit.ask("manage", (services) =>
      Context.get(services, AccountCreation).create(
        { email: EMAIL, name: "Connected", secret, tags: ["own"], imap: null, smtp: null },
        null,
      ),
    );
    for (const tags of [null, ["new"]]) {
      const password = change(`the password with ${tags?.join() ?? "no tags"}`);
      const request = { address: EMAIL, app: null, tags, reach: null };
      const { id } = yield* visit.ask("connect", (services) =>
        Context.get(services, AccountConnection).byPassword(request, EMAIL, password, "192.0.2.21", Effect.void),
      );
      const known = Option.getOrUndefined(cluster.ask((ports) => Context.get(ports, AccountDirectory).find(account)));
      const promised = [account, "Connected", tags ?? ["own"]];
      visit.same([id, known?.name, known?.tags], promised, "an account that was connected again");
    }
  });
