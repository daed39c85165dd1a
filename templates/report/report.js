(function () {
  const more = JSON.parse(document.getElementById("more").textContent);

  // Devices beyond the first ones are put in when they are needed.
  const waiting = new Map(Object.entries(more.devices));
  function put(element) {
    const html = waiting.get(element.id);
    if (html === undefined) return element;
    waiting.delete(element.id);
    const box = document.createElement("div");
    box.innerHTML = html;
    const made = box.firstElementChild;
    element.replaceWith(made);
    offerCopies(made);
    return made;
  }
  const putAll = () => document.querySelectorAll(".lazy").forEach(put);
  if ("IntersectionObserver" in window) {
    const watcher = new IntersectionObserver((entries) => entries.forEach((entry) => {
      if (entry.isIntersecting) { watcher.unobserve(entry.target); put(entry.target); }
    }), { rootMargin: "600px" });
    document.querySelectorAll(".lazy").forEach((element) => watcher.observe(element));
  } else {
    putAll();
  }

  // A link to a finding opens it, and everything around it.
  function goTo(anchor) {
    let target = byId(anchor);
    const owner = more.owners[anchor];
    if (!target && owner && byId(owner)) { put(byId(owner)); target = byId(anchor); }
    if (!target) return;
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
    const focus = target.querySelector("summary") || target;
    focus.focus({ preventScroll: true });
  }
  addEventListener("hashchange", () => goTo(location.hash.slice(1)));
  if (location.hash) goTo(location.hash.slice(1));
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a[href^='#']");
    if (link && link.hash === location.hash) goTo(link.hash.slice(1));
  });

  // A print of few devices shows what is folded; that of many is short, with what the user opened.
  let folded = [];
  addEventListener("beforeprint", () => {
    putAll();
    folded = [...document.querySelectorAll("#devices[data-few] details:not([open])")];
    folded.forEach((each) => { each.open = true; });
  });
  addEventListener("afterprint", () => folded.forEach((each) => { each.open = false; }));

  // The table of findings: search, filters, order.
  const table = byId("rows");
  if (!table) return;
  const keys = ["rank", "severity", "rule", "device", "object", "before", "after"];
  const order = { error: 0, check: 1, warning: 2, info: 3 };
  const step = 100;
  let limit = step, key = "rank", way = 1;
  const form = byId("filters"), button = byId("more-rows"), shown = byId("shown");
  form.hidden = false;
  const cell = (text, kind) => {
    const made = document.createElement("td");
    if (kind) made.className = kind;
    made.textContent = text;
    return made;
  };
  function line(row) {
    const made = document.createElement("tr");
    const badge = document.createElement("span");
    badge.className = "badge " + row.severity;
    badge.textContent = row.severity;
    const first = cell(row.rank), second = document.createElement("td"), place = document.createElement("td");
    second.append(badge);
    const link = document.createElement("a");
    link.href = "#" + row.anchor;
    link.textContent = row.object;
    place.className = "name";
    place.append(link);
    made.append(first, second, cell(row.rule + " " + row.name), cell(row.device, "name"), place, cell(row.before, "n"), cell(row.after, "n"));
    return made;
  }
  const value = (row) => {
    if (key === "severity") return order[row.severity];
    if (key === "before") return row.was;
    if (key === "after") return row.then;
    return row[key];
  };
  function draw() {
    const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = { severity: byId("severity").value, rule: byId("rule").value, device: byId("device").value };
    const found = more.rows.filter((row) =>
      Object.keys(wanted).every((name) => !wanted[name] || row[name] === wanted[name]) &&
      words.every((word) => row.text.includes(word)));
    found.sort((a, b) => {
      const one = value(a), two = value(b);
      if (one === null || two === null) return (one === null) - (two === null) || a.rank - b.rank;
      return (one < two ? -1 : one > two ? 1 : a.rank - b.rank) * way;
    });
    table.tBodies[0].replaceChildren(...found.slice(0, limit).map(line));
    button.hidden = found.length <= limit;
    const of = found.length === more.rows.length ? "" : " of " + more.rows.length;
    const part = found.length > limit ? ", the first " + limit + " shown" : "";
    shown.textContent = found.length + of + (more.rows.length === 1 ? " finding" : " findings") + part;
    const devices = new Set(found.map((row) => row.device));
    const all = found.length === more.rows.length;
    document.querySelectorAll(".device").forEach((each) => { each.hidden = !all && !devices.has(each.dataset.name); });
  }
  form.addEventListener("input", () => { limit = step; draw(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { limit = step; draw(); }));
  button.addEventListener("click", () => { limit += step * 5; draw(); });
  table.tHead.addEventListener("click", (event) => {
    const head = event.target.closest("th");
    if (!head || !keys.includes(head.dataset.key)) return;
    way = head.dataset.key === key ? -way : 1;
    key = head.dataset.key;
    table.querySelectorAll("th").forEach((each) => each.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", way > 0 ? "ascending" : "descending");
    draw();
  });
  button.hidden = more.rows.length <= table.tBodies[0].rows.length;
})();
