import type { EmailSource } from "./emails.ts";

/** Returns the address of a list, or of a message in it. */
export const hrefOf = (source: EmailSource, id?: string): string => {
  const base = "folder" in source ? `/mail/${source.folder}` : "/search";
  const query = new URLSearchParams({
    ...("text" in source ? { q: source.text } : {}),
    ...("text" in source && source.within !== null ? { in: source.within } : {}),
    ...(source.filter === "all" ? {} : { show: source.filter }),
  }).toString();
  return `${base}${id === undefined ? "" : `/${id}`}${query === "" ? "" : `?${query}`}`;
};
