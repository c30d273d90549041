import { t } from "../../texts/text.ts";
import { Moment } from "../../ui/Moment.tsx";
import { outcomeText } from "../../ui/error-text.ts";
import type { Approval } from "./agents.ts";
import { OPERATIONS } from "./operations.ts";

/** The last calls that an agent made before its request, newest first. */
export const AgentCalls = ({ calls }: Pick<Approval, "calls">) => (
  <section aria-labelledby="approval-calls">
    <h2 id="approval-calls" className="settings-part">
      {t("What the agent did before it asked")}
    </h2>
    {calls.length === 0 ? (
      <p className="soft">
        {t("No calls are known: the agent did not ask through the MCP server, or asked more than 30 days ago.")}
      </p>
    ) : (
      <ol className="lines">
        {calls.map(({ createdAt, operation, ids, outcome }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two calls may be the same
          <li key={index} className="line">
            <div className="line-main">
              <p>{t(OPERATIONS[operation])}</p>
              {ids.length > 0 && <p className="soft small mono">{ids.join(", ")}</p>}
            </div>
            {outcome !== "done" && <span className="tag bad">{outcomeText(outcome)}</span>}
            <span className="soft small">
              <Moment at={createdAt} whole />
            </span>
          </li>
        ))}
      </ol>
    )}
  </section>
);
