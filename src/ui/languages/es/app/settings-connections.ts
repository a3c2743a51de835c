import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "Conexiones",
  sub: "Proveedores que pagas tú. Solo tú ves y usas sus modelos.",
  add: "Añadir una conexión",
  list: "Tus conexiones",
  columns: { name: "Conexión", state: "Estado", on: "Activa", actions: "Acciones" },
  failed: "No se pudieron cargar tus conexiones",
  none: "Conecta un proveedor con una clave propia y sus modelos aparecerán en tu lista.",
  closed:
    "Ahora no puedes usar conexiones propias, así que sus modelos no aparecen en la lista. Aún puedes eliminarlas.",
  closedNone: "Las conexiones propias están desactivadas. Un administrador puede activarlas.",
  deleted: (name) => `La conexión ${name} se eliminó.`,
  deleteText: "Sus modelos desaparecen de tu lista y su clave se elimina. Los chats se conservan.",
  edit: {
    newSub:
      "Escribe la dirección y la clave, pruébalas y guarda. La clave se almacena cifrada y no vuelve a mostrarse.",
    main: "Dirección y clave",
    presetHint: "Rellena la dirección y las diferencias conocidas de su API.",
    namePlaceholder: "Mis modelos",
    prefixHint:
      "Se añade delante de cada ID de modelo. Útil si dos de tus proveedores tienen modelos con el mismo nombre.",
    idHint: (prefix) => `En la API, sus modelos tienen ID como direct.${prefix === "" ? "" : `${prefix}.`}model-name.`,
    privacy:
      "Lo que escribes a estos modelos va a este proveedor. Sus llamadas no cuentan en ninguna cuota de aquí. Los chats compartidos, los canales y los plugins de otras personas no pueden usarlos.",
    dangerText: "Sus modelos desaparecen de tu lista.",
  },
} satisfies AppTexts["settings/connections"];
