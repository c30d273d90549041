import { AgentGrants, AssistantSignIn } from "@postern/core/assistants";
import { Fingerprints } from "@postern/core/auth";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect, Option } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { HOUR } from "../../durations.ts";
import type { Act } from "../walk.ts";
import type { WalkedClients } from "./walked-clients.ts";

const RESOURCE = "https://postern.sim.test/mcp";
const VERIFIERS = ["v".repeat(43), `${"w-._~".repeat(25)}xyz`] as const;
const SCOPES = {
  read: ["mail:read"],
  draft: ["mail:read", "mail:draft"],
  organize: ["mail:read", "mail:draft", "mail:organize"],
} as const;

type Parameters = Readonly<Record<string, string>>;
/** Parameters with an error, or with the level that is preselected. */
type Drawn = readonly [parameters: Parameters, promise: string];

/** Stored clients ask for access, and exchange what they get. */
export const signInActs = (
  visit: Visit,
  cluster: Cluster,
  account: AccountId,
  { all, asker, drawUri, endsAt, isOwn }: WalkedClients,
): ReadonlyArray<Act> => {
  const { random } = cluster;
  const signIn = <A, E>(use: (one: AssistantSignIn["Service"]) => Effect.Effect<A, E>) =>
    Effect.result(visit.ask("sign in", (services) => use(Context.get(services, AssistantSignIn))));
  const challengeOf = (verifier: string) => Context.get(cluster.wiring.outside, Fingerprints).ofToken(verifier);
  const errorOf = (failure: object) => ("error" in failure ? String(failure.error) : "none");
  /** Picks a client that was not, or is not soon, ended by its age. */
  const pick = () => random.pick(all.filter((one) => visit.now < endsAt(one) - HOUR));

  /** A redirect goes only to a redirect URI of the client. */
  const ask = Effect.gen(function* () {
    const one = pick();
    if (one === undefined) return;
    const uri = drawUri(one);
    const named = isOwn(one, uri) ? "Answered" : "redirect_uri_foreign";
    const [without, promise] = random.pick<readonly [string, string]>([
      ["", named],
      ["", named],
      ["", named],
      ["client_id", "id_missing"],
      ["redirect_uri", "redirect_uri_foreign"],
    ]);
    const { [without]: _, ...parameters }: Parameters = { client_id: one.id, redirect_uri: uri };
    const answer = yield* asker(parameters);
    const isUnknown = one.isGone && without !== "client_id";
    if (answer._tag === "Failure")
      return visit.same(
        "reason" in answer.failure ? answer.failure.reason : answer.failure._tag,
        isUnknown ? "id_unknown" : promise,
        `a client with ${one.redirectUris.join()} that names ${uri}`,
      );
    const { client, host, redirectUri, isOnThisMachine } = answer.success;
    visit.same(
      [isUnknown ? "id_unknown" : promise, client.id, client.name, host, redirectUri, isOnThisMachine],
      ["Answered", one.id, one.name, null, uri, uri.startsWith("http:")],
      `a client that asks with ${uri}`,
    );
  });
  const check = Effect.gen(function* () {
    const right = { response_type: "code", code_challenge: challengeOf(VERIFIERS[0]), code_challenge_method: "S256" };
    const { response_type: _, ...untyped } = right;
    const { code_challenge: _1, ...unproved } = right;
    const { code_challenge_method: _2, ...plain } = right;
    const [parameters, promise] = random.pick<Drawn>([
      [right, "draft"],
      [{ ...right, resource: RESOURCE, state: "s".repeat(2_000) }, "draft"],
      [{ ...right, scope: "mail:read" }, "read"],
      [{ ...right, scope: "mail:read openid" }, "read"],
      [{ ...right, scope: "mail:read mail:send" }, "draft"],
      [{ ...right, scope: "mail:organize" }, "draft"],
      [{ ...right, scope: "openid accounts" }, "invalid_scope"],
      [untyped, "unsupported_response_type"],
      [{ ...right, response_type: "token" }, "unsupported_response_type"],
      [unproved, "invalid_request"],
      [{ ...right, code_challenge: "short" }, "invalid_request"],
      [plain, "invalid_request"],
      [{ ...right, code_challenge_method: "plain" }, "invalid_request"],
      [{ ...right, resource: "https://postern.sim.test/other" }, "invalid_target"],
    ]);
    const answer = yield* signIn((one) => one.check(parameters));
    visit.same(
      answer._tag === "Success" ? answer.success.suggested : errorOf(answer.failure),
      promise,
      `a request for authorization with ${JSON.stringify(parameters)}`,
    );
  });
  const enter = Effect.gen(function* () {
    const one = random.pick(all.filter(({ isGone }) => !isGone))!;
    const [redirectUri] = one.redirectUris;
    const found = yield* asker({ client_id: one.id, redirect_uri: redirectUri! });
    if (found._tag === "Failure") return;
    const level = random.pick(["read", "draft", "organize"] as const);
    const sendsTo = random.pick([null, [], ["friend@far.test", "thread"]]);
    const verifier = random.pick(VERIFIERS);
    const [challenge, suggested] = [challengeOf(verifier), "draft" as const];
    // A person signs in before each consent, because sessions end while time passes.
    yield* visit.signIn(account);
    const code = yield* signIn((on) =>
      on.approve(account, found.success, { challenge, suggested }, { level, sendsTo }),
    );
    if (code._tag === "Failure") return visit.expect(false, `an approval is refused with ${code.failure._tag}`);
    const right = {
      grant_type: "authorization_code",
      client_id: one.id,
      redirect_uri: redirectUri!,
      code: code.success,
      code_verifier: verifier,
      ...(random.chance(0.5) && { resource: RESOURCE }),
    };
    const { client_id: _, ...unnamed } = right;
    // These requests name no code that could be used, so they leave it as it is.
    const [wrong, error] = random.pick<Drawn>([
      [unnamed, "invalid_request"],
      [{ ...right, resource: "https://postern.sim.test/other" }, "invalid_target"],
      [{ ...right, grant_type: "password" }, "unsupported_grant_type"],
      [{ ...right, grant_type: "refresh_token" }, "invalid_request"],
      [{ ...right, code_verifier: "short" }, "invalid_request"],
      [{ ...right, code: "another" }, "invalid_grant"],
    ]);
    const refused = yield* signIn((on) => on.exchange(wrong));
    visit.same(refused._tag === "Failure" ? errorOf(refused.failure) : "tokens", error, "a wrong exchange");
    const answer = yield* signIn((on) => on.exchange(right));
    if (answer._tag === "Failure") return visit.expect(false, `a code is refused: ${errorOf(answer.failure)}`);
    const holder = yield* visit.ask("holder", (services) =>
      Context.get(services, AgentGrants).holderOf(answer.success.accessToken),
    );
    const scopes = sendsTo === null ? SCOPES[level] : [...SCOPES[level], "mail:send"];
    const policy = { to: sendsTo ?? [], approval: (sendsTo ?? []).length === 0 ? "always" : "outside" };
    visit.same(
      Option.match(holder, {
        onNone: () => null,
        onSome: (is) => [is.accounts, is.name, is.scopes, is.sendPolicy, answer.success.scopes],
      }),
      [[account], one.name, scopes, policy, scopes],
      `the rights of an assistant with ${level} that sends to ${sendsTo?.join() ?? "no address"}`,
    );
    const wide = yield* signIn((on) =>
      on.exchange({
        grant_type: "refresh_token",
        client_id: one.id,
        refresh_token: answer.success.refreshToken,
        scope: "mail:read  mail:write",
      }),
    );
    visit.same(wide._tag === "Failure" ? errorOf(wide.failure) : "tokens", "invalid_scope", "a wider refresh");
  });
  return [
    { name: "ask for access", weight: 6, isPossible: () => all.length > 0, run: ask },
    { name: "check a request", weight: 5, run: check },
    { name: "sign in", weight: 4, isPossible: () => all.some(({ isGone }) => !isGone), run: enter },
  ];
};
