import { type AskingAssistant, AssistantClients, AssistantSignIn } from "@postern/core/assistants";
import { Context, Effect, type Result } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { askAsOperator } from "../operator-audit.ts";
import { DAY } from "../../durations.ts";

/** A client that the service stores, as the operator knows it. */
interface WalkedClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: ReadonlyArray<string>;
  readonly source: "operator" | "registered";
  readonly createdAt: number;
  isGone: boolean;
}

/** The redirect URIs of clients, of which some belong to programs on the person's own machine. */
const URIS = [
  "https://one.sim.test/done",
  "https://one.sim.test/done?of=two",
  "https://two.sim.test:8443/",
  "http://127.0.0.1:80/",
  "http://127.0.0.1/done",
  "http://localhost:4000/done",
  "http://[::1]:4000/",
];
const PORT = /:\d+(?=\/)/;
/** How long a client that registered itself is kept. */
const REGISTERED = 30 * DAY;

/** Returns the clients of the service, with a model of what is promised about them. */
export const walkedClients = (visit: Visit, cluster: Cluster) => {
  const { random } = cluster;
  const all: Array<WalkedClient> = [];
  const use = <A, E>(ask: (clients: AssistantClients["Service"]) => Effect.Effect<A, E>) =>
    askAsOperator(visit, "clients", (services) => ask(Context.get(services, AssistantClients)));
  const endsAt = ({ source, createdAt }: WalkedClient) => (source === "registered" ? createdAt + REGISTERED : Infinity);
  return {
    all,
    use,
    endsAt,
    /** The clients that are neither deleted nor old. */
    live: () => all.filter((one) => !one.isGone && visit.now < endsAt(one)),
    drawUris: () => random.some(URIS, random.between(1, 4)),
    deadlines: () => all.flatMap((one) => (one.isGone || endsAt(one) === Infinity ? [] : [endsAt(one)])),
    /** Returns a URI that is one of a client, or looks like it. */
    drawUri: ({ redirectUris }: WalkedClient): string => {
      const uri = random.pick(redirectUris)!;
      const other = uri.replace(PORT, "").replace(/^(\w+:..[^/]+)/, "$1:5123");
      return uri.startsWith("http:")
        ? random.pick([
            other,
            other,
            `${other}x`,
            other.replace("localhost", "127.0.0.1").replace("[::1]", "localhost"),
            other.replace(/[^/]*$/, "other"),
            uri.replace("http:", "https:"),
            uri.toUpperCase(),
          ])
        : random.pick([
            uri,
            uri,
            other,
            `${uri}x`,
            uri.replace("https:", "http:"),
            uri.replace("//", "//x."),
            uri.toUpperCase(),
          ]);
    },
    /** Returns whether a URI is one of a client; on the person's own machine, with any port. */
    isOwn: ({ redirectUris }: WalkedClient, uri: string): boolean =>
      redirectUris.includes(uri) ||
      (uri.startsWith("http:") && redirectUris.some((one) => one.replace(PORT, "") === uri.replace(PORT, ""))),
    /** Returns who asks with these parameters, or the tag and reason of the refusal. */
    asker: (
      parameters: Readonly<Record<string, string>>,
    ): Effect.Effect<Result.Result<AskingAssistant, { readonly _tag: string }>> =>
      Effect.result(visit.ask("ask", (services) => Context.get(services, AssistantSignIn).askerOf(parameters))),
  };
};
export type WalkedClients = ReturnType<typeof walkedClients>;
