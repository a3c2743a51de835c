import type { HelpPage } from "../guide-page.ts";

export const api: HelpPage = {
  title: "Using the API",
  keywords:
    "api http rest script curl python javascript sdk openai client library bearer token key keys bot authorization base url program integrate endpoint completions stream",
  links: [],
  sections: [
    {
      heading: "With curl",
      text: 'Sign in to get a token, then send it as a Bearer token:\n\n```sh\nTOKEN=$(curl -s http://127.0.0.1:8080/api/v1/auths/signin -H \'Content-Type: application/json\' \\\n  -d \'{"email": "ada@harbour.example", "password": "..."}\' | node -pe \'JSON.parse(require("fs").readFileSync(0)).token\')\ncurl http://127.0.0.1:8080/api/chat/completions -H "Authorization: Bearer $TOKEN" -H \'Content-Type: application/json\' \\\n  -d \'{"model": "MODEL-ID", "messages": [{"role": "user", "content": "Hello"}], "stream": true}\'\n```\n\n`GET /api/models` lists the ids.',
    },
    {
      heading: "API keys",
      text: "For scripts and bots make a key under Settings, API keys: copy it at once, it is shown once only. Send it like a token (`Authorization: Bearer sk-...`, or in the header `x-api-key`). It acts as you are now and works until you delete it. An administrator has to switch keys on first (Admin, Settings, or `ENABLE_API_KEYS=true`), and may limit them to some endpoints; members also need the permission API keys.",
    },
    {
      heading: "With the OpenAI SDK",
      text: '```js\nimport OpenAI from "openai";\nconst client = new OpenAI({ baseURL: "http://127.0.0.1:8080/api", apiKey: process.env.TOKEN });\nconst answer = await client.chat.completions.create({ model: "MODEL-ID", messages: [{ role: "user", content: "Hello" }] });\n```\n\nBoth `/api` and `/api/v1` work as the base URL. Streaming, tools and every other parameter of the provider pass through.',
    },
    {
      heading: "Keep an API conversation as a chat",
      text: "Send the id of one of your chats as `chat_id` with a completion: question and answer are stored in it and appear in the web page. Without it nothing is kept.",
    },
    {
      heading: "Errors and limits of the API",
      text: 'Errors come as `{"error": {message, type, param, code}}` from completions and models, and as problem documents (RFC 9457) elsewhere. 401 means sign in again, 403 that you may not, 404 unknown or not yours. A provider\'s own errors keep their status and message.',
    },
    {
      heading: "API documentation",
      text: "With the environment variable `ENV=dev` the service describes itself at `/docs` and `/openapi.json`. Otherwise both are 404.",
    },
  ],
};
