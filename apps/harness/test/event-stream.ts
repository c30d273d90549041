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
  return {
    /** The next message that is no comment; undefined at the end. */
    next: async (): Promise<StreamMessage | undefined> => {
      for (;;) {
        const end = text.indexOf("\n\n");
        if (end < 0) {
          const { done, value } = await reader.read();
          if (done) return undefined;
          text += value;
          continue;
        }
        const lines = text.slice(0, end).split("\n");
        text = text.slice(end + 2);
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        const data = field("data");
        if (data !== undefined) return { id: field("id"), event: field("event")!, data: JSON.parse(data) };
      }
    },
    close: () => reader.cancel(),
  };
};
