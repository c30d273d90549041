import { Layer, Logger, type LogLevel, References } from "effect";
import { lineOf } from "../flat-json.ts";
import type { PosternLogger } from "./PosternLogger.ts";

/** Passes what is logged at a level and above to the logger of a host; nothing is logged without one. */
export const logTo = (logger: PosternLogger | undefined, least: LogLevel.LogLevel): Layer.Layer<never> => {
  if (logger === undefined) return Logger.layer([]);
  const passing = Logger.make((options) => {
    const { time: _time, level: _level, message, ...fields } = lineOf(options);
    logger[METHODS[options.logLevel] ?? "debug"](String(message), fields);
  });
  return Layer.merge(Logger.layer([passing]), Layer.succeed(References.MinimumLogLevel, least));
};

const METHODS: Partial<Record<LogLevel.LogLevel, keyof PosternLogger>> = {
  Info: "info",
  Warn: "warn",
  Error: "error",
  Fatal: "error",
};
