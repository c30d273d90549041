import { Effect, Redacted, Stream } from "effect";

const MAX_CHARS = 160;

/** Returns a value as one short line, without parts that differ between runs. */
export const shortLine = (value: unknown): string => {
  const text = JSON.stringify(value, (name, member: unknown) => (name === "fiberId" ? undefined : plain(member))) ?? "";
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}… ${text.length}` : text;
};

const plain = (value: unknown): unknown => {
  if (typeof value === "function" || Effect.isEffect(value) || Stream.isStream(value)) return "-";
  if (typeof value === "bigint") return String(value);
  if (Redacted.isRedacted(value)) return "<redacted>";
  if (value instanceof Map || value instanceof Set) return [...value];
  return value instanceof Uint8Array ? `${value.length} bytes` : value;
};
