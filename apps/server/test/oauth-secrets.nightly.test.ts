import { setTimeout as sleep } from "node:timers/promises";
import { describeWithDovecot, describeWithPostgres } from "@postern/testkit";
import { Effect, Exit, Scope } from "effect";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { askWithKey, makeKey } from "./ask-with-key.ts";
import { browse, connectByConsent, DONE } from "./oauth-consent.ts";
import { DOMAIN, type OAuthSite, startOAuthSite } from "./oauth-site.ts";
import { otlpCollector } from "./otlp-collector.ts";
import { ADMIN_KEY } from "./requests/live-world.ts";
import { started } from "./server-process.ts";

describeWithDovecot("the codes, tokens and secrets of OAuth2", () => {
  describeWithPostgres("with a Postgres", () => {
    let scope: Scope.Closeable;
    let site: OAuthSite;
    let database: Client;

    beforeAll(async () => {
      scope = await Effect.runPromise(Scope.make());
      site = await Effect.runPromise(Effect.provideService(startOAuthSite, Scope.Scope, scope));
      database = new Client({ connectionString: site.database });
      await database.connect();
    });
    afterAll(async () => {
      await database.end();
      await Effect.runPromise(Scope.close(scope, Exit.void));
    });

    /** Returns every row of the database as text. */
    const rows = async (): Promise<string> => {
      const tables = await database.query(
        "select table_name from information_schema.tables where table_schema = 'public'",
      );
      const texts: Array<string> = [];
      for (const { table_name: table } of tables.rows) {
        const { rows } = await database.query(`select t::text as row from "${table}" t`);
        texts.push(...rows.map(({ row }) => `${table} ${row}`));
      }
      return texts.join("\n");
    };

    it("are in no answer, page, log line, trace or row [S9.6-2] [S11.1-2] [S11.2-11]", async () => {
      const { received, url: endpoint } = await otlpCollector();
      const { base, child, ended, output } = await started({
        ...site.environment,
        LOG_LEVEL: "trace",
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      });
      const asked = askWithKey(() => base, await makeKey(base, ADMIN_KEY, "crm"));
      const answers: Array<string> = [];
      const ask: typeof asked = async (...request) => {
        const answer = await asked(...request);
        answers.push(JSON.stringify([answer.body, [...answer.headers]]));
        return answer;
      };
      const provider = site.providers.get("strict")!;
      const email = `ann@${DOMAIN}`;
      provider.behave({ lifetime: 3 });

      const connected = await connectByConsent(ask, provider, { email, provider: "strict" });
      answers.push(connected.url, connected.text);
      const id = new URL(connected.url).searchParams.get("account")!;
      expect(id).toMatch(/^acc_/);
      expect((await ask("GET", "/api/inbox", undefined, id)).status).toBe(200);
      await sleep(3_100);
      expect((await ask("POST", `/api/accounts/${id}/verify`)).body.data.state).toBe("active");
      expect(provider.requests().map(({ grant }) => grant)).toEqual(["authorization_code", "refresh_token"]);

      // A used code, and a token that the provider repeats in its error.
      const [{ parameters: exchanged }, { parameters: refreshed }] = provider.requests() as [any, any];
      const link = await ask("POST", "/api/accounts/connect", { email, provider: "strict", redirectUrl: DONE });
      const { cookies, url: page } = await browse(link.body.data.url, provider.issuer);
      const state = new URL(page).searchParams.get("state")!;
      const callback = new URLSearchParams({ state, iss: provider.issuer, code: exchanged.get("code") });
      const refused = await browse(`${base}/oauth/callback?${callback}`, DONE, cookies);
      expect(refused.url).not.toContain(DONE);
      answers.push(refused.text);
      const description = `the token ${refreshed.get("refresh_token")} was revoked`;
      provider.behave({ lifetime: 3, refusal: { error: "invalid_grant", error_description: description } });
      await sleep(3_100);
      expect((await ask("POST", `/api/accounts/${id}/verify`)).body.data.state).toBe("needs_reauth");
      expect((await ask("GET", "/api/accounts")).body.data).toMatchObject([{ email, state: "needs_reauth" }]);
      await ask("GET", `/api/accounts/${id}`);
      await ask("GET", "/api/inbox", undefined, id);
      await asked("GET", "/api/oauth/apps").then(({ body }) => answers.push(JSON.stringify(body)));

      const stored = await rows();
      child.kill("SIGTERM");
      expect(await ended).toBe(0);
      expect(stored).toContain(email);
      expect(received.get("/v1/traces")).toContain("oauth");
      const secrets = new Set([
        ...provider.secrets(),
        exchanged.get("code_verifier"),
        ...provider.requests().flatMap(({ authorization }) => authorization?.split(" ")[1] ?? []),
      ]);
      expect(secrets.size).toBeGreaterThan(6);
      const places = { answers: answers.join("\n"), log: output(), traces: [...received.values()].join("\n"), stored };
      for (const [place, text] of Object.entries(places)) {
        for (const secret of secrets) expect(text.includes(secret), `${secret} in ${place}`).toBe(false);
      }
    });
  });
});
