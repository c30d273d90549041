import { setTimeout as sleep } from "node:timers/promises";
import {
  describeWithDovecot,
  describeWithPostgres,
  type ProviderBehaviour,
  SCRIPTED,
  type TokenRequest,
} from "@postern/testkit";
import { Effect, Exit, Scope } from "effect";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Ask, askWithKey, makeKey } from "./ask-with-key.ts";
import { connectByConsent, DONE } from "./oauth-consent.ts";
import { DOMAIN, type OAuthSite, ROTATIONS, startOAuthSite } from "./oauth-site.ts";
import { ADMIN_KEY } from "./requests/live-world.ts";
import { serverNodes } from "./server-nodes.ts";

const NODES = 3;
/** The number of accounts at each provider. */
const EACH = Number(process.env["EACH"] ?? 30);
const ASKED = Number(process.env["ASKED"] ?? 10_000);
const ROUNDS = Math.ceil(ASKED / (NODES * EACH * ROTATIONS.length));
/** The lifetime of an access token in seconds. */
const LIFETIME = 10;
const REPORTED_MILLIS = 5_000;
/** How long other processes wait for a process that asks a provider after that process has ended, in milliseconds (spec 11.4). */
const LEASE_MILLIS = 15_000;
/** The longest delay of a provider's answer, in milliseconds. */
const HELD_MILLIS = 3_000;

/** The faults of the rounds, in order. */
const ROUND_FAULTS: ReadonlyArray<{ readonly kills?: boolean; readonly behaviour: ProviderBehaviour }> = [
  { kills: true, behaviour: { delay: 2_000 } },
  { behaviour: {} },
  { behaviour: { delay: HELD_MILLIS } },
  { kills: true, behaviour: { delay: 200 } },
  { behaviour: { answers: { token: SCRIPTED.html } } },
  { behaviour: { answers: { token: SCRIPTED.cut } } },
];

interface Account {
  readonly id: string;
  readonly email: string;
  readonly app: string;
}

/** A refresh token that a provider judged. */
interface Presented extends TokenRequest {
  readonly app: string;
  readonly token: string;
}

