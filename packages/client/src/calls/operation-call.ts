import type { FileToUpload } from "../contract/FileToUpload.ts";
import type { Operation } from "../contract/Operation.ts";
import { ApiProblem } from "./ApiProblem.ts";
import { formOf } from "./files.ts";
import { jsonBody, until } from "./send-to-service.ts";

/** Sends a request to a path of the service, and returns the answer; rejects unless the request succeeded. */
export type Ask = (path: string, init: RequestInit) => Promise<Response>;

type Values = Readonly<Record<string, unknown>>;
type Call = (...given: ReadonlyArray<unknown>) => Promise<unknown>;
type Noun = { [name: string]: Noun | Call };

/**
 * Returns an object of calls by their names. A group that lists something, or has an operation with the same name, is
 * itself a call.
 */
export const nounsOf = (operations: ReadonlyArray<Operation>, callOf: (operation: Operation) => Call): object => {
  const root: Noun = {};
  // A group that is a call must exist before its members are added.
  for (const operation of operations.toSorted((one, other) => Number(other.own ?? false) - Number(one.own ?? false))) {
    const names = operation.call.split(".");
    let above = root;
    for (const name of names.slice(0, -2)) above = (above[name] ??= {}) as Noun;
    const [group = "", name = ""] = names.slice(-2);
    const call = callOf(operation);
    const noun = (above[group] ??= operation.own === true ? call : {}) as Noun;
    if (name !== group) noun[name] = call;
  }
  return root;
};

/**
 * Returns the function that calls an operation. Its parameters are the ids of the path, the body and the options. For
 * an empty id it rejects with the error of `refusal`.
 */
export const operationCall =
  (ask: Ask, operation: Operation, refusal: (problem: ApiProblem) => Error = (problem) => problem): Call =>
  (...given) => {
    const { answer } = operation;
    const askAt = (cursor?: string) => answerTo(ask, operation, given, refusal, cursor);
    return answer.startsWith("pages ") ? listing(askAt, answer.slice("pages ".length)) : askAt();
  };

interface Page {
  readonly nextCursor: string | null;
  readonly [member: string]: unknown;
}

const listing = (pageAt: (cursor?: string) => Promise<unknown>, items: string): Promise<unknown> => {
  const first = pageAt();
  async function* all(): AsyncGenerator<unknown, void> {
    for (let page = (await first) as Page; ;) {
      yield* page[items] as ReadonlyArray<unknown>;
      if (page.nextCursor === null) return;
      page = (await pageAt(page.nextCursor)) as Page;
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: all });
};

const answerTo = async (
  ask: Ask,
  { asks, body, headers: names = {}, answer }: Operation,
  given: ReadonlyArray<unknown>,
  refusal: (problem: ApiProblem) => Error,
  cursor?: string,
): Promise<unknown> => {
  const rest = [...given];
  const [method = "", path = ""] = asks.split(" ");
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = rest.shift();
    if (typeof id === "string" && id !== "") return encodeURIComponent(id);
    throw refusal(emptyId(name));
  });
  const payload = body === undefined ? undefined : rest.shift();
  const { signal, ...options } = (rest.shift() ?? {}) as Values & { readonly signal?: AbortSignal };
  const set = Object.entries({ ...options, ...(cursor === undefined ? {} : { cursor }) }).filter(
    ([, value]) => value !== undefined,
  );
  const within = (isHeader: boolean) =>
    set
      .filter(([name]) => name in names === isHeader)
      .map(([name, value]): [string, string] => [names[name] ?? name, String(value)]);
  const query = new URLSearchParams(within(false)).toString();
  const content =
    payload === undefined
      ? {}
      : body === "file"
        ? { body: await formOf(payload as FileToUpload | File) }
        : jsonBody(payload);
  const response = await ask(query === "" ? place : `${place}?${query}`, {
    method,
    ...content,
    headers: {
      ...(answer === "bytes" ? {} : { accept: "application/json" }),
      ...("headers" in content ? content.headers : {}),
      ...Object.fromEntries(within(true)),
    },
    ...until(signal),
  });
  if (answer === "bytes") return new Uint8Array(await response.arrayBuffer());
  const { ok: _, ...members } = (await response.json()) as Values;
  if (answer === "nothing") return undefined;
  return answer.startsWith("member ") ? members[answer.slice("member ".length)] : members;
};

/** Returns the error for an empty id. A request with an empty id would have another path. */
const emptyId = (name: string): ApiProblem => {
  const message = "must be a text that is not empty";
  const title = `${name} ${message}`;
  return new ApiProblem(400, { code: "invalid_request", title, errors: [{ field: name, message }] }, null);
};
