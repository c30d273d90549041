import { Effect, Option } from "effect";
import { AccountDirectory, faultMessage, reasonOf } from "../accounts/index.ts";
import { CredentialVault } from "../auth/index.ts";
import { EventPublisher } from "../events/index.ts";
import { CredentialRefusals } from "../oauth/neighbours.ts";
import { type AccountId, Transaction } from "../shared/index.ts";
import { repeatSteps, type Worker } from "../shared/neighbours.ts";

/** How many accounts are read from the store and reported at a time. */
const BATCH = 100;

/** The ports that publish `account.auth_failed` once per refused credential, whether or not the account is watched (spec 10.3). */
export const refusalReporter = Effect.all({
  vault: CredentialVault,
  directory: AccountDirectory,
  publisher: EventPublisher,
  transaction: Transaction,
});
type RefusalReporter = Effect.Success<typeof refusalReporter>;

/** Reports the refusal of an account's credential, unless it is reported already. */
export const reportRefusal = Effect.fn("reportRefusal")(
  function* ({ vault, directory, publisher }: RefusalReporter, account: AccountId) {
    if (!(yield* vault.takeRejection(account))) return;
    const known = Option.getOrNull(yield* directory.find(account));
    const code = (known === null ? null : reasonOf(known)?.cause) ?? "auth_refused";
    const reason = { code, message: faultMessage(code) };
    yield* publisher.publishNow(account, "account.auth_failed", { email: account, reason });
  },
  (report, { transaction }) => transaction.run(report),
);

/** Reports all refusals that are not reported yet; returns their number. */
export const reportRefusals = Effect.fnUntraced(function* (reporter: RefusalReporter) {
  let reported = 0;
  for (;;) {
    const accounts = yield* reporter.vault.listUnannounced(BATCH);
    for (const account of accounts) yield* reportRefusal(reporter, account);
    reported += accounts.length;
    if (accounts.length < BATCH) return reported;
  }
});

/** The worker that reports the refusals that this process records. */
export const refusalWorker = Effect.map(
  Effect.all([refusalReporter, CredentialRefusals]),
  ([reporter, { awaitRecorded }]): Worker => ({
    name: "refused credentials",
    runDue: reportRefusals(reporter),
    run: repeatSteps("refused credentials", Effect.andThen(reportRefusals(reporter), awaitRecorded)),
    stop: Effect.void,
    drain: () => Effect.void,
    nextDue: Effect.succeedNone,
  }),
);
