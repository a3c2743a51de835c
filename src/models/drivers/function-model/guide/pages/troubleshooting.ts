import type { HelpPage } from "../guide-page.ts";

export const troubleshooting: HelpPage = {
  title: "When something does not work",
  keywords:
    "problem trouble error fail failed failing broken wrong fix debug unreachable timeout refused 401 403 404 502 504 empty missing slow not listed",
  links: [
    { label: "Connections", path: "/admin/connections" },
    { label: "Health", path: "/admin/health" },
  ],
  sections: [
    {
      heading: "A model is missing from the list",
      text: "Its provider does not answer (the connection says why), the connection is limited to other models, the model is hidden or switched off, or it has grants that do not name you. Administrators see the state of every connection under [Connections](/admin/connections).",
    },
    {
      heading: "A connection does not answer",
      text: "- *Nothing answers*: is the provider running, are host and port right? From a container, `127.0.0.1` is the container itself.\n- *Refused the key*: the key is wrong, or belongs to another provider.\n- *No model list*: the base address is not quite right; most end in `/v1`.\n- *Did not answer within 3 s*: the provider is slow or the network drops the connection; it is asked again in the background.\n- *No trusted encrypted connection*: the certificate is not valid, or the address should begin with `http://`. For certificates of your own authority, start the service with `NODE_EXTRA_CA_CERTS` set to its file.",
    },
    {
      heading: "An answer breaks off",
      text: "The page says what the provider said. What arrived is kept; *Continue* or *Regenerate* go on. How long a provider may be silent is the setting `UPSTREAM_TIMEOUT`.",
    },
    {
      heading: "What to tell an administrator",
      text: "Errors carry a request id in small print: it leads to the cause in the service's log.",
    },
  ],
};
