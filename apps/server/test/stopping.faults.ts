import { request } from "node:http";
import { Dovecot, ScriptedSmtp } from "@postern/testkit";
import { Layer, ManagedRuntime } from "effect";
import { afterAll, describe, expect, it } from "vitest";
import { signIn, started } from "./server-process.ts";
import { stopUnderLoad } from "./stop-under-load.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 20);

const runtime = ManagedRuntime.make(Layer.merge(Dovecot.layer(), ScriptedSmtp.layer()));
afterAll(() => runtime.dispose());

describe("SIGTERM under 50 connections of mixed load", () => {
  for (let round = 1; round <= ROUNDS; round++) {
    it(`round ${round}: answers every accepted request, and exits with 0 within 20 s`, async () => {
      const { took, answered, afterwards } = await runtime.runPromise(stopUnderLoad(50));
      console.log(`${answered} answers, ${afterwards} after SIGTERM, ended after ${Math.round(took)} ms`);
    });
  }
});

describe("SIGTERM during an upload that takes minutes", () => {
  it("answers it with 503 and its request id, and exits with 0 within 20 s [S8.2-2]", async () => {
    const server = await started();
    const { token } = await signIn(server.base);
    const headers = { authorization: `Bearer ${token}`, "content-type": "multipart/form-data; boundary=b" };
    const upload = request(`${server.base}/api/uploads`, { method: "POST", headers });
    const answered = new Promise<{ readonly status: number; readonly body: string; readonly closes: boolean }>(
      (resolve, reject) => {
        upload.on("error", reject).on("response", (answer) => {
          let body = "";
          answer.on("data", (data) => (body += data));
          answer.on("end", () =>
            resolve({ status: answer.statusCode!, body, closes: answer.headers.connection === "close" }),
          );
        });
      },
    );
    upload.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n');
    const drip = setInterval(() => upload.write("x"), 200);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const told = performance.now();
    server.child.kill("SIGTERM");
    const answer = await answered.finally(() => clearInterval(drip));
    expect([answer.status, answer.closes, JSON.parse(answer.body)]).toMatchObject([503, true, { code: "not_ready" }]);
    expect(server.output()).toContain(JSON.parse(answer.body).requestId);
    expect(await server.ended).toBe(0);
    expect(performance.now() - told).toBeLessThan(20_000);
  });
});
