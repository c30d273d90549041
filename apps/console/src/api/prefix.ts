/** What the path of every address of the service begins with, such as `/mail`: all that is built lies in its folder `assets`. */
export const PREFIX = import.meta.env.PROD
  ? new URL(/* @vite-ignore */ "..", import.meta.url).pathname.slice(0, -1)
  : "";
