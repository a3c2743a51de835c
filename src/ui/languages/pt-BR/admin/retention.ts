import type { AdminTexts } from "../../admin-texts.ts";
import { number } from "../format.ts";

export default {
  title: "Retenção de dados",
  sub: "Por quantos dias manter os dados das pessoas desta organização. Deixe um campo vazio para usar o padrão das configurações. 0 mantém os dados para sempre.",
  name: "períodos de retenção",
  fields: {
    chats: "Chats",
    files: "Arquivos",
    channel_messages: "Mensagens de canais",
    logs: "Registros",
  },
  hints: {
    chats: "Dias após a última alteração. Chats fixados e arquivados também são removidos.",
    files: "Dias após o envio. Arquivos em um chat, um canal, um modelo ou uma base de conhecimento são mantidos.",
    channel_messages: "Dias após a publicação.",
    logs: "Chamadas de modelos, registro de auditoria, entregas de webhooks e respostas de API armazenadas.",
  },
  wrong: "Insira um número inteiro de dias até 36.500, ou deixe vazio.",
  saved: "Salvo. Os períodos passam a valer dentro de uma hora.",
  preview: {
    action: "Ver o que seria removido agora",
    again: "Contar de novo",
    counting: "Contando. Pode demorar um pouco.",
    failed: "Não foi possível contar o que seria removido",
    nothing: "Nada seria removido agora.",
    caption: "O que seria removido agora",
    columns: { kind: "O quê", count: "Número", bytes: "Tamanho", oldest: "Mais antigo" },
    kinds: {
      chats: "Chats",
      files: "Arquivos",
      channel_messages: "Mensagens de canais",
      calls: "Chamadas de modelos",
      audit_events: "Entradas do registro de auditoria",
      deliveries: "Entregas de webhooks",
      responses: "Respostas de API armazenadas",
    },
    count: (value) => number.format(value),
    fix: "Corrija os valores primeiro.",
  },
} satisfies AdminTexts["admin/retention"];
