import { Layer } from "effect";
import { withNoticesApart } from "../../wiring/adapters.ts";
import type { Config } from "../../settings/config.ts";
import type { Replacements } from "../../wiring/service.ts";
import { PosternError } from "../PosternError.ts";
import { mailTransport } from "./mail-transport.ts";
import type { PosternPorts } from "./PosternPorts.ts";
import { uploadContents } from "./upload-contents.ts";

/** The functions that each port must have. */
const FUNCTIONS: { readonly [Name in keyof PosternPorts]-?: ReadonlyArray<keyof NonNullable<PosternPorts[Name]>> } = {
  uploads: ["write", "read", "remove"],
  mailTransport: ["send"],
};

/** Returns the adapters over the objects of a host. */
export const replacementsOf = ({ uploads, mailTransport: transport }: PosternPorts, config: Config): Replacements =>
  Layer.mergeAll(
    uploads === undefined ? Layer.empty : uploadContents(uploads),
    transport === undefined ? Layer.empty : withNoticesApart(config, mailTransport(transport)),
  );

/** Refuses a port that does not exist, or lacks a function. */
export const checkPorts = (ports: object): void => {
  for (const [name, port] of Object.entries(ports)) {
    const functions: ReadonlyArray<string> | undefined = FUNCTIONS[name as keyof PosternPorts];
    if (functions === undefined) throw invalid(`ports.${name} is no port`);
    const missing = port === undefined ? undefined : functions.find((each) => typeof port?.[each] !== "function");
    if (missing !== undefined) throw invalid(`ports.${name} has no function ${missing}`);
  }
};

const invalid = (message: string) => new PosternError(message, { code: "invalid_option" });
