import type { AdminTexts } from "../../admin-texts.ts";
import { endpoints, number, plural } from "../format.ts";

export default {
  title: "Chaves de API",
  sub: "Com chaves, scripts e programas agem em nome das pessoas. Decida quem pode ter chaves, o que elas alcançam, e revogue-as.",
  settings: { title: "O que as chaves podem fazer", sub: "Vale para as chaves de todos a partir da próxima chamada." },
  settingsFailed: "Não foi possível carregar as configurações",
  endpointsFailed: "Não foi possível carregar a lista de endpoints. Até lá, as entradas não são verificadas",
  who: "Enquanto as chaves estão ativas, administradores podem tê-las. Os demais precisam da permissão “Usar chaves de API”:",
  whoEveryone: "para todos",
  whoGroups: "ou para um grupo",
  card: "Chaves",
  table: "Chaves de API",
  search: "Buscar por chave, nome ou e-mail",
  columns: { key: "Chave", owner: "Proprietário", lastUsed: "Último uso", made: "Criada", actions: "Ações" },
  never: "Nunca",
  ends: "Funciona até",
  ended: "Expirada",
  unnamed: "Sem nome",
  failed: "Não foi possível carregar as chaves",
  moreFailed: "Não foi possível carregar mais chaves",
  none: "Ninguém criou uma chave ainda.",
  noneOff: "Ninguém tem chaves. As pessoas podem criá-las depois que você ativar as chaves de API.",
  notFound: (query) => `Nenhuma chave corresponde a “${query}”.`,
  noneOfPerson: "Esta pessoa não tem chaves.",
  ofPerson: (name) => `Chaves de ${name}`,
  everyone: "Mostrar as chaves de todos",
  actionsFor: (key, owner) => `Ações para a chave ${key} de ${owner}`,
  menu: {
    one: "Revogar esta chave",
    person: (name) => `Revogar todas as chaves de ${name}`,
    only: (name) => `Mostrar só as chaves de ${name}`,
    audit: "Ver no registro de auditoria",
  },
  revokeAll: "Revogar todas as chaves",
  ask: {
    one: {
      title: (key, owner) => `Revogar a chave ${key} de ${owner}?`,
      text: "Tudo que a usa para de funcionar imediatamente. Ela não pode ser restaurada, mas a pessoa pode criar uma nova.",
      action: "Revogar chave",
    },
    person: {
      title: (name) => `Revogar todas as chaves de ${name}?`,
      text: (name) =>
        `Todo script e programa que age em nome de ${name} para de funcionar imediatamente. As chaves não podem ser restauradas.`,
      action: "Revogar as chaves",
    },
    all: {
      title: "Revogar as chaves de todos?",
      text: (count) =>
        count === 1
          ? "Uma chave para de funcionar imediatamente, assim como todo script e programa que a usa, inclusive os seus. Ela não pode ser restaurada."
          : `Todas as ${number.format(count)} chaves param de funcionar imediatamente, assim como todo script e programa que as usa, inclusive os seus. Elas não podem ser restauradas.`,
      action: "Revogar todas as chaves",
      word: "revogar tudo",
    },
    failed: "Não foi possível revogar as chaves",
  },
  done: {
    one: (key) => `A chave ${key} foi revogada.`,
    many: (count) => plural(count, { one: "# chave foi revogada.", other: "# chaves foram revogadas." }),
  },
  endpoints: {
    hint: "O que as chaves alcançam enquanto a restrição está ativa.",
    add: "Adicionar endpoint",
    addHint: "Um caminho como /api/models, com ou sem método. /* inclui tudo abaixo. Você pode colar uma lista.",
    addAction: "Adicionar",
    none: "Nenhum endpoint na lista.",
    list: "Endpoints permitidos",
    remove: (entry) => `Remover ${entry}`,
    wrong: {
      form: "Insira um caminho que comece com uma barra, com ou sem um método antes.",
      unknown: "Este endpoint não existe, por isso a entrada não permite nada.",
    },
    useInstead: (entry) => `Usar ${entry}`,
    lets: (count) => endpoints(count),
    notInForce: "A restrição está desativada: as chaves alcançam todos os endpoints.",
    emptyInForce: "A restrição está ativa e a lista está vazia: as chaves não alcançam nada.",
  },
} satisfies AdminTexts["admin/keys"];
