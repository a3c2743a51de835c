import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "Conexões",
  sub: "Provedores que você mesmo paga. Só você vê e usa os modelos deles.",
  add: "Adicionar conexão",
  list: "Suas conexões",
  columns: { name: "Conexão", state: "Estado", on: "Ativa", actions: "Ações" },
  failed: "Não foi possível carregar suas conexões",
  none: "Conecte um provedor com uma chave sua, e os modelos dele aparecem na sua lista.",
  closed:
    "Agora você não pode usar conexões próprias, por isso os modelos delas não aparecem. Você ainda pode excluí-las.",
  closedNone: "As conexões próprias estão desativadas. Um administrador pode ativá-las.",
  deleted: (name) => `A conexão ${name} foi excluída.`,
  deleteText: "Os modelos dela somem da sua lista, e a chave é excluída. Os chats são mantidos.",
  edit: {
    newSub: "Insira o endereço e a chave, teste e salve. A chave é armazenada criptografada e nunca mais é mostrada.",
    main: "Endereço e chave",
    presetHint: "Preenche o endereço e as diferenças conhecidas da API.",
    namePlaceholder: "Meus modelos",
    prefixHint: "Adicionado antes de cada ID de modelo. Útil se dois dos seus provedores têm modelos com o mesmo nome.",
    idHint: (prefix) =>
      `Na API, os modelos dela têm IDs como direct.${prefix === "" ? "" : `${prefix}.`}nome-do-modelo.`,
    privacy:
      "O que você escreve a estes modelos vai para este provedor. As chamadas não contam em nenhuma cota aqui. Chats compartilhados, canais e plugins de outras pessoas não podem usá-los.",
    dangerText: "Os modelos dela somem da sua lista.",
  },
} satisfies AppTexts["settings/connections"];
