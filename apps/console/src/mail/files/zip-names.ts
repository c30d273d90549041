import { t } from "../../texts/text.ts";

/** Returns the names of files in an archive: without folders, and each once. */
export const zipNames = (names: ReadonlyArray<string | null>): ReadonlyArray<string> => {
  const taken = new Set<string>();
  return names.map((given) => {
    const name = (given ?? "").replaceAll(/[/\\\p{Cc}]/gu, "_") || t("Unnamed file");
    const dot = name.lastIndexOf(".");
    const [stem, suffix] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
    let free = name;
    for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${stem} (${n})${suffix}`;
    taken.add(free.toLowerCase());
    return free;
  });
};
