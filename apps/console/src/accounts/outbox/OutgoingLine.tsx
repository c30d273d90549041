import { Link } from "wouter";
import { OUTGOING_STATES } from "../../compose/sending/outgoing.ts";
import { rich, t } from "../../texts/text.ts";
import { Moment } from "../../ui/Moment.tsx";
import { applicationPath } from "../keys/service-keys.ts";
import type { Outgoing } from "./outgoing.ts";

const TONES = {
  scheduled: "",
  queued: "warn",
  held: "warn",
  sending: "",
  sent: "good",
  failed: "bad",
  unknown: "bad",
  cancelled: "",
} as const;

/** An outgoing message of any account: its envelope, its times and the answers of the mail server. */
export const OutgoingLine = ({ message }: { readonly message: Outgoing }) => {
  const { id, account, application, key, state, heldAt, heldBy, from, recipients } = message;
  return (
    <li className="line outgoing-line">
      <div className="line-main">
        <p>
          <Link href={`/accounts/${account.id}`} className="line-name">
            {account.email}
          </Link>{" "}
          {from !== account.email && <span className="soft small">{t("as {address}", { address: from })}</span>}
        </p>
        <ul className="small" aria-label={t("Recipients")}>
          {recipients.map(({ address, state: one, detail }) => (
            <li key={address}>
              {address}{" "}
              <span className="soft">
                {detail === null
                  ? t(OUTGOING_STATES[one])
                  : rich("{state}: <detail></detail>", {
                      state: t(OUTGOING_STATES[one]),
                      detail: () => <bdi>{detail}</bdi>,
                    })}
              </span>
            </li>
          ))}
        </ul>
        <p className="soft small">
          {rich(
            "Requested <time></time>{by, select, application { by <application></application>} other {}}<key></key>{next, select, scheduled {, to be sent <due></due>} queued {, {attempts, plural, one {# attempt} other {# attempts}}, next <due></due>} other {}}{held, select, no {} operator {, held since <since></since> by the operator} key_deleted {, held since <since></since> because its key was deleted} suspension {, held since <since></since> because its application is suspended} other {, held since <since></since>}}. <id></id>",
            {
              time: () => <Moment at={message.createdAt} />,
              by: application === null ? "none" : "application",
              application: () => <Link href={applicationPath(application!)}>{application}</Link>,
              key: () =>
                key !== null && (
                  <>
                    {" "}
                    <span className="mono">({key})</span>
                  </>
                ),
              next: (state === "scheduled" ? message.sendAt : message.nextAttemptAt) === null ? "none" : state,
              due: () => <Moment at={(state === "scheduled" ? message.sendAt : message.nextAttemptAt)!} whole />,
              attempts: message.attempts,
              held: heldAt === null ? "no" : (heldBy ?? "unknown"),
              since: () => <Moment at={heldAt!} whole />,
              id: () => <span className="mono">{id}</span>,
            },
          )}
        </p>
        {message.failure !== null && (
          <p className="small fault">
            <bdi>{message.failure.detail || message.failure.reason}</bdi>
          </p>
        )}
      </div>
      <span className={`tag ${TONES[state]}`}>{t(OUTGOING_STATES[state])}</span>
    </li>
  );
};
