import type { HeaderField, MessagePart, ParsedMessage } from "@postern/core/mail";
import { MessageParser, MessageUnparsable } from "@postern/core/messages";
import { Clock, Effect, Layer } from "effect";

/**
 * Parses messages in plain text, and reports in the form of Postfix, because the real parser runs in threads. A report that begins
 * with `X-Parser: busy <time>` finds the parser busy until this time in epoch milliseconds; with `crashed`, its parsing fails.
 */
export const plainParser = Layer.succeed(MessageParser, {
  read: (_account, _key, { header, bodies }) =>
    Effect.succeed({
      headers: fieldsOf(decodeText(header)),
      text: bodies.map(({ bytes }) => decodeText(bytes)).join(""),
      html: null,
      blocked: 0,
    }),
  previews: (_account, texts) => Effect.succeed(texts.map(({ bytes }) => decodeText(bytes).slice(0, 200))),
  report: Effect.fnUntraced(function* (_account, _key, raw) {
    const text = decodeText(raw);
    const [, reason, until = 0] = /^X-Parser: (busy|crashed) (\d+)/.exec(text) ?? [];
    if (reason !== undefined && (yield* Clock.currentTimeMillis) < Number(until))
      return yield* new MessageUnparsable({ reason: reason as "busy" | "crashed" });
    return parsedMessage(text);
  }),
});

const decodeText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const parsedMessage = (raw: string): ParsedMessage => {
  const [header, body] = halves(raw);
  const headers = fieldsOf(header);
  const type = headers.find(([name]) => name === "Content-Type")?.[1] ?? "text/plain";
  const boundary = /boundary="([^"]+)"/.exec(type)?.[1];
  if (boundary === undefined) return { headers, parts: [{ type: "text/plain", text: body, message: null }] };
  return { headers, parts: body.split(`--${boundary}`).slice(1, -1).map(partOf) };
};

const partOf = (part: string): MessagePart => {
  const [header, text] = halves(part.trimStart());
  const type = /^Content-Type: ([^;\s]+)/m.exec(header)?.[1] ?? "text/plain";
  const message = type === "text/rfc822-headers" ? { headers: fieldsOf(text), parts: [] } : null;
  return { type, text, message };
};

const halves = (text: string): readonly [header: string, body: string] => {
  const empty = text.indexOf("\r\n\r\n");
  return empty < 0 ? [text, ""] : [text.slice(0, empty), text.slice(empty + 4)];
};

const fieldsOf = (header: string): ReadonlyArray<HeaderField> =>
  header
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n")
    .flatMap((line) => {
      const colon = line.indexOf(":");
      return colon < 1 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()] as const];
    });
