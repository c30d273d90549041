import { AccountSessions, CredentialVault } from "@postern/core/auth";
import { sendingKeyOf } from "@postern/core/send";
import { Context, Effect, Option } from "effect";
import { clientOf } from "../../send/outbox-client.ts";
import type { AgentUser } from "./agent.ts";
import { assistantOf, CLIENT, REDIRECT } from "./assistant.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../durations.ts";

/** A code is exchanged once within a minute; tokens and grants end when promised, and take what they asked for with them. */
export const grantAccess = (agent: AgentUser): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { visit, cluster, account, ask, told } = agent;
    const { consent, redeem, renew, holder, grants, list } = assistantOf(agent);
    const begin = Effect.gen(function* () {
      const answer = yield* redeem(yield* consent);
      return answer._tag === "Success" ? answer.success : yield* Effect.die(new Error("a code is refused"));
    });
    for (const more of [{ code_verifier: "w".repeat(43) }, { client_id: "other" }, { redirect_uri: `${REDIRECT}/x` }]) {
      const code = yield* consent;
      const tags = [(yield* redeem(code, more))._tag, (yield* redeem(code))._tag];
      visit.same(
        tags,
        ["Failure", "Failure"],
        `a code with ${Object.keys(more).join()} of another, and then with its own`,
      );
    }
    for (const [wait, tag] of [
      [55 * SECOND, "Success"],
      [65 * SECOND, "Failure"],
    ] as const) {
      const code = yield* consent;
      yield* visit.skip(wait);
      visit.same(
        [(yield* redeem(code))._tag, (yield* redeem(code))._tag],
        [tag, "Failure"],
        `a code after ${wait} ms, twice`,
      );
    }
    const raced = yield* consent;
    const both = yield* Effect.all([redeem(raced), redeem(raced)], { concurrency: 2 });
    visit.same(
      both.map(({ _tag }) => _tag).toSorted(),
      ["Failure", "Success"],
      "a code that is exchanged twice at once",
    );
    const first = yield* begin;
    const rights = (yield* holder(first.accessToken))!;
    const policy = { to: ["friend@far.test"], approval: "outside" };
    visit.same(
      [rights.kind, rights.accounts, rights.scopes, rights.sendPolicy],
      ["grant", [account], ["mail:read", "mail:draft", "mail:send"], policy],
      "the rights of a grant",
    );
    yield* visit.skip(58 * MINUTE);
    visit.same((yield* holder(first.accessToken))?.id, rights.id, "an access token before its hour is over");
    yield* visit.skip(3 * MINUTE);
    visit.same((yield* holder(first.accessToken))?.id, undefined, "an access token after its hour");
    const wide = yield* renew(first.refreshToken, { scope: "mail:read mail:organize" });
    const foreign = yield* renew(first.refreshToken, { client_id: "other" });
    visit.same(
      [wide._tag, foreign._tag],
      ["Failure", "Failure"],
      "a refresh for more scopes, and one by another client",
    );
    let tokens = first;
    for (let n = 0; n < 3; n++) {
      const next = yield* renew(tokens.refreshToken);
      if (next._tag === "Failure") return visit.expect(false, `refresh ${n} of a grant is refused`);
      const [old, now] = [yield* holder(tokens.accessToken), yield* holder(next.success.accessToken)];
      visit.same([old?.id, now?.id], [undefined, rights.id], "the replaced and the new access token");
      tokens = next.success;
      yield* visit.skip(29 * DAY);
    }
    yield* grants((all) => all.change(account, rights.id, { name: "Renamed" }));
    yield* grants((all) => all.change(account, rights.id, { sendPolicy: { to: ["thread"], approval: "never" } }));
    const changed = yield* grants((all) => all.change(account, rights.id, { name: "Named again" }));
    visit.same(
      [changed.name, changed.sendPolicy, changed.scopes, changed.client.id],
      ["Named again", { to: ["thread"], approval: "never" }, rights.scopes, CLIENT],
      "a changed grant",
    );

    const by = sendingKeyOf(rights);
    const client = clientOf(visit, cluster, account);
    const waiting = yield* client.send("friend", { by, sendAt: visit.now + 20 * HOUR });
    const asked = (yield* ask(by, "asked by a grant", { to: "stranger@far.test" })).approval!;
    visit.same(asked.by, { kind: "grant", id: rights.id, name: by.name, application: by.application }, "who asked");
    const given = (yield* ask(by, "given to a grant", { to: "stranger@far.test" })).approval!;
    visit.same(yield* agent.approve(given.id, given.version), "Answered", "the approval of a message of a grant");
    const reused = yield* renew(first.refreshToken);
    visit.same(reused._tag, "Failure", "a refresh token that was replaced");
    const after = [(yield* renew(tokens.refreshToken))._tag, (yield* list).some(({ id }) => id === rights.id)];
    visit.same(after, ["Failure", false], "a grant whose replaced token came back");
    visit.same(yield* client.state("friend"), "held", `the message ${waiting.id} of a grant that ended`);
    visit.same(told(asked.id), ["requested", "withdrawn"], "the events of an approval of a grant that ended");
    // A request that was admitted before the grant ended.
    const late = (yield* ask(by, "asked too late", { to: "stranger@far.test" })).approval!;
    const decided = yield* agent.approve(late.id, late.version);
    visit.same(decided, "ApprovalDecided", "the approval of a message that an ended grant asked for");

    const [idle, ended] = [yield* begin, yield* begin];
    const { id } = (yield* holder(ended.accessToken))!;
    const other = yield* visit.signUp("other-of-grants");
    const foreignEnd = yield* Effect.result(grants((all) => all.end(other, id)));
    visit.same(foreignEnd._tag, "Failure", "the end of another account's grant");
    yield* grants((all) => all.end(account, id));
    visit.same(
      [yield* holder(ended.accessToken), (yield* renew(ended.refreshToken))._tag],
      [undefined, "Failure"],
      "a grant that a person ended",
    );
    // The grant that is left keeps the credential until it ends unused.
    const sessions = yield* visit.ask("sessions", (services) =>
      Context.get(services, AccountSessions).page(account, {}),
    );
    for (const one of sessions.items)
      yield* visit.ask("end", (services) => Context.get(services, AccountSessions).end(account, one.id));
    const isKept = () => Option.isSome(cluster.ask((ports) => Context.get(ports, CredentialVault).find(account)));
    yield* client.cancel(waiting.id);
    yield* visit.skip(29 * DAY);
    visit.expect(isKept(), "an account with a grant lost its credential");
    yield* visit.skip(DAY + 2 * HOUR);
    visit.same(
      [(yield* renew(idle.refreshToken))._tag, isKept()],
      ["Failure", false],
      "a grant that was not used for 30 days",
    );
  });
