import { findHeaderProblem } from "../../../http/header-rules.ts";
import { ServerFailure } from "../server-failure.ts";
import type { BodyPlan, OperationPlan, ParameterPlan } from "./operation-plan.ts";
import { cookiePair, headerValue, pathText, queryParts } from "./serialize-parameter.ts";

export interface OperationRequest {
  url: URL;
  method: string;
  headers: Headers;
  body: BodyInit | undefined;
}

type Args = Record<string, unknown>;

/**
 * The call that the arguments make: each in the place that the document gives it, and nowhere else. What no parameter or
 * field is named after is left out.
 * @throws ServerFailure `refused`, in words that a model can go by, for arguments that cannot be sent
 */
export function buildRequest(plan: OperationPlan, args: Args): OperationRequest {
  const given = (argument: string): unknown =>
    Object.hasOwn(args, argument) ? (args[argument] ?? undefined) : undefined;
  const headers = new Headers({ accept: "application/json, text/*;q=0.9, */*;q=0.5" });
  const query: string[] = [];
  const cookies: string[] = [];
  let path = plan.path;
  for (const parameter of plan.parameters) {
    const value = given(parameter.argument);
    if (value === undefined) {
      if (parameter.required) throw missing(parameter.argument);
      continue;
    }
    if (parameter.in === "path") path = path.replaceAll(`{${parameter.name}}`, () => segment(parameter, value));
    else if (parameter.in === "query") query.push(...queryParts(parameter, value));
    else if (parameter.in === "cookie") cookies.push(cookiePair(parameter, value));
    else setHeader(headers, parameter.name, headerValue(parameter, value));
  }
  if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
  const url = new URL(plan.baseUrl + checkedPath(path));
  if (query.length > 0) url.search = query.join("&");
  const body = plan.body && writeBody(plan.body, given);
  if (typeof body === "string" || body instanceof URLSearchParams) headers.set("content-type", plan.body!.contentType);
  return { url, method: plan.method, headers, body: body instanceof URLSearchParams ? body.toString() : body };
}

function missing(argument: string): ServerFailure {
  return new ServerFailure("refused", `The argument ${argument} is missing`);
}

/** A value that is a dot or two would make another path of it, as would one that is empty. */
function checkedPath(path: string): string {
  if (path.split("/").some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)))
    throw new ServerFailure("refused", "An argument in the path cannot be . or ..");
  return path;
}

function segment(parameter: ParameterPlan, value: unknown): string {
  const text = pathText(parameter, value);
  if (text === "")
    throw new ServerFailure("refused", `The argument ${parameter.argument} is part of the path and cannot be empty`);
  return text;
}

function setHeader(headers: Headers, name: string, value: string): void {
  if (name.toLowerCase() === "cookie" || findHeaderProblem(name, value) !== undefined)
    throw new ServerFailure("refused", `The header ${name} cannot be sent with this value`);
  headers.set(name, value);
}

function writeBody(plan: BodyPlan, given: (argument: string) => unknown): BodyInit | undefined {
  const value = plan.whole === undefined ? fieldsOf(plan, given) : given(plan.whole);
  if (value === undefined) {
    if (plan.required && plan.whole !== undefined) throw missing(plan.whole);
    return plan.required ? encode(plan.contentType, {}) : undefined;
  }
  return encode(plan.contentType, value);
}

/** Undefined where none of the fields is given. */
function fieldsOf(plan: BodyPlan, given: (argument: string) => unknown): Args | undefined {
  const entries = plan.fields.flatMap(({ argument, name }): [string, unknown][] => {
    const value = given(argument);
    return value === undefined ? [] : [[name, value]];
  });
  const isNeeded = plan.required || entries.length > 0;
  const lacking = plan.fields.find((field) => field.required && given(field.argument) === undefined);
  if (isNeeded && lacking) throw missing(lacking.argument);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function encode(contentType: string, value: unknown): BodyInit {
  if (/\bjson\b|\+json\b/i.test(contentType)) return JSON.stringify(value);
  if (/^application\/x-www-form-urlencoded/i.test(contentType)) {
    const form = new URLSearchParams();
    for (const [name, text] of formParts(value)) form.append(name, text);
    return form;
  }
  if (/^multipart\/form-data/i.test(contentType)) {
    const form = new FormData();
    for (const [name, text] of formParts(value)) form.append(name, text);
    return form;
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

function formParts(value: unknown): [string, string][] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new ServerFailure("refused", "The body is a form: pass its fields as an object");
  const text = (part: unknown) => (typeof part === "string" ? part : JSON.stringify(part));
  return Object.entries(value).flatMap(([name, part]): [string, string][] =>
    Array.isArray(part) ? part.map((item): [string, string] => [name, text(item)]) : [[name, text(part)]],
  );
}
