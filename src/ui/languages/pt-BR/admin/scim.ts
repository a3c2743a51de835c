import type { AdminTexts } from "../../admin-texts.ts";

export default {
  title: "Provisionamento (SCIM)",
  sub: "Um provedor de identidade adiciona, altera e desativa pessoas e grupos aqui. Esta página mostra se isso funciona.",
  failed: "Não foi possível carregar o estado do provisionamento",
  on: "Ativo",
  off: "Desativado",
  state: "Conexão",
  base: "URL base para o provedor de identidade",
  baseHint: "Insira-a sem alterações no campo “Tenant URL” ou “SCIM connector base URL” do provedor.",
  provider: "Provedor de login",
  providerNone: "Não definido (SCIM_AUTH_PROVIDER)",
  providerUnknown: "Não configurado",
  providerUnknownHint:
    "Solicitações que usam externalId falham com 500. Defina SCIM_AUTH_PROVIDER com um provedor configurado.",
  providerHint: "As pessoas são associadas a este provedor por externalId quando entram.",
  tokens: "Tokens aceitos",
  noTokens: "Nenhum",
  rotate:
    "Para trocar o token: defina SCIM_TOKEN_PREVIOUS com o antigo e SCIM_TOKEN com o novo, reinicie, insira o novo no provedor e depois remova o antigo.",
  allowlist: "Endereços aceitos",
  everyAddress: "Todos os endereços",
  tiles: { users: "Pessoas visíveis", groups: "Grupos visíveis" },
  last: "Última solicitação",
  never: "Nunca",
  switchOn: {
    title: "Como ativar",
    text: "O provisionamento é definido quando o serviço inicia, por isso ninguém pode ativá-lo em uma página. Defina estas variáveis e reinicie:",
    variables: "Variáveis",
    example: (token) => `SCIM_ENABLED=true\nSCIM_TOKEN=${token}\nSCIM_AUTH_PROVIDER=oidc`,
    token:
      "O token é uma sugestão, gerada neste navegador e não armazenada. SCIM_AUTH_PROVIDER é o ID do provedor com que as pessoas entram.",
    base: "URL base para o provedor de identidade",
  },
  requests: {
    title: "Últimas solicitações",
    only: "Só falhas",
    refresh: "Atualizar",
    operation: "Operação",
    refused: "Recusada",
    done: "Concluída",
    failed: "Não foi possível carregar as solicitações",
    none: "Nenhuma solicitação ainda. Pressione “Test connection” no seu provedor de identidade, e a solicitação aparece aqui.",
    noFailures: "Nenhuma solicitação com falha.",
    noneOff: "Nenhuma solicitação ainda. Enquanto o provisionamento está desativado, toda solicitação é recusada.",
  },
} satisfies AdminTexts["admin/scim"];
