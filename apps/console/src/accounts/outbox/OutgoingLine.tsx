import { Link } from "wouter";
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

const HOLDERS = {
  key_deleted: "because its key was deleted",
  operator: "by the operator",
  suspension: "because its application is suspended",
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
          {from !== account.email && <span className="soft small">as {from}</span>}
        </p>
        <ul className="small" aria-label="Recipients">
          {recipients.map(({ address, state: one, detail }) => (
            <li key={address}>
              {address} <span className="soft">{detail === null ? one : `${one}: ${detail}`}</span>
            </li>
          ))}
        </ul>
        <p className="soft small">
          Requested <Moment at={message.createdAt} />
          {application !== null && (
            <>
              {" "}
              by <Link href={applicationPath(application)}>{application}</Link>
            </>
          )}
          {key !== null && <span className="mono"> ({key})</span>}
          {message.sendAt !== null && state === "scheduled" && (
            <>
              , to be sent <Moment at={message.sendAt} whole />
            </>
          )}
          {message.nextAttemptAt !== null && state === "queued" && (
            <>
              , {message.attempts} {message.attempts === 1 ? "attempt" : "attempts"}, next{" "}
              <Moment at={message.nextAttemptAt} whole />
            </>
          )}
          {heldAt !== null && (
            <>
              , held since <Moment at={heldAt} whole /> {heldBy !== null && HOLDERS[heldBy]}
            </>
          )}
          . <span className="mono">{id}</span>
        </p>
        {message.failure !== null && <p className="small fault">{message.failure.detail || message.failure.reason}</p>}
      </div>
      <span className={`tag ${TONES[state]}`}>{state}</span>
    </li>
  );
};
