import { describeWithPostgres, Postgres } from "@postern/testkit";
import { Effect, ManagedRuntime } from "effect";
import { afterAll, expect, it } from "vitest";
import { signIn, started } from "./server-process.ts";
import { addEndpoint, sharedDatabase } from "./webhook-nodes.ts";
import { SILENCE, webhookReceiver } from "./webhook-receiver.ts";

const MAX_IN_FLIGHT = 4;
const PATIENCE = { timeout: 5 * 60_000, interval: 250 };

describeWithPostgres("receivers that hang", () => {
  const runtime = ManagedRuntime.make(Postgres.layer);
  const newDatabase = () => runtime.runPromise(Effect.flatMap(Postgres, ({ newDatabase }) => newDatabase));
  afterAll(() => runtime.dispose());

  const world = async (names: ReadonlyArray<string>) => {
    const hook = await webhookReceiver(({ path }) => (path.startsWith("/hung") ? SILENCE : 200));
    // No hanging POST ends during this test.
    const { environment, count, makeDue } = await sharedDatabase(await newDatabase(), { WEBHOOK_TIMEOUT: "1h" });
    const { base } = await started(environment);
    const tokens = { hung: (await signIn(base)).token, healthy: (await signIn(base, "friend@postern.test")).token };
    for (const name of names) {
      const token = name.startsWith("hung") ? tokens.hung : tokens.healthy;
      await addEndpoint(base, token, { url: `${hook.url}/${name}`, maxInFlight: MAX_IN_FLIGHT });
    }
    return { hook, count, makeDue };
  };

  const numbered = (kind: string, many: number) => Array.from({ length: many }, (_, n) => `${kind}/${n}`);

  /** Expects all events at each healthy receiver, and exactly `maxInFlight` open POSTs at each hanging one. */
  const expectAllHealthy = async (
    { hook, count }: Awaited<ReturnType<typeof world>>,
    names: ReadonlyArray<string>,
    each: number,
  ) => {
    const healthy = names.filter((name) => name.startsWith("healthy"));
    await expect.poll(() => count("state = 'succeeded'"), PATIENCE).toBe(healthy.length * each);
    for (const name of names) {
      const path = `/${name}`;
      const seen = [hook.underWay(path), hook.ended(path)];
      expect([name, ...seen]).toEqual(name.startsWith("hung") ? [name, MAX_IN_FLIGHT, 0] : [name, 0, each]);
    }
    expect(hook.posts).toHaveLength(hook.events());
  };

  it("one with 100,000 due deliveries does not delay the others", async () => {
    const names = ["hung/0", ...numbered("healthy", 5)];
    const made = await world(names);
    await made.makeDue("%/hung/%", 100_000);
    await expect.poll(() => made.hook.underWay("/hung/0"), PATIENCE).toBe(MAX_IN_FLIGHT);
    await made.makeDue("%/healthy/%", 200);
    await expectAllHealthy(made, names, 200);
    expect(await made.count("state = 'pending'")).toBe(100_000 - MAX_IN_FLIGHT);
  });

  it("the maximum number of one account does not delay the maximum number of another", async () => {
    const names = [...numbered("hung", 100), ...numbered("healthy", 100)];
    const made = await world(names);
    await made.makeDue("%", 10);
    await expectAllHealthy(made, names, 10);
    expect(await made.count("state = 'pending'")).toBe(100 * (10 - MAX_IN_FLIGHT));
  });
});
