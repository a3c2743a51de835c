import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from "@modelcontextprotocol/client";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";
import { checkableSchema } from "../../checkable-schema.ts";

/**
 * Holds what a server answers against its own schema, as far as that takes no time: both are the server's, and this process
 * is everybody's. Compiles nothing, as the edge has no eval.
 */
export const boundedValidator: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    return (value) => {
      const checkable = checkableSchema(schema, value);
      if (!checkable) return { valid: true, data: value as T, errorMessage: undefined };
      return new CfWorkerJsonSchemaValidator().getValidator<T>(checkable)(value);
    };
  },
};
