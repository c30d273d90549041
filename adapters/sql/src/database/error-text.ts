/** Returns the message of an error in one line. An error about several addresses has only a code, and no message. */
export const errorText = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || String(code ?? error);
};
