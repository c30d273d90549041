import { Inbox } from "@postern/core/messages";
import { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import { PASSWORD } from "../../../Visit.ts";
import { changeAll } from "../../send/mail-of-keys.ts";
import { clientOf } from "../../send/outbox-client.ts";
import { HOUR, MINUTE } from "../durations.ts";
import type { Manager } from "./manager.ts";

const LATE = 5_000;

/**
 * Mail waits a day for an account that is paused or whose credential is refused, and then fails. The time in which an operator
 * holds it does not count. [S6.7-5]
 */
export const waitForAccount = (manager: Manager): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { visit, cluster, create, change, verify, state, use, told, find } = manager;
    for (const kind of ["paused", "refused"] as const) {
      const email = `${kind}-for-long@sim.test`;
      const account = AccountId(email);
      cluster.mail.addAccount(email, PASSWORD);
      yield* create(email, { name: "Waiting", tags: ["waiting"] });
      const { createdAt } = yield* find(email);
      const client = clientOf(visit, cluster, account);
      const list = visit.tagOf("list", (services) => Context.get(services, Inbox).list(account, {}));
      const stop = Effect.gen(function* () {
        if (kind === "paused") return yield* change(email, { paused: true });
        cluster.mail.addAccount(email, "the next password");
        return yield* verify(email);
      });
      const resume = Effect.gen(function* () {
        if (kind === "paused") return yield* change(email, { paused: false });
        cluster.mail.addAccount(email, PASSWORD);
        return yield* verify(email);
      });
      const refusal = kind === "paused" ? "AccountPaused" : "AccountNeedsReauth";
      const sendAt = visit.now + MINUTE;
      const first = yield* client.send("first", { sendAt });
      yield* stop;
      if (kind === "refused") yield* verify(email);
      visit.same(yield* use(email), refusal, `an account that is ${kind}`);
      if (kind === "refused") visit.same(yield* list, "MailboxCredentialsRejected", "a session of a refused account");
      yield* visit.skip(2 * MINUTE);
      yield* visit.skip(23 * HOUR);
      yield* visit.wait(LATE);
      visit.same(
        [client.copies(first.id, "first"), yield* client.state("first")],
        [0, "queued"],
        `mail that is ${kind}`,
      );
      yield* resume;
      yield* visit.wait(LATE);
      visit.same(
        [client.copies(first.id, "first"), yield* use(email)],
        [1, "Answered"],
        `mail that was ${kind} for 23 hours`,
      );
      const second = yield* client.send("second", { sendAt: visit.now + MINUTE });
      yield* stop;
      yield* visit.skip(2 * MINUTE);
      yield* visit.skip(25 * HOUR);
      yield* visit.wait(LATE);
      visit.same(yield* client.state("second"), "failed", `mail that is ${kind} for 25 hours`);
      yield* resume;
      yield* visit.wait(LATE);
      visit.same([client.copies(second.id, "second"), yield* state(email)], [0, "active"], "mail that failed");
      visit.same(client.events(second.messageId), ["email.failed"], "the events of mail that failed");
      const third = yield* client.send("third", { sendAt: visit.now + MINUTE });
      yield* stop;
      yield* visit.skip(2 * MINUTE);
      yield* changeAll(client, "hold", { account });
      yield* visit.skip(30 * HOUR);
      yield* changeAll(client, "release", { account });
      yield* visit.wait(LATE);
      visit.same(
        yield* client.state("third"),
        "queued",
        `mail that was held for 30 hours while its account was ${kind}`,
      );
      yield* resume;
      yield* visit.wait(LATE);
      visit.same(client.copies(third.id, "third"), 1, `mail that was held while its account was ${kind}`);
      const events = kind === "paused" ? [] : ["account.auth_failed", "account.recovered"];
      visit.same(
        told(email),
        ["account.added", ...events, ...events, ...events],
        `the events of an account that was ${kind} three times`,
      );
      const now = yield* find(email);
      visit.same(
        [now.name, now.tags, now.managed, now.createdAt],
        ["Waiting", ["waiting"], true, createdAt],
        "an account",
      );
    }
  });
