/** Returns the 99th percentile of the delay of a service's event loop since the last call, in milliseconds. */
export const loopDelayMillis = async (base: string): Promise<number> => {
  const metrics = await (await fetch(`${base}/metrics`)).text();
  return Number(/^postern_event_loop_delay_seconds (\S+)/m.exec(metrics)?.[1] ?? Number.NaN) * 1000;
};
