import { bytes } from "../../ui/bytes.ts";
import { duration } from "../../ui/time.ts";
import { type Sample, sumOf } from "./samples.ts";

/** A figure of the service, as it is shown. */
export interface Figure {
  readonly name: string;
  readonly text: string;
  readonly isFault: boolean;
}

/** The figures of one subject. */
export interface FigureGroup {
  readonly title: string;
  readonly figures: ReadonlyArray<Figure>;
}

const count = (value: number): string => value.toLocaleString();
const seconds = (value: number): string => duration(value * 1_000);
const never = (): boolean => false;
const some = (value: number): boolean => value > 0;

/** How long a queued message may wait before it counts as a fault: a mail server may be down. */
const MAX_WAIT_SECONDS = 900;
/** From this delay on a process is overloaded (docs/deploy/monitoring.md). */
const MAX_DELAY_SECONDS = 0.1;

/** Returns the figures that the operator sees at a glance; those that the service does not report are left out. */
export const figureGroups = (samples: ReadonlyArray<Sample>): ReadonlyArray<FigureGroup> => {
  const one = (
    name: string,
    [metric, labels]: readonly [string, Readonly<Record<string, string>>?],
    show: (value: number) => string = count,
    isFault: (value: number) => boolean = never,
  ): ReadonlyArray<Figure> => {
    const value = sumOf(samples, metric, labels);
    return value === null ? [] : [{ name, text: show(value), isFault: isFault(value) }];
  };
  const answers = (value: number): string => (value === 1 ? "up" : "down");
  const groups = [
    {
      title: "Accounts",
      figures: [
        ...one("active", ["accounts", { state: "active" }]),
        ...one("need a new sign-in", ["accounts", { state: "needs_reauth" }], count, some),
        ...one("unreachable", ["accounts", { state: "unreachable" }], count, some),
        ...one("paused", ["accounts", { state: "paused" }]),
      ],
    },
    {
      title: "Outgoing mail",
      figures: [
        ...one("queued", ["outbox_messages", { state: "queued" }]),
        ...one("scheduled", ["outbox_messages", { state: "scheduled" }]),
        ...one("held", ["outbox_messages", { state: "held" }]),
        ...one("sending", ["outbox_messages", { state: "sending" }]),
        ...one("oldest queued", ["outbox_oldest_seconds"], seconds, (value) => value > MAX_WAIT_SECONDS),
      ],
    },
    {
      title: "Dependencies",
      figures: [
        ...new Set(samples.flatMap(({ name, labels }) => (name === "dependency_up" ? labels["dependency"]! : []))),
      ].flatMap((dependency) => one(dependency, ["dependency_up", { dependency }], answers, (value) => value !== 1)),
    },
    {
      title: "This process",
      figures: [
        ...one("deliveries due", ["webhook_deliveries_due"]),
        ...one("endpoints disabled", ["endpoints_disabled_total"], count, some),
        ...one("sign-ins refused", ["sign_ins_refused_total"]),
        ...one("messages sent", ["send_results_total", { result: "sent" }]),
        ...one("messages failed", ["send_results_total", { result: "failed" }], count, some),
        ...one("accounts watched", ["watched_accounts"]),
        ...one("event streams", ["event_streams"]),
        ...one("requests in progress", ["http_server_requests_in_flight"]),
        ...one("delay of timers", ["event_loop_delay_seconds"], seconds, (value) => value > MAX_DELAY_SECONDS),
        ...one("memory", ["process_resident_memory_bytes"], bytes),
        ...one("uptime", ["process_uptime_seconds"], seconds),
      ],
    },
  ];
  return groups.filter(({ figures }) => figures.length > 0);
};
