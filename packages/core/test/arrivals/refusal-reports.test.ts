import { it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { expect } from "vitest";
import { AccountDirectory, newAccount } from "../../src/accounts/index.ts";
import { refusalReporter, reportRefusals } from "../../src/arrivals/report-refusals.ts";
import { CredentialVault } from "../../src/auth/index.ts";
import { EventPublisher } from "../../src/events/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import { noTransaction } from "../doubles.ts";

/** Reports the refusals of this number of accounts. Another process has already reported the first one. */
const reports = (count: number) => {
  const refused = Array.from({ length: count }, (_, n) => AccountId(`a${n}@x.test`));
  const published: Array<unknown> = [];
  const layer = Layer.mergeAll(
    Layer.mock(CredentialVault, {
      takeRejection: (account) => Effect.succeed(account !== "a0@x.test"),
      listUnannounced: (limit) => Effect.sync(() => refused.splice(0, limit)),
    }),
    Layer.mock(AccountDirectory, {
      find: (account) => Effect.succeed(account === "a1@x.test" ? Option.none() : Option.some(newAccount(account, 0))),
    }),
    Layer.mock(EventPublisher, {
      publishNow: (account: AccountId, type: string, data: unknown) =>
        Effect.sync(() => void published.push([account, type, data])),
    } as never),
    noTransaction,
  );
  return Effect.map(Effect.provide(Effect.flatMap(refusalReporter, reportRefusals), layer), (reported) => ({
    reported,
    published,
  }));
};

it.effect("a refused credential is reported once, by one process", () =>
  Effect.gen(function* () {
    const { reported, published } = yield* reports(3);
    expect(reported).toBe(3);
    const reason = { code: "auth_refused", message: expect.any(String) };
    expect(published).toEqual([
      ["a1@x.test", "account.auth_failed", { email: "a1@x.test", reason }],
      ["a2@x.test", "account.auth_failed", { email: "a2@x.test", reason }],
    ]);
  }),
);

it.effect.each([0, 99, 100, 101, 250])("all of %d refusals are reported", (count) =>
  Effect.map(reports(count), ({ reported }) => expect(reported).toBe(count)),
);
