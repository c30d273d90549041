// Adds missing packages of platforms to the lock file. npm omits such a package if the registry in use lacks it, and
// `npm ci` then refuses the lock file everywhere. The parent package names each one with an exact version.
import { readFileSync, writeFileSync } from "node:fs";

const SYSTEMS = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const PROCESSORS = ["arm", "arm64", "ia32", "ppc64", "riscv64", "s390x", "x64"];

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const { packages } = lock;

const absent = Object.entries(packages).flatMap(([parent, { optionalDependencies = {}, dev, license, engines }]) =>
  Object.entries(optionalDependencies)
    .filter(([name]) => !packages[`node_modules/${name}`] && !packages[`${parent}/node_modules/${name}`])
    .map(([name, version]) => ({ name, version, dev, license, engines })),
);

for (const { name, version, dev, license, engines } of absent) {
  const words = name.split(/[/-]/);
  const os = SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  if (os.length !== 1 || cpu.length !== 1 || !/^\d/.test(version)) {
    throw new Error(`${name} ${version} is not one platform's package: add it to package-lock.json by hand`);
  }
  const libc = words.some((word) => word.startsWith("musl")) ? ["musl"] : undefined;
  packages[`node_modules/${name}`] = { version, cpu, dev, libc, license, optional: true, os, engines };
  console.log(`added ${name} ${version}`);
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, "en")));
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
