import { Audit } from "@postern/core/audit";
import { type SendingKey, sendingKeyOf } from "@postern/core/send";
import { Context, Effect, type Result } from "effect";
import { byText } from "../../../../by-text.ts";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import type { AgentUser } from "../../agents/agent.ts";
import { assistantOf, CLIENT } from "../../agents/assistant.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { crossedGrants } from "./crossed-grants.ts";
import { grantMail } from "./grant-mail.ts";
import type { WalkedGrant } from "./WalkedGrant.ts";

const POLICIES = [
  { to: ["friend@far.test"], approval: "outside" },
  { to: [], approval: "always" },
  { to: ["thread", "@far.test"], approval: "never" },
] as const;
/** A time longer than calls wait to be written. */
const WRITTEN = 2 * SECOND;

/** What assistants do with their codes and tokens, and people with the grants. */
export const grantActs = (
  visit: Visit,
  cluster: Cluster,
  agent: AgentUser,
  all: Array<WalkedGrant>,
): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { account } = agent;
  const { consent, redeem, renew, holder, grants, list } = assistantOf(agent);
  const isLive = (one: WalkedGrant) => !one.isEnded && visit.now < one.expiresAt;
  const live = () => all.filter(isLive);
  /** The calls of assistants, by the id of the message that each names. */
  const calls: Array<{ readonly id: string; readonly by: string; readonly at: number }> = [];
  let messages = 0;
  const senders = new Map<string, SendingKey>();
  const mail = grantMail(visit, cluster, agent, senders);

  type Answer = Effect.Success<ReturnType<typeof renew>>;
  const isRefused = (answer: Answer, what: string) => visit.same(answer._tag, "Failure", what);
  const rotated = (one: WalkedGrant, answer: Result.Result.Success<Answer>, at = visit.now) => {
    one.replaced.push(one.refresh);
    one.access = answer.accessToken;
    one.refresh = answer.refreshToken;
    one.accessUntil = at + HOUR;
    one.expiresAt = at + 30 * DAY;
  };
  const crossed = crossedGrants(visit, cluster, account, assistantOf(agent), () => random.pick(live())!, rotated);
  const begin = Effect.gen(function* () {
    // A person signs in before the consent.
    yield* visit.signIn(account);
    const code = yield* consent;
    const wrong = random.pick([
      undefined,
      undefined,
      undefined,
      { client_id: "other" },
      { code_verifier: "w".repeat(43) },
    ]);
    if (wrong !== undefined) {
      isRefused(yield* redeem(code, wrong), "a code of another client or verifier");
      return isRefused(yield* redeem(code), "a code that was tried with another client or verifier");
    }
    const wait = random.pick([0, 0, 50 * SECOND, 62 * SECOND]);
    if (wait > 0) yield* visit.skip(wait);
    const answer = yield* redeem(code);
    if (wait > MINUTE) return isRefused(answer, "a code after a minute");
    if (answer._tag === "Failure") return visit.expect(false, "a code is refused");
    const { accessToken: access, refreshToken: refresh } = answer.success;
    const { id, name } = (yield* list).find((found) => all.every((one) => one.id !== found.id))!;
    all.push({
      id,
      access,
      refresh,
      name,
      accessUntil: visit.now + HOUR,
      replaced: [],
      expiresAt: visit.now + 30 * DAY,
      policy: POLICIES[0],
      isEnded: false,
    });
    // Two uses of a code: the second ends nothing, or all that the first began.
    if (random.chance(0.2)) isRefused(yield* redeem(code), "a code that was used");
    yield* Effect.map(list, (found) => {
      if (!found.some((one) => one.id === id)) all.at(-1)!.isEnded = true;
    });
  });
  const refresh = Effect.gen(function* () {
    const one = random.pick(live())!;
    const before = one.access;
    const answer = yield* renew(one.refresh, random.chance(0.3) ? { scope: "mail:read" } : {});
    if (answer._tag === "Failure") return visit.expect(false, "the refresh token of a grant is refused");
    visit.expect(answer.success.refreshToken !== one.refresh, "a refresh token is not replaced");
    rotated(one, answer.success);
    visit.same(yield* holder(before), undefined, "an access token that was replaced");
  });
  const refuse = Effect.gen(function* () {
    const one = random.pick(live())!;
    const [head, id, family] = one.refresh.split(/^(pgr)_(.{16})_(.{22})_/).filter(Boolean);
    const invented = `${head}_${id}_`;
    const answer = yield* random.pick([
      renew(one.refresh, { client_id: "other" }),
      renew(one.refresh, { scope: "mail:read mail:organize" }),
      renew(`${invented}${"A".repeat(22)}_${"B".repeat(43)}`),
      renew(`${invented}${family!.split("").toReversed().join("")}_${one.refresh.slice(-43)}`),
      renew(`pgr_${"C".repeat(16)}_${family}_${one.refresh.slice(-43)}`),
      renew("no token"),
    ]);
    isRefused(answer, "a refresh by another client, for more scopes, or with an invented token");
  });
  const reuse = Effect.gen(function* () {
    const one = random.pick(live().filter(({ replaced }) => replaced.length > 0))!;
    isRefused(yield* renew(random.pick(one.replaced)!), "a refresh token that was replaced");
    one.isEnded = true;
  });
  const refreshTwice = Effect.gen(function* () {
    const one = random.pick(live())!;
    const both = yield* Effect.all([renew(one.refresh), renew(one.refresh)], { concurrency: 2 });
    visit.same(both.filter(({ _tag }) => _tag === "Success").length, 1, "the successes of two refreshes at once");
    one.isEnded = true;
  });
  const change = Effect.gen(function* () {
    const one = random.pick(live())!;
    const [name, sendPolicy] = [`Named ${random.between(0, 9)}`, random.pick<WalkedGrant["policy"]>(POLICIES)];
    const patch = random.pick<Partial<{ name: string; sendPolicy: WalkedGrant["policy"] }>>([
      { name },
      { sendPolicy },
      {},
    ]);
    yield* grants((use) => use.change(account, one.id, patch));
    one.name = patch.name ?? one.name;
    one.policy = patch.sendPolicy ?? one.policy;
  });
  const end = Effect.gen(function* () {
    const one = random.pick(live())!;
    yield* grants((use) => use.end(account, one.id));
    one.isEnded = true;
    const again = yield* Effect.result(grants((use) => use.end(account, one.id)));
    visit.same(again._tag, "Failure", "the second end of a grant");
  });
  /** Each call has one entry, also if the store refused it at first. */
  const call = Effect.gen(function* () {
    const by = random.pick(live())!.id;
    const isAway = random.chance(0.4);
    cluster.servers.isStoreAway = isAway;
    for (let n = random.between(1, 8); n > 0; n--) {
      const id = String(++messages).padStart(22, "0");
      yield* visit.ask("record", (services) =>
        Context.get(services, Audit).recordCall({
          key: by,
          application: "walk",
          tool: "read_message",
          account,
          ids: [id],
          outcome: "done",
        }),
      );
      calls.push({ id, by, at: visit.now });
      yield* visit.wait(random.between(1, 400));
    }
    if (isAway) yield* visit.wait(random.between(1, 8) * SECOND);
    cluster.servers.isStoreAway = false;
    yield* visit.wait(WRITTEN + 6 * SECOND);
    const entries = yield* visit.ask("audit", (services) =>
      Context.get(services, Audit).page({ operation: "mcp.read_message", limit: 50 }, { key: by, account: null }),
    );
    const ageOf = ({ at }: { readonly at: number }) => visit.now - at;
    const due = calls.filter((one) => one.by === by && ageOf(one) < 30 * DAY - HOUR);
    // Entries are deleted by a sweep, some time after their 30 days.
    const ending = new Set(
      calls.flatMap((one) => (ageOf(one) > 30 * DAY - HOUR && ageOf(one) < 31 * DAY ? [one.id] : [])),
    );
    visit.same(
      entries.items
        .flatMap(({ ids }) => ids.filter((id) => !ending.has(id)))
        .toSorted()
        .slice(-20),
      due.map(({ id }) => id).slice(-20),
      "the calls of an assistant in the audit",
    );
  });
  const compare = Effect.gen(function* () {
    for (const one of all.slice(-4)) {
      const is = yield* holder(one.access);
      const isValid = isLive(one) && visit.now < one.accessUntil;
      if (is !== undefined) senders.set(one.id, sendingKeyOf(is));
      visit.same(
        is === undefined ? undefined : [is.id, is.name, is.accounts, is.scopes, is.sendPolicy],
        isValid ? [one.id, one.name, [account], ["mail:read", "mail:draft", "mail:send"], one.policy] : undefined,
        "the rights of an access token",
      );
      if (!isLive(one)) isRefused(yield* renew(one.refresh), "the refresh token of a grant that ended");
    }
    const shown = (yield* list).map(({ id, name, sendPolicy, client }) => [id, name, sendPolicy, client.id]);
    const promised = live().map(({ id, name, policy }) => [id, name, policy, CLIENT]);
    visit.same(shown.toSorted(byText), promised.toSorted(byText), "the grants of an account");
    yield* mail.compare;
  });

  const act = (
    name: string,
    weight: number,
    run: Effect.Effect<unknown, unknown>,
    isPossible = () => live().length > 0,
  ) => ({
    name,
    weight,
    isPossible,
    run: Effect.andThen(run, compare),
  });
  return [
    act("consent", 3, begin, () => live().length < 4),
    act("refresh", 4, refresh),
    act("refuse a refresh", 4, refuse),
    act("reuse a refresh token", 1, reuse, () => live().some(({ replaced }) => replaced.length > 0)),
    act("refresh twice", 1, refreshTwice),
    act("use beside a refresh", 5, crossed.use),
    act("end beside a refresh", 1, crossed.end),
    act("change a grant", 2, change),
    act("end a grant", 1, end),
    act("call", 3, call),
    act(
      "ask to send",
      4,
      Effect.suspend(() => mail.ask(random.pick(live())!)),
    ),
    act(
      "end unused",
      1,
      Effect.suspend(() => mail.expire(random.pick(live())!)),
    ),
    act("look", 3, Effect.void),
  ];
};
