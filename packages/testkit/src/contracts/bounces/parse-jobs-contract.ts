import { assert, layer } from "@effect/vitest";
import type { AccountId } from "@postern/core/shared";
import { type ParseJob, newParseJob, ParseJobs } from "@postern/core/bounces";
import { OutgoingJournal } from "@postern/core/send";
import { Effect, type Layer, Option } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";
import { CONTENTS, finished, newMessage } from "../send/outgoing-messages.ts";

const lease = (token: string, until: number) => ({ token, until });

const jobOf = (account: AccountId, uid: number): ParseJob =>
  newParseJob(account, { path: "INBOX", uidValidity: 4_000_000_000, uid }, 1_000, 2_000);

/** Claims all jobs, so that no test sees jobs of another. */
const drainJobs = Effect.gen(function* () {
  const jobs = yield* ParseJobs;
  for (const { id } of yield* jobs.claim(1e14, lease("drain", 2e14), 10_000)) yield* jobs.finish(id, "drain");
});

/** The contract of `ParseJobs`. */
export const parseJobsContract = <E>(name: string, store: Layer.Layer<ParseJobs | OutgoingJournal, E>): void =>
  layer(store, { excludeTestServices: true })(name, (it) => {
    it.effect("leases each job to one caller until the lease expires", () =>
      Effect.gen(function* () {
        yield* drainJobs;
        const jobs = yield* ParseJobs;
        const account = yield* freshAccount;
        const [one, two] = [jobOf(account, 1), jobOf(account, 2)];
        yield* jobs.insert([one, two], 5_000);
        yield* jobs.insert([one], 5_000);
        assert.deepStrictEqual(yield* jobs.claim(4_999, lease("a", 9_000), 10), []);
        assert.deepStrictEqual(yield* jobs.claim(5_000, lease("a", 9_000), 1), [one]);
        assert.deepStrictEqual(yield* jobs.claim(5_000, lease("b", 9_500), 10), [two]);
        assert.deepStrictEqual(yield* jobs.nextDue, Option.some(9_000));
        assert.deepStrictEqual(yield* jobs.claim(9_000, lease("c", 19_000), 10), [one]);
        assert.isFalse(yield* jobs.finish(one.id, "a"));
        assert.isFalse(yield* jobs.postpone({ job: one, dueAt: 1 }, "a"));
        assert.isTrue(yield* jobs.finish(one.id, "c"));
        assert.isFalse(yield* jobs.finish(one.id, "c"));
        assert.isTrue(yield* jobs.finish(two.id, "b"));
        assert.isTrue(Option.isNone(yield* jobs.nextDue));
      }),
    );

    it.effect("renews and releases leases only for their holder", () =>
      Effect.gen(function* () {
        yield* drainJobs;
        const jobs = yield* ParseJobs;
        const account = yield* freshAccount;
        const [one, two] = [jobOf(account, 1), jobOf(account, 2)];
        yield* jobs.insert([one, two], 1_000);
        yield* jobs.claim(1_000, lease("a", 2_000), 10);
        assert.deepStrictEqual(yield* jobs.renew([one.id, "none"], lease("a", 9_000)), new Set([one.id]));
        assert.deepStrictEqual(yield* jobs.claim(2_000, lease("b", 9_000), 10), [two]);
        assert.deepStrictEqual(yield* jobs.renew([two.id], lease("a", 20_000)), new Set());
        yield* jobs.release([one.id, two.id], "a", 3_000);
        assert.deepStrictEqual(yield* jobs.claim(2_999, lease("c", 9_000), 10), []);
        assert.deepStrictEqual(yield* jobs.claim(3_000, lease("c", 9_000), 10), [one]);
        assert.isTrue(yield* jobs.finish(two.id, "b"));
      }),
    );

    it.effect("keeps a postponed job with its state and due time", () =>
      Effect.gen(function* () {
        yield* drainJobs;
        const jobs = yield* ParseJobs;
        const job = jobOf(yield* freshAccount, 4_294_967_295);
        yield* jobs.insert([job], 1_000);
        yield* jobs.claim(1_000, lease("a", 9_000), 1);
        const tried = { ...job, failures: 1, delays: 2 };
        assert.isTrue(yield* jobs.postpone({ job: tried, dueAt: 3_000 }, "a"));
        assert.deepStrictEqual(yield* jobs.nextDue, Option.some(3_000));
        assert.deepStrictEqual(yield* jobs.claim(2_999, lease("b", 9_000), 1), []);
        assert.deepStrictEqual(yield* jobs.claim(3_000, lease("b", 9_000), 1), [tried]);
      }),
    );

    it.effect("records each kind of report about a recipient once [S7.3-1]", () =>
      Effect.gen(function* () {
        const jobs = yield* ParseJobs;
        const [sent, other] = [newMessage(yield* freshAccount, 1_000), newMessage(yield* freshAccount, 1_000)];
        for (const one of [sent, other]) yield* (yield* OutgoingJournal).insert(finished(one), CONTENTS, null);
        const reported = { sentId: sent.id, recipient: "a@y.test", kind: "bounce" } as const;
        const reports = [
          reported,
          reported,
          { ...reported, kind: "complaint" as const },
          { ...reported, recipient: "b@y.test" },
          { ...reported, sentId: other.id },
        ];
        assert.deepStrictEqual(yield* Effect.forEach(reports, jobs.report), [true, false, true, true, true]);
      }),
    );

    it.effect("wakes a waiting worker, and erases an account", () =>
      Effect.gen(function* () {
        yield* drainJobs;
        const jobs = yield* ParseJobs;
        const [account, other] = [yield* freshAccount, yield* freshAccount];
        yield* jobs.insert([jobOf(account, 1), jobOf(other, 1)], 1_000);
        yield* jobs.changed;
        yield* jobs.erase(account);
        assert.deepStrictEqual(yield* jobs.claim(1_000, lease("a", 9_000), 10), [jobOf(other, 1)]);
      }),
    );
  });
