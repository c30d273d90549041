import { KeyAuthorization, PosternApi } from "@postern/api";
import { HttpApi } from "effect/http-api";
import { afterAll, describe, expect, it } from "vitest";
import { jsonFault } from "../src/edge/json-fault.ts";
import { handlerOver } from "./world.ts";

const { call, dispose } = handlerOver();
afterAll(dispose);

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly body: "json" | "form" | "none";
  readonly token: "good" | "admin";
}

const operations: Array<Operation> = [];
HttpApi.reflect(PosternApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { method, middlewares, path, payload } }) => {
    const body = payload.size === 0 ? "none" : payload.has("application/json") ? "json" : "form";
    const token = middlewares.has(KeyAuthorization) ? "admin" : "good";
    operations.push({ method, path: path.replaceAll(/:\w+/g, "some"), body, token });
  },
});
const strict = operations.filter(({ path }) => !path.startsWith("/health/"));
const TITLE = "$method $path";

const faultsOf = async ({ method, path, token }: Operation, query: string, json?: unknown) => {
  const answer = await call(method, `${path}${query}`, { token, ...(json === undefined ? {} : { json }) });
  expect([answer.status, answer.json().code], answer.text).toEqual([400, "invalid_request"]);
  return answer.json().errors as ReadonlyArray<{ readonly field: string; readonly message: string }>;
};

describe("every operation", () => {
  it("is covered", () => expect(operations.length).toBeGreaterThan(40));

  it.each(strict)(`${TITLE} refuses unknown parameters and names them [S2.2-1]`, async (operation) => {
    const errors = await faultsOf(operation, "?zz_one=1&__proto__=2&constructor=3");
    expect(errors.map(({ field }) => field).toSorted()).toEqual(["__proto__", "constructor", "zz_one"]);
    for (const { message } of errors) expect(message).toBe("is not a parameter of this request");
  });

  it.each(strict.filter(({ body, method }) => body !== "form" && method !== "GET"))(
    `${TITLE} refuses unknown members and names them [S2.2-1]`,
    async (operation) => {
      const errors = await faultsOf(operation, "", { zz_one: 1, ["__proto__"]: 2, constructor: 3 });
      const fields = errors.filter(({ message }) => message.startsWith("is not a field of this request"));
      expect(fields.map(({ field }) => field).toSorted()).toEqual(["__proto__", "constructor", "zz_one"]);
    },
  );

  it.each(strict.filter(({ body }) => body === "json"))(
    `${TITLE} reports faults of the query even if the body is missing or not JSON [S2.2-3]`,
    async ({ method, path, token }) => {
      for (const init of [{}, { body: "{,", headers: { "content-type": "application/json" } }]) {
        const answer = await call(method, `${path}?zz_one=1`, { token, ...init });
        expect(answer.json().errors, answer.text).toMatchObject([{ field: "zz_one" }]);
      }
    },
  );

  it.each(strict)(
    `${TITLE} reports no other fault to an unauthenticated client [S2.3-14]`,
    async ({ method, path }) => {
      const answer = await call(method, `${path}?zz_one=1`);
      expect([400, 401]).toContain(answer.status);
      if (answer.status === 401) expect(answer.text).not.toContain("zz_one");
      const isOpen = /\/(login|mobile-login|refresh|providers|jwks\.json)$/.test(path);
      expect(answer.status).toBe(isOpen ? 400 : 401);
    },
  );

  it.each(["/health/live", "/health/ready"])("%s accepts any query [S2.2-2]", async (path) =>
    expect((await call("GET", `${path}?probe=1`)).status).toBe(200),
  );
});

describe("an operation without a body", () => {
  const logOut = (body: string) => call("POST", "/api/auth/logout", { token: "good", body, headers: JSON_BODY });
  it.each(["", "{}", "null"])("treats %j as no body", async (body) => expect((await logOut(body)).status).toBe(200));
  it.each(["1", "[]", '"x"', "x"])("refuses %j", async (body) =>
    expect((await logOut(body)).json().errors).toEqual([{ field: "body", message: "must be empty" }]),
  );
});

const JSON_BODY = { "content-type": "application/json" };

