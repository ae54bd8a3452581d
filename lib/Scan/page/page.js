// Draws the rows that are asked for, and more on request: a page has thousands.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const find = (id) => document.getElementById(id);
const step = 200;
let sort = { key: "place", down: false };
let most = step;

data.rows.forEach((row, i) => {
  row.place = i + 1;
  row.where = row.files.map(([name, path]) => (name ? name + ": " + path : path));
  row.text = [row.id, ...row.where, ...row.uses.flat()].join("\n").toLowerCase();
});

function make(tag, text, of = {}) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  return Object.assign(element, of);
}

// Three digits, as in the text report.
function number(value) {
  for (const [unit, size] of [["M", 1e6], ["k", 1e3]])
    if (value >= size) return +(value / size).toPrecision(3) + unit;
  return String(+value.toPrecision(3));
}

const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

const valueOf = { place: (r) => r.place, id: (r) => r.id, kind: (r) => r.kind, score: (r) => r.score, file: (r) => r.where[0], files: (r) => r.files.length };

function wanted() {
  const words = find("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const kind = find("kind").value;
  const rows = data.rows.filter((r) => (!kind || r.kind === kind) && words.every((w) => r.text.includes(w)));
  const value = valueOf[sort.key];
  rows.sort((a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : a.place - b.place) * (sort.down ? -1 : 1));
  return rows;
}

function detail(row) {
  const cell = make("td", undefined, { colSpan: 6 });
  const line = make("div", undefined, { className: "line", title: "the line's bytes: written, read, atomic" });
  for (const mark of row.marks) line.append(make("i", undefined, { className: { w: "w", r: "r", a: "a", "~": "s" }[mark] || "" }));
  if (row.marks) cell.append(line);
  const uses = make("ul");
  for (const [name, access, by] of row.uses) uses.append(make("li", `${name}: ${access} by ${by}`));
  cell.append(uses, make("p", row.remedy || ""));
  const files = make("ul");
  for (const where of row.where) files.append(make("li", where));
  cell.append(files);
  const result = make("tr", undefined, { className: "detail" });
  result.append(cell);
  return result;
}

function draw() {
  const rows = wanted();
  const body = find("rows");
  body.replaceChildren(
    ...rows.slice(0, most).map((row) => {
      const line = make("tr", undefined, { className: "row", tabIndex: 0 });
      line.append(make("td", row.place, { className: "n" }), make("td", row.id, { className: "name" }), make("td", row.kind));
      line.append(make("td", number(row.score), { className: "n" }), make("td", row.where[0]), make("td", row.files.length, { className: "n" }));
      const toggle = () => (line.nextSibling && line.nextSibling.className === "detail" ? line.nextSibling.remove() : line.after(detail(row)));
      line.addEventListener("click", toggle);
      line.addEventListener("keydown", (e) => e.key === "Enter" && toggle());
      return line;
    })
  );
  const hidden = data.all - data.rows.length;
  find("shown").textContent = `${rows.length} of ${data.rows.length} rows` + (hidden ? `; ${hidden} more are in the JSON report` : "");
  find("more").hidden = rows.length <= most;
  find("more").textContent = `${rows.length - most} more`;
  for (const button of document.querySelectorAll("th button")) {
    if (button.dataset.key === sort.key) button.parentElement.setAttribute("aria-sort", sort.down ? "descending" : "ascending");
    else button.parentElement.removeAttribute("aria-sort");
  }
}

find("numbers").textContent = plural(data.read, "file") + " read" + (data.packages ? " of " + plural(data.packages, "package") : "") + `, ${data.with} with findings; ` + plural(data.findings, "finding");
for (const note of data.notes) find("notes").append(make("li", note));
for (const kind of ["", ...new Set(data.rows.map((r) => r.kind))].sort()) find("kind").append(make("option", kind || "all kinds", { value: kind }));
if (data.unread.length) {
  find("unread").hidden = false;
  find("unread").querySelector("summary").textContent = plural(data.unread.length, "file") + " not read";
  for (const [name, path, why] of data.unread) find("unread").querySelector("ul").append(make("li", (name ? name + ": " : "") + path + ": " + why));
}
find("search").addEventListener("input", () => ((most = step), draw()));
find("kind").addEventListener("change", () => ((most = step), draw()));
find("more").addEventListener("click", () => ((most += step), draw()));
for (const button of document.querySelectorAll("th button"))
  button.addEventListener("click", () => {
    const key = button.dataset.key;
    sort = { key, down: sort.key === key ? !sort.down : key === "score" || key === "files" };
    draw();
  });
draw();
document.body.dataset.ready = "yes";
