import type { ApiAnswer } from "@postern/client/browser";
import type { ReactNode } from "react";
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
        <span className="line-name">{OPERATIONS[entry.operation]}</span>{" "}
        <span className="soft small mono">{entry.operation}</span>
      </p>
      <p className="soft small">
        By {requester}
        {entry.target !== null && (
          <>
            , on <span className="mono">{entry.target}</span>
          </>
        )}
        {entry.ids.length > 0 && (
          <>
            , on <span className="mono">{entry.ids.join(", ")}</span>
          </>
        )}
        {entry.outcome !== "done" && (
          <>
            : <span className="mono">{entry.outcome}</span>
          </>
        )}
      </p>
      {children}
    </div>
    <span className="soft small">
      <Moment at={entry.createdAt} whole />
    </span>
  </li>
);
