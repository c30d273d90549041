import { FolderManagement } from "@postern/core/folders";
import { AccountRemoval } from "@postern/core/lifecycle";
import { Context, Effect, Redacted } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { textOf } from "../../../../world/accounts.ts";
import { HoldPoint } from "../../../crossings/HoldPoint.ts";
import { serveBeside } from "../../../crossings/serve-beside.ts";
import { MINUTE } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { type Place, serversAt, type WalkedAccount } from "./walked-account.ts";

const DOOMED_UID_VALIDITY = 1_000_000;
const TAGS = ["a", "b", "c"];
type Patch = Parameters<WalkedAccount["change"]>[0];

/** The requests of an application about an account: each changes what it names, and nothing else. */
export const changeActs = (visit: Visit, cluster: Cluster, account: WalkedAccount): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { known, promised, places, mailAt } = account;
  const answers = (found: string, promise: string, what: string) =>
    visit.same(found, promise, `the answer to ${what} of ${account.email}`);
  const drawFields = (): Patch =>
    random.pick<Patch>([
      { name: `Name ${random.between(0, 9)}` },
      { name: null },
      { tags: random.some(TAGS, 2) },
      { tags: [], name: "Both" },
      { paused: true },
      { paused: false },
    ]);
  const apply = ({ name, tags, paused }: Patch) => {
    if (name !== undefined) known.name = name;
    if (tags !== undefined) known.tags = tags.toSorted();
    if (paused !== undefined) known.isPaused = paused;
  };
  /** The servers accepted a credential. */
  const accepted = (stored: string) => {
    if (known.isRefused) promised.push(["account.recovered", null]);
    known.isRefused = false;
    known.stored = stored;
  };
  /** Ids of messages on the deployment's servers stay. */
  const endIds = () => {
    if (places.length > 1) known.endedIds = [...known.endedIds, ...known.ids].slice(-4);
    known.ids = [];
  };
  /** The message ids of the former servers end, and mail on the new ones is not announced. */
  const enter = (place: Place, smtpAt = place) => {
    Object.assign(known, { place, smtp: smtpAt });
    endIds();
    for (const { summary } of mailAt(place).account(account.id).mailbox("INBOX").messages)
      known.old.set(summary.messageId!, account.announced(summary.messageId!));
  };

  const changeFields = Effect.gen(function* () {
    const patch = drawFields();
    answers(yield* account.change(patch), "Answered", `a change of ${Object.keys(patch).join()}`);
    apply(patch);
  });
  const changePassword = Effect.gen(function* () {
    const isRight = random.chance(0.7);
    const [patch, right] = [random.chance(0.4) ? drawFields() : {}, known.passwords[known.place]];
    const tag = yield* account.change({ ...patch, password: Redacted.make(isRight ? right : "wrong") });
    answers(tag, isRight ? "Answered" : "AccountUnverified", "a new password");
    if (!isRight) return;
    apply(patch);
    accepted(right);
  });
  const changeServers = Effect.gen(function* () {
    const to = random.pick(places)!;
    // The servers of one account accept the same password.
    const alike = places.filter((place) => known.passwords[place] === known.passwords[to]);
    const smtpAt = random.chance(0.3) ? random.pick(alike)! : to;
    const isMove = to !== known.place || smtpAt !== known.smtp;
    const how = random.pick(["right", "right", "none", "wrong"] as const);
    let isAsked = false;
    const mail = mailAt(to);
    mail.onSignIn = ({ username }) => (isAsked ||= username === account.email);
    const { imap, smtp } = serversAt(to, smtpAt);
    const patch = random.chance(0.3) ? drawFields() : {};
    const password = how === "none" ? {} : { password: Redacted.make(how === "right" ? known.passwords[to] : "wrong") };
    const tag = yield* account.change({ ...patch, servers: { imap, smtp }, ...password });
    mail.onSignIn = () => {};
    if (to === "sim") return answers(tag, "ServersFixed", "a change of the deployment's servers");
    if (how === "none" && isMove) {
      answers(tag, "CredentialRequired", "other servers without a password");
      return visit.expect(!isAsked, "a stored secret is sent to servers that did not accept it");
    }
    const secret = how === "none" ? known.stored : how === "right" ? known.passwords[to] : "wrong";
    const isRight = secret === known.passwords[to];
    answers(tag, isRight ? "Answered" : "AccountUnverified", `the change of servers with the ${how} password`);
    if (!isRight) return;
    apply(patch);
    if (isMove) {
      promised.push(["account.servers_changed", { host: imap.host, port: imap.port }]);
      enter(to, smtpAt);
    }
    accepted(secret);
  });
  let removals = 0;
  /** The account moves to other servers while a folder of the former ones is being removed: that of the new ones stays. */
  const removeAndMove = Effect.gen(function* () {
    removals++;
    const [from, to] = [known.place, places.find((place) => place !== known.place)!];
    for (const place of places) {
      // The two folders look alike, so only their servers tell them apart.
      const doomed = mailAt(place)
        .account(account.id)
        .create("Doomed", undefined, DOOMED_UID_VALIDITY + removals);
      doomed.append(textOf(`<doomed-at-${place}>`, account.email), visit.now);
    }
    const folders = <A, E>(use: (all: FolderManagement["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("folders", (services) => use(Context.get(services, FolderManagement)));
    const folder = (yield* folders((all) => all.list(account.id))).find(({ name }) => name === "Doomed");
    if (folder === undefined) return visit.expect(false, "a folder of the present servers is not listed");
    // The server is away from the moment at which the removal is recorded.
    const see = ({ port, method }: { readonly port: string; readonly method: string }) =>
      void (port === "FolderRemovals" && method === "begin" && mailAt(from).conducts.set(account.id, "away"));
    cluster.observers.push(see);
    yield* Effect.ignore(folders((all) => all.remove(account.id, folder.id, { permanent: true, recursive: false })));
    cluster.observers.splice(cluster.observers.indexOf(see), 1);
    const password = Redacted.make(known.passwords[to]);
    answers(yield* account.change({ servers: serversAt(to), password }), "Answered", "a move");
    promised.push(["account.servers_changed", { host: `imap.${to}.test`, port: 993 }]);
    mailAt(from).conducts.delete(account.id);
    enter(to);
    accepted(known.passwords[to]);
    yield* visit.skip(10 * MINUTE);
    const kept = mailAt(to).account(account.id).find("Doomed")?.mailbox?.messages.length;
    visit.same(kept, 1, "the messages of a folder on the new servers, of whose name a folder was being removed before");
    for (const place of places) {
      const mail = mailAt(place).account(account.id);
      if (mail.find("Doomed") !== undefined) mail.delete("Doomed");
    }
  });
  const hold = new HoldPoint(cluster);
  cluster.listeners.push((call) => hold.see(call));
  /** A change is served while the node of another one, of other fields, stands still: both stay. */
  const changeBeside = Effect.gen(function* () {
    const password = known.passwords[known.place];
    const fields = random.some<Patch>(
      [{ name: `Name ${random.between(0, 9)}` }, { tags: random.some(TAGS, 2) }, { paused: !known.isPaused }],
      2,
    ) as [Patch, Patch];
    // A verification takes the longest.
    const patches = random.chance(0.7) ? [{ password: Redacted.make(password) }, fields[0]] : fields;
    const [first, second] = patches as [Patch, Patch];
    let tag = "";
    const call = { about: [account.id], call: random.between(1, 15) };
    yield* serveBeside(
      visit,
      hold,
      call,
      Effect.map(account.change(first), (answer) => (tag = answer)),
      Effect.flatMap(account.change(second), (answer) =>
        answer === "StoreUnavailable" ? Effect.fail(answer) : Effect.succeed(answers(answer, "Answered", "a change")),
      ),
    );
    // The store may end a transaction of a node that stood still.
    if (tag !== "StoreUnavailable") answers(tag, "Answered", "a change beside another one");
    for (const patch of tag === "Answered" ? patches : [second]) {
      apply(patch);
      if (patch.password !== undefined) accepted(password);
    }
  });
  const verify = Effect.gen(function* () {
    const isRight = known.stored === known.passwords[known.place];
    answers(yield* account.verify, "Answered", "a verification");
    if (isRight) return accepted(known.stored);
    if (!known.isRefused) promised.push(["account.auth_failed", null]);
    known.isRefused = true;
  });
  const create = Effect.gen(function* () {
    const place = random.pick(places)!;
    const isNamed = place !== "sim" && (place !== "own" || random.chance(0.5));
    const password = random.chance(0.8) ? known.passwords[place] : "wrong";
    const [name, tags] = [random.chance(0.5) ? "Created" : null, random.some(TAGS, 2)];
    const tag = yield* account.create({ password, ...(name !== null && { name }), tags, ...(isNamed && { place }) });
    const promise = known.exists
      ? "AccountExists"
      : password === known.passwords[place]
        ? "Answered"
        : "AccountUnverified";
    answers(tag, promise, "a creation");
    if (promise !== "Answered") return;
    Object.assign(known, { exists: true, isPaused: false, isRefused: false, createdAt: 0, stored: password });
    apply({ name, tags });
    enter(place);
    promised.push(["account.added", null]);
    if (account.isWatched) yield* account.watch;
  });
  const remove = Effect.gen(function* () {
    yield* visit.ask(`remove ${account.email}`, (services) => Context.get(services, AccountRemoval).remove(account.id));
    known.exists = false;
    endIds();
    // The events of the account are erased as well.
    for (const messageId of known.old.keys()) known.old.set(messageId, 0);
  });

  const isFree = () =>
    places.length > 1 &&
    known.exists &&
    !known.isPaused &&
    !known.isRefused &&
    known.stored === known.passwords[known.place];
  const act = (
    name: string,
    weight: number,
    run: Effect.Effect<unknown, unknown>,
    isPossible = () => known.exists,
  ) => ({
    name: `${name} ${account.email}`,
    weight,
    isPossible,
    run: Effect.andThen(run, account.compare),
  });
  return [
    act("change", 3, changeFields),
    act("change the password of", 2, changePassword),
    act("change two fields at once of", 5, changeBeside),
    act("change the servers of", account.isWatched ? 6 : 3, changeServers),
    act("remove a folder and move", 2, removeAndMove, isFree),
    act("verify", 1, verify),
    act("remove", 1, remove),
    act("create", 1, create),
    act("create again", 15, create, () => !known.exists),
  ];
};
