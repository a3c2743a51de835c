/** Where an argument goes and how it is written there (OpenAPI 3.1, 4.8.12). */
export interface ParameterPlan {
  /** What the model calls it. */
  argument: string;
  /** What the server calls it. */
  name: string;
  in: "path" | "query" | "header" | "cookie";
  required: boolean;
  style: "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";
  explode: boolean;
  allowReserved: boolean;
  /** Written as JSON text (`content: application/json`). */
  asJson: boolean;
}

/** `whole`: the argument `body` is the body. Else a field of it for each of `fields`. */
export interface BodyPlan {
  contentType: string;
  required: boolean;
  whole: string | undefined;
  fields: { argument: string; name: string; required: boolean }[];
}

/** How an operation is called. */
export interface OperationPlan {
  kind: "openapi";
  /** Upper case. */
  method: string;
  /** Without a trailing slash. */
  baseUrl: string;
  /** Template as in the document. */
  path: string;
  parameters: ParameterPlan[];
  body: BodyPlan | undefined;
}
