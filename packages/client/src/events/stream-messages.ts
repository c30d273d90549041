/** A message of a stream of server-sent events. */
export interface StreamMessage {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string | undefined;
}

/** The longest silence: the time of three comments, which the service sends every 15 seconds. */
const MAX_SILENCE_MILLIS = 45_000;

/** Yields the messages of a stream; ends when the connection ends, is lost, or is silent for too long. */
export async function* messagesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<StreamMessage, void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (let chunk = await nextOf(reader); chunk !== undefined; chunk = await nextOf(reader)) {
      const blocks = (text + chunk).split(/\r?\n\r?\n/);
      text = blocks.pop() ?? "";
      for (const block of blocks) yield messageIn(block);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

const nextOf = async (reader: ReadableStreamDefaultReader<string>): Promise<string | undefined> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), MAX_SILENCE_MILLIS);
  });
  const chunk = reader.read().then(
    ({ value }) => value,
    () => undefined,
  );
  return Promise.race([chunk, silence]).finally(() => clearTimeout(timer));
};

/** Parses the fields of a block (WHATWG, server-sent events); a comment is a field without a name. */
const messageIn = (block: string): StreamMessage => {
  const fields = new Map<string, string>();
  for (const line of block.split(/\r?\n/)) {
    const [, name = line, value = ""] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
    const before = name === "data" ? fields.get(name) : undefined;
    fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  return { id: fields.get("id"), event: fields.get("event"), data: fields.get("data") };
};
