// Counts the files that run for one request, for `npm run check -- figures`; with `--list`, names them. A file runs for
// a request if one of its functions is called between the request and its answer. The files of the core and of the
// adapters count, as the harness wires them: each store and mail server is a fake, which stands for the file of the
// real adapter. The same request is answered once before the count, so that state which outlives a request already
// exists. V8 counts the calls.
import { Session } from "node:inspector/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Effect } from "effect";
import { harness, HARNESS_URL, type Harness } from "./index.ts";

const COUNTED = /^(?:packages\/core|adapters\/[^/]+)\/src\//;

const inspector = new Session();
inspector.connect();
await inspector.post("Profiler.enable");
await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

/** Returns the files in which a function was called since the last call of `takeFiles`. */
const takeFiles = async () => {
  const { result } = await inspector.post("Profiler.takePreciseCoverage");
  return result
    .filter(({ url, functions }) => url.startsWith("file:") && functions.some(({ ranges }) => ranges[0]!.count > 0))
    .map(({ url }) => relative(".", fileURLToPath(url)))
    .filter((file) => COUNTED.test(file))
    .toSorted();
};

const ask = async (world: Harness, method: string, path: string, token?: string, json?: unknown) => {
  const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` });
  if (json !== undefined) headers.set("content-type", "application/json");
  const body = json === undefined ? null : JSON.stringify(json);
  const answer = await Effect.runPromise(
    world.request(new Request(new URL(path, HARNESS_URL), { method, headers, body })),
  );
  if (answer.status !== 200) throw new Error(`${method} ${path} was answered with ${answer.status}`);
  return answer;
};

const filesByRequest = async (world: Harness) => {
  const signIn = () =>
    ask(world, "POST", "/api/auth/mobile-login", undefined, { email: "demo@postern.test", password: "demo" });
  const { token } = (await (await signIn()).json()) as { readonly token: string };
  const requests = {
    "sign-in": signIn,
    "a page of INBOX": () => ask(world, "GET", "/api/inbox?limit=20", token),
    sending: () => ask(world, "POST", "/api/send", token, { to: "friend@postern.test", subject: "Lunch", text: "Now" }),
  };
  const files: Array<readonly [string, ReadonlyArray<string>]> = [];
  for (const [name, request] of Object.entries(requests)) {
    await request();
    await takeFiles();
    await request();
    files.push([name, await takeFiles()]);
  }
  return files;
};

const files = await Effect.runPromise(
  Effect.scoped(Effect.flatMap(harness, (world) => Effect.promise(() => filesByRequest(world)))),
);
if (process.argv.includes("--list")) {
  for (const [name, all] of files) console.log([`${name}: ${all.length}`, ...all].join("\n  "));
} else {
  console.log(JSON.stringify(Object.fromEntries(files.map(([name, all]) => [name, all.length]))));
}
