import { expect, test } from "vitest";
import { figureGroups } from "../src/accounts/metrics/figures.ts";
import { samplesOf } from "../src/accounts/metrics/samples.ts";

const TEXT = [
  "# HELP postern_accounts Accounts by state.",
  "# TYPE postern_accounts gauge",
  'postern_accounts{state="active"} 1234',
  'postern_accounts{state="unreachable"} 2',
  "postern_outbox_oldest_seconds 3720",
  'postern_dependency_up{dependency="imap",name="a \\"b\\" c"} 0',
  'postern_send_results_total{result="sent",node="a"} 3',
  'postern_send_results_total{result="sent",node="b"} 4',
  "other_metric 7",
  "",
].join("\n");

test("reads the samples of the service with their labels", () => {
  expect(samplesOf(TEXT)[0]).toEqual({ name: "accounts", labels: { state: "active" }, value: 1234 });
  expect(samplesOf(TEXT)).toHaveLength(6);
  expect(samplesOf(TEXT)[3]!.labels).toEqual({ dependency: "imap", name: 'a \\"b\\" c' });
});

test("marks figures that need attention, adds up the series of a metric, and leaves out missing figures", () => {
  const groups = figureGroups(samplesOf(TEXT));
  expect(groups.map(({ title }) => title)).toEqual(["Accounts", "Outgoing mail", "Dependencies", "This process"]);
  expect(groups[0]!.figures).toEqual([
    { name: "active", text: (1234).toLocaleString(), isFault: false },
    { name: "unreachable", text: "2", isFault: true },
  ]);
  expect(groups[1]!.figures).toEqual([{ name: "oldest queued", text: "1 h 2 m", isFault: true }]);
  expect(groups[2]!.figures).toEqual([{ name: "imap", text: "down", isFault: true }]);
  expect(groups[3]!.figures).toEqual([{ name: "messages sent", text: "7", isFault: false }]);
});
