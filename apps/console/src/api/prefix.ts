/** The path prefix of the service, such as `/mail`, taken from the URL of this module in the folder `assets`. */
export const PREFIX = import.meta.env.PROD
  ? new URL(/* @vite-ignore */ "..", import.meta.url).pathname.slice(0, -1)
  : "";
