import { AccountId } from "../src/shared/index.ts";
import { judgeLogin, type LoginAttempt, type LoginHistory } from "../src/auth/index.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = 1_900_000_000_000;
const ME = AccountId("me@postern.test");
const HOME = "192.0.2.1";

const attempt = (over: Partial<LoginAttempt> = {}): LoginAttempt => ({
  id: "now",
  account: ME,
  network: HOME,
  passwordMark: "new",
  at: NOW,
  ...over,
});

let ids = 0;
type RecordedAttempt = LoginHistory["attempts"][number];

const earlier = (ago: number, over: Partial<RecordedAttempt> = {}): RecordedAttempt => {
  const id = `earlier ${++ids}`;
  return { ...attempt({ id, passwordMark: id, at: NOW - ago }), outcome: "refused", ...over };
};

const times = <A>(count: number, make: (n: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, n) => make(n));

const judge = (attempts: ReadonlyArray<RecordedAttempt>, rest: Partial<LoginHistory> = {}) =>
  judgeLogin({ attempts, lastSuccessAt: null, ...rest }, attempt());

const elsewhere = (n: number) => ({ network: `198.51.100.${n}` });
const others = (n: number) => ({ account: AccountId(`someone${n}@postern.test`) });

const BUDGETS = [
  { name: "an account from one network", allowed: 5, window: 15 * MINUTE, of: () => ({}) },
  { name: "an account", allowed: 10, window: 15 * MINUTE, of: elsewhere },
  { name: "a network", allowed: 50, window: DAY, of: others },
] as const;

describe.each(BUDGETS)("the failures of $name", ({ allowed, window, of }) => {
  it("are allowed up to the budget", () => {
    expect(judge(times(allowed - 1, (n) => earlier(MINUTE, of(n))))).toEqual({ _tag: "Ask" });
    expect(judge(times(allowed, (n) => earlier(MINUTE, of(n))))).toEqual({
      _tag: "Throttle",
      retryAfter: window - MINUTE,
    });
  });

  it("count until their window ends, to the millisecond [S3.6-2]", () => {
    const ages = times(allowed, (n) => earlier(n === 0 ? window - 1 : MINUTE, of(n)));
    expect(judge(ages)).toEqual({ _tag: "Throttle", retryAfter: 1 });
    expect(judge(times(allowed, (n) => earlier(n === 0 ? window : MINUTE, of(n))))).toEqual({ _tag: "Ask" });
  });

  it("expire one by one, and retryAfter is exactly the time until the next attempt is allowed", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: window - 1 }), { minLength: allowed, maxLength: 60 }), (ages) => {
        const history = ages.map((age, n) => earlier(age, of(n)));
        const verdict = judge(history);
        if (verdict._tag !== "Throttle") return expect.unreachable();
        const at = NOW + verdict.retryAfter;
        const then = (moment: number) =>
          judgeLogin({ attempts: history, lastSuccessAt: null }, attempt({ at: moment }))._tag;
        expect(then(at - 1)).toBe("Throttle");
        expect(then(at)).toBe("Ask");
      }),
    );
  });

  it("count while they are pending, unless they were lost with their process", () => {
    const underWay = times(allowed, (n) => earlier(10, { ...of(n), outcome: "pending" }));
    expect(judge(underWay)).toEqual({ _tag: "Wait" });
    expect(judge(underWay.slice(1))).toEqual({ _tag: "Ask" });
    expect(judge(times(allowed, (n) => earlier(2 * MINUTE, { ...of(n), outcome: "pending" })))).toEqual({
      _tag: "Ask",
    });
  });
});

describe("an account that recently signed in from this network", () => {
  const strangers = times(40, (n) => earlier(MINUTE, elsewhere(n)));

  it("is not locked out by failures from elsewhere, for 30 days [S3.6-3]", () => {
    expect(judge(strangers)).toMatchObject({ _tag: "Throttle" });
    expect(judge(strangers, { lastSuccessAt: NOW - 30 * DAY + 1 })).toEqual({ _tag: "Ask" });
    expect(judge(strangers, { lastSuccessAt: NOW - 30 * DAY })).toMatchObject({ _tag: "Throttle" });
  });

  it("still has a budget [S3.6-3]", () => {
    const own = times(5, () => earlier(MINUTE));
    expect(judge([...strangers, ...own], { lastSuccessAt: NOW - DAY })).toMatchObject({ _tag: "Throttle" });
  });

  it("shares the budget of its network", () => {
    const ofNetwork = times(50, (n) => earlier(MINUTE, others(n)));
    expect(judge(ofNetwork, { lastSuccessAt: NOW - DAY })).toMatchObject({ _tag: "Throttle" });
  });
});

describe("a password the mail server refused", () => {
  it("is not tried again for 15 minutes, whatever network it comes from [S3.6-4]", () => {
    const again = (ago: number, over: Partial<RecordedAttempt> = {}) =>
      judge([earlier(ago, { passwordMark: "new", ...elsewhere(1), ...over })]);
    expect(again(15 * MINUTE - 1)).toEqual({ _tag: "Refuse" });
    expect(again(15 * MINUTE)).toEqual({ _tag: "Ask" });
    expect(again(MINUTE, { outcome: "pending" })).toEqual({ _tag: "Ask" });
    expect(judge([earlier(MINUTE, { passwordMark: "new", ...others(1) })])).toEqual({ _tag: "Ask" });
    expect(judge([earlier(MINUTE), earlier(MINUTE, { passwordMark: "new" })])).toEqual({ _tag: "Refuse" });
  });

  it("is throttled like any other once the budget is used up", () => {
    expect(judge(times(5, () => earlier(MINUTE, { passwordMark: "new" })))).toMatchObject({ _tag: "Throttle" });
  });
});
