import { doorsOf, LOOSE, ROOMS } from "./.config/rooms.mjs";

const into = (...folders) => ({ path: folders.map((folder) => `^${folder}`) });
const anyOf = (path) => ({ path: `^${path}` });

/** What is in a room of a folder, or loose beside the rooms, without the doors. */
const inRoom = (folder, room) =>
  room === LOOSE
    ? { path: `^${folder}/[^/]+$`, pathNot: `^${folder}/(${doorsOf(folder)})$` }
    : anyOf(`${folder}/${room}/`);

const roomsLookUp = Object.entries(ROOMS).flatMap(([folder, rooms]) =>
  rooms.map((room, n) => {
    const after = rooms.slice(n + 1).map((other) => (other === LOOSE ? "[^/]+$" : `${other}/`));
    return {
      name: "rooms-look-up",
      comment: `${folder}/${room} knows only the rooms before it in .config/rooms.mjs.`,
      severity: "error",
      from: inRoom(folder, room),
      to: { path: `^${folder}/(${[...after, `(${doorsOf(folder)})$`].join("|")})` },
    };
  }),
);

/** The arrows of docs/architecture.md: apps → adapters → core; http-api → api + core; client → api; testkit → core. */
export default {
  forbidden: [
    {
      name: "core-knows-nothing",
      comment: "The core depends on effect alone.",
      severity: "error",
      from: anyOf("packages/core/src/"),
      to: into("packages/(?!core/)", "adapters/", "apps/"),
    },
    ...roomsLookUp,
    {
      name: "domains-have-one-door",
      comment:
        "What a domain shows to others is in its index.ts; what only other domains of the core use, in neighbours.ts; what " +
        "its inputs may be, for other domains and the contract, in rules.ts.",
      severity: "error",
      from: { path: "^packages/core/src/([^/]+)/" },
      to: { path: "^packages/core/src/[^/]+/", pathNot: "^packages/core/src/($1/|[^/]+/(index|neighbours|rules)\\.ts$)" },
    },
    {
      name: "api-knows-rules",
      comment: "The contract takes what requests may say from the core's rules, and knows nothing else of the service.",
      severity: "error",
      from: anyOf("packages/api/src/"),
      to: {
        path: ["^packages/(?!api/)", "^adapters/", "^apps/"],
        pathNot: "^packages/core/src/rules\\.ts$",
      },
    },
    {
      name: "rules-know-rules",
      comment: "Who imports the contract gets the rules with it, and no use case.",
      severity: "error",
      from: { path: ["^packages/core/src/rules\\.ts$", "^packages/core/src/[^/]+/(rules|limits|scopes|event-types|approval-events)\\.ts$"] },
      to: { path: "^packages/core/src/", pathNot: "/(rules|limits|scopes|event-types|approval-events)\\.ts$" },
    },
    {
      name: "client-knows-the-contract",
      severity: "error",
      from: anyOf("packages/client/src/"),
      to: into("packages/(?!client/|api/)", "adapters/", "apps/"),
    },
    {
      name: "testkit-knows-the-core",
      severity: "error",
      from: anyOf("packages/testkit/src/"),
      to: into("packages/(?!testkit/|core/)", "adapters/", "apps/"),
    },
    {
      name: "adapters-know-the-core",
      comment:
        "An adapter knows the ports it stands behind, and no other adapter; those that connect to hosts that others named " +
        "reach the judged addresses by adapters/egress.",
      severity: "error",
      from: { path: "^adapters/(?!http-api)([^/]+)/src/" },
      to: { path: "^(packages/(?!core)|adapters|apps)", pathNot: ["^adapters/$1/", "^adapters/egress/src/index\\.ts$"] },
    },
    {
      name: "http-api-knows-contract-and-core",
      severity: "error",
      from: anyOf("adapters/http-api/src/"),
      to: { path: "^(packages/(?!core|api)|adapters|apps)", pathNot: "^adapters/http-api/" },
    },
    {
      name: "console-knows-the-client",
      comment: "The console can do what the API can, and nothing else.",
      severity: "error",
      from: anyOf("apps/console/src/"),
      to: into("packages/(?!client/)", "adapters/", "apps/(?!console/)"),
    },
    {
      name: "only-apps-know-apps",
      severity: "error",
      from: { path: "^(packages|adapters)/" },
      to: into("apps/"),
    },
    {
      name: "apps-know-no-app",
      comment: "Each app is an outermost layer: what two share belongs into a package or an adapter.",
      severity: "error",
      from: { path: "^apps/([^/]+)/" },
      to: { path: "^apps/", pathNot: "^apps/$1/" },
    },
    {
      name: "tests-know-their-own",
      comment: "A test of an adapter knows that adapter, and the contracts of the testkit.",
      severity: "error",
      from: { path: "^adapters/([^/]+)/test/" },
      to: { path: "^(adapters|apps)/", pathNot: "^adapters/$1/" },
    },
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "node_modules" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["@postern/source", "import", "types"] },
  },
};
