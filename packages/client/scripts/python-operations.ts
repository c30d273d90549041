import { isOfServices } from "../src/calls/is-of-services.ts";
import type { Call } from "./calls.ts";
import type { Document, Parameter, Schema } from "./document.ts";
import type { PythonTypes } from "./python-types.ts";

const HEAD = `# Written by \`npm run openapi\` from the contract; change that instead.
# mypy: disable-error-code="no-any-return"
"""The operations of the API, by account and of the service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Awaitable, Dict, List, Literal, Union

from .calls import AsyncListing, Listing, Noun, Operation

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .files import Content
    from .types import *  # noqa: F403
`;

/** Words of Python that are names in the contract. */
const RESERVED: Readonly<Record<string, string>> = { from: "sender" };

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const pascalCase = (call: string): string =>
  call
    .split(".")
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join("");

interface Group {
  own?: Call;
  readonly calls: Array<Call>;
  readonly groups: Map<string, Group>;
}

const newGroup = (): Group => ({ calls: [], groups: new Map() });

const grouped = (calls: ReadonlyArray<Call>): Group => {
  const root = newGroup();
  for (const call of calls) {
    let group = root;
    for (const name of call.call.split(".").slice(0, -1)) {
      const inner = group.groups.get(name) ?? newGroup();
      group.groups.set(name, inner);
      group = inner;
    }
    if (call.own === true) group.own = call;
    else group.calls.push(call);
  }
  return root;
};

/** Returns the Python module of operations; records that only it names are added to the types. */
export const pythonOperations = (document: Document, calls: ReadonlyArray<Call>, types: PythonTypes): string => {
  const answers = new Map(
    calls.map((call): [Call, { readonly type: string; readonly item?: string }] => {
      const place = `${pascalCase(call.call)}Answer`;
      const { responses } = call.documented;
      const json = Object.entries(responses).find(([status]) => status < "300")?.[1].content?.["application/json"];
      const [kind, member = ""] = call.answer.split(" ");
      if (json === undefined) return [call, { type: "bytes" }];
      if (kind === "nothing") return [call, { type: "None" }];
      const whole = resolved(document, json.schema);
      const rest = Object.fromEntries(Object.entries(whole.properties ?? {}).filter(([name]) => name !== "ok"));
      if (kind === "member") return [call, { type: types.typeOf(rest[member]!, `${place}Data`) }];
      const type = types.typeOf({ type: "object", properties: rest, required: whole.required ?? [] }, place);
      if (kind === "members") return [call, { type }];
      return [call, { type, item: types.typeOf(resolved(document, rest[member]!).items ?? {}, `${place}Item`) }];
    }),
  );
  const bodies = new Map(
    calls.map((call): [Call, string | undefined] => {
      const { requestBody } = call.documented;
      const json = requestBody?.content["application/json"];
      return [call, json === undefined ? undefined : types.typeOf(json.schema, `${pascalCase(call.call)}Body`)];
    }),
  );

  const methodOf = (call: Call, isAsync: boolean, name: string): string => {
    const ids = call.documented.parameters.filter((one) => one.in === "path").map((one) => one.name);
    const options = call.documented.parameters
      .filter((one) => one.in !== "path" && one.name !== "postern-account")
      .map((one) => ({ one, name: optionName(call, one) }));
    const body = bodies.get(call);
    const isFile = call.body === "file";
    const keywords = [
      ...options.map(
        ({ one, name: option }) =>
          `${option}: ${one.required ? "" : "Union["}${types.typeOf(one.schema, pascalCase(call.call) + pascalCase(one.name))}${one.required ? "" : ", None] = None"}`,
      ),
      ...(isFile ? ["name: Union[str, None] = None", "media_type: Union[str, None] = None"] : []),
    ];
    const takes = [
      "self",
      ...ids.map((id) => `${id}: str`),
      ...(isFile ? ["content: Content"] : []),
      ...(keywords.length === 0 ? [] : ["*", ...keywords]),
      ...(body === undefined ? [] : [`**payload: Unpack[${body}]`]),
    ];
    const { type, item } = answers.get(call)!;
    const gives =
      item === undefined
        ? isAsync
          ? `Awaitable[${type}]`
          : type
        : `${isAsync ? "AsyncListing" : "Listing"}[${type}, ${item}]`;
    const { summary, description = "" } = call.documented;
    const text = `${summary}. ${description}`.trim().replaceAll("\\", "\\\\").replaceAll(/\s+/g, " ");
    const given = [
      `"${call.call}"`,
      `(${ids.map((id) => `${id},`).join(" ")})`,
      isFile ? "(content, name, media_type)" : body === undefined ? "None" : "payload",
      `{${options.map(({ name: option }) => `"${option}": ${option}`).join(", ")}}`,
    ];
    return `    def ${name}(${takes.join(", ")}) -> ${gives}:\n        """${text}"""\n        return self._call(${given.join(", ")})\n`;
  };

  const classes: Array<string> = [];
  const write = (name: string, group: Group, isAsync: boolean): string => {
    const inner = [...group.groups].map(([member, one]): [string, string] => [
      snakeCase(member),
      write(`${name.replace(/Calls$/, "")}${pascalCase(member)}`, one, isAsync),
    ]);
    const init = inner.map(([member, one]) => `        self.${member} = ${one}(call)\n`).join("");
    const { own } = group;
    classes.push(
      `class ${name}(Noun):\n` +
        (init === "" ? "" : `    def __init__(self, call: Any) -> None:\n        super().__init__(call)\n${init}\n`) +
        [
          ...(own === undefined ? [] : [methodOf(own, isAsync, "__call__")]),
          ...(own?.call.endsWith(".list") === true ? ["    list = __call__\n"] : []),
          ...group.calls.map((call) => methodOf(call, isAsync, snakeCase(call.call.split(".").at(-1)!))),
        ].join("\n"),
    );
    return name;
  };
  const ofAccounts = grouped(calls.filter(({ of }) => of === "account"));
  const ofServices = grouped(calls.filter(isOfServices));
  for (const isAsync of [false, true]) {
    write(`${isAsync ? "Async" : ""}AccountCalls`, ofAccounts, isAsync);
    write(`${isAsync ? "Async" : ""}ServiceCalls`, ofServices, isAsync);
  }
  const rows = calls
    .filter(({ of }) => of !== "session")
    .map(({ call, asks, body, headers = {}, answer }) => {
      const [method, path] = asks.split(" ");
      const named = Object.entries(headers).map(([option, header]) => `"${snakeCase(option)}": "${header}"`);
      return `    "${call}": Operation("${method}", "${path}", ${body === undefined ? "None" : `"${body}"`}, {${named.join(", ")}}, "${answer}"),\n`;
    });
  return `${HEAD}\n\n${classes.join("\n\n")}\n\nOPERATIONS: Dict[str, Operation] = {\n${rows.join("")}}\n`;
};

const resolved = ({ components: { schemas } }: Document, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : schemas[schema.$ref.split("/").at(-1)!]!;

const optionName = ({ headers = {} }: Call, { name, in: place }: Parameter): string => {
  if (place === "header") return snakeCase(Object.entries(headers).find(([, header]) => header === name)![0]);
  return RESERVED[name] ?? name;
};
