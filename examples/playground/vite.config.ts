import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { examples } from "./build/examples.ts";
import { offline } from "./build/offline.ts";

const skills =
  process.env.PLAYGROUND_SKILLS ?? fileURLToPath(new URL("../skills", import.meta.url));

export default defineConfig({
  // Any folder of any static host will do.
  base: "./",
  build: {
    target: "es2023",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The editor is larger than what Vite warns of; it comes only when it is opened.
    chunkSizeWarningLimit: 700,
  },
  worker: { format: "es" },
  plugins: [examples(skills), offline()],
});
