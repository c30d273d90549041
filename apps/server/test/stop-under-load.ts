import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Dovecot, ScriptedSmtp } from "@postern/testkit";
import { Effect } from "effect";
import { expect } from "vitest";
import { mixedLoad } from "./mixed-load.ts";
import { post, started } from "./server-process.ts";

const USER = "load@postern.test";

/** Stops a server under mixed load on a real mail server and a slow SMTP server; checks every answer. */
export const stopUnderLoad = Effect.fnUntraced(function* (clients: number) {
  const [dovecot, smtp] = yield* Effect.all([Dovecot, ScriptedSmtp]);
  yield* dovecot.setPassword(USER, "pass");
  smtp.setPassword(USER, "pass");
  smtp.onStage((stage) => (stage === "dot" ? sleep(700) : undefined));
  return yield* Effect.promise(async () => {
    const server = await started({
      IMAP_URL: `imap://${dovecot.host}:${dovecot.port}`,
      SMTP_URL: `smtp://${smtp.host}:${smtp.port}`,
      SEND_RATE_PER_MINUTE: "100000",
      SEND_RATE_PER_DAY: "1000000",
      LOG_LEVEL: "info",
    });
    let stoppedAt = 0;
    createInterface({ input: server.child.stdout }).on("line", (line) => {
      if (line.includes('"message":"stopping"')) stoppedAt = performance.now();
    });
    const login = await post(server.base, "/api/auth/mobile-login", { email: USER, password: "pass" });
    const { token } = (await login.json()) as { readonly token: string };
    const { seen, ended } = mixedLoad(server.base, token, clients);
    await sleep(1_500 + Math.random() * 1_000);
    const told = performance.now();
    const before = seen.length;
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    const took = performance.now() - told;
    await ended;

    const answers = seen.slice(before);
    expect(stoppedAt).toBeGreaterThan(told);
    expect(seen.filter(({ cut }) => cut !== undefined && cut !== "ECONNREFUSED")).toEqual([]);
    expect(seen.filter(({ cut }) => cut === "ECONNREFUSED").length).toBe(clients);
    // The head of the answer to an earlier request may have been sent before the stop, even if its end is read late.
    expect(answers.filter(({ askedAt, closes }) => askedAt > stoppedAt + 100 && closes === false)).toEqual([]);
    expect(answers.some(({ status, what }) => status === 200 && what === "POST /api/send")).toBe(true);
    expect(took).toBeLessThan(20_000);
    return { took, answered: seen.length - clients, afterwards: answers.length - clients };
  });
});
