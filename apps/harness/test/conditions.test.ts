import { readFileSync } from "node:fs";
import { it } from "@effect/vitest";
import { harness, HARNESS_URL } from "@postern/harness";
import { Effect } from "effect";
import { describe, expect, it as test } from "vitest";
import { call, signIn } from "./call.ts";
import { CREATIONS, OTHER_CREATIONS } from "./repeated-creations.ts";
import { RECORDS } from "./versions.ts";

/** POSTs without `Idempotency-Key`, and why a repeat does no harm or cannot be recognised. */
const WITHOUT_KEY: Readonly<Record<string, string>> = {
  "POST /api/auth/mobile-login": "it has no caller before it is answered; a session that is not used expires",
  "POST /api/auth/login": "as for programs",
  "POST /api/auth/refresh": "a repeat gets the same tokens",
  "POST /api/auth/logout": "a repeat ends nothing more",
  "POST /api/accounts/discover": "reads",
  "POST /api/accounts/connect/device": "a device authorization that is not used expires",
  "POST /api/accounts/{id}/verify": "a check",
  "POST /api/accounts/{id}/trace": "a repeat sets the time again",
  "POST /api/messages/wait": "reads",
  "POST /api/messages/{id}/unsubscribe": "a repeat leaves the list again",
  "POST /api/messages/{id}/invitation": "organizers take the latest answer",
  "POST /api/settings/blocks": "a repeat finds the sender blocked",
  "POST /api/approvals/{id}/approve": "a repeat finds the approval decided",
  "POST /api/approvals/{id}/deny": "a repeat finds the approval decided",
  "POST /api/messages/batch": "a repeat finds the messages as they are",
  "POST /api/outbox/{id}/release": "a repeat is 409",
  "POST /api/outbox/{id}/send-now": "a repeat makes the same message due",
  "POST /api/admin/outbox/hold": "sets a state",
  "POST /api/admin/outbox/release": "sets a state",
  "POST /api/admin/outbox/cancel": "sets a state",
  "POST /api/applications/{name}/webhooks/{id}/deliveries/{deliveryId}/body": "reads",
  "POST /api/applications/{name}/suspend": "sets a state",
  "POST /api/applications/{name}/resume": "sets a state",
  "POST /api/settings/webhooks/{id}/enable": "sets a state",
  "POST /api/settings/webhooks/{id}/disable": "sets a state",
  "POST /api/settings/webhooks/{id}/test": "receivers know a sample by its type",
  "POST /api/settings/webhooks/{id}/rotate-secret":
    "the secret is shown once: a client that lost the answer rotates again",
};

/** PATCH, PUT and DELETE without `If-Match`, and why. */
const WITHOUT_VERSION: Readonly<Record<string, string>> = {
  "DELETE /api/auth/sessions/{id}": "a session is never changed",
  "PATCH /api/account": "its owner sets it, whatever it was",
  "DELETE /api/account": "its owner ends it in any state",
  "DELETE /api/accounts/{id}/trace": "a recording has no settings",
  "PATCH /api/messages/{id}": "sets flags one by one: IMAP cannot compare",
  "DELETE /api/messages/{id}": "a message is never changed",
  "DELETE /api/outbox/{id}": "compares the state of the message",
  "DELETE /api/applications/{name}": "an application is its keys",
  "DELETE /api/settings/blocks/{id}": "a block is never changed",
  "DELETE /api/contacts/{id}": "its owner forgets it, whatever was learned since",
  "DELETE /api/grants/{id}": "its owner ends it in any state",
  "DELETE /api/oauth/clients/{id}": "a client is never changed",
  "DELETE /api/oauth/apps/{id}": "an app is replaced as a whole",
};

interface Operation {
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly in: string }>;
}

const { paths } = JSON.parse(readFileSync(new URL("../../../packages/api/openapi.json", import.meta.url), "utf8")) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters = [] }]) => ({
    name: `${method.toUpperCase()} ${path}`,
    headers: parameters.flatMap((one) => (one.in === "header" ? [one.name] : [])),
  })),
);

const named = (is: (operation: (typeof operations)[number]) => boolean) =>
  operations.filter((operation) => is(operation)).map(({ name }) => name);
const documenting = (header: string) => new Set(named(({ headers }) => headers.includes(header)));
const without = (methods: RegExp, header: string) =>
  new Set(named(({ name, headers }) => methods.test(name) && !headers.includes(header)));

