import { createPostern } from "@postern/server";

const { PORT = "3000", DATA_DIR = "./data" } = process.env;

const open = async () => {
  const postern = await createPostern({ sandbox: true, dataDir: DATA_DIR, baseUrl: `http://127.0.0.1:${PORT}/mail` });
  await postern.start();
  return postern;
};

let opened: ReturnType<typeof open> | undefined;

/** Opens the service with the first request: a build loads this file too, and must not hold the data folder. */
export const postern = () => (opened ??= open());
