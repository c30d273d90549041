import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { describeWithPostgres, Postgres } from "@postern/testkit";
import { Effect, ManagedRuntime } from "effect";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { sharedKeys } from "./server-nodes.ts";
import { folders, post, signIn, start, started } from "./server-process.ts";

const SEALING = `k1:${Buffer.alloc(32, 1).toString("base64")}`;
const NEXT_SEALING = `k2:${Buffer.alloc(32, 2).toString("base64")}`;

const refresh = (base: string, refreshToken: string) => post(base, "/api/auth/refresh", { refreshToken });

const counted = (statuses: ReadonlyArray<number>) =>
  Object.fromEntries(Object.entries(Object.groupBy(statuses, String)).map(([status, all]) => [status, all?.length]));

/** Runs one statement on the maintenance database. */
const asOwner = async (url: string, statement: string) => {
  const beside = new URL(url);
  beside.pathname = "/postgres";
  const client = new Client({ connectionString: beside.href });
  await client.connect();
  await client.query(statement);
  await client.end();
};

/** Starts a proxy of a database that is down for two seconds when it sees this statement, before forwarding it. */
const absentProxy = async (database: string, statement: string) => {
  const { hostname, port } = new URL(database);
  const sockets = new Set<Socket>();
  let [isArmed, isAbsent] = [true, false];
  const server = createServer((client) => {
    if (isAbsent) return client.destroy();
    const upstream = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy()).on("close", () => other.destroy());
    }
    upstream.on("data", (bytes) => client.write(bytes));
    client.on("data", (bytes) => {
      if (!isArmed || !bytes.includes(statement)) return upstream.write(bytes);
      [isArmed, isAbsent] = [false, true];
      setTimeout(() => (isAbsent = false), 2_000);
      for (const socket of sockets) socket.destroy();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const through = new URL(database);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: through.href, wasAbsent: () => !isArmed };
};

describeWithPostgres(
  "two processes on one Postgres",
  () => {
    const runtime = ManagedRuntime.make(Postgres.own);
    const onPostgres = <A>(use: (postgres: Postgres["Service"]) => Effect.Effect<A>) =>
      runtime.runPromise(Effect.flatMap(Postgres, use));
    let keys: Record<string, string> = {};
    beforeAll(async () => {
      keys = { ...(await sharedKeys()), CREDENTIAL_KEYS: SEALING };
    });
    afterAll(() => runtime.dispose());

    const environment = async () => ({
      ...keys,
      DATABASE_URL: await onPostgres(({ newDatabase }) => newDatabase),
      DATA_DIR: "/nowhere/at/all",
    });

    const pair = async () => {
      const shared = await environment();
      const [a, b] = await Promise.all([started(shared), started(shared)]);
      return { shared, a, b };
    };

    it("accept each other's tokens [S1.3-13]", async () => {
      const { a, b } = await pair();
      const { token } = await signIn(a.base);
      for (const { base } of [a, b]) expect((await folders(base, token)).status).toBe(200);
    });

    it("refuse a token after a logout at either [S3.4-3]", async () => {
      const { a, b } = await pair();
      let late = 0;
      for (let trial = 0; trial < 100; trial++) {
        const { token } = await signIn(a.base);
        expect((await folders(b.base, token)).status).toBe(200);
        const out = await post(trial % 2 === 0 ? a.base : b.base, "/api/auth/logout", {}, token);
        expect(out.status).toBe(200);
        const after = await Promise.all([a, b, a, b].map(({ base }) => folders(base, token)));
        late += after.filter(({ status }) => status !== 401).length;
      }
      expect(late).toBe(0);
    });

    it("return one successor to fifty concurrent refreshes [S3.3-3]", async () => {
      const { a, b } = await pair();
      const { refreshToken } = await signIn(a.base);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => refresh(n % 2 === 0 ? a.base : b.base, refreshToken)),
      );
      expect(counted(answers.map(({ status }) => status))).toEqual({ 200: 50 });
      const successors = new Set(
        await Promise.all(
          answers.map(async (answer) => ((await answer.json()) as { refreshToken: string }).refreshToken),
        ),
      );
      expect(successors.size).toBe(1);
      expect((await refresh(b.base, [...successors][0]!)).status).toBe(200);
    });

    it("count failed sign-ins together, including concurrent ones [S3.6-1]", async () => {
      const { a, b } = await pair();
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          post(n % 2 === 0 ? a.base : b.base, "/api/auth/mobile-login", {
            email: "demo@postern.test",
            password: `guess ${n}`,
          }),
        ),
      );
      expect(counted(answers.map(({ status }) => status))).toEqual({ 401: 5, 429: 35 });
    });

    it("keep a session whose refresh was cut off by a kill", async () => {
      const { shared, b } = await pair();
      for (const delay of [0, 3, 6, 12]) {
        const victim = await started(shared);
        const { refreshToken } = await signIn(victim.base);
        const lost = refresh(victim.base, refreshToken).then(
          async (answer) => ((await answer.json()) as { refreshToken: string }).refreshToken,
          () => undefined,
        );
        await new Promise((resolve) => setTimeout(resolve, delay));
        victim.child.kill("SIGKILL");
        const given = await lost;
        const again = await refresh(b.base, refreshToken);
        expect(again.status).toBe(200);
        const successor = ((await again.json()) as { refreshToken: string }).refreshToken;
        if (given !== undefined) expect(successor).toBe(given);
        expect((await refresh(b.base, successor)).status).toBe(200);
      }
    });

    it("answer 503 while the database is down, and recover with all data [S2.3-6]", async () => {
      const { a } = await pair();
      const { token } = await signIn(a.base);
      await onPostgres(({ stop }) => stop("immediate"));
      try {
        const down = await folders(a.base, token);
        expect([down.status, down.headers.get("retry-after")]).toEqual([503, "5"]);
        expect(await down.json()).toMatchObject({ ok: false, code: "database_unavailable" });
        // A readiness answer from before the stop is shared for a moment.
        await expect.poll(async () => (await fetch(`${a.base}/health/ready`)).status).toBe(503);
        expect(await (await fetch(`${a.base}/health/ready`)).json()).toMatchObject({ unreachable: ["database"] });
        expect((await fetch(`${a.base}/health/live`)).status).toBe(200);
      } finally {
        await onPostgres(({ start: begin }) => begin);
      }
      await expect.poll(async () => (await folders(a.base, token)).status).toBe(200);
      expect((await fetch(`${a.base}/health/ready`)).status).toBe(200);
    });

    it("wait for a database that goes down during their start", async () => {
      const shared = await environment();
      const line = await absentProxy(shared.DATABASE_URL, "clock_timestamp");
      const server = await started({ ...shared, DATABASE_URL: line.url });
      expect(line.wasAbsent()).toBe(true);
      expect(server.output()).toContain("the database does not answer");
      expect((await signIn(server.base)).token).toBeDefined();
    });

    it("are not ready, and answer 503, while the database refuses connections or writes [S8.1-2]", async () => {
      const shared = await environment();
      const a = await started(shared);
      const { token } = await signIn(a.base);
      const ready = async () => (await fetch(`${a.base}/health/ready`)).status;
      const name = new URL(shared.DATABASE_URL).pathname.slice(1);
      for (const [begin, end] of [
        ["allow_connections false", "allow_connections true"],
        ["set default_transaction_read_only = on", "reset default_transaction_read_only"],
      ] as const) {
        await asOwner(shared.DATABASE_URL, `alter database ${name} ${begin}`);
        await asOwner(
          shared.DATABASE_URL,
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
        );
        await expect.poll(ready).toBe(503);
        if (begin.startsWith("allow")) {
          const answer = await folders(a.base, token);
          expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
          expect(await answer.json()).toMatchObject({ code: "database_unavailable" });
        }
        expect(
          (await post(a.base, "/api/auth/mobile-login", { email: "demo@postern.test", password: "demo" })).status,
        ).toBe(503);
        await asOwner(shared.DATABASE_URL, `alter database ${name} ${end}`);
        await asOwner(
          shared.DATABASE_URL,
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
        );
        await expect.poll(ready).toBe(200);
        expect((await folders(a.base, token)).status).toBe(200);
      }
    });

    it("change to a new key while they run [S3.7-9] [S3.7-10] [S1.3-17]", async () => {
      const { shared, a, b } = await pair();
      const { token } = await signIn(a.base);
      const both = { ...shared, CREDENTIAL_KEYS: `${NEXT_SEALING},${SEALING}` };
      const early = await start(both, "keys:rotate");
      expect(await early.ended).toBe(1);
      expect(early.output()).toMatch(/2 running processes on this database may not have the key \w+ yet/);
      for (const one of [a, b]) {
        one.child.kill("SIGTERM");
        await one.ended;
      }
      const { base } = await started(both);
      expect((await folders(base, token)).status).toBe(200);
      const rotation = await start(both, "keys:rotate");
      expect(await rotation.ended).toBe(0);
      expect(rotation.output()).toMatch(/credential: 1 moved.*service_secret: 1 moved/s);
      const again = await start(both, "keys:rotate");
      expect(await again.ended).toBe(0);
      expect(again.output()).toMatch(/credential: 0 moved, 1 under the key already/);
      const next = await started({ ...shared, CREDENTIAL_KEYS: NEXT_SEALING });
      expect((await folders(next.base, token)).status).toBe(200);
      expect(await (await fetch(`${next.base}/health/ready`)).json()).toEqual({ ok: true, status: "ready" });

      const kid = NEXT_SEALING.split(":", 1)[0]!;
      const renamed = `update credential set sealed = replace(sealed, 'v1.${kid}.', 'v1.gone.')`;
      const client = new Client({ connectionString: shared.DATABASE_URL });
      await client.connect();
      await client.query(renamed);
      await client.end();
      const lacking = await started({ ...shared, CREDENTIAL_KEYS: NEXT_SEALING });
      const ready = await fetch(`${lacking.base}/health/ready`);
      expect(await ready.json()).toEqual({ ok: true, status: "ready", missingKeys: ["gone"] });
    });

    it("follow the clock of the database, not those of their machines [S9.1-3]", async () => {
      const shared = await environment();
      const twoDaysAhead = "--import=data:text/javascript,const%20now=Date.now;Date.now=()=>now()+172800000";
      const [a, b] = await Promise.all([started({ ...shared, NODE_OPTIONS: twoDaysAhead }), started(shared)]);
      const { token, refreshToken } = await signIn(a.base);
      const { iat } = JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()) as { readonly iat: number };
      expect(Math.abs(iat - Date.now() / 1000)).toBeLessThan(10);
      expect((await folders(b.base, token)).status).toBe(200);
      expect((await refresh(b.base, refreshToken)).status).toBe(200);
      expect((await folders(a.base, token)).status).toBe(200);
    });

    it("do not start without the shared keys, or with different ones", async () => {
      const shared = await environment();
      const keyless = await start({ ...shared, CREDENTIAL_KEYS: "" });
      expect(await keyless.ended).toBe(1);
      expect(keyless.output()).toMatch(/^Postern cannot start: CREDENTIAL_KEYS is not set; [^\n]*keys:new[^\n]*\n$/);
      await started(shared);
      const stranger = await start({ ...shared, CREDENTIAL_KEYS: NEXT_SEALING });
      expect(await stranger.ended).toBe(1);
      expect(stranger.output()).toMatch(
        /^Postern cannot start: [^\n]*sealed under the key k1[^\n]*CREDENTIAL_KEYS[^\n]*\n$/m,
      );
    });
  },
  { own: true },
);
