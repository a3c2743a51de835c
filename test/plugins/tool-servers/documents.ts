import type { Behaviour } from "../../models/provider.ts";

type Values = Record<string, unknown>;

export function document(paths: Values, more: Values = {}): Values {
  return { openapi: "3.1.0", info: { title: "Harbour", version: "1" }, paths, ...more };
}

const answers = { responses: { 200: { description: "ok" } } };

/** Boats by number, with parameters in every place. */
export const boats = document({
  "/boats/{id}": {
    parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
    get: {
      operationId: "get.boat",
      summary: "Look a boat up",
      parameters: [
        { name: "tags", in: "query", schema: { type: "array", items: { type: "string" } } },
        { name: "X-Depth", in: "header", schema: { type: "string" } },
        { name: "flavour", in: "cookie", schema: { type: "string" } },
      ],
      ...answers,
    },
    put: {
      operationId: "rename_boat",
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: {
              type: "object",
              required: ["name"],
              properties: { id: { type: "string", description: "Hull" }, name: { type: "string" } },
            },
          },
        },
      },
      ...answers,
    },
  },
});

/** Serves the document at `/openapi.json` and everything else by `rest`. */
export function serving(described: unknown, rest: Behaviour, type = "application/json"): Behaviour {
  return (request, response) => {
    if (request.url !== "/openapi.json") return rest(request, response);
    const text = typeof described === "string" ? described : JSON.stringify(described);
    response.writeHead(200, { "content-type": type }).end(text);
  };
}
