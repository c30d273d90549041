import { type MailServer, ServerFloods } from "../src/mail/index.ts";
import { describe, expect, it } from "vitest";

const SERVER: MailServer = { host: "mail.test", port: 993, tls: "implicit", origin: "account" };
const [JANE, JOHN] = ["jane@example.org", "john@example.org"];

describe("ServerFloods", () => {
  it("waits for the user at the server that flooded, and for no other user or server [S10.4-9]", () => {
    const floods = new ServerFloods();
    floods.note(SERVER, JANE, 0);
    expect(floods.wait(SERVER, JANE, 1_000)).toBe(2_000);
    expect(floods.wait(SERVER, JOHN, 1_000)).toBe(0);
    expect(floods.wait({ ...SERVER, host: "other.test" }, JANE, 1_000)).toBe(0);
  });

  it("waits twice as long after each further flood, up to an hour [S10.4-9]", () => {
    const floods = new ServerFloods();
    const waits: Array<number> = [];
    for (let [now, wait] = [0, 0]; waits.length < 13; now += wait + 1) {
      floods.note(SERVER, JANE, now);
      wait = floods.wait(SERVER, JANE, now);
      waits.push(wait / 1_000);
    }
    expect(waits).toEqual([3, 6, 12, 24, 48, 96, 192, 384, 768, 1_536, 3_072, 3_600, 3_600]);
  });

  it("counts the connections that were open at a flood as one", () => {
    const floods = new ServerFloods();
    for (const now of [0, 10, 20]) floods.note(SERVER, JANE, now);
    expect(floods.wait(SERVER, JANE, 20)).toBe(2_980);
  });

  it("forgets a flood an hour after its wait", () => {
    const floods = new ServerFloods();
    floods.note(SERVER, JANE, 0);
    floods.note(SERVER, JANE, 3_000 + 3_600_000);
    expect(floods.wait(SERVER, JANE, 3_603_000)).toBe(6_000);
    floods.note(SERVER, JANE, 3_609_000 + 3_600_000 + 1);
    expect(floods.wait(SERVER, JANE, 7_209_001)).toBe(3_000);
    floods.note(SERVER, JANE, 20_000_000);
    expect(floods.wait(SERVER, JANE, 20_000_000)).toBe(3_000);
  });

  it("doubles the wait at a flood when it ends, and not before", () => {
    const floods = new ServerFloods();
    floods.note(SERVER, JANE, 0);
    floods.note(SERVER, JANE, 2_999);
    expect(floods.wait(SERVER, JANE, 2_999)).toBe(1);
    expect(floods.wait(SERVER, JANE, 3_000)).toBe(0);
    floods.note(SERVER, JANE, 3_000);
    expect(floods.wait(SERVER, JANE, 3_000)).toBe(6_000);
    expect(floods.wait(SERVER, JANE, 100_000)).toBe(0);
  });

  it("knows the last 10,000 users that flooded", () => {
    const floods = new ServerFloods();
    const waits = () => [0, 1].map((n) => floods.wait(SERVER, `user${n}`, 1));
    for (let n = 0; n < 10_000; n++) floods.note(SERVER, `user${n}`, 0);
    expect(waits()).toEqual([2_999, 2_999]);
    floods.note(SERVER, JANE, 0);
    expect(waits()).toEqual([0, 2_999]);
    floods.note(SERVER, "user1", 3_000);
    floods.note(SERVER, JOHN, 3_000);
    expect(floods.wait(SERVER, "user1", 3_000)).toBe(6_000);
    expect(new ServerFloods().wait(SERVER, JANE, 0)).toBe(0);
  });
});
