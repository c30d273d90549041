import { openApiDocument } from "@postern/api";
import { describe, expect, it } from "vitest";

interface Shape {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly items?: Shape;
  readonly anyOf?: ReadonlyArray<Shape>;
  readonly properties?: Readonly<Record<string, Shape>>;
}

interface Operation {
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly in: string }>;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Shape }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Shape }>> }>
  >;
}

const document = JSON.parse(openApiDocument()) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Shape>> };
};

const resolve = ({ $ref, ...shape }: Shape): Shape =>
  $ref === undefined ? shape : document.components.schemas[$ref.split("/").at(-1)!]!;

/** Returns the members of a shape, including those of each alternative. */
const membersOf = (shape: Shape): Readonly<Record<string, Shape>> => {
  const { properties = {}, anyOf = [] } = resolve(shape);
  return Object.assign({}, properties, ...anyOf.map(membersOf));
};

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  path.startsWith("/api/")
    ? Object.entries(methods).map(([method, { parameters = [], requestBody, responses }]) => {
        const [, answer] = Object.entries(responses).find(([status]) => status < "300")!;
        return {
          name: `${method.toUpperCase()} ${path}`,
          query: parameters.filter((one) => one.in === "query").map(({ name }) => name),
          headers: parameters.filter((one) => one.in === "header").map(({ name }) => name),
          body: requestBody?.content["application/json"]?.schema,
          answer: answer.content?.["application/json"]?.schema,
        };
      })
    : [],
);
type Named = (typeof operations)[number];

const named = (is: (operation: Named) => boolean) => operations.filter((one) => is(one)).map(({ name }) => name);

/** Returns every field of a request or an answer, with its location. */
const fieldsIn = (shape: Shape | undefined, at: string, depth = 0): ReadonlyArray<readonly [place: string, Shape]> => {
  if (shape === undefined || depth > 6) return [];
  const { items } = resolve(shape);
  return [
    ...Object.entries(membersOf(shape)).flatMap(([name, member]) => [
      [`${at}.${name}`, resolve(member)] as const,
      ...fieldsIn(member, `${at}.${name}`, depth + 1),
    ]),
    ...fieldsIn(items, `${at}[]`, depth + 1),
  ];
};
const fields = operations.flatMap(({ name, body, answer }) => [
  ...fieldsIn(body, `${name} body`),
  ...fieldsIn(answer, `${name} answer`),
]);

/** The seed's paths, whose answers never change, and three paths whose answers have the same shape. */
const SEED_SHAPES = [
  "POST /api/auth/mobile-login",
  "POST /api/auth/login",
  "POST /api/auth/refresh",
  "POST /api/auth/logout",
  "GET /api/auth/session",
  "GET /api/folders",
  "GET /api/inbox",
  "GET /api/search",
  "GET /api/threads/{id}",
  "POST /api/send",
  "POST /api/drafts/{id}/send",
  "DELETE /api/settings/folders/{id}",
];

/** Lists that have no pages, and why. */
const WHOLE_LISTS = {
  "GET /api/settings/folders": "of the seed: a tree is read as a whole",
  "GET /api/changes": "a feed has no last page: next is where the next request goes on",
};

describe("the contract", () => {
  it("answers with ok and data, except on the seed's paths", () => {
    const other = named(
      ({ answer }) => answer !== undefined && !("ok" in membersOf(answer) && "data" in membersOf(answer)),
    );
    expect(other.toSorted()).toEqual(SEED_SHAPES.filter((name) => other.includes(name)).toSorted());
  });

  it("returns every list in pages", () => {
    const isList = ({ name, answer }: Named) =>
      name.startsWith("GET ") && answer !== undefined && resolve(membersOf(answer)["data"] ?? {}).type === "array";
    const paged = named(
      (one) =>
        isList(one) &&
        ["cursor", "limit"].every((name) => one.query.includes(name)) &&
        "nextCursor" in membersOf(one.answer!),
    );
    expect(paged.length).toBeGreaterThan(10);
    expect(named(isList).filter((name) => !paged.includes(name))).toEqual(Object.keys(WHOLE_LISTS));
  });

  it("names each time with At, except where the seed or a standard names it", () => {
    const isTime = ({ format, anyOf = [] }: Shape): boolean => format === "date-time" || anyOf.some(isTime);
    const names = new Set(fields.flatMap(([place, shape]) => (isTime(shape) ? [place.split(/[.\]]/).at(-1)!] : [])));
    const other = [...names].filter((name) => !name.endsWith("At"));
    expect(names.size).toBeGreaterThan(10);
    expect(other.toSorted()).toEqual(["date", "since", "timestamp", "until"]);
  });

  it("has folderId wherever it has folder", () => {
    const places = fields.map(([place]) => place);
    const alone = places.filter((place) => place.endsWith(".folder") && !places.includes(`${place}Id`));
    expect(alone).toEqual([]);
    const byFolder = named(({ query }) => query.includes("folder"));
    expect(byFolder).toEqual(named(({ query }) => query.includes("folderId")));
    expect(byFolder).toEqual(["GET /api/inbox", "GET /api/search"]);
  });

  it("names the deleted record in the answer to a deletion", () => {
    const deletions = operations.filter(({ name }) => name.startsWith("DELETE "));
    const other = deletions.filter(({ answer }) => {
      const data = membersOf(membersOf(answer!)["data"] ?? {});
      return !("deleted" in data && "id" in data);
    });
    expect(deletions.length).toBeGreaterThan(8);
    // This operation cancels: the message stays in the outbox.
    const cancels = "DELETE /api/outbox/{id}";
    expect(other.map(({ name }) => name).filter((name) => !SEED_SHAPES.includes(name))).toEqual([cancels]);
  });

  it("has fields in camelCase", () => {
    const names = new Set(fields.map(([place]) => place.split(/[.\]]/).at(-1)!));
    expect([...names].filter((name) => name !== "" && !/^[a-z][a-zA-Z0-9]*$/.test(name))).toEqual([]);
  });
});
