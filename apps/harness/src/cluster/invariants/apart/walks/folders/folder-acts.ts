import { FolderManagement, Folders } from "@postern/core/folders";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { textOf } from "../../../../world/accounts.ts";
import { DAY, MINUTE, SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import type { FolderModel, FolderNode } from "./FolderModel.ts";
import { mailDuringRemoval } from "./mail-during-removal.ts";

type Management = FolderManagement["Service"];
interface Keyed {
  readonly key: string;
  readonly name: string;
  readonly parentId: string | null;
  readonly node: FolderNode;
  readonly at: number;
}

const NAMES = ["Work", "work", "Trips", "Été", "Workshop", "Deep"];
const WRONG_NAMES = ["", " edge", "edge ", "a/b", "star*", "up..", "bell\u0007", "x".repeat(256), "Trash", "inbox"];

/** Requests about folders: each is compared with the model, whether it is possible or not. */
export const folderActs = (
  visit: Visit,
  cluster: Cluster,
  account: AccountId,
  model: FolderModel,
): ReadonlyArray<Act> => {
  const { random } = cluster;
  const keyed: Array<Keyed> = [];
  const ask = <A, E>(name: string, use: (all: Management) => Effect.Effect<A, E>) =>
    Effect.result(visit.ask(name, (services) => use(Context.get(services, FolderManagement))));
  const list = visit.ask("folders", (services) => Context.get(services, Folders).list(account));
  /** Lists all folders, and compares them with the model. */
  const compare = Effect.gen(function* () {
    const managed = yield* visit.ask("list", (services) => Context.get(services, FolderManagement).list(account));
    const all = yield* list;
    const pathOf = (id: string) => all.find((folder) => folder.id === id)?.path ?? "";
    model.learn(managed.map(({ id, createdAt }) => ({ id, createdAt, path: pathOf(id) })));
    const line = (path: string, parts: ReadonlyArray<unknown>) => `${path} ${JSON.stringify(parts)}`;
    visit.same(
      managed
        .map((one) => line(pathOf(one.id), [one.id, one.name, one.parentId, one.messageCount, one.createdAt]))
        .toSorted(),
      model.nodes
        .map((node) => {
          const path = model.pathOf(node);
          const count = model.mail.mailbox(path).messages.length;
          return line(path, [node.id, node.name, node.parent?.id ?? null, count, node.createdAt]);
        })
        .toSorted(),
      "the folders of the account",
    );
    visit.expect(new Set(all.map(({ id }) => id)).size === all.length, "two folders have one id");
    visit.expect(!all.some(({ id }) => model.gone.includes(id)), "a folder has the id of an earlier one");
    for (const { path, totalCount, unreadCount, selectable } of all) {
      const mailbox = model.mail.mailbox(path);
      visit.same(
        [totalCount, unreadCount, selectable],
        [mailbox.messages.length, mailbox.unread, true],
        `the counts of ${path}`,
      );
    }
  });
  const pick = () => random.pick(model.nodes.filter(({ id }) => id !== null));
  const pickParent = () =>
    random.chance(0.45) ? null : random.chance(0.1) ? random.pick(["f_unknown", ...model.gone])! : (pick()?.id ?? null);
  const pickName = () => (random.chance(0.25) ? random.pick(WRONG_NAMES)! : random.pick(NAMES)!);
  const nodeOf = (id: string | null) => model.nodes.find((node) => node.id !== null && node.id === id) ?? null;
  const isRefused = (faults: ReadonlyArray<string>, tag: string | undefined, of: string) => {
    const isRight = tag === undefined ? faults.length === 0 : faults.includes(tag);
    visit.expect(isRight, `${of} is ${tag ?? "answered"}, not ${faults.join(" or ") || "answered"}`);
    return tag !== undefined;
  };

  const create = Effect.gen(function* () {
    yield* compare;
    const [name, parentId] = [pickName(), pickParent()];
    const key = random.chance(0.6) ? `key-${keyed.length}` : undefined;
    const faults = model.faultsOf(name, parentId);
    const done = yield* ask("create", (all) =>
      all.create(account, { name, parentId }, key === undefined ? undefined : { caller: account, key, account }),
    );
    const of = `a creation of ${JSON.stringify(name.slice(0, 20))} in ${parentId}`;
    if (isRefused(faults, done._tag === "Failure" ? done.failure._tag : undefined, of) || done._tag === "Failure")
      return;
    const node = model.add(name, nodeOf(parentId));
    const { id, createdAt, messageCount } = done.success;
    visit.same([done.success.name, done.success.parentId, messageCount], [name, parentId, 0], `the answer to ${of}`);
    visit.expect(Math.abs(createdAt - visit.now) < 5 * SECOND, `${of} has another time`);
    model.learn([{ id, path: model.pathOf(node), createdAt }]);
    if (key !== undefined) keyed.push({ key, name, parentId, node, at: visit.now });
  });
  const repeat = Effect.gen(function* () {
    yield* compare;
    const { key, name, parentId, node, at } = random.pick(keyed)!;
    const isSame = random.chance(0.7);
    const request = isSame ? { name, parentId } : { name: `${name} 2`, parentId };
    if (visit.now > at + DAY - MINUTE) return;
    const done = yield* ask("repeat", (all) => all.create(account, request, { caller: account, key, account }));
    const found =
      done._tag === "Success" ? [done.success.id, done.success.name, done.success.parentId] : done.failure._tag;
    const isThere = model.nodes.includes(node);
    const promised = !isSame
      ? "IdempotencyKeyReused"
      : isThere
        ? [node.id, node.name, node.parent?.id ?? null]
        : "CreatedThenDeleted";
    visit.same(found, promised, "the answer to a repeated creation");
  });
  const change = Effect.gen(function* () {
    yield* compare;
    const node = pick()!;
    const name = random.chance(0.7) ? pickName() : undefined;
    const parentId = random.chance(0.5) ? pickParent() : undefined;
    const id = random.chance(0.9) ? node.id! : random.pick(["trash", "f_unknown", ...model.gone])!;
    const faults =
      name === undefined && parentId === undefined
        ? ["InputInvalid"]
        : id === "trash"
          ? ["FolderIsSystem"]
          : id !== node.id
            ? ["FolderNotFound"]
            : model.faultsOf(name ?? node.name, parentId === undefined ? (node.parent?.id ?? null) : parentId, node);
    const isWanted = random.chance(0.9);
    const done = yield* ask("change", (all) => all.change(account, id, { name, parentId }, () => isWanted));
    const of = `a change of ${model.pathOf(node)} to ${JSON.stringify([name, parentId])}`;
    const wanted = isWanted ? faults : faults.length > 0 ? [...faults, "FolderChanged"] : ["FolderChanged"];
    if (isRefused(wanted, done._tag === "Failure" ? done.failure._tag : undefined, of) || done._tag === "Failure")
      return;
    node.name = name ?? node.name;
    if (parentId !== undefined) node.parent = nodeOf(parentId);
    const { messages } = model.mail.mailbox(model.pathOf(node));
    visit.same(
      [done.success.id, done.success.name, done.success.parentId, done.success.createdAt, done.success.messageCount],
      [node.id, node.name, node.parent?.id ?? null, node.createdAt, messages.length],
      `the answer to ${of}`,
    );
  });
  let removals = 0;
  const remove = Effect.gen(function* () {
    yield* compare;
    const node = pick()!;
    const id = random.chance(0.9) ? node.id! : random.pick(["inbox", "f_unknown", ...model.gone])!;
    const [permanent, recursive] = [random.chance(0.3), random.chance(0.6)];
    const moveTo = random.chance(0.5)
      ? random.pick([pick()!.id!, "inbox", "f_unknown", ...model.below(node).map((one) => one.id!)])
      : undefined;
    const to = moveTo === undefined ? undefined : nodeOf(moveTo);
    const faults: Array<string> = [];
    if (id === "inbox") faults.push("FolderIsSystem");
    else if (id !== node.id) faults.push("FolderNotFound");
    else {
      if (!recursive && model.below(node).length > 1) faults.push("FolderHasChildren");
      if (permanent && moveTo !== undefined) faults.push("DestinationInvalid");
      if (moveTo === "f_unknown") faults.push("FolderNotFound");
      if (to && model.isWithin(to, node)) faults.push("DestinationInvalid");
    }
    const paths = model.below(node).map((one) => model.pathOf(one));
    const going = paths.flatMap((path) =>
      model.mail.mailbox(path).messages.map(({ summary }) => summary.messageId ?? ""),
    );
    const destination = moveTo === "inbox" ? "INBOX" : to ? model.pathOf(to) : "Trash";
    const stored = (path: string) => model.mail.mailbox(path).messages.map(({ summary }) => summary.messageId ?? "");
    const before = moveTo === "f_unknown" ? [] : stored(destination);
    const late = permanent ? undefined : mailDuringRemoval(cluster, account, `late-${++removals}`);
    const done = yield* ask("remove", (all) =>
      all.remove(account, id, { permanent, recursive, ...(moveTo !== undefined && { moveTo }) }),
    );
    late?.end();
    going.push(...(late?.arrived ?? []));
    const of = `a removal of ${model.pathOf(node)} to ${moveTo}`;
    if (isRefused(faults, done._tag === "Failure" ? done.failure._tag : undefined, of) || done._tag === "Failure")
      return;
    const { movedTo, movedCount } = done.success;
    const promised = permanent ? null : (moveTo ?? "trash");
    visit.same(
      [done.success.id, movedTo, permanent || movedCount === going.length],
      [id, promised, true],
      `the answer to ${of}`,
    );
    const arrived = stored(destination).slice(before.length);
    if (!permanent) visit.same(arrived.toSorted(), going.toSorted(), `the messages after ${of}`);
    model.remove(node);
    visit.same(
      model.mail.list().filter(({ path }) => paths.includes(path) || path.includes("postern-")).length,
      0,
      `the folders that are left after ${of}`,
    );
  });
  const isPossible = () => model.nodes.some(({ id }) => id !== null);
  let arrivals = 0;
  return [
    { name: "list folders", run: compare },
    { name: "create a folder", weight: 4, isPossible: () => model.nodes.length < 18, run: create },
    { name: "repeat a creation", weight: 3, isPossible: () => keyed.length > 0, run: repeat },
    { name: "change a folder", weight: 4, isPossible, run: change },
    { name: "remove a folder", weight: 2, isPossible, run: remove },
    {
      name: "a message arrives",
      weight: 2,
      isPossible,
      run: Effect.sync(() => {
        const messageId = `<stored-${++arrivals}@far.test>`;
        const flags = random.chance(0.5) ? [] : ["\\Seen"];
        model.mail
          .mailbox(model.pathOf(random.pick(model.nodes)!))
          .append(textOf(messageId, account), visit.now, flags);
      }),
    },
  ];
};
