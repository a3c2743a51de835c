import type { AdminTexts } from "../../admin-texts.ts";
import { list, number, plural } from "../format.ts";

export default {
  title: "Saúde",
  sub: "As mesmas três verificações que um monitor executa, feitas agora por este navegador.",
  again: "Verificar de novo",
  copy: "Copiar",
  levels: {
    1: { name: "Serviço e banco de dados", how: "GET /health" },
    2: { name: "Modelos são listados", how: "GET /api/models" },
    3: { name: "Um modelo responde", how: "POST /api/chat/completions" },
  },
  state: { waiting: "Verificando", ok: "OK", failed: "Falhou", idle: "Ainda não verificado" },
  reasons: {
    database_unreachable: "O banco de dados não está respondendo. Até que responda, ninguém pode entrar nem ler chats.",
    database_slow: "O banco de dados leva mais de 1,5 segundo para responder.",
    schema_outdated: "O banco de dados tem um esquema mais antigo do que esta versão exige. Execute as migrações.",
  },
  noAnswer: "O serviço não está respondendo.",
  models: (count) => plural(count, { one: "# modelo", other: "# modelos" }),
  noModels: "Nenhum modelo é listado: todos os provedores estão inacessíveis, ou nenhum está conectado.",
  unreachable: (names) => `Sem resposta: ${names}.`,
  ask: "Perguntar a um modelo",
  model: "Modelo",
  question: "Responda com uma palavra: pronto",
  answered: (answer) => `Ele respondeu: “${answer}”`,
  empty: "O modelo enviou uma resposta vazia.",
  levelThreeHint: "Isto envia uma pergunta curta ao modelo. Um provedor pode cobrar por ela.",
  time: (milliseconds) => `${number.format(Math.round(milliseconds))} ms`,
  monitor: {
    title: "Para seu monitor",
    text: "O comando abaixo executa as três verificações de fora. O código de saída é o número da primeira verificação que falhou. Crie uma conta separada para isso.",
  },
  runners: {
    title: "Executores nativos",
    ready: "Pronto",
    failed: "Indisponível",
    problems: {
      unreachable: "Ele não responde.",
      token: "Ele tem outro RUNNER_TOKEN.",
      answer: "Ele não responde como um executor.",
      protocol: "A versão dele não corresponde à deste serviço.",
      detached: "RUNNERS não o inclui mais, então os plugins dele não são executados.",
    },
    wall: "Os plugins dele só acessam a rede pelo proxy protegido.",
    noWall: (why) =>
      `Os plugins dele podem contornar o proxy protegido, porque o sistema não lhes dá uma rede própria: ${why}`,
    state: (version, used, max) =>
      `Python ${version}, ${number.format(used)} de ${number.format(max)} processos em uso`,
    plugins: (names) => `Plugins: ${list.format(names)}`,
    noPlugins: "Nenhum plugin é executado aqui.",
  },
  version: (version) => `Versão ${version}`,
} satisfies AdminTexts["admin/health"];
