/** Schemas that providers can hold a model to. */
import type { ArgumentsSchema, JSONSchema } from "../types.js";

/** What the schema of an argument has, in strict mode with every provider. */
const KEYWORDS: readonly string[] = ["type", "description", "enum"];

const TYPES: readonly unknown[] = ["string", "integer", "number", "boolean", "null"];

/**
 * Whether a schema can be sent as a strict one: those of this package's tools can; one of a skill's
 * server may have what makes a provider refuse the whole request.
 */
export function isStrict({ properties, required, additionalProperties }: ArgumentsSchema): boolean {
  const schemas = Object.entries(properties);
  return (
    additionalProperties === false &&
    schemas.every(([name, schema]) => required.includes(name) && isPlain(schema))
  );
}

function isPlain(schema: JSONSchema): boolean {
  // One of a server may be `true`.
  if (typeof schema !== "object" || schema === null) return false;
  const types = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]];
  return (
    types.every((type) => TYPES.includes(type)) &&
    Object.keys(schema).every((keyword) => KEYWORDS.includes(keyword))
  );
}
