import { Effect, Redacted, Stream } from "effect";

const MOST = 160;

/** Returns a value as one short line, without parts that differ between runs. */
export const told = (value: unknown): string => {
  const text = JSON.stringify(value, (name, member: unknown) => (name === "fiberId" ? undefined : plain(member))) ?? "";
  return text.length > MOST ? `${text.slice(0, MOST)}… ${text.length}` : text;
};

const plain = (value: unknown): unknown => {
  if (typeof value === "function" || Effect.isEffect(value) || Stream.isStream(value)) return "-";
  if (typeof value === "bigint") return String(value);
  if (Redacted.isRedacted(value)) return "<redacted>";
  if (value instanceof Map || value instanceof Set) return [...value];
  return value instanceof Uint8Array ? `${value.length} bytes` : value;
};
