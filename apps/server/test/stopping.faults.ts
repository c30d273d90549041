import { Dovecot, ScriptedSmtp } from "@postern/testkit";
import { Layer, ManagedRuntime } from "effect";
import { afterAll, describe, it } from "vitest";
import { stopUnderLoad } from "./stop-under-load.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 20);

const runtime = ManagedRuntime.make(Layer.merge(Dovecot.layer(), ScriptedSmtp.layer()));
afterAll(() => runtime.dispose());

describe("SIGTERM under 50 connections of mixed load", () => {
  for (let round = 1; round <= ROUNDS; round++) {
    it(`round ${round}: leaves no accepted request without an answer, and ends with 0 within 20 s`, async () => {
      const { took, answered, afterwards } = await runtime.runPromise(stopUnderLoad(50));
      console.log(`${answered} answers, ${afterwards} after SIGTERM, ended after ${Math.round(took)} ms`);
    });
  }
});
