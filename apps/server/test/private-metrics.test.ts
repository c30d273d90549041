import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const deployed = (file: string): string => readFileSync(new URL(`../deploy/${file}`, import.meta.url), "utf8");

const METRICS = ["/metrics", "/metrics/", "/METRICS", "/mail/metrics", "/mail/metrics/", "/mail/Metrics"];
const OTHERS = ["/", "/mail", "/health/ready", "/api/inbox", "/api/folders/metrics", "/docs/deploy/metrics.md"];

/** The rule of each proxy, as a function that tests a decoded path. */
const RULES: Readonly<Record<string, RegExp>> = {
  "nginx.conf": new RegExp(/location ~\* (\S+) \{\s+return 404;/.exec(deployed("nginx.conf"))![1]!, "i"),
  Caddyfile: new RegExp(
    /@metrics path_regexp \(\?i\)(\S+)\n\s+respond @metrics 404/.exec(deployed("Caddyfile"))![1]!,
    "i",
  ),
};

describe.each(Object.entries(RULES))("%s", (_, rule) => {
  it.each(METRICS)("answers %s itself", (path) => expect(path).toMatch(rule));
  it.each(OTHERS)("passes %s on", (path) => expect(path).not.toMatch(rule));
});

it("kubernetes.yaml sends /metrics of the Ingress to a Service without processes", () => {
  const documents = deployed("kubernetes.yaml").split(/^---$/m);
  const [ingress = ""] = documents.filter((text) => /^kind: Ingress$/m.test(text));
  const [, backend] = /- path: \/metrics\s+pathType: Prefix\s+backend:\s+service: \{ name: ([\w-]+),/.exec(ingress)!;
  const services = documents.filter((text) => /^kind: Service$/m.test(text) && text.includes(`name: ${backend}\n`));
  expect(services).toHaveLength(1);
  expect(services[0]).not.toMatch(/selector:/);
});

describe("kubernetes.yaml", () => {
  const documents = deployed("kubernetes.yaml").split(/^---$/m);
  const of = (kind: string) => documents.filter((text) => new RegExp(`^kind: ${kind}$`, "m").test(text));

  it("has each document once, and scrapes the pods by their own Service", () => {
    expect(documents.map((text) => /^kind: (\w+)$/m.exec(text)?.[1])).toEqual([
      "Deployment",
      "Service",
      "Service",
      "ServiceMonitor",
      "HorizontalPodAutoscaler",
      "NetworkPolicy",
      "Service",
      "PodDisruptionBudget",
      "Ingress",
    ]);
    const [, label] = /matchLabels: \{ app: ([\w-]+) \}/.exec(of("ServiceMonitor")[0]!)!;
    expect(of("Service").filter((text) => text.includes(`labels: { app: ${label} }`))).toHaveLength(1);
  });

  it("scales by a metric that the service has, and lets its processes reach the hosts that they contact", () => {
    const [, metric] = /metric: \{ name: postern_(\w+) \}/.exec(of("HorizontalPodAutoscaler")[0]!)!;
    expect(readFileSync(new URL("../src/wiring/process-metrics.ts", import.meta.url), "utf8")).toContain(`"${metric}"`);
    const ports = [...of("NetworkPolicy")[0]!.matchAll(/- \{ port: (\d+),/g)].map(([, port]) => Number(port));
    expect(ports).toEqual([53, 53, 5432, 143, 993, 465, 587, 443]);
  });
});