/** Operations on drafts and sending that the suites below try. */
const SENDING = ["POST /api/send", "POST /api/drafts/{id}/send"];
const OF_DRAFTS = ["PUT /api/drafts/{id}", "DELETE /api/drafts/{id}", "POST /api/drafts/{id}/send"];
/** Tried in applications.test.ts: an application is made by its keys. */
const OF_APPLICATIONS = "PATCH /api/applications/{name}";
/** Tried in assistants.test.ts and approvals.test.ts. */
const OF_AGENTS = ["PATCH /api/grants/{id}", "POST /api/approvals/{id}/approve"];
const FILES = ["/api/messages/{id}/raw", "/api/messages/{id}/attachments/{attachmentId}", "/api/uploads/{id}"];

describe("a header of conditions", () => {
  test("Idempotency-Key is documented by the creations that are tried, and by every other POST or its reason is listed [S2.6-1]", () => {
    const tried = [...CREATIONS.map(({ path }) => `POST ${path}`), ...OTHER_CREATIONS, ...SENDING];
    expect(documenting("idempotency-key")).toEqual(new Set(tried));
    expect(without(/^POST /, "idempotency-key")).toEqual(new Set(Object.keys(WITHOUT_KEY)));
  });

  test("If-Match is documented by the changes that are tried, and by every other change or its reason is listed", () => {
    const tried = RECORDS.flatMap(({ path }) => [`PATCH ${path}/{id}`, `DELETE ${path}/{id}`]);
    expect(documenting("if-match")).toEqual(new Set([...tried, ...OF_DRAFTS, OF_APPLICATIONS, ...OF_AGENTS]));
    expect(without(/^(PATCH|PUT|DELETE) /, "if-match")).toEqual(new Set(Object.keys(WITHOUT_VERSION)));
  });

  test("Range is documented by the downloads that are tried, and If-None-Match by none", () => {
    expect(documenting("range")).toEqual(new Set(FILES.map((path) => `GET ${path}`)));
    expect(documenting("if-none-match")).toEqual(new Set());
  });

  it.live("holds changes and the sending of a draft, and sends once for a key [S12.1-2]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { token } = (yield* signIn(world)).body;
      const json = { to: "friend@postern.test", subject: "once", text: "x" };
      const { id } = (yield* call(world, "POST", "/api/drafts", { token, json })).body.data;
      for (const name of OF_DRAFTS) {
        const [method, path] = name.replace("{id}", id).split(" ");
        const body = method === "PUT" ? { json } : {};
        const stale = yield* call(world, method!, path!, { token, headers: { "if-match": '"7"' }, ...body });
        expect([name, stale.status, stale.body.code]).toEqual([name, 409, "draft_changed"]);
      }
      for (const name of SENDING) {
        const path = name.replace("{id}", id).split(" ")[1]!;
        const body = path === "/api/send" ? { json } : {};
        const send = call(world, "POST", path, { token, headers: { "idempotency-key": name }, ...body });
        const first = yield* send;
        expect([name, (yield* send).body]).toEqual([name, first.body]);
        expect([name, first.status]).toEqual([name, 200]);
      }
    }).pipe(Effect.scoped),
  );

  it.live("gives the range of a download", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { token } = (yield* signIn(world)).body;
      const form = new FormData();
      form.append("file", new Blob(["hello"]), "a.txt");
      const headers = { authorization: `Bearer ${token}` };
      const uploading = new Request(`${HARNESS_URL}/api/uploads`, { method: "POST", headers, body: form });
      const uploaded = yield* Effect.flatMap(world.request(uploading), (answer) =>
        Effect.promise((): Promise<any> => answer.json()),
      );
      const { emails } = (yield* call(world, "GET", "/api/inbox?limit=50", { token })).body;
      const { id } = emails.find(({ hasAttachments }: { readonly hasAttachments: boolean }) => hasAttachments);
      const message = (yield* call(world, "GET", `/api/messages/${id}`, { token })).body.data;
      for (const path of [uploaded.data.url, message.rawUrl, message.attachments[0].url]) {
        const request = new Request(new URL(path, HARNESS_URL), { headers: { ...headers, range: "bytes=1-2" } });
        const answer = yield* world.request(request);
        const bytes = yield* Effect.promise(() => answer.arrayBuffer());
        expect([path, answer.status, bytes.byteLength]).toEqual([path, 206, 2]);
      }
    }).pipe(Effect.scoped),
  );
});
