import { playgroundTests } from "./playground.mjs";

playgroundTests("firefox");