describeWithDovecot(`${ASKED} refreshes that ${NODES} nodes ask for at once, in ${ROUNDS} rounds`, () => {
  describeWithPostgres("over one Postgres", () => {
    let scope: Scope.Closeable;
    let site: OAuthSite;
    let nodes: Effect.Success<ReturnType<typeof serverNodes>>;
    let key: string;
    let database: Client;
    let accounts: ReadonlyArray<Account> = [];

    beforeAll(async () => {
      scope = await Effect.runPromise(Scope.make());
      const run = <A>(effect: Effect.Effect<A, never, Scope.Scope>) =>
        Effect.runPromise(Effect.provideService(effect, Scope.Scope, scope));
      site = await run(startOAuthSite);
      behave({});
      nodes = await run(serverNodes(site.environment));
      for (let node = 0; node < NODES; node++) await nodes.start();
      key = await makeKey(nodes.bases()[0]!, ADMIN_KEY, "crm");
      database = new Client({ connectionString: site.database });
      await database.connect();
      const make = async (app: string, email: string): Promise<Account> => {
        const grant = { app, refreshToken: site.providers.get(app)!.refreshToken(email) };
        const { status, body } = await ask()("POST", "/api/accounts", { email, grant });
        expect(status, JSON.stringify(body)).toBe(200);
        return { id: body.data.id, email, app };
      };
      const named = ROTATIONS.flatMap((app) =>
        Array.from({ length: EACH }, (_, n) => [app, `${app}${n}@${DOMAIN}`] as const),
      );
      accounts = await Effect.runPromise(
        Effect.forEach(named, ([app, email]) => Effect.promise(() => make(app, email)), { concurrency: 8 }),
      );
    }, 300_000);

    afterAll(async () => {
      await database.end();
      await Effect.runPromise(Scope.close(scope, Exit.void));
    });

    const ask = (base = nodes.bases()[0]!): Ask => askWithKey(() => base, key);

    const behave = (behaviour: ProviderBehaviour) => {
      for (const app of ROTATIONS) site.providers.get(app)!.behave({ lifetime: LIFETIME, rotation: app, ...behaviour });
    };

    /** Returns the refresh tokens that providers judged, by provider and in order. */
    const presented = (): ReadonlyArray<Presented> =>
      ROTATIONS.flatMap((app) =>
        site.providers
          .get(app)!
          .requests()
          .filter(({ grant }) => grant === "refresh_token")
          .map((request) => ({ ...request, app, token: request.parameters.get("refresh_token")! })),
      );

    const expired = () => sleep(Math.max(0, ...presented().map(({ at }) => at + LIFETIME * 1_000 - Date.now())));

    /** Asks the nodes about all accounts at once; returns the failures and the number of answers. */
    const askAll = async (bases: ReadonlyArray<string>) => {
      const asked = bases.flatMap((base) => accounts.map(({ id }) => ask(base)("POST", `/api/accounts/${id}/verify`)));
      const answers = await Promise.allSettled(asked);
      const arrived = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
      return {
        arrived: arrived.length,
        failures: arrived.flatMap(({ status, body }) => (status === 200 ? [] : [`${status} ${body.code}`])),
      };
    };

    const inNeedOfConsent = async (): Promise<ReadonlyArray<string>> => {
      const { body } = await ask()("GET", "/api/accounts?state=needs_reauth&limit=200");
      return body.data.map(({ email }: { readonly email: string }) => email).toSorted();
    };

    /** Returns when the account was reported to need a consent, in epoch milliseconds. */
    const reportsOf = async (email: string): Promise<ReadonlyArray<number>> => {
      const text =
        "select occurred_at from event where account = $1 and type = 'account.auth_failed' order by position";
      const { rows } = await database.query(text, [email]);
      return rows.map(({ occurred_at: at }) => Number(at));
    };

    it("lose a grant only by a kill between exchange and write, and report it once", async () => {
      const kills: Array<number> = [];
      const lost = new Map<string, number>();
      let [answered, slowestReport] = [0, 0];
      /** Returns whether a process was killed before it can have stored the answer to a presented token. */
      const isInterrupted = ({ at }: Presented) => kills.some((kill) => kill >= at && kill < at + LEASE_MILLIS);
      const firstOf = (token: string) => presented().find((one) => one.token === token)!;

      for (let round = 0; round < ROUNDS; round++) {
        const { kills: isKill = false, behaviour } = ROUND_FAULTS[round % ROUND_FAULTS.length]!;
        await expired();
        const before = presented().length;
        const since = Date.now();
        behave(behaviour);
        const asked = askAll(nodes.bases());
        if (isKill) {
          await expect
            .poll(() => presented().length - before, { timeout: 30_000 })
            .toBeGreaterThan(accounts.length / 2);
          await nodes.end(nodes.bases()[0]!, "SIGKILL");
          // Taken after the end of the process, because the process asks providers until then.
          kills.push(Date.now());
          await nodes.start();
        }
        if (behaviour.answers !== undefined) await sleep(1_500);
        behave({});
        answered += (await asked).arrived;
        const isServed = async () => (await askAll(nodes.bases().slice(0, 1))).failures;
        await expect.poll(isServed, { timeout: 60_000, interval: 1_000 }).toEqual([]);

        const refused = presented().filter(({ at, status }) => at >= since && status !== 200);
        for (const { app, token, user, answeredAt } of refused) {
          expect(app, `${user} was refused`).toBe("strict");
          expect(isInterrupted(firstOf(token)), `${user} lost its grant without a kill`).toBe(true);
          lost.set(user!, (lost.get(user!) ?? 0) + 1);
          await expect
            .poll(async () => (await reportsOf(user!)).length, { timeout: REPORTED_MILLIS })
            .toBe(lost.get(user!));
          slowestReport = Math.max(slowestReport, (await reportsOf(user!)).at(-1)! - answeredAt!);
        }
        expect(await inNeedOfConsent()).toEqual(refused.map(({ user }) => user!).toSorted());
        for (const { app, user } of refused) {
          const { url } = await connectByConsent(ask(), site.providers.get(app)!, { email: user!, provider: app });
          expect(url).toContain(`${DONE}?account=acc_`);
        }
      }

      const presentations = Map.groupBy(
        presented().filter(({ app }) => app !== "none"),
        ({ token }) => token,
      );
      const repeated = [...presentations.values()].filter((some) => some.length > 1);
      expect(repeated.filter(([first]) => !isInterrupted(first!))).toEqual([]);
      expect(slowestReport).toBeLessThan(REPORTED_MILLIS);
      const losses = [...lost.values()].reduce((sum, count) => sum + count, 0);
      expect(losses).toBeGreaterThan(0);
      console.log(
        `${answered} requests, ${presented().length} refreshes, ${kills.length} kills: ${losses} grants lost, ` +
          `${repeated.length} tokens presented again, reported within ${slowestReport} ms`,
      );
    });
  });
});
