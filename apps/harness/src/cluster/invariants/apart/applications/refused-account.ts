import { Inbox } from "@postern/core/messages";
import { Context, Effect } from "effect";
import { byText } from "../../../by-text.ts";
import { PASSWORD } from "../../../Visit.ts";
import { clientOf } from "../../send/outbox-client.ts";
import { MINUTE, SECOND } from "../durations.ts";
import type { Manager } from "./manager.ts";

/** A time longer than a refusal needs to be told, and a message that may be sent needs to be sent. */
const SOON = 6 * SECOND;
const NEXT = "the next password";

/**
 * An account that its user signed in, and whose password the server refuses by now, recovers when an application creates it with
 * the right password: this is told, and its mail is sent. [S3.7-3] [S3.7-4] [S10.3-1]
 */
export const createRefused = ({ visit, cluster, create, state, told }: Manager): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("refused-before");
    const client = clientOf(visit, cluster, account);
    const { id } = yield* client.send("waiting", { sendAt: visit.now + MINUTE });
    cluster.mail.addAccount(account, NEXT);
    const list = visit.tagOf("list", (services) => Context.get(services, Inbox).list(account, {}));
    visit.same(yield* list, "MailboxCredentialsRejected", "a request by a password that is refused by now");
    yield* visit.within(SOON, "a refused password is not told", () => told(account).includes("account.auth_failed"));
    yield* visit.skip(2 * MINUTE);
    const refused = ["account.auth_failed"];
    visit.same(
      [yield* create(account, { password: PASSWORD }), yield* state(account), told(account)],
      ["AccountUnverified", "needs_reauth", refused],
      "a refused account that is created with the refused password",
    );
    visit.same(client.copies(id, "waiting"), 0, "the mail of a refused account");
    visit.same(
      [yield* create(account, { password: NEXT }), yield* state(account), told(account).toSorted(byText)],
      ["Answered", "active", ["account.added", ...refused, "account.recovered"]],
      "a refused account that is created with its next password",
    );
    visit.same(yield* list, "Answered", "a request of an account that recovered by its creation");
    yield* visit.within(SOON, "mail is not sent after its account recovered", () => client.copies(id, "waiting") === 1);
  });
