import { assert, it } from "@effect/vitest";
import { EventPublisher, type MailEvent } from "@postern/core/events";
import { FolderManagement, FolderRemover, FolderRemovals, Folders, MailboxTree } from "@postern/core/folders";
import { layer as imap } from "@postern/imap";
import {
  describeWithDovecot,
  Dovecot,
  dovecotControl,
  MailServerControl,
  noCreationKeys,
  servicesWithoutStore,
  plainMessage,
  type RefusingProxy,
  refusingProxy,
  signedInAccount,
  mailServersAt,
} from "@postern/testkit";
import { Clock, Context, Effect, Layer, Option } from "effect";
import { plainIds, randomEntropy, recordsInMemory, removalsInMemory, vaultInMemory } from "./doubles.ts";

class Proxy extends Context.Service<Proxy, RefusingProxy>()("Proxy") {}
class Published extends Context.Service<Published, Array<MailEvent>>()("Published") {}

const proxied = Layer.effect(
  Proxy,
  Effect.flatMap(Dovecot, ({ port }) => refusingProxy(port)),
);
const events = Layer.effectContext(
  Effect.sync(() => {
    const published: Array<MailEvent> = [];
    return Context.make(Published, published).pipe(
      Context.add(EventPublisher, {
        publish: (some) =>
          Effect.sync(() => {
            published.push(...some);
            return [];
          }),
        publishNow: () => Effect.void,
      }),
    );
  }),
);
const ports = Layer.unwrap(
  Effect.map(Proxy, ({ port }) => Layer.provide(imap(), mailServersAt({ host: "127.0.0.1", port }))),
).pipe(Layer.provideMerge(proxied), Layer.provideMerge(vaultInMemory));
const world = FolderManagement.layer.pipe(
  Layer.provideMerge(FolderRemover.layer),
  Layer.provideMerge(Folders.layer),
  Layer.provideMerge(events),
  Layer.provide([servicesWithoutStore, noCreationKeys]),
  Layer.provideMerge(Layer.mergeAll(ports, plainIds, recordsInMemory, removalsInMemory, randomEntropy)),
  Layer.provideMerge(dovecotControl),
  Layer.provideMerge(Dovecot.layer()),
);

const start = Effect.gen(function* () {
  const { account } = yield* signedInAccount;
  const control = yield* MailServerControl;
  const folders = yield* FolderManagement;
  const { id } = yield* folders.create(account, { name: "Stay", parentId: null });
  for (const name of ["one", "two"]) yield* control.append(account, "Stay", plainMessage(name));
  const listed = Effect.flatMap(MailboxTree, (tree) => tree.list(account));
  return {
    account,
    control,
    folders,
    id,
    proxy: yield* Proxy,
    worker: (yield* FolderRemover).worker,
    journal: yield* FolderRemovals,
    published: yield* Published,
    inIt: Effect.map(listed, (all) => all.find(({ path }) => path === "Stay")?.status?.total),
    hidden: Effect.map(listed, (all) => all.filter(({ path }) => path.startsWith("postern-removal-")).length),
  };
});

const LATER = { token: "a day later", until: 0 };
const DESTROY = { permanent: true, recursive: false };
const bodyOf = ({ body }: MailEvent) => JSON.parse(new TextDecoder().decode(body)) as unknown;

describeWithDovecot("a folder deletion that Dovecot refuses", () => {
  it.live("ends with the error only, without event and row, if nothing was hidden [S4.6-9]", () =>
    Effect.gen(function* () {
      const { account, folders, id, proxy, worker, journal, published, inIt } = yield* start;
      published.length = 0;
      proxy.refuse(/^RENAME$/i);
      yield* Effect.flip(folders.remove(account, id, DESTROY));
      assert.deepStrictEqual(yield* journal.find(account, id), Option.none());
      proxy.refuse(undefined);
      assert.strictEqual(yield* worker.runDue, 0);
      assert.deepStrictEqual([yield* inIt, published], [2, []]);
      yield* folders.remove(account, id, DESTROY);
      assert.isUndefined(yield* inIt);
    }).pipe(Effect.provide(world)),
  );

  it.live(
    "is retried with pauses if the folder was hidden, and undone after a day with an event [S4.6-10] [S4.6-11]",
    () =>
      Effect.gen(function* () {
        const { account, folders, id, proxy, worker, journal, published, inIt, hidden } = yield* start;
        proxy.refuse(/^DELETE$/i);
        const now = yield* Clock.currentTimeMillis;
        yield* Effect.flip(folders.remove(account, id, DESTROY));
        const refused = Option.getOrThrow(yield* journal.find(account, id));
        assert.deepInclude(refused, { phase: "emptying", failures: 1 });
        assert.isAtLeast(refused.dueAt, now + 10_000);
        const asked = proxy.refused.length;
        assert.strictEqual(yield* worker.runDue, 0);
        assert.deepStrictEqual(yield* worker.nextDue, Option.some(refused.dueAt));
        assert.strictEqual(proxy.refused.length, asked, "no command is sent before the retry is due");
        assert.deepStrictEqual([yield* inIt, yield* hidden], [undefined, 1]);

        const day = 24 * 3_600_000;
        yield* journal.claimOne(refused.id, now, LATER);
        yield* journal.save({ ...refused, begunAt: now - day, dueAt: now }, LATER.token);
        yield* journal.release([refused.id], LATER.token);
        published.length = 0;
        assert.isAbove(yield* worker.runDue, 0);
        assert.deepStrictEqual(yield* worker.nextDue, Option.none());
        assert.deepStrictEqual([yield* inIt, yield* hidden], [2, 0]);
        const told = published.filter(({ type }) => type === "folder.delete_failed").map(bodyOf);
        assert.lengthOf(told, 1);
        assert.deepInclude(told[0], { event: "folder.delete_failed" });
        assert.nestedPropertyVal(told[0], "data.id", id);
        assert.nestedPropertyVal(told[0], "data.path", "Stay");
        assert.match((told[0] as { data: { reason: string } }).data.reason, /NOPERM: not allowed/);
        const back = (yield* folders.list(account)).find((folder) => folder.id === id);
        assert.deepInclude(back, { name: "Stay", messageCount: 2 });
      }).pipe(Effect.provide(world)),
  );

  it.live("restores the folder under another name if its own is taken", () =>
    Effect.gen(function* () {
      const { account, control, folders, id, proxy, worker, journal, inIt } = yield* start;
      proxy.refuse(/^DELETE$/i);
      yield* Effect.flip(folders.remove(account, id, DESTROY));
      yield* control.createMailbox(account, "Stay");
      const refused = Option.getOrThrow(yield* journal.find(account, id));
      yield* journal.claimOne(refused.id, 0, LATER);
      yield* journal.save({ ...refused, begunAt: 0, dueAt: 0 }, LATER.token);
      yield* journal.release([refused.id], LATER.token);
      yield* worker.runDue;
      assert.strictEqual(yield* inIt, 0);
      const back = (yield* folders.list(account)).find((folder) => folder.id === id);
      assert.deepInclude(back, { name: "Stay (2)", messageCount: 2 });
    }).pipe(Effect.provide(world)),
  );
});
