import { t } from "../../texts/text.ts";
import { numberText } from "../../texts/formats.ts";
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

const seconds = (value: number): string => duration(value * 1_000);
const never = (): boolean => false;
const some = (value: number): boolean => value > 0;

/** The time that a queued message may wait before it counts as a fault, because a mail server may be down. */
const MAX_WAIT_SECONDS = 900;
/** The delay from which a process counts as overloaded (docs/deploy/monitoring.md). */
const MAX_DELAY_SECONDS = 0.1;

/** Returns the figures that the operator sees at a glance, without those that the service does not report. */
export const figureGroups = (samples: ReadonlyArray<Sample>): ReadonlyArray<FigureGroup> => {
  const one = (
    name: string,
    [metric, labels]: readonly [string, Readonly<Record<string, string>>?],
    show: (value: number) => string = numberText,
    isFault: (value: number) => boolean = never,
  ): ReadonlyArray<Figure> => {
    const value = sumOf(samples, metric, labels);
    return value === null ? [] : [{ name, text: show(value), isFault: isFault(value) }];
  };
  const answers = (value: number): string => t(value === 1 ? "up" : "down");
  const groups = [
    {
      title: t("Accounts"),
      figures: [
        ...one(t("active [accounts]"), ["accounts", { state: "active" }]),
        ...one(t("need a new sign-in"), ["accounts", { state: "needs_reauth" }], numberText, some),
        ...one(t("unreachable [accounts]"), ["accounts", { state: "unreachable" }], numberText, some),
        ...one(t("paused [accounts]"), ["accounts", { state: "paused" }]),
      ],
    },
    {
      title: t("Outgoing mail"),
      figures: [
        ...one(t("queued [messages]"), ["outbox_messages", { state: "queued" }]),
        ...one(t("scheduled [messages]"), ["outbox_messages", { state: "scheduled" }]),
        ...one(t("held [messages]"), ["outbox_messages", { state: "held" }]),
        ...one(t("sending [messages]"), ["outbox_messages", { state: "sending" }]),
        ...one(t("oldest queued"), ["outbox_oldest_seconds"], seconds, (value) => value > MAX_WAIT_SECONDS),
      ],
    },
    {
      title: t("Dependencies"),
      figures: [
        ...new Set(samples.flatMap(({ name, labels }) => (name === "dependency_up" ? labels["dependency"]! : []))),
      ].flatMap((dependency) =>
        one(
          dependency === "database" ? t("database") : dependency,
          ["dependency_up", { dependency }],
          answers,
          (value) => value !== 1,
        ),
      ),
    },
    {
      title: t("This process"),
      figures: [
        ...one(t("deliveries due"), ["webhook_deliveries_due"]),
        ...one(t("endpoints disabled"), ["endpoints_disabled_total"], numberText, some),
        ...one(t("sign-ins refused"), ["sign_ins_refused_total"]),
        ...one(t("messages sent"), ["send_results_total", { result: "sent" }]),
        ...one(t("messages failed"), ["send_results_total", { result: "failed" }], numberText, some),
        ...one(t("accounts watched"), ["watched_accounts"]),
        ...one(t("event streams"), ["event_streams"]),
        ...one(t("requests in progress"), ["http_server_requests_in_flight"]),
        ...one(t("delay of timers"), ["event_loop_delay_seconds"], seconds, (value) => value > MAX_DELAY_SECONDS),
        ...one(t("memory"), ["process_resident_memory_bytes"], bytes),
        ...one(t("uptime"), ["process_uptime_seconds"], seconds),
      ],
    },
  ];
  return groups.filter(({ figures }) => figures.length > 0);
};
