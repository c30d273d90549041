import { setTimeout as sleep } from "node:timers/promises";

/** An event of the stream. */
export interface ReadEvent {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly subject?: string; readonly uid?: number };
}

/** Reads the event stream like `EventSource`: reconnects to any of the servers, and resumes after the last event. */
export const eventReader = (servers: () => ReadonlyArray<string>, token: string) => {
  const events: Array<ReadEvent> = [];
  const problems: Array<string> = [];
  let last: string | undefined;
  let [ended, connections] = [false, 0];
  let abort = new AbortController();

  const read = async (base: string): Promise<void> => {
    const headers = { authorization: `Bearer ${token}`, ...(last === undefined ? {} : { "last-event-id": last }) };
    const response = await fetch(`${base}/api/events`, { headers, signal: abort.signal });
    if (response.status !== 200) {
      problems.push(`${response.status} ${await response.text()}`);
      return;
    }
    connections++;
    let text = "";
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const lines = text.slice(0, end).split("\n");
        text = text.slice(end + 2);
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        const data = field("data");
        if (lines.includes("event: gap")) problems.push("gap");
        else if (data !== undefined) events.push(JSON.parse(data) as ReadEvent);
        last = field("id") ?? last;
      }
    }
  };

  const done = (async () => {
    for (let turn = 0; !ended; turn++) {
      const there = servers();
      abort = new AbortController();
      if (there.length > 0) await read(there[turn % there.length]!).catch(() => {});
      await sleep(100);
    }
  })();

  return {
    events,
    problems,
    connections: () => connections,
    stop: async () => {
      ended = true;
      abort.abort();
      await done;
    },
  };
};
