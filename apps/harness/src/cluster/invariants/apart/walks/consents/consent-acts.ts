import { Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { PresentedToken, SimulatedProvider } from "../../../../servers/OAuthProviders.ts";
import type { Visit } from "../../../../Visit.ts";
import { endNode } from "../../../takeovers/StopPoint.ts";
import { MINUTE, SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { consentBesideRefusal, refuseAtOnce } from "./crossed-refusals.ts";
import { outliveGrant, refuseFresh, TOKEN_ENDS, TOLD } from "./refused-tokens.ts";
import type { WalkedConsent } from "./walked-consent.ts";

/** A time longer than the longest wait before a provider is asked again. */
const ASKED_AGAIN = 6 * MINUTE;

/** What users consent to, and what happens to the tokens of their accounts. */
export const consentActs = (
  visit: Visit,
  cluster: Cluster,
  account: WalkedConsent,
  provider: SimulatedProvider,
  others: ReadonlyArray<WalkedConsent>,
): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { known, promised, refuse, tokens, email } = account;
  const isStrict = tokens.conduct.rotation === "strict";
  const sharers = () => [account, ...others].filter((one) => one.known.exists && one.known.kind === "oauth2");
  const answers = (found: string, promise: string, what: string) => visit.same(found, promise, `${what} of ${email}`);

  const consent = Effect.gen(function* () {
    const isOther = random.chance(0.15);
    const tags = random.pick([null, null, ["a"], ["b", "c"]]);
    const [place, kind] = [known.place, known.kind];
    let isSent = false;
    const other = cluster.mail.at("imap.new.test");
    // The watch may sign in at the same moment with the token of an earlier consent.
    other.onSignIn = (credential) =>
      (isSent ||= credential._tag === "AccessToken" && account.hasConsentedTo(credential.token));
    const app = account.isOwn && random.chance(0.4) ? account.named : account.app;
    const tag = yield* account.consent(isOther ? "stranger@sim.test" : email, tags, app);
    other.onSignIn = () => {};
    const isKnown = known.exists && kind === "oauth2" && known.app === app.id;
    const isNew = app === account.named || (isKnown && place === "new");
    visit.expect(isNew || !isSent, "a token goes to servers that only a password or another app opened");
    if (isOther) {
      const hasConsented = known.exists && kind === "oauth2";
      return visit.expect(
        tag === "OtherIdentity" || (!hasConsented && ["AccountUnverified", "GrantInvalid"].includes(tag)),
        `the consent of a stranger for ${email} is ${tag}`,
      );
    }
    answers(tag, "Answered", "a consent");
    if (!known.exists) promised.push("account.added");
    // The tokens of an app go to the servers that they open already, or else to those of the app or the domain.
    if (account.isOwn && !isKnown) known.place = isNew ? "new" : "own";
    if (known.exists && known.place !== place) promised.push("account.servers_changed");
    if (known.refused !== null) promised.push("account.recovered");
    Object.assign(known, { exists: true, kind: "oauth2", app: app.id, refused: null, tags: tags ?? known.tags });
    known.consents++;
    if (!known.isWatched && random.chance(0.6)) {
      yield* account.watch;
      Object.assign(known, { isWatched: true, isKeptFresh: true });
    }
  });
  const createByPassword = Effect.gen(function* () {
    const place = random.pick(["own", "new", "new"] as const);
    answers(yield* account.create(place), "Answered", "a creation");
    Object.assign(known, { exists: true, place });
    promised.push("account.added");
  });
  const givePassword = Effect.gen(function* () {
    answers(yield* account.givePassword, "Answered", "a password in place of a grant");
    if (known.refused !== null) promised.push("account.recovered");
    Object.assign(known, { kind: "password", refused: null, isKeptFresh: false });
  });
  const token = (promise: string, when: string) =>
    Effect.map(account.token, (tag) => answers(tag, promise, `a request for a token ${when}`));
  const use = Effect.suspend(() =>
    token(known.refused === null ? "Answered" : "MailboxCredentialsRejected", "at any time"),
  );
  const revoke = Effect.gen(function* () {
    tokens.revoke(email);
    yield* visit.wait(TOKEN_ENDS);
    if (!known.isKeptFresh || random.chance(0.3))
      yield* token("MailboxCredentialsRejected", "after its user ended the consent");
    yield* visit.wait(TOLD);
    refuse("grant_revoked");
  });
  /** The provider does not answer, or refuses the app, for some time: afterwards it is asked again. */
  const fail = Effect.gen(function* () {
    const conduct = random.pick([{ isDown: true }, { refusal: { error: "invalid_client" } }]);
    const millis = random.between(2, 200) * SECOND;
    provider.tokens.conduct = { ...provider.tokens.conduct, ...conduct };
    yield* visit.wait(TOKEN_ENDS);
    yield* token("MailServerError", "while its provider fails");
    yield* visit.skip(millis);
    provider.tokens.conduct = {
      rotation: provider.tokens.conduct.rotation!,
      lifetime: provider.tokens.conduct.lifetime!,
    };
    yield* visit.skip(ASKED_AGAIN);
    yield* token("Answered", "after its provider failed");
  });
  /** The provider fails from the moment at which a token is replaced: it stays valid to its end, and the account reachable. */
  const failWithToken = Effect.gen(function* () {
    const { rotation, lifetime } = tokens.conduct;
    yield* visit.wait(TOKEN_ENDS);
    yield* token("Answered", "before its provider fails");
    const issuedAt = account.issuedAt();
    const [conduct, fault] = random.pick([
      [{ isDown: true }, "provider_unavailable"],
      [{ refusal: { error: "invalid_client" } }, "app_misconfigured"],
    ] as const);
    tokens.conduct = { rotation: rotation!, lifetime: lifetime!, ...conduct };
    const end = issuedAt + lifetime! * SECOND;
    const replaced = issuedAt + 0.8 * lifetime! * SECOND;
    const pass = (until: number) => visit.wait(Math.max(0, until - visit.now));
    if (visit.now < replaced) yield* pass(replaced + random.between(1, 3) * SECOND);
    // Shortly before its end, a token may count as ended, because a mail server checks it later.
    while (visit.now < end - 5 * SECOND) {
      yield* token("Answered", "whose token is valid while its provider fails");
      yield* visit.wait(SECOND);
      visit.same((yield* account.state)[0], "active", `the state of ${email}, whose token is valid`);
    }
    yield* pass(end + 2 * SECOND);
    for (let n = 0; n < 10; n++) {
      yield* token("MailServerError", "whose token has ended while its provider fails");
      yield* visit.wait(8 * SECOND);
    }
    visit.same(yield* account.state, ["unreachable", fault], `the state of ${email}, whose provider fails`);
    tokens.conduct = { rotation: rotation!, lifetime: lifetime! };
    yield* visit.skip(ASKED_AGAIN);
    yield* token("Answered", "after its provider failed");
    visit.same((yield* account.state)[0], "active", `the state of ${email} after its provider failed`);
  });
  /** A node ends while the provider answers; the provider may be unavailable afterwards. */
  const interrupt = Effect.gen(function* () {
    const { observers } = cluster.providers;
    let isHit = false;
    const see = ({ node }: PresentedToken) => {
      if (isHit) return;
      isHit = true;
      endNode(cluster, node);
    };
    yield* visit.wait(TOKEN_ENDS);
    observers.push(see);
    yield* Effect.forkChild(account.token);
    yield* visit.wait(3 * SECOND);
    observers.splice(observers.indexOf(see), 1);
    if (!isHit) return;
    const { rotation, lifetime } = tokens.conduct;
    if (random.chance(0.7)) {
      tokens.conduct = { rotation: rotation!, lifetime: lifetime!, isDown: true };
      yield* visit.wait(20 * SECOND);
      yield* Effect.ignore(account.token);
      yield* visit.wait(random.between(2, 30) * SECOND);
      tokens.conduct = { rotation: rotation!, lifetime: lifetime! };
    }
    yield* visit.skip(ASKED_AGAIN);
    yield* visit.wait(30 * SECOND);
    yield* token(isStrict ? "MailboxCredentialsRejected" : "Answered", "after a process ended in an exchange");
    yield* visit.wait(TOLD);
    if (isStrict) refuse("token_lost");
  });
  const endAccess = Effect.gen(function* () {
    tokens.endAccess();
    yield* visit.skip(TOKEN_ENDS);
    yield* token("Answered", "after its tokens were refused");
  });

  const act = (name: string, weight: number, run: Effect.Effect<unknown, unknown>, isPossible: () => boolean) => ({
    name: `${name} ${email}`,
    weight,
    isPossible,
    run: Effect.andThen(run, account.compare),
  });
  const hasGrant = () => known.exists && known.kind === "oauth2";
  const isServed = () => hasGrant() && known.refused === null;
  /** Only one account may be in an exchange when a node ends. */
  const isOnly = () => isServed() && sharers().filter((one) => one.known.refused === null).length === 1;
  return [
    act("consent", 3, consent, () => true),
    act("consent again", 6, consent, () => known.refused !== null),
    act("add", 4, createByPassword, () => account.isOwn && !known.exists),
    act("give a password to", 1, givePassword, () => known.exists),
    act("use", 2, use, hasGrant),
    act("revoke", 2, revoke, isServed),
    act("the provider fails", 2, fail, isServed),
    act("the provider fails while a token is valid", 3, failWithToken, isServed),
    act("a process ends in an exchange", 5, interrupt, isOnly),
    act("tokens are refused", 1, endAccess, isServed),
    act(
      "one token is refused twice at once",
      2,
      refuseAtOnce(visit, cluster, account),
      () => isServed() && cluster.size > 1,
    ),
    act(
      "a consent crosses the refusal of",
      2,
      consentBesideRefusal(visit, cluster, account),
      () => isServed() && cluster.size > 1,
    ),
    act("fresh tokens are refused", 3, refuseFresh(visit, cluster, account), isServed),
    act(
      "a session outlives its grant",
      2,
      outliveGrant(visit, cluster, account),
      () => isServed() && known.isKeptFresh,
    ),
  ];
};
