import { describe, expect, it } from "vitest";
import { handlerOver } from "./world.ts";

describe("the log line of a request", () => {
  it("contains pattern, status, time and the account's fingerprint, and no text of the client [S8.4-2]", async () => {
    const { call, logs, dispose } = handlerOver();
    await call("DELETE", "/api/auth/sessions/some-id?secret=1", { token: "good" });
    await call("GET", "/api/nothing/some-id");
    const lines = logs.filter((line) => line.includes('"request"'));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('"method":"DELETE","route":"/api/auth/sessions/:id","status":400');
    expect(lines[0]).toContain('"account":"mark of 5 letters"');
    expect(lines[1]).toMatch(/"route":"none","status":404,"ms":[\d.]+}/);
    expect(lines.join()).not.toMatch(/some-id|secret|a@b.c/);
    await dispose();
  });
});
