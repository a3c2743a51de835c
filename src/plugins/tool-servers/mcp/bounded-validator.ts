import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from "@modelcontextprotocol/client";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/client/validators/cf-worker";
import { checkableSchema } from "../../checkable-schema.ts";

/**
 * Validates a server's answer against its own schema, within limits, because both come from the server and this process
 * is shared. Compiles nothing, because the edge has no eval.
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
