/** A logger that receives the log lines, such as `console`. */
export interface PosternLogger {
  readonly debug: (message: string, fields: Readonly<Record<string, unknown>>) => void;
  readonly info: (message: string, fields: Readonly<Record<string, unknown>>) => void;
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void;
  readonly error: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}
