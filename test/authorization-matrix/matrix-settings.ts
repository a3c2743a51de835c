/** The settings that the matrix is about. @param restricted whether keys are good for one other endpoint only */
export function matrixSettings(restricted: boolean): Record<string, unknown> {
  return {
    ENABLE_API_KEYS: true,
    ENABLE_DIRECT_CONNECTIONS: true,
    ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: restricted,
    API_KEYS_ALLOWED_ENDPOINTS: "/api/v1/nothing/of/the/matrix",
    "permissions.default": {
      workspace: { models: true, knowledge: true, prompts: true, tools: true },
      sharing: {
        models: true,
        public_models: true,
        knowledge: true,
        prompts: true,
        folders: true,
        tools: true,
        public_tools: true,
      },
      features: { api_keys: true },
    },
  };
}
