import { OPERATIONS, type Operation } from "./operation-table.ts";
import type { Operations } from "./operations.d.ts";
import { PosternError } from "./PosternError.ts";
import { problemError } from "./problem-error.ts";

/** Answers a request, relative to the service, as one of the account with an address. */
export type Ask = (address: string, path: string, init: RequestInit) => Promise<Response>;

type Values = Readonly<Record<string, unknown>>;

/** Returns all operations of the contract as functions. A call is a request that never leaves the process. */
export const directCalls = (ask: Ask): Operations => {
  const groups: Record<string, object> = {};
  for (const operation of OPERATIONS) {
    const call = callOf(ask, operation);
    const [group = "", name] = operation.call.split(".");
    groups[group] =
      name === undefined ? Object.assign(call, groups[group]) : Object.assign(groups[group] ?? {}, { [name]: call });
  }
  return groups as unknown as Operations;
};

const callOf =
  (ask: Ask, { asks, takes, answer }: Operation) =>
  async (address: string, ...given: ReadonlyArray<unknown>): Promise<unknown> => {
    const [method = "", path = ""] = asks.split(" ");
    const rest = [...given];
    const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(name, rest.shift())));
    const parts = Object.fromEntries(takes.map((part) => [part, rest.shift()]));
    const url = place + queryOf(parts["query"] as Values | undefined);
    const headers = headersOf(parts["header"] as Values | undefined);
    const response = await ask(address, url, { method, ...bodyOf(parts, headers) });
    if (!response.ok) throw await problemError(response);
    if (answer === "bytes") return new Uint8Array(await response.arrayBuffer());
    const { ok: _, ...members } = (await response.json()) as Values;
    const [kind, member = ""] = answer.split(" ");
    return kind === "member" ? members[member] : kind === "members" ? members : undefined;
  };

const textOf = (name: string, value: unknown): string => {
  if (typeof value === "string" && value !== "") return value;
  throw new PosternError(`${name} must be a text`, {
    code: "invalid_request",
    errors: [{ field: name, message: "must be a text" }],
  });
};

const givenIn = (values: Values = {}): Array<[string, string]> =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));

const queryOf = (values: Values | undefined): string => {
  const query = new URLSearchParams(givenIn(values)).toString();
  return query === "" ? "" : `?${query}`;
};

const headersOf = (values: Values | undefined): Array<[string, string]> =>
  givenIn(values).map(([name, value]) => [name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), value]);

const bodyOf = (parts: Values, headers: Array<[string, string]>): RequestInit => {
  if (parts["file"] !== undefined) {
    const body = new FormData();
    body.append("file", parts["file"] as File);
    return { headers, body };
  }
  if (parts["payload"] === undefined) return { headers };
  return { headers: [...headers, ["content-type", "application/json"]], body: JSON.stringify(parts["payload"]) };
};
