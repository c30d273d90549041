import { Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { MINUTE, SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import type { WalkedClients } from "./walked-clients.ts";

const URL_OF_DOCUMENT = "https://published.sim.test/clients/one";
/** How long a document that was read is used, and a failure. */
const KEPT = 15 * MINUTE;
const FAILED = 30 * SECOND;
/** The error of a clock. */
const MARGIN = 2 * SECOND;

/** A document from one moment on; `answer` is the client's name and host, or the reason of the refusal. */
interface Published {
  readonly at: number;
  readonly uri: string;
  readonly answer: string;
}

/** A client publishes a document about itself, which changes and fails. */
export const documentActs = (visit: Visit, cluster: Cluster, { asker }: WalkedClients): ReadonlyArray<Act> => {
  const { documents, random } = cluster;
  const missing = { uri: "https://published.sim.test/done0", answer: "document_unread" };
  const past: Array<Published> = [{ at: -Infinity, ...missing }];
  let count = 0;

  const publish = Effect.sync(() => {
    const [name, uri] = [`Published ${++count}`, `https://published.sim.test/done${random.between(0, 2)}`];
    const document = { client_id: URL_OF_DOCUMENT, client_name: name, redirect_uris: [uri, "program:done"] };
    const [text, answer] = random.pick<readonly [object | string | null, string]>([
      [document, `${name} published.sim.test`],
      [document, `${name} published.sim.test`],
      [{ client_id: URL_OF_DOCUMENT, redirect_uris: [uri] }, "published.sim.test published.sim.test"],
      [{ ...document, client_id: `${URL_OF_DOCUMENT}/other` }, "document_wrong"],
      [{ ...document, token_endpoint_auth_method: "client_secret_basic" }, "document_wrong"],
      [{ ...document, grant_types: ["implicit"] }, "document_wrong"],
      [{ ...document, redirect_uris: ["program:done"] }, "document_wrong"],
      ["no JSON", "document_wrong"],
      [null, "document_unread"],
    ]);
    if (text === null) documents.delete(URL_OF_DOCUMENT);
    else documents.set(URL_OF_DOCUMENT, typeof text === "string" ? text : JSON.stringify(text));
    past.push({ at: visit.now, uri, answer });
  });
  const ask = (uri: string) =>
    Effect.map(asker({ client_id: URL_OF_DOCUMENT, redirect_uri: uri }), (answer) =>
      answer._tag === "Success"
        ? `${answer.success.client.name} ${answer.success.host}`
        : "reason" in answer.failure
          ? String(answer.failure.reason)
          : answer.failure._tag,
    );
  /** The answer is that of a document that was published lately. */
  const read = Effect.gen(function* () {
    const uri = random.pick(past.slice(-3))!.uri;
    const found = yield* ask(uri);
    const isRecent = (n: number, { answer }: Published) => {
      const until = past[n + 1]?.at ?? Infinity;
      return until > visit.now - (answer.startsWith("document_") ? FAILED : KEPT) - MARGIN;
    };
    const promised = past.flatMap((one, n) =>
      !isRecent(n, one)
        ? []
        : [one.answer.startsWith("document_") || one.uri === uri ? one.answer : "redirect_uri_foreign"],
    );
    visit.expect(promised.includes(found), `a client with a document is ${found}, not one of ${promised.join()}`);
  });
  /** Each node reads a document once, however often its client asks. */
  const readOnce = Effect.gen(function* () {
    let reads = 0;
    const get = documents.get.bind(documents);
    documents.get = (url) => ((reads += url === URL_OF_DOCUMENT ? 1 : 0), get(url));
    for (let n = 0; n < 8; n++) yield* ask(past.at(-1)!.uri);
    documents.get = get;
    visit.expect(reads <= cluster.size, `a document is read ${reads} times at once`);
  });
  /** Only https with a path, and without user, query or fragment, is read. */
  const readElsewhere = Effect.gen(function* () {
    const id = random.pick([
      "http://published.sim.test/clients/one",
      "https://user@published.sim.test/clients/one",
      "https://published.sim.test/clients/one?query",
      "https://published.sim.test/clients/one#fragment",
      "https://published.sim.test/clients/../one",
      "https://published.sim.test",
    ]);
    documents.set(id, JSON.stringify({ client_id: id, redirect_uris: ["https://published.sim.test/done"] }));
    const answer = yield* asker({ client_id: id, redirect_uri: "https://published.sim.test/done" });
    documents.delete(id);
    visit.same(answer._tag, "Failure", `a client whose document is at ${id}`);
  });

  return [
    { name: "publish a document", weight: 3, run: publish },
    { name: "read a document", weight: 5, run: read },
    { name: "read a document often", run: readOnce },
    { name: "read a document elsewhere", run: readElsewhere },
  ];
};
