"use strict";
// Tables that sort and filter, a heat map of several measures, and permalinks that open what they name.
// Without this script everything can still be read.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);

  // ---- sorting: by data-v where a cell has one, else by its text; what is missing stays last
  const keyOf = (row, i) => {
    const cell = row.cells[i];
    const text = cell.dataset.v ?? cell.textContent.trim();
    const number = text === "" ? NaN : Number(text);
    return { number, text, missing: text === "" || text === "–" };
  };
  const compare = (a, b) => {
    if (Number.isNaN(a.number) || Number.isNaN(b.number)) return a.text.localeCompare(b.text, "en", { numeric: true });
    return a.number - b.number;
  };
  const sort = (table, i, direction) => {
    const rows = [...table.tBodies[0].rows].map((row) => ({ row, key: keyOf(row, i) }));
    rows.sort((a, b) => (a.key.missing - b.key.missing) || direction * compare(a.key, b.key));
    table.tBodies[0].append(...rows.map((r) => r.row));
    table.dispatchEvent(new Event("sorted"));
  };
  for (const table of all("table.sortable")) {
    all("thead th", table).forEach((th, i, heads) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...th.childNodes);
      th.append(button);
      button.addEventListener("click", () => {
        const first = th.classList.contains("n") ? "descending" : "ascending";
        const other = first === "descending" ? "ascending" : "descending";
        const now = th.getAttribute("aria-sort") === first ? other : first;
        for (const head of heads) head.removeAttribute("aria-sort");
        th.setAttribute("aria-sort", now);
        sort(table, i, now === "ascending" ? 1 : -1);
      });
    });
  }

  // ---- filtering the trials
  const form = byId("filter");
  if (form) {
    const rows = [...byId("t-trials").tBodies[0].rows].map((row) => ({
      row, text: row.textContent.toLowerCase(), verdict: row.dataset.verdict,
      system: row.cells[0].textContent, task: row.cells[1].textContent,
    }));
    const more = byId("more");
    let limit = 500; // rows drawn at once: the browser stays quick with thousands
    const apply = () => {
      const words = byId("find").value.toLowerCase().split(/\s+/).filter(Boolean);
      const [verdict, system, task] = ["by-verdict", "by-system", "by-task"].map((id) => byId(id).value);
      let n = 0;
      for (const r of rows) {
        const fits = (!verdict || r.verdict === verdict) && (!system || r.system === system) &&
          (!task || r.task === task) && words.every((word) => r.text.includes(word));
        n += fits;
        r.row.hidden = !fits || n > limit;
      }
      more.hidden = n <= limit;
      more.textContent = `Show all ${n}`;
      byId("shown").textContent = `${n} of ${rows.length} trials` + (n > limit ? `, the first ${limit} shown` : "");
    };
    more.addEventListener("click", () => { limit = Infinity; apply(); });
    byId("t-trials").addEventListener("sorted", () => {
      const place = new Map([...byId("t-trials").tBodies[0].rows].map((row, i) => [row, i]));
      rows.sort((a, b) => place.get(a.row) - place.get(b.row));
      apply();
    });
    form.hidden = false;
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    apply();
  }

  // ---- the heat map: another measure
  const measure = byId("measure");
  if (measure) {
    measure.closest("p").hidden = false;
    measure.addEventListener("change", () => {
      const name = measure.value;
      const bright = name === "silent" ? 0 : 1;
      for (const link of all("#t-matrix td a")) {
        const text = link.getAttribute(`data-${name}`);
        const value = text === null ? NaN : Number(text);
        link.querySelector(".big").textContent = text === null ? "–" : value.toFixed(2);
        const shade = Math.round(10 * (bright ? value : 1 - value));
        link.parentElement.className = text === null ? "nodata" : `h${Math.min(10, Math.max(0, shade))}`;
      }
      const words = measure.selectedOptions[0].textContent;
      byId("measure-words").textContent = `Large: ${words}, ${bright ? "0 (orange) to 1 (blue)" : "1 (orange) to 0 (blue)"}.`;
    });
  }

  // ---- permalinks: open what the address names, also where it is inside something closed or in another file
  const open = () => {
    const raw = location.hash.slice(1);
    if (!raw) return;
    let plain = raw;
    try { plain = decodeURIComponent(raw); } catch { /* not ours to mend */ }
    const target = byId(raw) ?? byId(plain);
    if (!target) return;
    if (target.tagName === "TR") {
      const link = target.querySelector("a[href]");
      if (link && !link.getAttribute("href").startsWith("#")) location.replace(link.href);
    }
    for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", open);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#"]');
    if (link && link.getAttribute("href") === location.hash) open(); // the same address again changes no hash
  });
  open();
  document.documentElement.dataset.ready = "1";
})();
