import type { AppTexts } from "../../app-texts.ts";
import { number, percent, plural } from "../format.ts";

const days = (count: number): string => plural(count, { one: "# dia", other: "# dias" });

export default {
  title: "Seus dados",
  sub: "Exporte e importe chats, e veja o que você compartilha.",
  take: {
    title: "Exportar",
    text: "Baixe um arquivo com todos os seus chats e ramificações. Você pode importá-lo no Parley ou no Open WebUI.",
    action: "Exportar todos os chats",
    file: "parley-chats.json",
    notAllowed: "Você precisa da permissão “Exportar chats”. Um administrador pode concedê-la.",
  },
  copy: {
    text: "Ou baixe tudo sobre você como um arquivo zip: chats, arquivos, conhecimento, prompts, mensagens de canais, uso e entradas do registro de auditoria. Ele não contém senhas nem chaves. Você pode importar os chats dele abaixo, e um administrador de outro Parley pode importar o resto. Um download por vez.",
    action: "Baixar meus dados",
    file: "parley-data.zip",
  },
  bring: {
    title: "Importar",
    text: "Um arquivo de chats exportado do Parley, do Open WebUI ou do LibreChat, o arquivo zip dos seus dados no Parley, ou o arquivo zip que o ChatGPT ou o Claude envia a você. Os chats são adicionados aos seus.",
    action: "Escolher arquivo",
    notAllowed: "Você precisa da permissão “Importar chats”. Um administrador pode concedê-la.",
    progress: (name, done) => `${name}: ${percent.format(done)}`,
    stop: "Parar",
    stopped: "Parado. Os chats importados até aqui estão na sua lista.",
    failed: "Não foi possível importar o arquivo por completo",
  },
  report: {
    imported: (count, messages) =>
      `${plural(count, { one: "# chat importado", other: "# chats importados" })}, com ${plural(messages, { one: "# mensagem", other: "# mensagens" })}.`,
    nothing: "O arquivo não contém chats.",
    incomplete: "O arquivo está incompleto. Tudo antes da parte que falta foi importado.",
    messagesLeftOut: (value) =>
      plural(value, { one: "# mensagem não pôde ser lida.", other: "# mensagens não puderam ser lidas." }),
    messagesMoved: (value) =>
      plural(value, {
        one: "# mensagem não tinha mensagem anterior e agora inicia uma ramificação própria.",
        other: "# mensagens não tinham mensagem anterior e agora iniciam ramificações próprias.",
      }),
    filesLeftOut: (value) =>
      plural(value, {
        one: "# arquivo ou imagem não estava incluído no arquivo.",
        other: "# arquivos e imagens não estavam incluídos no arquivo.",
      }),
    foldersLeftOut: (value) =>
      plural(value, {
        one: "# chat estava em uma pasta e agora está na lista.",
        other: "# chats estavam em pastas e agora estão na lista.",
      }),
    leftOut: (value) => plural(value, { one: "# chat foi ignorado:", other: "# chats foram ignorados:" }),
    entry: (position, title, reason) => `${title === "" ? `Chat ${number.format(position)}` : title}: ${reason}`,
    more: (value) => plural(value, { one: "e mais # outro", other: "e mais # outros" }),
  },
  kept: {
    title: "Por quanto tempo seus dados são mantidos",
    failed: "Não foi possível carregar por quanto tempo seus dados são mantidos",
    forever: "Até você excluí-los.",
    chats: (count) => `Os chats são removidos ${days(count)} após a última alteração.`,
    files: (count) =>
      `Os arquivos são removidos ${days(count)} após o envio, a menos que estejam em um chat, um canal ou uma base de conhecimento.`,
    channel_messages: (count) => `As mensagens de canais são removidas ${days(count)} após a publicação.`,
    logs: (count) =>
      `Os registros das suas chamadas e as respostas de API armazenadas são removidos após ${days(count)}.`,
  },
  shared: {
    title: "Chats compartilhados",
    none: "Você não compartilhou nenhum chat.",
    failed: "Não foi possível carregar os chats compartilhados",
    columns: { title: "Chat", who: "Quem pode ler", when: "Versão de", actions: "Ações" },
    who: { everyone: "Todos", some: "Pessoas selecionadas", home: "Todos aqui", nobody: "Só você" },
    withdraw: "Remover",
    withdrawOf: (title) => ` o link de ${title}`,
    withdrawn: (title) => `O link de ${title} foi removido.`,
    withdrawFailed: "Não foi possível remover o link",
    more: "Mostrar mais",
  },
} satisfies AppTexts["settings/data"];
