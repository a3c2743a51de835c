import * as z from "zod";

/** JSON of this shape, as the content of a body or an answer. */
export const json = <S extends z.ZodType>(schema: S) => ({ content: { "application/json": { schema } } });

/** The part of a route's `request` that says: a JSON body of this shape has to be there. */
export const jsonBody = <S extends z.ZodType>(schema: S) => ({ body: { ...json(schema), required: true } });

/** The part of a route's `request` that says: a JSON body of this shape may be there. */
export const optionalBody = <S extends z.ZodType>(schema: S) => ({ body: json(schema) });

/** The same for a route that sets `flag`. Without it, the route toggles the flag, as in Open WebUI. */
export const flagBody = <F extends string>(flag: F) =>
  optionalBody(
    z.looseObject({ [flag]: z.boolean().nullish() } as Record<F, z.ZodOptional<z.ZodNullable<z.ZodBoolean>>>),
  );

/** The part of a route's `responses` that says: 200 with JSON of this shape. */
export const answers = <S extends z.ZodType>(description: string, schema: S) => ({
  200: { description, ...json(schema) },
});
