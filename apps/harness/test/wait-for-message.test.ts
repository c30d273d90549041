import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { type Harness, harness } from "@postern/harness";
import { nightly } from "@postern/testkit";
import { Effect, Fiber } from "effect";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";
import { asKey, asAdmin, makeKey } from "./key-world.ts";

const DEMO = AccountId("demo@postern.test");

interface Answer {
  readonly status: number;
  readonly body: {
    readonly code?: string;
    readonly data: null | { readonly subject: string; readonly text: string; readonly codes: ReadonlyArray<string> };
    readonly next: string;
  };
}

const begin = Effect.gen(function* () {
  const world = yield* harness;
  const account = world.mail.account(DEMO);
  const arrive = (
    subject: string,
    text = "Hi.",
    folder = "INBOX",
    [from, to] = ["Ann <ann@example.org>", "Team <team@x.test>"],
  ) =>
    Effect.sync(() =>
      account
        .mailbox(folder)
        .append(
          Buffer.from(`From: ${from}\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\n${text}\r\n`),
          Date.UTC(2026, 0, 1),
        ),
    );
  let token: string = (yield* signIn(world)).body.token;
  let calls = 0;
  const wait = (json: object): Effect.Effect<Answer> =>
    Effect.gen(function* () {
      // The races last longer than a token.
      if (++calls % 20 === 0) token = (yield* signIn(world)).body.token;
      return yield* call(world, "POST", "/api/messages/wait", { token, json });
    });
  return { world, arrive, wait };
});

/** Lets mail arrive until the request has its answer: what comes while it only begins was there before. */
const answered = Effect.fnUntraced(function* (
  world: Harness,
  waiting: Fiber.Fiber<Answer>,
  arrive: Effect.Effect<unknown>,
) {
  while (waiting.pollUnsafe() === undefined) {
    yield* arrive;
    yield* world.pass("1 second");
    // The service also does what takes real time, such as checking a signature.
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 1)));
  }
  return (yield* Fiber.join(waiting)).body;
});

/** A small generator of whole numbers from a seed. */
const numbersFrom = (seed: number) => (below: number) => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
  return (seed >> 8) % below;
};

/** The number of races of each kind. */
const RACES = nightly([500])[0] ?? 100;

