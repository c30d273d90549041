/** What an error says, in one line; several addresses that failed together have a code and no message. */
export const errorText = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || String(code ?? error);
};
