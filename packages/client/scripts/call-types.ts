import type { Call } from "./calls.ts";
import { doc } from "./type-text.ts";

/** A group of calls. It may be a call itself, and may contain other groups. */
interface Group {
  own?: Call;
  readonly members: Map<string, Call | Group>;
}

const grouped = (calls: ReadonlyArray<Call>): Group => {
  const root: Group = { members: new Map() };
  for (const call of calls) {
    const names = call.call.split(".");
    let group = root;
    for (const name of names.slice(0, -1)) {
      const inner = (group.members.get(name) as Group | undefined) ?? { members: new Map() };
      group.members.set(name, inner);
      group = inner;
    }
    if (call.own === true) group.own = call;
    if (names.at(-1) !== names.at(-2)) group.members.set(names.at(-1)!, call);
  }
  return root;
};

/** Returns an interface with calls, each of which takes these arguments before its own. */
export const interfaceOf = (
  name: string,
  meaning: string,
  calls: ReadonlyArray<Call>,
  before: ReadonlyArray<string> = [],
): string => {
  const takes = (call: Call) => `(${[...before, ...call.arguments].join(", ")})`;
  const gives = ({ result, item }: Call) => (item === undefined ? `Promise<${result}>` : `Listing<${result}, ${item}>`);
  const about = ({ documented: { summary, description } }: Call) => doc(`${summary}.`, description);
  const bodyOf = ({ own, members }: Group): string => {
    const all = [...members].map(([member, one]) =>
      "members" in one
        ? `readonly ${member}: {\n${bodyOf(one)}\n};`
        : `${about(one)}readonly ${member}: ${takes(one)} => ${gives(one)};`,
    );
    return [...(own === undefined ? [] : [`${about(own)}${takes(own)}: ${gives(own)};`]), ...all].join("\n");
  };
  return `${doc(meaning)}export interface ${name} {\n${bodyOf(grouped(calls))}\n}\n`;
};
