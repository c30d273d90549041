import { Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { operatorOf } from "../../applications/operator.ts";
import { MINUTE, SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { LIFETIME, type LinkKey, type WalkedLink, type WalkedLinks, type Written } from "./walked-links.ts";

const RIGHT = [
  "https://app.sim.test/done?x=1",
  "http://localhost:8080/done",
  "http://127.0.0.1/",
  "http://127.8.9.10:81/",
  "http://[::1]:3000/x",
] as const;
const WRONG = [
  "",
  "app.sim.test/done",
  "http://app.sim.test/",
  "http://localhost.far.test/",
  "http://127.0.0.1.far.test/",
  "http://10.0.0.1/",
  "http://[::2]/",
  "ftp://app.sim.test/",
  "javascript:alert(1)",
  "https://user@app.sim.test/",
  "https://user:word@app.sim.test/",
  "https://:word@app.sim.test/",
] as const;
/** The time around a deadline in which both answers are right. */
const NEAR = 2 * SECOND;

/** Requests of applications for links, and of browsers that open them. [S2.6-1] [S11.3-1] [S11.3-2] [S11.3-3] [S11.3-30] */
export const linkActs = (
  visit: Visit,
  cluster: Cluster,
  walked: WalkedLinks,
  { app, users }: { readonly app: string; readonly users: ReadonlyArray<string> },
): ReadonlyArray<Act> => {
  const { random } = cluster;
  const operator = operatorOf(visit, cluster);
  const { keys, all, links, works, mayConnect } = walked;
  const makers = (): ReadonlyArray<LinkKey | null> => [null, ...keys.filter(({ isGone }) => !isGone)];
  let count = 0;
  const makeKey = Effect.gen(function* () {
    const application = random.pick(["one", "two"])!;
    const reach = random.pick([null, ["tag:a"]] as const);
    const expiresAt = random.chance(0.3) ? visit.now + 8 * MINUTE : null;
    const { key } = yield* operator.make(application, { accounts: reach, expiresAt });
    keys.push({ id: key.id, application, reach, expiresAt, isGone: false });
  });
  const endKey = Effect.gen(function* () {
    const key = random.pick(keys.filter(({ isGone }) => !isGone))!;
    key.isGone = true;
    yield* operator.keys((one) => one.remove(key.id));
  });
  const ask = (written: Written, key: LinkKey | null, named?: string) =>
    Effect.match(
      links((one) =>
        one.make(
          written,
          { reach: key?.reach ?? null, key: key?.id ?? null },
          named === undefined ? undefined : { caller: key?.id ?? "admin", key: named, account: null },
        ),
      ),
      { onFailure: ({ _tag }) => _tag as string, onSuccess: (url) => url },
    );
  const write = (): Written => ({
    redirectUrl: random.pick(RIGHT)!,
    ...(random.chance(0.5) && { state: `state & ${++count}` }),
    ...(random.chance(0.35) && { email: random.pick(users)! }),
    ...(random.chance(0.5) && { provider: app }),
    ...(random.chance(0.7) && { tags: random.pick([["a"], ["a", "b"], ["b"]])! }),
  });
  const make = Effect.gen(function* () {
    const key = random.pick(makers())!;
    const written = write();
    const { email, tags } = written;
    const named = random.chance(0.5) ? `link ${++count}` : undefined;
    const at = visit.now;
    const answer = yield* ask(written, key, named);
    if (email !== undefined && !mayConnect(key?.reach ?? null, email, tags))
      return visit.same(answer, "OutsideReach", `a link for ${email}, tagged ${tags?.join()}`);
    visit.expect(answer.includes("/connect/"), `a link is ${answer}`);
    const secret = answer.slice(answer.lastIndexOf("/") + 1);
    visit.expect(!all.some((one) => one.secret === secret), "two links are the same");
    for (const part of [written.redirectUrl, written.state ?? "state", email ?? "@"])
      visit.expect(!answer.includes(part), `the URL of a link tells ${part}`);
    all.push({ secret, key, written, expiresAt: at + LIFETIME, isClosed: false });
    if (named === undefined) return;
    visit.same(yield* ask(written, key, named), answer, "a link that is asked for again");
    const other = { ...written, redirectUrl: `${written.redirectUrl}#other` };
    visit.same(yield* ask(other, key, named), "IdempotencyKeyReused", "another link with the key of the first");
    const another = random.pick(makers().filter((one) => one !== key));
    if (another === undefined || (email !== undefined && !mayConnect(another?.reach ?? null, email, tags))) return;
    const theirs = yield* ask(written, another, named);
    visit.expect(theirs.includes("/connect/") && theirs !== answer, `the link of another key is ${theirs}`);
  });
  const makeWrong = Effect.gen(function* () {
    const key = random.pick(makers())!;
    const [written, tag] = random.pick<readonly [Written, string]>([
      ...WRONG.map((redirectUrl) => [{ redirectUrl }, "InputInvalid"] as const),
      [{ redirectUrl: RIGHT[0], email: "no address" }, "InputInvalid"],
      [{ redirectUrl: RIGHT[0], provider: "unknown" }, "AppNotFound"],
    ])!;
    visit.same(yield* ask(written, key), tag, `a link with ${JSON.stringify(written)}`);
  });
  const open = Effect.gen(function* () {
    const link = random.pick(all)!;
    const { key, written } = link;
    const ends = [link.expiresAt, key?.expiresAt ?? 0];
    if (ends.some((at) => Math.abs(at - visit.now) < NEAR)) return;
    const found = yield* Effect.result(links((one) => one.find(link.secret)));
    if (found._tag === "Failure") return visit.expect(!works(link), `a link that works is ${found.failure._tag}`);
    const { redirectUrl, state, request } = found.success;
    visit.same(
      [works(link), redirectUrl, state, request.address, request.app, request.tags],
      [
        true,
        written.redirectUrl,
        written.state ?? null,
        written.email ?? null,
        written.provider ?? null,
        written.tags ?? null,
      ],
      "a link that is opened",
    );
    const { name } = yield* links((one) => one.askerOf(found.success));
    const site = new URL(written.redirectUrl).hostname;
    visit.same(name, key === null ? site : key.application, "who asks by a link");
  });
  const decline = Effect.gen(function* () {
    const link: WalkedLink = random.pick(all)!;
    yield* Effect.catchTag(
      links((one) => one.close(link.secret)),
      "LinkExpired",
      () => Effect.void,
    );
    link.isClosed = true;
  });
  return [
    { name: "make a key", weight: 5, isPossible: () => keys.length < 4, run: makeKey },
    { name: "end a key", isPossible: () => keys.some(({ isGone }) => !isGone), run: endKey },
    { name: "make a link", weight: 6, run: make },
    { name: "ask for a wrong link", weight: 3, run: makeWrong },
    { name: "open a link", weight: 5, isPossible: () => all.length > 0, run: open },
    { name: "decline", isPossible: () => all.length > 0, run: decline },
  ];
};
