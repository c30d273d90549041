import { createClient } from "@postern/client";
import { AccountId, StoreUnavailable } from "@postern/core/shared";
import { FollowedMailboxes } from "@postern/core/watch";
import { type Harness, HARNESS_URL, harnessWithStores } from "@postern/harness";
import { type MailServerInMemory, StoresInMemory, UploadContentsInMemory } from "@postern/memory";
import {
  CopyingProgram,
  foreignActs,
  ForeignMail,
  foreignMessage,
  type ForeignServer,
  judgeFollowing,
  type ShownMessage,
  shownOf,
} from "@postern/testkit";
import { Context, Effect, Layer } from "effect";
import { SeededRandom } from "../src/cluster/timeline/SeededRandom.ts";
import { call, signIn } from "./call.ts";
import { ALL_SCOPES, asKey, DEMO, makeKey } from "./key-world.ts";

/** What is planted to prove that the judge finds it. */
export type PlantedFault = "none" | "lost event" | "other id";

type MailAccount = ReturnType<MailServerInMemory["account"]>;

const FOLDERS = "*,junk,trash";
const SPECIAL = ["INBOX", "Sent", "Junk", "Trash"];
const OTHERS = ["A", "B", "C", "D", "E", "F", "G", "H"];

const serverOf = (account: MailAccount, now: () => number): ForeignServer => {
  const box = (path: string) => account.mailbox(path);
  const add = (path: string, uid: number, to: string) => {
    const { raw, arrivedAt, flags } = box(path).find(uid)!;
    return box(to).append(raw, arrivedAt, flags).uid;
  };
  return {
    append: (path, subject) =>
      Effect.sync(() => box(path).append(Buffer.from(foreignMessage(subject, DEMO)), now()).uid),
    flag: (path, uid, flags) => Effect.sync(() => void (box(path).find(uid)!.flags = new Set(flags))),
    move: (path, uid, to) => Effect.sync(() => box(path).move([uid], box(to))[0]!.uid),
    copy: (path, uid, to) => Effect.sync(() => add(path, uid, to)),
    expunge: (path, uid) => Effect.sync(() => box(path).expunge([uid])),
    rename: (path, to) =>
      Effect.sync(() => {
        // Nothing tells a renamed mailbox from a new one while the server refuses both.
        box(path).isClosed = false;
        account.rename(path, to);
      }),
    renumber: (path) =>
      Effect.sync(() =>
        account.recreate(path).messages.map(({ uid, flags, summary: { subject } }) => ({ uid, flags, subject })),
      ),
  };
};

/** Lets promises and requests go on. */
const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)));

/**
 * Plays random acts of two other clients against the service in memory, with cut connections, a service that loses what
 * it has in memory, and a program that keeps a copy; judges what was told once all is at rest.
 */
