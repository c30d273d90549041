/** A message of a stream of server-sent events. */
export interface StreamMessage {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: any;
}

/** Reads a stream of server-sent events, as `EventSource` does. */
export const readEventStream = (response: Response) => {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  /** Returns the fields of the next message; undefined at the end. */
  const fields = async (): Promise<ReadonlyMap<string, string> | undefined> => {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end >= 0) {
        const lines = text.slice(0, end).split("\n");
        text = text.slice(end + 2);
        return new Map(lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };
  return {
    /** Returns the next message that is an event; undefined at the end. */
    next: async (): Promise<StreamMessage | undefined> => {
      for (let read = await fields(); read !== undefined; read = await fields()) {
        const data = read.get("data");
        if (data !== undefined) return { id: read.get("id"), event: read.get("event")!, data: JSON.parse(data) };
      }
      return undefined;
    },
    /** Returns the id of the next message, which need not be an event. */
    id: async (): Promise<string | undefined> => (await fields())?.get("id"),
    close: () => reader.cancel(),
  };
};