describe("a request that waits for a message", () => {
  it.live("gets the first that arrives and has the parts that it names, without case [S5.6-1]", () =>
    Effect.gen(function* () {
      const { world, arrive, wait } = yield* begin;
      for (const [asked, subject] of [
        [{ subject: "CONFIRM" }, "Please confirm"],
        [{ from: "ANN@example" }, "by ann"],
        [{ from: "ann <" }, "named Ann"],
        [{ to: "TEAM@x.test" }, "for the team"],
        [{ contains: "magic Word" }, "with words"],
        [{ subject: "both", from: "ann" }, "both of them"],
        [{}, "any"],
      ] as const) {
        const waiting = yield* Effect.forkChild(wait(asked));
        const other = arrive("other", "None.", "INBOX", ["bob@example.org", "b@x.test"]);
        const all = [...(Object.keys(asked).length > 0 ? [other] : []), arrive(subject, "The magic\r\nword is here.")];
        const { data } = yield* answered(world, waiting, Effect.all(all));
        expect([data?.subject, data?.text.includes("magic")]).toEqual([subject, true]);
      }
    }).pipe(Effect.scoped),
  );

  it.live("gets its codes and links", () =>
    Effect.gen(function* () {
      const { world, arrive, wait } = yield* begin;
      const waiting = yield* Effect.forkChild(wait({}));
      const mail = arrive("Sign in", "Your code is 482 913, or open https://app.example/in?t=1.");
      expect((yield* answered(world, waiting, mail)).data).toMatchObject({
        codes: ["482913"],
        links: ["https://app.example/in?t=1"],
      });
    }).pipe(Effect.scoped),
  );

  it.live("never gets one that was there before, in many races, and null at its timeout [S5.6-2]", () =>
    Effect.gen(function* () {
      const { world, arrive, wait } = yield* begin;
      const below = numbersFrom(7);
      for (let n = 0; n < RACES; n++) {
        const before = below(3);
        for (let m = 0; m < before; m++) yield* arrive(`m${n}`, "older");
        const isLate = below(2) === 0;
        const waiting = yield* Effect.forkChild(wait({ subject: `m${n}`, timeout: isLate ? 60 : 2 }));
        const mail = isLate ? arrive(`m${n}`, "newer") : Effect.void;
        const { data } = yield* answered(world, waiting, mail);
        expect(data?.text.trim() ?? null, `race ${n}`).toBe(isLate ? "newer" : null);
      }
    }).pipe(Effect.scoped),
  );

  it.live("misses none after a position, in many races, whether it is there yet or not [S5.6-4]", () =>
    Effect.gen(function* () {
      const { world, arrive, wait } = yield* begin;
      const below = numbersFrom(11);
      let { next } = (yield* wait({ timeout: 0 })).body;
      for (let n = 0; n < RACES; n++) {
        const isOld = below(2) === 0;
        if (isOld) yield* arrive(`r${n}`, "older");
        // What has arrived before the position must have been announced by then.
        const old = yield* Effect.forkChild(wait({ subject: `r${n}`, after: next, timeout: isOld ? 120 : 0 }));
        next = (yield* answered(world, old, Effect.void)).next;
        const later = Effect.repeat(Effect.yieldNow, { times: below(200) });
        yield* Effect.forkChild(Effect.andThen(later, arrive(`r${n}`, "newer")));
        yield* Effect.repeat(Effect.yieldNow, { times: below(200) });
        const waiting = yield* Effect.forkChild(wait({ subject: `r${n}`, after: next, timeout: 120 }));
        const { data } = yield* answered(world, waiting, Effect.void);
        expect(data?.text.trim(), `race ${n}`).toBe("newer");
      }
    }).pipe(Effect.scoped),
  );

  it.live("looks at other folders every 3 seconds [S5.6-3]", () =>
    Effect.gen(function* () {
      const { world, arrive, wait } = yield* begin;
      yield* arrive("elsewhere", "older", "Junk");
      const waiting = yield* Effect.forkChild(wait({ subject: "elsewhere", folders: ["junk", "inbox"] }));
      const inbox = yield* Effect.forkChild(wait({ subject: "elsewhere", timeout: 8 }));
      const { data } = yield* answered(world, waiting, arrive("elsewhere", "newer", "Junk"));
      expect(data?.text.trim()).toBe("newer");
      expect((yield* answered(world, inbox, Effect.void)).data).toBeNull();
      for (const [json, code] of [
        [{ folders: ["f_absent"] }, "folder_not_found"],
        [{ folders: [] }, "invalid_request"],
        [{ timeout: 121 }, "invalid_request"],
        [{ after: "nonsense" }, "invalid_request"],
        [{ after: "other.1" }, "feed_expired"],
      ] as const)
        expect((yield* wait({ timeout: 0, ...json })).body.code, JSON.stringify(json)).toBe(code);
    }).pipe(Effect.scoped),
  );

  it.live("gets 401 once its key is deleted [S5.6-7]", () =>
    Effect.gen(function* () {
      const { world, arrive } = yield* begin;
      yield* signIn(world);
      const { id, key } = yield* makeKey(world, { scopes: ["mail:read", "accounts:write"] });
      const waiting = yield* Effect.forkChild(
        asKey(world, key, "POST", "/api/messages/wait", { json: { subject: "late", timeout: 60 } }),
      );
      yield* world.pass("1 second");
      yield* asAdmin(world, "DELETE", `/api/keys/${id}`);
      yield* answered(world, waiting, arrive("late"));
      expect((yield* Fiber.join(waiting)).status).toBe(401);
    }).pipe(Effect.scoped),
  );
});