export const playForeignClients = Effect.fnUntraced(function* (
  seed: number,
  count: number,
  plant: PlantedFault = "none",
) {
  const random = new SeededRandom(seed);
  const context = yield* Layer.build(Layer.merge(StoresInMemory, UploadContentsInMemory));
  const real = Context.get(context, FollowedMailboxes);
  let [breaksIn, isPlaying] = [0, false];
  let actNext: Effect.Effect<void> = Effect.void;
  /** A folder is read while others change; a process may end before or after any write. */
  const hooked = FollowedMailboxes.of({
    ...real,
    find: (account, folderId) =>
      Effect.andThen(isPlaying && random.chance(0.1) ? actNext : Effect.void, real.find(account, folderId)),
    save: (account, folderId, sync) =>
      Effect.andThen(
        real.save(account, folderId, sync),
        Effect.suspend(() =>
          breaksIn > 0 && --breaksIn === 0
            ? Effect.fail(new StoreUnavailable({ detail: "the process ended" }))
            : Effect.void,
        ),
      ),
  });
  const service: Harness = yield* harnessWithStores(
    Layer.succeedContext(Context.add(context, FollowedMailboxes, hooked)),
  );
  const account = service.mail.account(AccountId(DEMO));
  const server = serverOf(account, service.now);
  for (const path of OTHERS) account.create(path);
  for (const { mailbox } of account.list()) mailbox?.expunge(mailbox.messages.map(({ uid }) => uid));
  const mail = new ForeignMail(server, SPECIAL, OTHERS);
  for (let n = 0; n < 30; n++) mail.before.add(yield* mail.append(random.pick(mail.folders)!));

  const { key } = yield* makeKey(service, { scopes: ALL_SCOPES });
  const ask = (method: string, path: string, json?: unknown) =>
    Effect.map(asKey(service, key, method, path, json === undefined ? {} : { json }), ({ status, body }) => {
      if (status >= 400 && status !== 404) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
      return body;
    });
  yield* ask("POST", "/api/accounts", { email: DEMO, password: "demo", follow: "all" });
  const { token } = (yield* signIn(service)).body;
  for (let done = false; !done;) {
    yield* service.pass("1 second");
    const { following } = (yield* call(service, "GET", "/api/account", { token })).body.data;
    done = following !== null && following.folders > 10 && following.done === following.folders;
  }

  const handed = new Map<string, string>();
  const hand = (message: ShownMessage) => {
    handed.set(message.id, message.subject);
    return shownOf(message);
  };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    for (;;) {
      const answer = await Effect.runPromise(service.request(new Request(input, init)));
      init?.signal?.throwIfAborted();
      if (answer.status < 500) return answer;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const client = createClient({ baseUrl: HARNESS_URL.origin, key, fetch });
  const programOf = () => new CopyingProgram((options) => client.sync(DEMO, options), hand);
  const list = Effect.gen(function* () {
    const found: Array<ShownMessage> = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const part: any = yield* ask("GET", `/api/messages?folders=${FOLDERS}${cursor && `&cursor=${cursor}`}`);
      found.push(...part.data.map(hand));
      cursor = part.nextCursor;
    }
    return found;
  });
  yield* list;
  const program = programOf();
  program.start();
  const events: Array<{ readonly event: string; readonly data: any }> = [];
  let { next } = yield* ask("GET", `/api/changes?folders=${FOLDERS}`);
  const hear = Effect.gen(function* () {
    for (let more = true; more;) {
      const part = yield* ask("GET", `/api/changes?folders=${FOLDERS}&limit=100&after=${next}`);
      events.push(...part.data);
      ({ next, more } = part);
    }
  });

  const acts = foreignActs(seed, count);
  let done = 0;
  actNext = Effect.suspend(() => (done < acts.length ? mail.act(acts[done++]!) : Effect.void));
  isPlaying = true;
  while (done < acts.length) {
    yield* actNext;
    if (random.chance(0.03)) account.mailbox("INBOX").hangUp();
    for (const { path } of mail.folders) {
      account.mailbox(path).isClosed = !path.startsWith("Renamed") && random.chance(0.004);
    }
    if (random.chance(0.02)) breaksIn = random.between(1, 6);
    if (random.chance(0.03)) program.killSoon(random.between(1, 8));
    if (random.chance(0.01)) program.stop();
    if (random.chance(0.5)) {
      yield* service.pass(`${random.between(1, 9)} seconds`);
      yield* turn;
    }
  }
  isPlaying = false;
  for (const { path } of mail.folders) account.mailbox(path).isClosed = false;
  // Without CONDSTORE, flags are read in a folder in which another change was seen.
  for (const folder of mail.folders) yield* mail.append(folder);
  program.stop();
  program.start();
  yield* service.pass("4 minutes");
  for (let quiet = 0; quiet < 3; quiet++) {
    const before = events.length;
    yield* hear;
    if (events.length > before) quiet = 0;
    yield* service.pass("30 seconds");
    yield* turn;
  }
  // The copy that begins at a position of another database compares everything.
  const late = programOf();
  late.rows.set("AAAAAAAAAAAAAAAAAAAAAA", { ...[...program.rows.values()][0]!, id: "AAAAAAAAAAAAAAAAAAAAAA" });
  late.position = "another-database.1";
  late.start();
  for (let turns = 0; turns < 400 && late.position !== next; turns++) {
    yield* turn;
    if (turns % 20 === 19) yield* service.pass("1 second");
  }
  for (let turns = 0; turns < 100 && program.position !== next; turns++) {
    yield* service.pass("1 second");
    yield* turn;
  }
  for (const one of [program, late]) one.stop();
  if (program.faults.length + late.faults.length > 0) throw program.faults[0] ?? late.faults[0];

  const listing = yield* list;
  for (const { data } of events) if (typeof data.subject === "string") handed.set(data.id, data.subject);
  if (plant === "lost event")
    events.splice(
      events.findLastIndex(({ event }) => event === "email.received"),
      1,
    );
  if (plant === "other id") handed.set(listing[0]!.id, listing[1]!.subject);
  const opened = new Map<string, ShownMessage | null>();
  for (const id of handed.keys()) {
    const { ok, data } = yield* ask("GET", `/api/messages/${id}`);
    opened.set(id, ok === true ? data : null);
  }
  const { folders } = yield* ask("GET", "/api/folders");
  const folderIds = new Map<string, string>(folders.map(({ path, id }: { path: string; id: string }) => [path, id]));
  const views = {
    "the listing": listing,
    "the copy": [...program.rows.values()],
    "the late copy": [...late.rows.values()],
  };
  return judgeFollowing({ mail, folderIds, events, views, handed, opened });
}, Effect.scoped);
