import { Check, X } from "lucide-react";
import { Moment } from "../../ui/Moment.tsx";
import { duration } from "../../ui/time.ts";
import type { Rung } from "./ladder.ts";

const WORDS = {
  succeeded: "delivered",
  failed: "failed",
  due: "due",
  under_way: "under way",
  open: "not tried",
} as const;

/** The attempts drawn against the ladder: each rung is as long after the one before as its label says. */
export const Ladder = ({ rungs }: { readonly rungs: ReadonlyArray<Rung> }) => (
  <ol className="ladder" aria-label="Attempts">
    {rungs.map((rung) => (
      <li key={rung.n} className={`rung ${rung.is}`}>
        <span className="rung-wait small">{rung.wait === 0 ? "at once" : `after ${duration(rung.wait)}`}</span>
        <span className="rung-mark" aria-hidden>
          {rung.is === "succeeded" && <Check size={14} strokeWidth={3} />}
          {rung.is === "failed" && <X size={14} strokeWidth={3} />}
        </span>
        <span className="rung-word small">
          {rung.attempt === null ? WORDS[rung.is] : (rung.attempt.status ?? rung.attempt.errorCode ?? WORDS[rung.is])}
        </span>
        <span className="rung-when soft small">
          {rung.attempt !== null && duration(rung.attempt.ms)}
          {rung.dueAt !== null && <Moment at={rung.dueAt} />}
        </span>
      </li>
    ))}
  </ol>
);
