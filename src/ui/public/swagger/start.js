// Kept out of the page, so that its content policy need not allow inline scripts.
globalThis.SwaggerUIBundle({ url: "openapi.json", dom_id: "#docs" });
