import { always, type Row } from "./cells.ts";

const nobody: Row = { may: always(401) };

/** The operator's commands, as rows of the table. */
export const operatorTable: Readonly<Record<string, Row>> = {
  "GET /api/v1/operator/work": nobody,
  "POST /api/v1/operator/repairs": nobody,
  "POST /api/v1/operator/first-administrator": nobody,
  "POST /api/v1/operator/people": nobody,
  "POST /api/v1/operator/people/password": nobody,
  "POST /api/v1/operator/people/reset-link": nobody,
  "POST /api/v1/operator/people/second-factor": nobody,
  "POST /api/v1/operator/people/administrator": nobody,
};
