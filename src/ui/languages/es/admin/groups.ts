import type { AdminTexts } from "../../admin-texts.ts";
import { people, plural } from "../format.ts";

export default {
  title: "Grupos",
  sub: "Personas con los mismos permisos. Un grupo solo añade permisos a los predeterminados.",
  add: "Nuevo grupo",
  everyone: "Permisos predeterminados",
  list: "Grupos",
  search: "Buscar grupos",
  columns: {
    group: "Grupo",
    organization: "Organización",
    allows: "Permisos",
    members: "Personas",
    actions: "Acciones",
  },
  allows: (names) => (names.length === 0 ? "Nada adicional" : names.join(", ")),
  managed: "Gestionado por el proveedor de identidad",
  failed: "No se pudieron cargar los grupos",
  none: "Aún no hay grupos. Crea uno para dar a algunas personas más permisos o modelos.",
  notFound: (query) => `Ningún grupo coincide con “${query}”.`,
  actionsFor: (name) => `Acciones de ${name}`,
  menu: { open: "Abrir", delete: "Eliminar" },
  changed: {
    added: (name) => `El grupo ${name} se creó.`,
    deleted: (name) => `El grupo ${name} se eliminó.`,
    memberAdded: (count, name) =>
      `${plural(count, { one: "# persona añadida", other: "# personas añadidas" })} a ${name}.`,
    memberRemoved: (person, name) => `${person} ya no está en ${name}.`,
    memberBack: (person, name) => `${person} vuelve a estar en ${name}.`,
  },
  changeFailed: (name) => `No se pudo modificar el grupo ${name}`,
  deleteTitle: (name) => `¿Eliminar el grupo ${name}?`,
  deleteText: (count) =>
    `${
      count === 0
        ? "No hay nadie en él."
        : plural(count, {
            one: "Su # miembro conserva la cuenta, pero pierde los permisos del grupo.",
            other: "Sus # miembros conservan sus cuentas, pero pierden los permisos del grupo.",
          })
    } Los modelos compartidos con el grupo dejan de compartirse con él.`,
  deleteAction: "Eliminar grupo",
  dialog: {
    name: "Nombre",
    namePlaceholder: "Turno de noche",
    nameMissing: "Escribe un nombre.",
    description: "Descripción",
    descriptionHint: "Se muestra en las listas.",
    organization: "Organización",
    organizationHint:
      "Los grupos de la organización predeterminada pueden incluir personas de todas las organizaciones. Los demás, solo las suyas.",
    addAction: "Crear grupo",
    addFailed: "No se pudo crear el grupo",
  },
  page: {
    back: "Grupos",
    of: (organization) => `Grupo en ${organization}`,
    missing: "Este grupo ya no existe o no tienes acceso a él.",
    failed: "No se pudo cargar el grupo",
    managed:
      "Un proveedor de identidad gestiona este grupo. Envía el nombre y los miembros, y puede sobrescribir los cambios hechos aquí.",
    about: "Acerca de",
    name: "Nombre",
    description: "Descripción",
    share: "Quién puede compartir con el grupo",
    shares: { everyone: "Todos", members: "Sus miembros", nobody: "Solo administradores" },
    shareHint: "Para modelos y otras cosas que las personas comparten por su cuenta.",
    permissions: "Permisos",
    permissionsSub: "Además de los permisos predeterminados.",
    permissionsFailed: "No se pudieron cargar los permisos predeterminados",
    save: "Guardar",
    saved: "El grupo se guardó.",
    notSaved: "No se pudo guardar el grupo",
    fields: { name: "nombre", description: "descripción", share: "quién puede compartir" },
    members: "Personas",
    addMembers: "Añadir personas",
    addTitle: (name) => `Añadir personas a ${name}`,
    addText: "Reciben los permisos del grupo con su próxima solicitud.",
    addAction: (count) => (count === 0 ? "Añadir personas" : `Añadir ${people(count)}`),
    addFailed: "No se pudo añadir a las personas",
    inAlready: "ya está en el grupo",
    membersFailed: "No se pudieron cargar los miembros del grupo",
    searchMembers: "Buscar nombre o correo",
    noMembers: "Aún no hay nadie en este grupo.",
    nobodyFound: (query) => `Ningún miembro coincide con “${query}”.`,
    memberColumns: { person: "Persona", actions: "Acciones" },
    remove: (name) => `Quitar a ${name} del grupo`,
    removeFailed: (name) => `No se pudo quitar a ${name}`,
    delete: "Sus miembros conservan sus cuentas.",
  },
  defaults: {
    title: "Permisos predeterminados",
    card: "Permisos",
    sub: "Se aplican a todas las personas aprobadas. Los grupos pueden ampliarlos. Los administradores pueden hacerlo todo.",
    back: "Grupos",
    failed: "No se pudieron cargar los permisos",
    saved: "Guardado. Se aplica desde la próxima solicitud de cada persona.",
    notSaved: "No se pudieron guardar los permisos",
    save: "Guardar",
  },
  permissions: {
    already: "Activado para todos.",
    beyond: "No tienes este permiso, así que no puedes concederlo.",
    keysOff: "Las claves de API están desactivadas en Ajustes. Nadie puede usarlas hasta que se activen.",
    branches: {
      chat: "En los chats",
      features: "Funcionalidades",
      workspace: "Espacio de trabajo",
      sharing: "Compartir",
      access_grants: "Con quién se puede compartir",
    },
    leaves: {
      "chat.file_upload": { name: "Subir archivos", hint: "Adjuntar documentos e imágenes, y conservarlos." },
      "chat.web_upload": {
        name: "Adjuntar páginas web",
        hint: "Por su dirección. Parley las obtiene y las conserva.",
      },
      "chat.stt": { name: "Dictar", hint: "Hablar en lugar de escribir." },
      "chat.tts": { name: "Escuchar las respuestas", hint: "Leídas por el navegador o por un modelo." },
      "chat.edit": { name: "Editar mensajes", hint: "Cambiar después sus mensajes y respuestas." },
      "chat.delete": { name: "Eliminar chats", hint: "Eliminar sus chats y mensajes." },
      "chat.system_prompt": { name: "Instrucciones propias", hint: "Escribir instrucciones para un chat." },
      "chat.params": {
        name: "Cambiar parámetros",
        hint: "Definir temperatura, longitud y similares para un chat.",
      },
      "chat.multiple_models": {
        name: "Comparar modelos",
        hint: "Hacer la misma pregunta a varios modelos en paralelo.",
      },
      "chat.temporary": { name: "Chats temporales", hint: "Chats que Parley no guarda." },
      "chat.temporary_enforced": {
        name: "Solo chats temporales",
        hint: "Una restricción: sus chats no se guardan nunca. No afecta a los administradores.",
      },
      "chat.share": { name: "Compartir chats", hint: "Permitir que otras personas lean un chat con un enlace." },
      "chat.rate_response": { name: "Valorar respuestas", hint: "Decir qué valen las respuestas y por qué." },
      "chat.fork": {
        name: "Copiar chats",
        hint: "Duplicar sus chats o continuar uno a partir de un mensaje en un chat nuevo.",
      },
      "chat.export": { name: "Exportar chats", hint: "Descargar sus chats como archivos." },
      "chat.import": {
        name: "Importar chats",
        hint: "Importar chats de archivos y copiar chats compartidos con ellas.",
      },
      "features.api_keys": {
        name: "Usar claves de API",
        hint: "Crear claves para que los scripts actúen en su nombre.",
      },
      "features.direct_connections": {
        name: "Conectar proveedores propios",
        hint: "Con sus propias claves y solo para sí. ENABLE_DIRECT_CONNECTIONS lo activa para el servicio.",
      },
      "features.direct_tool_servers": {
        name: "Añadir servidores de herramientas propios",
        hint: "Servidores OpenAPI y MCP de uso exclusivo.",
      },
      "features.execute_events": {
        name: "Permitir que los plugins ejecuten código en el navegador",
        hint: "En un marco aislado, sin la sesión de la persona ni la red.",
      },
      "features.channels": {
        name: "Usar canales",
        hint: "Leer y publicar donde conversan personas, bots y modelos.",
      },
      "features.previews": {
        name: "Ver vistas previas",
        hint: "Páginas, tablas y diagramas de las respuestas, junto al chat.",
      },
      "features.context_compaction": {
        name: "Resumir chats largos",
        hint: "Los modelos reciben un resumen del principio. Sin él, los chats acaban donde acaba el contexto del modelo.",
      },
      "features.code_execution": {
        name: "Ejecutar código",
        hint: "El Python y el JavaScript de las respuestas, de forma aislada y sin red.",
      },
      "features.code_interpreter": {
        name: "Permitir que los modelos ejecuten código",
        hint: "Una opción del campo de mensaje, desactivada mientras no se use.",
      },
      "features.memories": {
        name: "Usar recuerdos",
        hint: "Datos sobre sí que los modelos reciben en sus chats.",
      },
      "features.webhooks": {
        name: "Usar webhooks",
        hint: "Enviar un mensaje a una dirección cuando termina una respuesta.",
      },
      "features.folders": {
        name: "Usar carpetas",
        hint: "Ordenar los chats en carpetas, con instrucciones y archivos.",
      },
      "features.image_generation": { name: "Crear imágenes", hint: "Con un modelo, si hay uno configurado." },
      "features.web_search": { name: "Buscar en la web", hint: "Para una respuesta, si hay un proveedor configurado." },
      "workspace.models": { name: "Crear modelos", hint: "Modelos propios, con nombre e instrucciones." },
      "workspace.knowledge": {
        name: "Crear bases de conocimiento",
        hint: "Colecciones de archivos en las que buscar.",
      },
      "workspace.prompts": {
        name: "Crear prompts",
        hint: "Textos que se insertan en un chat con un comando tras /.",
      },
      "workspace.tools": {
        name: "Escribir herramientas",
        hint: "Plugins propios, que se ejecutan aislados de todo lo demás.",
      },
      "sharing.models": {
        name: "Compartir modelos",
        hint: "Compartir sus modelos con personas o grupos elegidos.",
      },
      "sharing.public_models": {
        name: "Compartir modelos con todos",
        hint: "Compartir sus modelos con todos.",
      },
      "sharing.knowledge": {
        name: "Compartir conocimiento",
        hint: "Compartir sus bases de conocimiento con personas o grupos elegidos.",
      },
      "sharing.public_knowledge": {
        name: "Compartir conocimiento con todos",
        hint: "Compartir sus bases de conocimiento con todos.",
      },
      "sharing.prompts": {
        name: "Compartir prompts",
        hint: "Compartir sus prompts con personas o grupos elegidos.",
      },
      "sharing.public_prompts": {
        name: "Compartir prompts con todos",
        hint: "Compartir sus prompts con todos.",
      },
      "sharing.folders": {
        name: "Compartir carpetas",
        hint: "Compartir carpetas de chats con personas o grupos elegidos.",
      },
      "sharing.public_folders": {
        name: "Compartir carpetas con todos",
        hint: "Compartir carpetas de chats con todos.",
      },
      "sharing.public_chats": {
        name: "Compartir chats con todos",
        hint: "Con todas las personas con sesión iniciada, también de otras organizaciones.",
      },
      "sharing.public_channels": {
        name: "Crear canales públicos",
        hint: "Toda la organización puede encontrarlos.",
      },
      "sharing.tools": {
        name: "Compartir herramientas",
        hint: "Compartir sus herramientas con personas o grupos elegidos.",
      },
      "sharing.public_tools": {
        name: "Compartir herramientas con todos",
        hint: "Compartir sus herramientas con todos.",
      },
      "access_grants.allow_users": { name: "Personas concretas", hint: "Si se permite compartir." },
      "access_grants.allow_groups": { name: "Grupos", hint: "Si se permite compartir." },
    },
  },
} satisfies AdminTexts["admin/groups"];
