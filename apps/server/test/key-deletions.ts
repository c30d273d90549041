import { ADMIN_KEY } from "./requests/live-world.ts";
import { post, signIn } from "./server-process.ts";

/** A node, and the client address for the count of wrong keys; each request uses a new address. */
const ask = async (base: string, key: string): Promise<number> => {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(3));
  const headers = {
    authorization: `Bearer ${key}`,
    "postern-account": "demo@postern.test",
    "x-forwarded-for": `10.${bytes.join(".")}`,
  };
  const answer = await fetch(`${base}/api/limits`, { headers });
  await answer.arrayBuffer();
  return answer.status;
};

interface Asked {
  readonly beganAt: number;
  readonly status: number;
}

/** Sends requests with a key, one after the other, until some were sent after its deletion. */
const load = async (base: string, key: string, deletion: { readonly endedAt: number }) => {
  const all: Array<Asked> = [];
  for (let after = 0; after < 3;) {
    const beganAt = performance.now();
    if (beganAt > deletion.endedAt) after++;
    all.push({ beganAt, status: await ask(base, key) });
  }
  return all;
};

/** Settings of nodes for `deleteKeys`. */
export const KEY_NODES = { ADMIN_KEY, TRUSTED_PROXIES: "127.0.0.1/32" };

/**
 * Makes keys and deletes each on one node while both nodes get requests with it, some keys at a time. Returns how many
 * requests were accepted before the answer to the deletion, and how many that began after it were not refused.
 */
export const deleteKeys = async (nodes: ReadonlyArray<string>, count: number) => {
  const [first] = nodes;
  await signIn(first!);
  let [accepted, late, next] = [0, 0, 0];
  const lane = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) {
      const made = await post(first!, "/api/keys", { name: `key ${n}`, scopes: ["mail:read"] }, ADMIN_KEY);
      const { data } = (await made.json()) as { readonly data: { readonly id: string; readonly key: string } };
      const deletion = { endedAt: Infinity };
      const loads = nodes.flatMap((base) => [load(base, data.key, deletion), load(base, data.key, deletion)]);
      await new Promise((resolve) => setTimeout(resolve, 20));
      const headers = { authorization: `Bearer ${ADMIN_KEY}` };
      const deleted = await fetch(`${nodes[n % nodes.length]}/api/keys/${data.id}`, { method: "DELETE", headers });
      if (deleted.status !== 200) throw new Error(await deleted.text());
      deletion.endedAt = performance.now();
      for (const { beganAt, status } of (await Promise.all(loads)).flat()) {
        if (status === 200 && beganAt <= deletion.endedAt) accepted++;
        if (status !== 401 && beganAt > deletion.endedAt) late++;
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  return { accepted, late };
};
