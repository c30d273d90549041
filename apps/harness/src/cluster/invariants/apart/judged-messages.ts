import { Identities } from "@postern/core/send";
import { Context, Effect } from "effect";
import type { AgentUser } from "./agents/agent.ts";
import { DAY, HOUR, MINUTE } from "./durations.ts";

const TO = ["friend@far.test", "@near.test"];
const FIRST = "a named address";
const NAMED = ["mail:send", "mail:draft"] as const;

type Request = Parameters<AgentUser["ask"]>[2];

/** Messages within the policy, and messages outside of it. */
const casesAt = (now: number, account: string): ReadonlyArray<readonly [string, boolean, Request]> => [
  [FIRST, true, {}],
  ["a named address in capitals", true, { to: "Friend@FAR.test" }],
  ["an address of a named domain", true, { to: "colleague@near.test" }],
  ["an address of a subdomain", false, { to: "colleague@sub.near.test" }],
  ["another address", false, { to: "stranger@far.test" }],
  ["an address that a named one ends", false, { to: "my-friend@far.test" }],
  ["another address beside a named one", false, { to: ["friend@far.test", "stranger@far.test"] }],
  ["another address in Cc", false, { cc: "stranger@far.test" }],
  ["a named address in Cc", true, { cc: "colleague@near.test" }],
  ["a named address in Bcc", false, { bcc: "colleague@near.test" }],
  ["answers to the account", true, { replyTo: account }],
  ["answers to another address", false, { replyTo: "friend@far.test" }],
  ["a header field", false, { headers: { "X-Trace": "one" } }],
  ["a reference", false, { references: "<other@far.test>" }],
  ["an answer", false, { inReplyTo: "<other@far.test>" }],
  ["another sender", false, { from: "alias@far.test" }],
  ["a time in 23 hours", true, { sendAt: new Date(now + 23 * HOUR).toISOString() }],
  ["a time in 25 hours", false, { sendAt: new Date(now + 25 * HOUR).toISOString() }],
];

/** A message within the policy is sent at once; any other is refused, or a person is asked, as the policy says. */
export const judgeMessages = (agent: AgentUser): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { visit, account, key, ask } = agent;
    yield* visit.ask("alias", (services) =>
      Context.get(services, Identities).create(account, { address: "alias@far.test", name: "Alias" }, true),
    );
    const keys = {
      outside: yield* key({ scopes: NAMED, sendPolicy: { to: TO, approval: "outside" } }),
      never: yield* key({ scopes: NAMED, sendPolicy: { to: TO, approval: "never" } }),
      always: yield* key({ scopes: NAMED, sendPolicy: { to: TO, approval: "always" } }),
      drafting: yield* key({ scopes: ["mail:draft"], sendPolicy: { to: TO, approval: "outside" } }),
      free: yield* key({ scopes: ["mail:send"] }),
    };
    for (const [what, isInside, more] of casesAt(visit.now, account)) {
      const promised = {
        outside: isInside ? "sent" : "asked",
        never: isInside ? "sent" : "OutsidePolicy",
        always: "asked",
        drafting: "asked",
        free: "sent",
      };
      // The other keys judge each message alike.
      const isFirst = what === FIRST;
      const names = isFirst
        ? (["outside", "never", "always", "drafting", "free"] as const)
        : (["outside", "never"] as const);
      for (const name of names) {
        const { sent, approval, refused } = yield* ask(keys[name], `${what} by ${name}`, more);
        const found = sent !== undefined ? "sent" : approval !== undefined ? "asked" : refused;
        visit.same(found, promised[name], `a message with ${what} of a key whose approval is ${name}`);
      }
      // An account sends 20 messages a minute.
      yield* visit.skip(MINUTE);
    }
    yield* countAtOnce(agent);
    yield* countDay(agent);
  });

/** Requests at the same time count as requests one after another. */
const countAtOnce = ({ visit, key, ask }: AgentUser) =>
  Effect.gen(function* () {
    const by = yield* key({ scopes: NAMED, sendPolicy: { to: TO, perDay: 3, approval: "outside" } });
    const answers = yield* Effect.forEach([1, 2, 3, 4, 5, 6], (n) => ask(by, `at once ${n}`), { concurrency: 6 });
    visit.same(answers.filter(({ sent }) => sent !== undefined).length, 3, "the sent messages of six at the same time");
  });

/** Messages and approvals count together, by the lower limit, for a day; repeats do not count. */
const countDay = ({ visit, key, ask }: AgentUser) =>
  Effect.gen(function* () {
    for (const [sendPerDay, perDay] of [
      [5, 2],
      [2, 5],
      [null, 2],
    ] as const) {
      const by = yield* key({ scopes: NAMED, sendPerDay, sendPolicy: { to: TO, perDay, approval: "outside" } });
      const limits = `a key with the limits ${sendPerDay} and ${perDay}`;
      const outcome = (subject: string, to: string, name?: string) =>
        Effect.map(ask(by, subject, { to }, name), ({ sent, approval, refused }) =>
          sent !== undefined ? "sent" : approval !== undefined ? "asked" : refused,
        );
      const first = [
        yield* outcome("counted", "friend@far.test", "one"),
        yield* outcome("asked", "new@far.test", "two"),
      ];
      visit.same(first, ["sent", "asked"], `the first messages of ${limits}`);
      const again = [
        yield* outcome("counted", "friend@far.test", "one"),
        yield* outcome("asked", "new@far.test", "two"),
      ];
      visit.same(again, ["sent", "asked"], `the repeats of ${limits}`);
      const over = [yield* outcome("third", "friend@far.test"), yield* outcome("third", "new@far.test")];
      visit.same(over, ["KeySendRateExceeded", "KeySendRateExceeded"], `the third message of ${limits}`);
      yield* visit.skip(DAY - MINUTE);
      visit.same(
        yield* outcome("early", "friend@far.test"),
        "KeySendRateExceeded",
        `a message in the day of ${limits}`,
      );
      yield* visit.skip(2 * MINUTE);
      visit.same(yield* outcome("next day", "friend@far.test"), "sent", `a message a day later of ${limits}`);
    }
  });
