import type { Application } from "./applications.ts";

/** Whether an application is suspended, as a tag. */
export const SuspensionTag = ({ application: { suspendedAt } }: { readonly application: Application }) =>
  suspendedAt === null ? <span className="tag good">active</span> : <span className="tag warn">suspended</span>;
