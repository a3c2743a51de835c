import { completionRequest } from "./src/chat/completions/schema.ts";
import { validationError } from "./src/http/validation-error.ts";
for (const n of [10000, 100000,300000]) {
  const text = JSON.stringify({model:"x",messages:Array(n).fill({})});
  let t=performance.now(); const v=JSON.parse(text); console.log(n,"parse",performance.now()-t);
  t=performance.now(); const r=completionRequest.safeParse(v); console.log("zod",performance.now()-t, r.success, r.error?.issues.length);
  t=performance.now(); if(!r.success) console.log(validationError(r.error).message.length); console.log("error",performance.now()-t);
}
