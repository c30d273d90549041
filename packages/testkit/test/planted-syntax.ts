import type { Violation } from "./planted-violations.ts";

const CORE = "packages/core/src/planted.ts";
const MEMORY = "adapters/memory/src/planted.ts";
const HANDLERS = "adapters/http-api/src/handlers/Planted.ts";
const CONSOLE = "apps/console/src/planted.tsx";
const PORT = "packages/core/src/send/ports/Planted.ts";
const CONTRACT = "packages/testkit/src/contracts/send/planted-contract.ts";
const BY_PATH = "../../../packages/core/src/shared/index.ts";

const port = (member: string): string =>
  `export class Planted extends Context.Service<Planted, {\n  readonly called: () => void;\n  ${member}\n}>()("Planted") {}`;
const CALLS = "export const plantedContract = (port: Planted) => port.called();";

/** The same violation in several spellings, for each guard that reads the syntax tree. */
export const SPELLINGS: ReadonlyArray<Violation> = [
  ...[
    "export const a = ({ page, ...rest }: SearchRequest) => find({ ...rest, page });",
    "export const a = (request: SearchRequest) => {\n  const { page, ...rest } = request;\n  return find({ ...rest, page });\n};",
    "export const a: (request: SearchRequest, find: F) => void = ({ page, ...others }, find) => find({ page, ...others });",
    "export function a(request: Partial<SearchRequest>) {\n  const {\n    page,\n    ...wanted\n  } = request;\n  return find(wanted);\n}",
    "export const a = (request: SearchRequest) => find({ ...request, page: 1 });",
    "export const a = (request: Readonly<SearchRequest>) => find(Object.assign({}, request));",
    "export const a = (request: SearchRequest) => {\n  const same = request;\n  return find({ ...same });\n};",
  ].map((source): Violation => [
    `a request is spread: ${source.slice(13, 70)}`,
    "requests",
    CORE,
    source,
    /planted\.ts: .*request/,
  ]),
  ...[
    "export const survey = () =>\n  Effect.gen(function* () {\n    const tree = yield* MailboxTree;\n    return { list: () => tree };\n  });",
    "export function survey() {\n  return Effect.gen(function* () {\n    const tree = yield* MailboxTree;\n    return { list: tree.list };\n  });\n}",
    "export const survey = Effect.gen(function* () {\n  const tree = yield* MailboxTree;\n  const found = { list: () => tree };\n  return found;\n});",
    'export const survey = Effect.fn("survey")(function* () {\n  const tree = yield* MailboxTree;\n  return () => tree;\n});',
    "export const survey = Effect.gen(function* () {\n  const { list } = yield* MailboxTree;\n  function all() {\n    return list();\n  }\n  return { all };\n});",
    "export const survey = Effect.gen(function* () {\n  const tree = yield* MailboxTree;\n  return { list: Effect.fnUntraced(function* () { yield* tree.list; }) };\n});",
  ].map((source): Violation => [
    `a generator returns functions: ${source.slice(7, 60)}`,
    "services",
    CORE,
    source,
    /survey yields services and returns functions/,
  ]),
  ...[
    "create: ({ payload }) => keys.make({ name: payload.name.slice(0, 200) }),",
    "list: ({ query }) => accounts.page(Math.min(query.limit ?? 50, 200)),",
    "list: ({ query: { limit = PAGE } }) => accounts.page({ limit }),",
    'create: Effect.fnUntraced(function* ({ payload }) {\n  const { name } = payload;\n  if (name === "admin") return yield* refused;\n}),',
    "create(request) {\n  return /^[a-z]+$/.test(request.payload.name) ? keys.make(request.payload) : refused;\n},",
    "create: ({ payload }) => payload.tags.length > MOST ? new Problem.InvalidRequest({}) : keys.make(payload),",
    'find: ({ params: { id } }) => { switch (id) { case "none": return refused; default: return keys.find(id); } },',
    'find: ({ params }) => keys.find(params.id.trim() || "none"),',
  ].map((member): Violation => [
    `a handler judges its input: ${member.slice(0, 60)}`,
    "rules",
    HANDLERS,
    `export const Planted = handlers.handleAll({\n  ${member}\n});`,
    /Planted\.ts: .*rules\.ts of a domain/,
  ]),
  ...[
    `import { a } from "${BY_PATH}";\nexport { a };`,
    `import type { A } from "${BY_PATH}";\nexport type B = A;`,
    `export type * from "${BY_PATH}";`,
    `export const a = () => import("${BY_PATH}");`,
    `export type A = import("${BY_PATH}").A;`,
    `export const a = require("${BY_PATH}");`,
  ].map((source): Violation => [
    `a file of another package is imported by path: ${source.slice(0, 40)}`,
    "imports",
    MEMORY,
    source,
    /planted\.ts: imports .*packages\/core/,
  ]),
  ...[
    "readonly skipped: () => void;",
    "skipped(): void;",
    "readonly skipped?: (id: string) => Effect.Effect<void>;",
    '"skipped": () => void;',
    "readonly skipped: Effect.Effect<void>;",
  ].map((member): Violation => [
    `no contract calls ${member}`,
    "contracts",
    CONTRACT,
    CALLS,
    /Planted\.ts: its contract never calls skipped/,
    { [PORT]: port(member) },
  ]),
  [
    "a contract names an operation only in a comment and calls that of another object",
    "contracts",
    CONTRACT,
    `${CALLS}\n// skipped\nexport const other = (list: { skipped: () => void }) => list.skipped();`,
    /Planted\.ts: its contract never calls skipped/,
    { [PORT]: port("readonly skipped: () => void;") },
  ],
  ...(
    [
      [
        "a hook is called inside an if",
        'if (open) {\n    const [text] = useState("");\n    return <p>{text}</p>;\n  }\n  return null;',
        /rules-of-hooks/,
      ],
      [
        "a hook follows an early return",
        'if (!open) return null;\n  const [text] = useState("");\n  return <p>{text}</p>;',
        /rules-of-hooks/,
      ],
      [
        "a hook is behind a question mark",
        'const text = open ? useState("")[0] : "";\n  return <p>{text}</p>;',
        /rules-of-hooks/,
      ],
      ["an image has no alternative text", 'return open ? <img src="a.png" /> : null;', /alt-text/],
      [
        "a div is clicked",
        "return <div onClick={() => useless(open)}>go</div>;",
        /no-static-element-interactions|click-events/,
      ],
    ] as const
  ).map(([what, body, named]): Violation => [
    what,
    "lint",
    CONSOLE,
    `import { useState } from "react";\nexport const useless = (open: boolean) => [open, useState];\nexport const Planted = ({ open }: { readonly open: boolean }) => {\n  ${body}\n};`,
    named,
  ]),
];
