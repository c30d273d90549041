import type { ApiAnswer } from "@postern/client/browser";
import type { ReactNode } from "react";
import { rich, t } from "../../texts/text.ts";
import { Moment } from "../../ui/Moment.tsx";
import { OPERATIONS } from "./operations.ts";

export type AuditEntry = ApiAnswer<"GET /api/audit">["data"][number];

export interface AuditLineProps {
  readonly entry: AuditEntry;
  readonly requester: ReactNode;
  readonly children?: ReactNode;
}

/** An entry of the audit, with its requester (spec 8.7). */
export const AuditLine = ({ entry, requester, children }: AuditLineProps) => (
  <li className="line">
    <div className="line-main">
      <p>
        <span className="line-name">{t(OPERATIONS[entry.operation])}</span>{" "}
        <span className="soft small mono">{entry.operation}</span>
      </p>
      <p className="soft small">
        {rich(
          "By <requester></requester>{onTarget, select, no {} other {, on <target></target>}}{onIds, select, no {} other {, on <ids></ids>}}{result, select, done {} other {: <outcome></outcome>}}",
          {
            requester: () => requester,
            onTarget: entry.target === null ? "no" : "yes",
            target: () => <span className="mono">{entry.target}</span>,
            onIds: entry.ids.length === 0 ? "no" : "yes",
            ids: () => <span className="mono">{entry.ids.join(", ")}</span>,
            result: entry.outcome === "done" ? "done" : "other",
            outcome: () => <span className="mono">{entry.outcome}</span>,
          },
        )}
      </p>
      {children}
    </div>
    <span className="soft small">
      <Moment at={entry.createdAt} whole />
    </span>
  </li>
);
