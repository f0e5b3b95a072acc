/**
 * What the official server takes from its runtime, in the command. The half of it that it takes on
 * Node is a validator of JSON Schema, for answers of clients to questions; no skill asks any.
 *
 * @module
 */
export { default as process } from "node:process";

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error("The command has no validator of JSON Schema: serve with skillshelf/mcp.");
  }
}
