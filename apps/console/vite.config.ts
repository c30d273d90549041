import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig } from "vite";
import { catalogue } from "./catalogue.ts";

/** Two pages: the console, and the empty one a message's HTML is put into. `npm run dev` asks a service on port 3000. */
export default defineConfig({
  plugins: [react(), catalogue()],
  // If the console is served below a path, only the pages contain this path, and the service writes it into them.
  experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === "html" ? undefined : { relative: true }) },
  resolve: { conditions: ["@postern/source", ...defaultClientConditions] },
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ["index.html", "message.html"] },
  },
  server: { proxy: { "/api": "http://127.0.0.1:3000", "/metrics": "http://127.0.0.1:3000" } },
});
