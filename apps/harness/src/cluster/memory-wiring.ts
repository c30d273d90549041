import { MailTransport } from "@postern/core/send";
import type { RetryLadder } from "@postern/core/shared";
import { WebhookSender } from "@postern/core/webhooks";
import {
  MailInMemory,
  type MailProviderInMemory,
  mailProvidersInMemory,
  MailWorld,
  SentFolderInMemory,
  StoresInMemory,
  UploadContentsInMemory,
} from "@postern/memory";
import { Layer, Scope } from "effect";
import type { Cluster } from "./Cluster.ts";
import { Incarnation } from "./Incarnation.ts";
import { processFakes } from "./process-fakes.ts";
import { SeededRandom } from "./SeededRandom.ts";
import type { Wiring } from "./Wiring.ts";

/** The provider of the simulated accounts. */
const PROVIDER: MailProviderInMemory = {
  domain: "sim.test",
  imap: { host: "imap.sim.test", port: 993, tls: "implicit" },
  smtp: { host: "smtp.sim.test", port: 465, tls: "implicit" },
  signIn: [{ kind: "password" }],
  ownersPassword: null,
};

/** Returns the wiring of a cluster over the stores in memory. */
export const memoryWiring =
  (options: { readonly seed: number; readonly ladder: RetryLadder }) =>
  (cluster: Cluster): Wiring => {
    const random = new SeededRandom(options.seed ^ 0x5bd1_e995);
    const build = <A>(layer: Layer.Layer<A>) =>
      Layer.buildWithMemoMap(layer, Layer.makeMemoMapUnsafe(), Scope.makeUnsafe());
    const shared = cluster.runNow(build(Layer.merge(StoresInMemory, UploadContentsInMemory)));
    const stores = Layer.succeedContext(shared);
    const adapters: Wiring["adapters"] = (node, ports) =>
      Layer.mergeAll(
        mailProvidersInMemory([PROVIDER]),
        MailInMemory,
        SentFolderInMemory,
        processFakes(random, options.ladder),
        Layer.succeed(MailTransport, cluster.smtp.transport(node, ports)),
        Layer.succeed(WebhookSender, cluster.receivers.sender(node)),
      ).pipe(Layer.provide(Layer.succeed(MailWorld, cluster.mail)));
    const outside = new Incarnation("outside", cluster.timeline, { offset: 0, drift: 1 });
    return {
      stores: () => stores,
      adapters,
      outside: cluster.runNow(build(Layer.provideMerge(adapters(outside, shared), stores))),
    };
  };
