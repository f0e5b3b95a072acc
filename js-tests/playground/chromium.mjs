import { playgroundTests } from "./playground.mjs";

playgroundTests("chromium");
