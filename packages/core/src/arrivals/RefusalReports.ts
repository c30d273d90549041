import { Context, Effect, Layer, Option } from "effect";
import { AccountDirectory, faultMessage, reasonOf } from "../accounts/index.ts";
import { CredentialVault } from "../auth/index.ts";
import { EventPublisher } from "../events/index.ts";
import { CredentialRefusals } from "../oauth/neighbours.ts";
import { type AccountId, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { repeatSteps, type Worker } from "../shared/neighbours.ts";

/** How many accounts are read from the store and reported at a time. */
const BATCH = 100;

/** Publishes `account.auth_failed` once per refused credential, whether or not the account is watched (spec 10.3). */
export class RefusalReports extends Context.Service<
  RefusalReports,
  {
    readonly report: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Reports all refusals that are not reported yet. */
    readonly reportAll: Effect.Effect<number, StoreUnavailable>;
    /** Reports the refusals that this process records. */
    readonly worker: Worker;
  }
>()("@postern/core/arrivals/RefusalReports") {
  static readonly layer = Layer.effect(
    RefusalReports,
    Effect.gen(function* () {
      const vault = yield* CredentialVault;
      const refusals = yield* CredentialRefusals;
      const directory = yield* AccountDirectory;
      const publisher = yield* EventPublisher;
      const transaction = yield* Transaction;

      const report = Effect.fn("RefusalReports.report")(function* (account: AccountId) {
        if (!(yield* vault.takeRejection(account))) return;
        const known = Option.getOrNull(yield* directory.find(account));
        const code = (known === null ? null : reasonOf(known)?.cause) ?? "auth_refused";
        const reason = { code, message: faultMessage(code) };
        yield* publisher.publishNow(account, "account.auth_failed", { email: account, reason });
      }, transaction.run);

      const reportAll = Effect.gen(function* () {
        let reported = 0;
        for (;;) {
          const accounts = yield* vault.listUnannounced(BATCH);
          for (const account of accounts) yield* report(account);
          reported += accounts.length;
          if (accounts.length < BATCH) return reported;
        }
      });

      return RefusalReports.of({
        report,
        reportAll,
        worker: {
          name: "refused credentials",
          runDue: reportAll,
          run: repeatSteps("refused credentials", Effect.andThen(reportAll, refusals.awaitRecorded)),
          stop: Effect.void,
          drain: () => Effect.void,
          nextDue: Effect.succeedNone,
        },
      });
    }),
  );
}
