import { MailServersOfAccounts } from "@postern/core/accounts";
import type { MailboxChanges } from "@postern/core/folders";
import type { MessageChanges } from "@postern/core/messages";
import type { InboxWatch } from "@postern/core/watch";
import { KnownFloods, ServerFloods } from "@postern/core/mail";
import { AuthorizationServer, MailCredentials } from "@postern/core/oauth";
import { MailTransport } from "@postern/core/send";
import { WebhookSender } from "@postern/core/webhooks";
import {
  type CommitOutcome,
  MailInMemory,
  type MailProviderInMemory,
  mailProvidersInMemory,
  MailWorld,
  presentedCredential,
  DraftsFolderInMemory,
  Memory,
  SentFolderInMemory,
  SimulatedStore,
  StoresOverMemory,
  UploadContentsInMemory,
} from "@postern/memory";
import { Context, Effect, Layer, Scope } from "effect";
import type { Cluster } from "./Cluster.ts";
import { announcedChanges } from "./servers/announced-changes.ts";
import { copyingMoves } from "./servers/copying-moves.ts";
import type { FaultInjection } from "./faults/FaultInjection.ts";
import { Incarnation } from "./timeline/Incarnation.ts";
import type { Plant, PlantMemory } from "./plants/Plant.ts";
import { processFakes, realCrypto } from "./nodes/process-fakes.ts";
import { unreadableSecrets } from "./nodes/unreadable-secrets.ts";
import { quickResync } from "./servers/quick-resync.ts";
import { SeededRandom } from "./timeline/SeededRandom.ts";
import { hasMove } from "./servers/server-traits.ts";
import { timedSentFolder } from "./servers/timed-sent-folder.ts";
import type { OwnStores, Wiring } from "./nodes/Wiring.ts";

const providerOf = (domain: string, name: string): MailProviderInMemory => ({
  domain,
  imap: { host: `imap.${name}.test`, port: 993, tls: "implicit" },
  smtp: { host: `smtp.${name}.test`, port: 465, tls: "implicit" },
  signIn: [{ kind: "password" }],
  ownersPassword: null,
});
/** The deployment's provider, and two providers of accounts on servers of their own, which are discovered at the first one. */
const PROVIDERS = [
  { ...providerOf("sim.test", "sim"), alsoServes: ["own.test"] },
  providerOf("own.test", "own"),
  providerOf("own.test", "new"),
];

/** The maximum wait of a statement for locks, and of a transaction for statements, in milliseconds. */
const LOCK_MILLIS = 5_000;
const IDLE_MILLIS = 10_000;
/**
 * The interval at which nodes check for due rows, in milliseconds: three times that of PostgreSQL, because these checks
 * cost the most.
 */
const POLL_MILLIS = 15_000;

/**
 * Returns the wiring of a cluster over a store in memory that treats transactions like PostgreSQL. `any`: accounts may
 * have servers of their own.
 */
export const memoryWiring =
  (seed: number, plant: Plant | undefined, ownStores: OwnStores | undefined, mode: "fixed" | "any" = "fixed") =>
  (cluster: Cluster): Wiring => {
    const random = new SeededRandom(seed ^ 0x5bd1_e995);
    const outside = new Incarnation("outside", cluster.timeline, { offset: 0, drift: 1 });
    const store = new SimulatedStore({
      clock: outside.clock,
      commit: () => (cluster.servers.isStoreAway ? "refused" : commitOutcome(cluster.faults, random)),
      wakeMillis: () => (cluster.faults.isOn ? random.between(0, 50) : 0),
      lockMillis: LOCK_MILLIS,
      idleMillis: IDLE_MILLIS,
      pollMillis: POLL_MILLIS,
    });
    const memory: PlantMemory = new Map();
    const build = <A>(layer: Layer.Layer<A>) =>
      Layer.buildWithMemoMap(layer, Layer.makeMemoMapUnsafe(), Scope.makeUnsafe());
    const contents = Layer.succeedContext(cluster.runNow(build(UploadContentsInMemory)));
    const crypto = Layer.succeedContext(cluster.runNow(build(realCrypto)));
    const own = ownStores?.();
    const foundations: Wiring["foundations"] = (node) => {
      const inMemory = Layer.merge(contents, Layer.provideMerge(StoresOverMemory, Memory.clientOf(store, node.name)));
      const stores = own === undefined ? inMemory : Layer.provideMerge(own(node.name), inMemory);
      const unreadable = unreadableSecrets(cluster.unreadable);
      return Layer.merge(
        Layer.provideMerge(unreadable, stores),
        Layer.succeed(AuthorizationServer, cluster.providers.serverOf(node)),
      );
    };
    const mailOf = (node: Incarnation) =>
      Effect.context<InboxWatch | MailboxChanges | MessageChanges>().pipe(
        Effect.map((ports) => {
          const moves = copyingMoves(node, ports, {
            mail: cluster.mail,
            random,
            hasMove,
            isFaulty: () => cluster.faults.isOn,
            copied: (...call) => cluster.onMoveCopied(...call),
          });
          const watch = quickResync(ports, cluster.mail, (...read) => cluster.servers.onArrivalsRead(...read));
          const announced = announcedChanges(watch, cluster.mail, (account) =>
            cluster.servers.overflows.delete(account),
          );
          return Context.merge(moves, announced);
        }),
        Layer.effectContext,
        Layer.provideMerge(MailInMemory),
      );
    const servers = mode === "any" ? MailServersOfAccounts : Layer.empty;
    const timedSent = (node: Incarnation) => timedSentFolder(node, cluster, random, SentFolderInMemory);
    const adapters: Wiring["adapters"] = (node) =>
      Layer.mergeAll(
        mailProvidersInMemory(PROVIDERS),
        mailOf(node),
        timedSent(node),
        DraftsFolderInMemory,
        Layer.effect(
          MailTransport,
          Effect.zipWith(MailCredentials, presentedCredential, (credentials, present) =>
            cluster.smtp.transport(node, credentials, present, cluster.noticesFrom !== null),
          ),
        ),
        Layer.succeed(WebhookSender, cluster.receivers.sender(node)),
      ).pipe(
        Layer.provide(servers),
        Layer.provideMerge(processFakes(random, cluster.ladder, crypto, mode, cluster)),
        Layer.provide(Layer.succeed(KnownFloods, new ServerFloods())),
        Layer.provide(Layer.succeed(MailWorld, cluster.mail)),
      );
    return {
      foundations,
      adapters,
      restartStore: () => store.restart(),
      rows: () => store.rows,
      planted: (ports, where) =>
        plant !== undefined && (plant.isInNode === true) === (where === "node") ? plant.into(ports, memory) : ports,
      outside: cluster.runNow(build(Layer.provideMerge(adapters(outside), foundations(outside)))),
    };
  };

/**
 * Draws how a commit ends: committed, in conflict with another transaction, or refused. Lost answers are simulated by
 * the port.
 */
const commitOutcome = (faults: FaultInjection, random: SeededRandom): CommitOutcome => {
  if (!faults.isOn || !random.chance(faults.rates.conflict)) return "committed";
  faults.hit("conflict");
  return random.pick(["conflict", "conflict", "refused"]);
};