describe("faults in plain words", () => {
  const send = async (json: unknown) => (await call("POST", "/api/send", { token: "good", json })).json().errors;

  it("report members that are missing, unknown at any depth, or of another type [S2.2-1] [S2.3-13]", async () => {
    expect(await send({ subject: 5, attachments: [{ id: "x", path: "/etc/passwd" }], trackOpens: "yes" })).toEqual(
      expect.arrayContaining([
        { field: "subject", message: "must be a string" },
        { field: "trackOpens", message: "must be true or false" },
        { field: "attachments.0.path", message: "is not a field of this request" },
      ]),
    );
  });

  it("suggest the known field that an unknown field most likely means, at any depth", async () => {
    const [field, message] = ["attachments.0.contentID", "is not a field of this request; do you mean contentId?"];
    expect(await send({ txt: "y", attachments: [{ contentID: "x" }] })).toEqual(
      expect.arrayContaining([
        { field: "txt", message: "is not a field of this request; do you mean text?" },
        { field, message },
      ]),
    );
    const { errors } = (await call("GET", "/api/search?form=a", { token: "good" })).json();
    expect(errors).toEqual([{ field: "form", message: "is not a parameter of this request; do you mean from?" }]);
  });

  it("explain how to send a key that was sent in the wrong place", async () => {
    const shown = [{ "x-api-key": "psk_1" }, { authorization: "psk_1" }, { authorization: "Basic cHNrXzE6" }];
    for (const headers of shown) {
      const { status, text } = await call("GET", "/api/folders", { headers });
      expect([status, text]).toEqual([401, expect.stringContaining("Authorization: Bearer <key>")]);
      expect(text).not.toContain("mobile-login");
    }
    expect((await call("GET", "/api/folders")).text).toContain("mobile-login");
  });

  it("report a value outside the choices", async () => {
    const answer = await call("GET", "/api/search?unread=1", { token: "good" });
    expect(answer.json().errors).toEqual([{ field: "unread", message: "must be true or false" }]);
  });

  it("name numbers as numbers, and parameters given twice", async () => {
    const answer = await call("GET", "/api/inbox?page=1.5&limit=many&folder=a&folder=b", { token: "good" });
    expect(answer.json().errors).toEqual([
      { field: "folder", message: "must be given once" },
      { field: "page", message: "must be a whole number" },
      { field: "limit", message: "must be a number" },
    ]);
  });

  it("are limited to a hundred, with names of at most 200 characters", async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`unknown${n}`, 1]));
    expect(await send(many)).toHaveLength(100);
    const [{ field }] = await send({ to: "a@b.c", subject: "", text: "", ["x".repeat(500_000)]: 1 });
    expect(field).toBe(`${"x".repeat(200)}…`);
  });

  it("report too many values in a body before any is checked", async () => {
    const message = "must have at most 5000 values";
    const many = Array.from({ length: 5_000 }, () => ({}));
    expect(await send({ to: "a@b.c", attachments: many })).toEqual([{ field: "attachments", message }]);
    expect(await send({ headers: { ...many } })).toEqual([{ field: "headers", message }]);
    expect(await send({ ...many })).toHaveLength(100);
    expect(await send({ ...many, one: 1 })).toEqual([{ field: "body", message }]);
  });

  it("report where a body stops being JSON", async () => {
    const body = '{"to": "a@b.c",\n "subject": "x",,}';
    const answer = await call("POST", "/api/send", { token: "good", body, headers: JSON_BODY });
    expect(answer.json().errors).toEqual([{ field: "body", message: "is not valid JSON at line 2, column 17" }]);
  });
});

describe("the place where a text stops being JSON", () => {
  const valid = ["{}", " [1, -2.5e+3,\ttrue] ", '{"a":{"b":[null,"\\u00e9\\n"]}}', '"x"', "0", '[{"a":1},[]]'];
  it.each(valid)("is undefined for %s", (text) => {
    JSON.parse(text);
    expect(jsonFault(text)).toBeUndefined();
  });

  it.each([
    ["", 1],
    ["{", 2],
    ["{,}", 2],
    ['{"a" 1}', 6],
    ['{"a":1,}', 8],
    ["[1,]", 4],
    ["[1 2]", 4],
    ["[01]", 3],
    ["{'a':1}", 2],
    ['["\t"]', 2],
    ["nul", 1],
    ["{} x", 4],
    ["]", 1],
    ['{"a":1]', 7],
  ])("in %s is character %i", (text, column) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(jsonFault(text)).toEqual({ line: 1, column });
  });

  it("is found in a body nested as deep as the limit allows", () =>
    expect(jsonFault("[".repeat(1 << 20))).toEqual({ line: 1, column: (1 << 20) + 1 }));
});
