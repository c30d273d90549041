import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { DovecotSettings } from "./dovecot-config.ts";

/** A TCP port of the loopback that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
};

/** The user Dovecot runs as: this process's own, or the unprivileged system user where that is root. */
export const unprivilegedUser = (): DovecotSettings["user"] => {
  const who = process.getuid?.() === 0 ? ["nobody"] : [];
  const id = (option: string) => execFileSync("id", [option, ...who], { encoding: "utf8" }).trim();
  return { name: id("-un"), group: id("-gn"), uid: Number(id("-u")), gid: Number(id("-g")) };
};

/** Whether an IMAP server speaks there. */
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

/** Starts Dovecot and comes back once it greets. */
export const startDovecot = async ({ folder, user, port }: DovecotSettings): Promise<ChildProcess> => {
  const child = spawn("/usr/sbin/dovecot", ["-F", "-c", `${folder}/dovecot.conf`], {
    uid: user.uid,
    gid: user.gid,
    stdio: ["ignore", "ignore", "pipe"],
    // A process group of its own, so that its sessions can be ended with it.
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

/** A server in a process group of its own ends with this process, whatever way that ends. */
export const endWithThisProcess = (child: ChildProcess): void => {
  const end = () => endGroup(child);
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
};

/** Ends Dovecot with all its sessions and comes back once it is gone. */
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

/** Sessions under way outlive their master for a moment. */
const endGroup = (child: ChildProcess): void => {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // None is left.
  }
};

export const readLog = (folder: string): string => {
  try {
    return readFileSync(`${folder}/log`, "utf8");
  } catch {
    return "";
  }
};
