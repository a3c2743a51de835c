/** The shape of a place's texts, with other texts in it. */
export type Translated<T> = T extends string
  ? string
  : T extends (...args: infer A) => infer R
    ? (...args: A) => Translated<R>
    : T extends readonly (infer E)[]
      ? readonly Translated<E>[]
      : T extends object
        ? { readonly [K in keyof T]: Translated<T[K]> }
        : T;
