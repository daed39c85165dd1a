(function () {
  // One function asks for everything: a server, or the product itself in a worker.
  const overHttp = () => async (request) => {
    const response = await fetch("ask", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
    });
    return response.ok ? response.json() : { error: (await response.text()).trim() };
  };
  const inWorker = () => {
    // A worker of a blob has the policy of this page; one of a file would have its own.
    const file = new URL("worker.js", document.baseURI).href;
    const code = new Blob([`import ${JSON.stringify(file)};`], { type: "text/javascript" });
    const worker = new Worker(URL.createObjectURL(code), { type: "module" });
    const waiting = new Map();
    let number = 0;
    worker.addEventListener("message", ({ data }) => {
      if (data.ready !== undefined) { ready(data.ready); return; }
      waiting.get(data.number)(data.answer);
      waiting.delete(data.number);
    });
    worker.addEventListener("error", (event) => ready("The product does not start here: " + event.message));
    return (request) => new Promise((resolve) => {
      number += 1;
      waiting.set(number, resolve);
      worker.postMessage({ number, request });
    });
  };
  function ready(words) {
    if (!state.texts) status.textContent = words;
    document.body.dataset.ready = "true";
  }
  const status = byId("status"), error = byId("error");
  const state = { texts: null, output: 0, moved: {}, levers: [], isOfAddress: false };
  const connect = { server: overHttp, worker: inWorker }[document.body.dataset.backend];
  const connected = connect();
  const ask = async (request) => {
    try {
      return await connected(request);
    } catch (failed) {
      return { error: "No answer: the server has ended. Start `advisor serve` again." };
    }
  };

  // Settings, never the configuration, stand in the address.
  const KEY = /^[A-Za-z0-9][A-Za-z0-9. _-]{0,60}$/;
  function readAddress() {
    state.output = 0;
    state.moved = {};
    for (const [key, text] of new URLSearchParams(location.hash.slice(1))) {
      const value = Number(text);
      if (!KEY.test(key) || text === "" || !Number.isFinite(value)) continue;
      if (key === "output") state.output = Math.max(0, Math.floor(value) - 1);
      else state.moved[key] = value;
    }
    state.isOfAddress = Boolean(Object.keys(state.moved).length + state.output);
    const waits = [`output ${state.output + 1}`, ...Object.entries(state.moved).map((each) => each.join(" "))];
    note(state.isOfAddress && !state.texts
      ? [`The address has settings: ${waits.join(", ")}. They wait for the configuration that they are of.`] : []);
  }
  function note(sentences) {
    byId("address").textContent = sentences.join(" ");
    byId("address").hidden = !sentences.length;
  }
  // What an address asks for and these texts do not have is said; the rest is kept.
  async function fitAddress() {
    const without = (output) => ask({ ...request("figures"), output, moved: {} });
    const misfits = [];
    let found = await without(state.output);
    if (found.error && state.output) {
      const first = await without(0);
      if (first.error) return first;
      if (state.output >= first.outputs.length) {
        misfits.push(`The address asks for output ${state.output + 1}; there are ${first.outputs.length}: this is the first.`);
        state.output = 0;
        found = first;
      }
    }
    if (found.error) return found;
    const known = found.levers.map((lever) => lever.key);
    const strange = Object.keys(state.moved).filter((key) => !known.includes(key));
    for (const key of strange) delete state.moved[key];
    if (strange.length) misfits.push(`The address moves what this output does not have: ${strange.join(", ")}.`);
    state.isOfAddress = false;
    note(misfits);
    return found;
  }
  function writeAddress() {
    const words = new URLSearchParams();
    if (state.output) words.set("output", state.output + 1);
    for (const [key, value] of Object.entries(state.moved)) words.set(key, value);
    const hash = words.toString();
    history.replaceState(null, "", hash ? "#" + hash : location.pathname);
  }

  // Requests: one at a time, of the newest state; findings and plan when the slider rests.
  const RESTS_MS = 120;
  let isAsking = false, isStale = false, rests = 0, turn = 0;
  const request = (part) => ({
    texts: state.texts, settings: byId("settings").value,
    output: state.output, moved: state.moved, part,
  });
  async function update() {
    if (!state.texts) return;
    if (isAsking) { isStale = true; return; }
    isAsking = true;
    clearTimeout(rests);
    const begun = performance.now(), asked = ++turn;
    byId("plan").setAttribute("aria-busy", "true");
    byId("plan").querySelectorAll("button.copy").forEach((button) => { button.disabled = true; });
    if (state.isOfAddress) {
      const found = await fitAddress();
      if (!found.error && !isStale) showFigures(found);  // its sliders are there, whatever comes
    }
    const answer = await ask(request("figures"));
    isAsking = false;
    if (isStale) { isStale = false; update(); return; }
    showFigures(answer);
    performance.measure("figures", { start: begun });
    if (!answer.error) rests = setTimeout(() => plan(asked), RESTS_MS);
  }
  async function plan(asked) {
    if (isAsking) return;
    isAsking = true;
    const begun = performance.now();
    const answer = await ask(request("plan"));
    isAsking = false;
    if (isStale) { isStale = false; update(); return; }
    if (asked !== turn) return;
    if (answer.error) { fail(answer.error); return; }
    put(byId("plan"), answer.plan);
    performance.measure("plan", { start: begun });
    byId("plan").removeAttribute("aria-busy");
  }
  function fail(words) {
    error.textContent = words;
    error.hidden = false;
    status.textContent = "";
    outdate(true);
  }
  // Figures and plan of other settings than these must not be taken for theirs.
  function outdate(isOld) {
    byId("result").classList.toggle("old", isOld);
    byId("result").querySelectorAll("button.copy").forEach((button) => { button.disabled = isOld; });
  }
  function showFigures(answer) {
    if (answer.error) { fail(answer.error); return; }
    error.hidden = true;
    byId("result").classList.remove("old");
    byId("work").hidden = false;
    held(names, answer.unjudged);
    showOutputs(answer.outputs, answer.output);
    showLevers(answer.levers);
    const why = byId("incomplete");
    why.hidden = !answer.incomplete.length;
    why.replaceChildren(...answer.incomplete.map((reason) => {
      const item = document.createElement("li");
      item.textContent = reason;
      return item;
    }));
    put(byId("figures"), answer.figures);
    if (isPasted) {
      isPasted = false;
      byId("input").open = false;
      byId("input").querySelector("summary").focus();
    }
    status.textContent = answer.said || "No priority class here: the table has every class.";
    writeAddress();
  }

  // Parts come as HTML of escaped values; what the user folded stays so.
  const nameOf = (fold) => fold.id && !/^[ef]\d/.test(fold.id) ? fold.id
    : fold.querySelector("summary").textContent.trim().split(/\s+/).slice(0, 2).join(" ");
  function put(place, html) {
    const open = new Map([...place.querySelectorAll("details")].map((fold) => [nameOf(fold), fold.open]));
    place.innerHTML = html;
    for (const fold of place.querySelectorAll("details")) {
      const was = open.get(nameOf(fold));
      if (was !== undefined) fold.open = was;
    }
    offerCopies(place);
  }

  // Sliders.
  function showOutputs(names, chosen) {
    const select = byId("output");
    if (select.options.length !== names.length || [...select.options].some((each, place) => each.text !== names[place]))
      select.replaceChildren(...names.map((name, place) => new Option(name, String(place))));
    select.value = String(chosen);
  }
  const shownValue = (lever) => state.moved[lever.key] ?? lever.value;
  const words = (lever, value) => value === null ? "not stated"
    : [Number(value.toPrecision(6)), lever.unit].join(" ").trim();
  function stepOf(lever) {
    const rough = (lever.high - lever.low) / 200;
    if (rough <= 1) return 1;
    const power = 10 ** Math.floor(Math.log10(rough));
    return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= rough);
  }
  function showLevers(levers) {
    const same = levers.length === state.levers.length && levers.every((lever, place) => {
      const other = state.levers[place];
      return ["key", "title", "of", "low", "high", "value"].every((name) => lever[name] === other[name]);
    });
    if (!same) {
      state.levers = levers;
      byId("sliders").replaceChildren(...levers.map(sliderOf));
    }
    for (const lever of levers) show(lever);
  }
  const parts = (lever) => document.querySelector(`fieldset[data-key="${CSS.escape(lever.key)}"]`);
  function sliderOf(lever) {
    const box = document.createElement("fieldset");
    box.className = "lever";
    box.dataset.key = lever.key;
    const title = document.createElement("legend");
    const full = [lever.title, lever.of].join(" ").trim();
    title.textContent = full + (lever.unit ? ", " + lever.unit : "");
    const ends = document.createElement("div");
    ends.className = "ends";
    const range = document.createElement("input"), number = document.createElement("input");
    range.type = "range";
    number.type = "number";
    for (const input of [range, number]) input.setAttribute("aria-label", title.textContent);
    range.min = number.min = String(lever.low);
    range.max = String(lever.high);
    range.step = String(stepOf(lever));
    number.step = "any";
    ends.append(range, number);
    const was = document.createElement("div");
    was.className = "was";
    const said = document.createElement("span"), back = document.createElement("button");
    said.textContent = (lever.value === null ? "" : "now: ") + words(lever, lever.value);
    back.type = "button";
    back.textContent = "Reset";
    back.setAttribute("aria-label", "Reset " + full);
    back.addEventListener("click", () => { delete state.moved[lever.key]; show(lever); range.focus(); update(); });
    was.append(said, back);
    box.append(title, ends, was);
    const move = (value) => {
      if (value === lever.value) delete state.moved[lever.key];
      else state.moved[lever.key] = value;
      show(lever);
      update();
    };
    // The step of the slider that is nearest to what is configured is what is configured.
    const step = Number(range.step);
    const own = lever.value === null ? null
      : Math.min(lever.low + Math.round((lever.value - lever.low) / step) * step, lever.high);
    range.addEventListener("input", () => {
      const value = Number(range.value);
      move(own !== null && Math.abs(value - own) < step / 4 ? lever.value : value);
    });
    number.addEventListener("change", () => move(number.value === "" ? lever.value : Number(number.value)));
    return box;
  }
  function show(lever) {
    const box = parts(lever), value = shownValue(lever);
    const [range, number] = box.querySelectorAll("input");
    const isMoved = lever.key in state.moved;
    box.classList.toggle("moved", isMoved);
    box.classList.toggle("open", value === null);
    box.querySelector(".was button").hidden = !isMoved;
    range.value = String(value ?? (lever.low + lever.high) / 2);
    range.setAttribute("aria-valuetext", words(lever, value));
    number.value = value === null ? "" : String(Number(value.toPrecision(6)));
    number.placeholder = value === null ? "–" : "";
  }

  // Inputs: pasted text, files, a folder, an example.
  const MOST_BYTES = 4000000;
  function take(texts) {
    if (new Blob([JSON.stringify({ ...request("figures"), texts })]).size > MOST_BYTES) {
      fail("This is more than the page takes: 4 MB. `advisor lint` reads any size.");
      return;
    }
    state.texts = Object.values(texts).some((text) => text.trim()) ? texts : null;
    if (!state.isOfAddress) { state.output = 0; state.moved = {}; note([]); }
    byId("plan").replaceChildren();
    if (!state.texts) { byId("work").hidden = true; error.hidden = true; return; }
    status.textContent = "Reading …";
    update();
  }
  let typed = 0, isPasted = false, names = [];
  byId("config").addEventListener("paste", () => { isPasted = true; });
  byId("config").addEventListener("input", () => {
    clearTimeout(typed);
    typed = setTimeout(() => { held([]); take({ "pasted": byId("config").value }); }, 250);
  });
  byId("settings").addEventListener("input", () => {
    clearTimeout(typed);
    typed = setTimeout(update, 250);
  });
  byId("example").addEventListener("click", () => {
    byId("config").value = byId("example-text").textContent;
    held([]);
    take({ "example": byId("config").value });
    byId("input").open = false;
  });
  function held(given, unjudged = {}) {
    names = given;
    const read = names.filter((name) => !(name in unjudged));
    const others = Object.entries(unjudged).map(([name, kind]) => `${name} (${kind})`);
    byId("held").hidden = !names.length;
    byId("held").textContent = [["Read", read], ["Not judged", others]]
      .filter(([, list]) => list.length).map(([title, list]) => `${title}: ${list.join(", ")}`).join(". ");
  }
  async function takeFiles(files) {
    const texts = {};
    for (const file of files) {
      const name = file.webkitRelativePath || file.name;
      if (/\.toml$/.test(name)) { byId("settings").value = await file.text(); byId("stated").open = true; continue; }
      texts[name] = await file.text();
    }
    if (!Object.keys(texts).length) { update(); return; }
    byId("config").value = "";
    held(Object.keys(texts));
    byId("input").open = false;
    take(texts);
  }
  for (const id of ["files", "folder"]) byId(id).addEventListener("change", () => takeFiles(byId(id).files));
  async function filesBelow(entry, path) {
    if (entry.isFile) {
      const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
      Object.defineProperty(file, "webkitRelativePath", { value: path + entry.name });
      return [file];
    }
    const reader = entry.createReader(), found = [];
    for (;;) {
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (!some.length) return found;
      for (const each of some) found.push(...await filesBelow(each, path + entry.name + "/"));
    }
  }
  addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
  addEventListener("drop", async (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
    const found = [];
    for (const entry of entries) found.push(...await filesBelow(entry, ""));
    if (found.length) takeFiles(found);
    else if (event.dataTransfer.getData("text")) { byId("config").value = event.dataTransfer.getData("text"); held([]); take({ "pasted": byId("config").value }); }
  });

  byId("output").addEventListener("change", () => {
    state.output = Number(byId("output").value);
    state.moved = {};
    note([]);
    byId("plan").replaceChildren();
    update();
  });
  byId("reset").addEventListener("click", () => { state.moved = {}; state.levers.forEach(show); update(); });
  byId("levers").addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", () => { readAddress(); update(); });
  addEventListener("beforeunload", (event) => {
    if (state.texts && !("example" in state.texts)) event.preventDefault();  // they are nowhere else
  });
  readAddress();
  document.body.dataset.loaded = "true";
})();
