import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { DovecotSettings } from "./dovecot-config.ts";

/** Returns a loopback TCP port that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
};

/** Returns the user that runs servers: the user of this process, or an unprivileged system user instead of root. */
export const unprivilegedUser = (): DovecotSettings["user"] => {
  const who = process.getuid?.() === 0 ? ["nobody"] : [];
  const id = (option: string) => execFileSync("id", [option, ...who], { encoding: "utf8" }).trim();
  return { name: id("-un"), group: id("-gn"), uid: Number(id("-u")), gid: Number(id("-g")) };
};

/** Returns whether a server on this port sends a greeting. */
export const hasGreeting = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const settle = (greeted: boolean) => {
      socket.destroy();
      resolve(greeted);
    };
    socket.on("data", () => settle(true));
    socket.on("error", () => settle(false));
    socket.on("close", () => settle(false));
  });

/** Starts Dovecot; resolves when it sends its greeting. */
export const startDovecot = async ({ folder, user, port }: DovecotSettings): Promise<ChildProcess> => {
  const child = spawn("/usr/sbin/dovecot", ["-F", "-c", `${folder}/dovecot.conf`], {
    uid: user.uid,
    gid: user.gid,
    stdio: ["ignore", "ignore", "pipe"],
    // The server has a separate process group, so that its sessions end with it.
    detached: true,
  });
  let errors = "";
  child.stderr?.on("data", (text) => (errors += text));
  endWithThisProcess(child);
  for (let tries = 0; tries < 400; tries++) {
    if (child.exitCode !== null) break;
    if (await hasGreeting(port)) return child;
    await sleep(25);
  }
  endGroup(child);
  throw new Error(`Dovecot does not greet: ${errors}${readLog(folder)}`);
};

/** Ends a server's process group when this process exits. */
export const endWithThisProcess = (child: ChildProcess): void => {
  const end = () => endGroup(child);
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
};

/** Stops Dovecot with all sessions; resolves when it has exited. */
export const stopDovecot = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await gone;
    clearTimeout(late);
  }
  endGroup(child);
};

/** Kills the remaining processes of the group: sessions end a moment after the master process. */
const endGroup = (child: ChildProcess): void => {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // No process is left in the group.
  }
};

export const readLog = (folder: string): string => {
  try {
    return readFileSync(`${folder}/log`, "utf8");
  } catch {
    return "";
  }
};
