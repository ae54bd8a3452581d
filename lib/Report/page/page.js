'use strict';
// The page shows what two blocks of data say: the report, as linesman layout
// --format=json has it, and the map: every object of the binary, deflated.
const $ = (id) => document.getElementById(id);
const report = JSON.parse($('report').textContent);
const lineSize = report.line_size, pageSize = report.page_size;
const linesInPage = pageSize / lineSize, maxScore = Math.max(1e-9, ...report.findings.map((f) => f.score));
const hex = (n) => '0x' + n.toString(16);
const escapeText = (s) => String(s).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
const number = (n) => !n ? '' : n >= 1000 ? (+n.toPrecision(3)).toLocaleString('en') : String(+n.toPrecision(3));
// Of a weight a part is perhaps another object's.
const weight = (n, perhaps) => !perhaps || number(n) === number(n - perhaps) ? number(n) : n - perhaps <= n * 1e-9 ? 'up to ' + number(n) : number(n - perhaps) + ' to ' + number(n);
const shortName = (s) => s.length > 90 ? s.slice(0, 44) + '…' + s.slice(-44) : s;
let shown = [], current = -1, marked = -1, map = null;

// --- findings -------------------------------------------------------------

const sectionOf = (f) => (f.line && f.line.section) || '';
const textOf = (f) => [f.id, f.kind, f.line && f.line.address, f.type && f.type.name, f.member,
  ...f.occupants.flatMap((o) => [o.name, o.symbol, o.member, ...(o.sites || []).flatMap((s) => [s.function, s.source])])].join('\n').toLowerCase();
const texts = report.findings.map(textOf);

// Lines of one array are several findings: "[3..6]", where debug information says so.
function elementsOf(occupant) {
  const parts = (occupant.members || []).map((m) => /^([^[]*)\[(\d+)\]/.exec(m.member));
  if (!parts.length || parts.some((p) => !p || p[1] !== parts[0][1])) return '';
  const numbers = parts.map((p) => +p[2]), first = Math.min(...numbers), last = Math.max(...numbers);
  const array = parts[0][1], range = `[${first}${first === last ? '' : '..' + last}]`;
  return occupant.name === array || occupant.name.endsWith('::' + array) ? range : ' ' + array + range;
}

function titleOf(f) {
  if (f.type) return f.type.name + (f.member ? '::' + f.member : '');
  const [base, offset] = f.id.split('+0x');
  const head = f.occupants.find((o) => o.symbol === base || o.name === base) || f.occupants.find((o) => o.writes || o.atomics);
  if (!head) return f.id;
  return head.name + (elementsOf(head) || (offset && base.endsWith(head.name) ? '+0x' + offset : ''));
}

function listFindings() {
  const words = $('search').value.toLowerCase().trim(), kind = $('kind').value, section = $('section').value;
  shown = report.findings.map((f, i) => i).filter((i) => (!words || texts[i].includes(words)) &&
    (!kind || report.findings[i].kind === kind) && (!section || sectionOf(report.findings[i]) === section));
  $('findings').innerHTML = shown.slice(0, 500).map((i) => {
    const f = report.findings[i];
    return `<li data-i="${i}" tabindex="-1"><div class="name">${escapeText(shortName(titleOf(f)))}</div>` +
      `<div class="meta"><span>${escapeText(f.kind)}</span><span>${escapeText(f.rung)}</span><span>score ${number(f.score) || 0}</span>` +
      `<span>${f.line && f.line.address ? f.line.address : ''}</span></div><div class="bar" style="width:${Math.max(1, 100 * f.score / maxScore)}%"></div></li>`;
  }).join('') || `<li class="empty">${report.findings.length ? 'nothing matches' : 'no findings'}</li>`;
  mark();
}

function mark() {
  for (const li of $('findings').children) li.classList.toggle('on', +li.dataset.i === current);
  const on = $('findings').querySelector('.on');
  if (on) on.scrollIntoView({ block: 'nearest' });
}

function showFinding(i, keepHash) {
  current = i;
  const f = report.findings[i];
  mark();
  if (!keepHash) history.replaceState(null, '', f.line && f.line.address ? '#line=' + f.line.address : '#finding=' + (i + 1));
  const where = f.type ? `offset ${f.line.offset} of ${escapeText(f.type.name)}, ${f.type.size} bytes` :
    `line ${f.line.address} in ${escapeText(f.line.section)}, page ${f.line.page}` + (f.like_lines > 1 ? `, and ${f.like_lines - 1} lines like it` : '');
  $('detail').innerHTML = `<h2 class="mono">${i + 1}. ${escapeText(titleOf(f))}</h2><div><span class="tag">${escapeText(f.kind)}</span> ` +
    `<span class="tag">${escapeText(f.rung)}</span> score ${number(f.score) || 0} <span style="color:var(--soft)">· ${where}</span></div>` +
    linePicture(f) + legend + `<div class="remedy"><b>${escapeText(f.remedy.kind)}</b>: ${escapeText(f.remedy.text)}</div>` + occupantTable(f);
  light();
  if (map && f.line && f.line.address) scrollMap(parseInt(f.line.address, 16));
}

// One cell a byte: its colour is what is done to it, its letter whose it is.
const legend = '<div class="legend">' + [['write', 'written'], ['read', 'read'], ['atomic', 'atomic'], ['some', 'somewhere in the object'], ['unknown', 'no known access']]
  .map(([c, t]) => `<span><i style="background:var(--${c})"></i>${t}</span>`).join('') + '</div>';
const markClass = { a: 'a', w: 'w', r: 'r', '~': 's' };
function linePicture(f) {
  const begin = f.type ? f.line.offset : parseInt(f.line.address, 16), marks = f.marks || '';
  const owners = new Array(lineSize).fill(-1);
  f.occupants.forEach((o, n) => {
    const at = (f.type ? o.offset : parseInt(o.address, 16)) - begin;
    for (let b = Math.max(0, at); b < Math.min(lineSize, at + o.size); ++b) owners[b] = n;
  });
  const letters = lettersOf(f);
  return `<div class="line" style="grid-template-columns:repeat(${lineSize},1fr)">` + owners.map((n, b) => {
    const o = f.occupants[n], isHole = n < 0 || letters[n] === '-', first = !isHole && n !== owners[b - 1];
    return `<i class="${isHole ? 'hole' : markClass[marks[b]] || ''}${first ? ' first' : ''}" data-n="${n}" title="+${b} ${o ? escapeText(o.name) : ''}">` +
      `${first ? letters[n] : ''}</i>`;
  }).join('') + '</div>';
}

function lettersOf(f) {
  let next = 0;
  return f.occupants.map((o) => /^\[(hole|padding)\]$/.test(o.symbol) ? '-' : /^\[no (symbol|known access)\]$/.test(o.symbol) ? '?' : String.fromCharCode(65 + next++ % 26));
}

// In the column of what it does.
function siteWeight(s) {
  if (s.role === 'start-up') return '<td class="n" colspan="3">start-up</td>';
  return ['write', 'atomic', 'read'].map((access) => `<td class="n">${s.access === access ? number(s.weight) : ''}</td>`).join('');
}

function occupantTable(f) {
  const letters = lettersOf(f), begin = f.type ? f.line.offset : parseInt(f.line.address, 16);
  const rows = f.occupants.map((o, n) => {
    if (letters[n] === '-') return '';
    const at = (f.type ? o.offset : parseInt(o.address, 16)) - begin;
    const by = [o.written_by && o.written_by.length && 'written by ' + o.written_by.join(', '), o.read_by && o.read_by.length && 'read by ' + o.read_by.join(', ')].filter(Boolean).join('; ');
    const members = (o.members || []).map((m) => m.member).join(', ');
    return `<tr class="object" data-n="${n}"><td><b>${letters[n]}</b></td><td class="mono">${escapeText(o.name)}${o.member && !f.type ? ' ' + escapeText(o.member) : ''}` +
      `<div style="color:var(--soft)">+${at}, ${o.size} bytes${o.source ? ', ' + escapeText(o.source) : ''}${members ? '; ' + escapeText(members) : ''}${by ? '<br>' + escapeText(by) : ''}</div></td>` +
      ['writes', 'atomics', 'reads'].map((use) => `<td class="n">${weight(o[use], o['perhaps_' + use])}</td>`).join('') + '</tr>' +
      (o.sites || []).slice(0, 40).map((s) => `<tr class="site"><td></td><td class="mono">${escapeText(s.access)} ${escapeText(s.function)} ` +
        `${escapeText(s.source || s.instruction || '')}${(s.touches || []).length ? ' · ' + escapeText(s.touches.join(', ')) : ''}</td>` +
        siteWeight(s) + '</tr>').join('');
  });
  return `<table><tr><th></th><th>on this line</th><th class="n">writes</th><th class="n">atomics</th><th class="n">reads</th></tr>${rows.join('')}</table>`;
}

// A byte and its object light up together.
function light() {
  const box = $('detail');
  box.querySelectorAll('[data-n]').forEach((e) => {
    e.onmouseenter = () => box.querySelectorAll(`.line [data-n="${e.dataset.n}"]`).forEach((x) => x.classList.add('lit'));
    e.onmouseleave = () => box.querySelectorAll('.lit').forEach((x) => x.classList.remove('lit'));
  });
}

// A line without a finding: what the map knows of it.
function showLine(address) {
  const i = report.findings.findIndex((f) => f.line && parseInt(f.line.address, 16) === address);
  if (i >= 0) return showFinding(i);
  current = -1;
  mark();
  history.replaceState(null, '', '#line=' + hex(address));
  const on = map ? objectsOn(address) : [];
  const f = { line: { address: hex(address), section: on[0] ? map.sections[on[0].section].section : '', page: hex(address - address % pageSize) },
    occupants: on.map((o) => ({ name: o.name, symbol: o.name, address: hex(Math.max(o.address, address)), size: Math.min(o.address + o.size, address + lineSize) - Math.max(o.address, address) })) };
  f.marks = on.length ? '' : undefined;
  $('detail').innerHTML = `<h2 class="mono">line ${hex(address)}</h2><div style="color:var(--soft)">${escapeText(f.line.section)} · ${useWords[map ? map.uses.get(address / lineSize) || 0 : 0]} · no finding</div>` +
    (on.length ? linePicture(f) + occupantTable(f) : '<p class="empty">no object has a byte of this line</p>');
  light();
  if (map) scrollMap(address);
}

// --- the map --------------------------------------------------------------

const useWords = ['no known access', 'read', 'written', 'written and read'];
const rowHeight = 9, left = 130;
let cell = 9;

async function readMap() {
  const block = $('mapdata');
  if (!block) return;
  const bytes = Uint8Array.from(atob(block.textContent.trim()), (c) => c.charCodeAt(0));
  const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).text();
  const raw = JSON.parse(text), names = raw.names.split('\n');
  let at = 0, line = 0;
  const addresses = raw.starts.map((d) => at += d), uses = new Map(), lines = [];
  for (let i = 0; i < raw.lines.length; i += 2) {
    line += raw.lines[i];
    uses.set(line, raw.lines[i + 1]);
  }
  map = { sections: raw.sections, addresses, sizes: raw.sizes, names, uses, pages: [], held: new Set() };
  addresses.forEach((a, n) => {
    const last = Math.floor((a + Math.max(1, map.sizes[n]) - 1) / lineSize);
    for (let l = Math.floor(a / lineSize); l <= last && l < Math.floor(a / lineSize) + 65536; ++l) map.held.add(l);
  });
  let previous = -1;
  for (const l of [...map.held].sort((x, y) => x - y)) {
    const page = Math.floor(l / linesInPage);
    if (page !== previous) map.pages.push(previous = page);
  }
  $('map').hidden = !map.pages.length;
  $('mapbox').style.height = Math.min(420, map.pages.length * rowHeight + 4) + 'px';
  $('maptitle').textContent = `${map.pages.length.toLocaleString('en')} pages of ${pageSize} bytes with objects; a row is a page, a cell a line`;
  drawMap();
  document.body.dataset.map = 'ready';
  readHash();
}

function drawMap() {
  if (!map) return;
  const box = $('mapbox'), canvas = $('canvas'), scale = devicePixelRatio || 1;
  cell = Math.max(9, Math.floor((box.clientWidth - left - 20) / linesInPage));
  const width = left + linesInPage * cell + 8, height = box.clientHeight;
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.style.width = width + 'px';
  canvas.style.height = height + 'px';
  $('spacer').style.height = Math.max(0, map.pages.length * rowHeight - height) + height + 'px';
  const g = canvas.getContext('2d'), style = getComputedStyle(document.documentElement), color = (n) => style.getPropertyValue(n).trim();
  const colors = [color('--unknown'), color('--read'), color('--write'), color('--both')];
  g.scale(scale, scale);
  g.clearRect(0, 0, width, height);
  g.font = '10px ui-monospace,monospace';
  const first = Math.floor(box.scrollTop / rowHeight);
  for (let row = first; row < map.pages.length && (row - first) * rowHeight < height; ++row) {
    const y = (row - first) * rowHeight, page = map.pages[row];
    if (row % 2 === 0) {
      g.fillStyle = color('--soft');
      g.fillText(hex(page * pageSize), 6, y + 8);
    }
    for (let c = 0; c < linesInPage; ++c) {
      const l = page * linesInPage + c;
      if (!map.held.has(l)) continue;
      g.fillStyle = colors[map.uses.get(l) || 0];
      g.fillRect(left + c * cell, y, cell - 1, rowHeight - 1);
      if (l * lineSize === marked) {
        g.strokeStyle = color('--ink');
        g.lineWidth = 2;
        g.strokeRect(left + c * cell - 1, y - 1, cell + 1, rowHeight + 1);
      }
    }
  }
}

function cellAt(e) {
  const r = $('canvas').getBoundingClientRect(), c = Math.floor((e.clientX - r.left - left) / cell);
  const row = Math.floor($('mapbox').scrollTop / rowHeight) + Math.floor((e.clientY - r.top) / rowHeight);
  if (!map || c < 0 || c >= linesInPage || row >= map.pages.length) return null;
  return (map.pages[row] * linesInPage + c) * lineSize;
}

function objectsOn(address) {
  // The last object that begins at or before the line's end, and those before it that reach in.
  let low = 0, high = map.addresses.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    map.addresses[middle] < address + lineSize ? low = middle + 1 : high = middle;
  }
  const found = [];
  for (let n = low - 1; n >= 0 && n > low - 200; --n)
    if (map.addresses[n] + map.sizes[n] > address)
      found.unshift({ address: map.addresses[n], size: map.sizes[n], name: map.names[n], section: map.sections.findIndex((s) => map.addresses[n] >= parseInt(s.address, 16) && map.addresses[n] < parseInt(s.address, 16) + s.size) });
  return found.filter((o) => o.section >= 0);
}

function scrollMap(address) {
  marked = address - address % lineSize;
  const row = map.pages.indexOf(Math.floor(address / pageSize));
  if (row >= 0) $('mapbox').scrollTop = Math.max(0, row * rowHeight - 150);
  drawMap();
}

// --- search, keys, links --------------------------------------------------

function search() {
  listFindings();
  const words = $('search').value.toLowerCase().trim(), hits = [];
  if (map && words.length > 1) {
    const address = /^0x[0-9a-f]+$/.test(words) ? parseInt(words, 16) : -1;
    for (let n = 0; n < map.names.length && hits.length < 30; ++n)
      if (address >= 0 ? address >= map.addresses[n] && address < map.addresses[n] + map.sizes[n] : map.names[n].toLowerCase().includes(words)) hits.push(n);
  }
  $('hits').hidden = !hits.length;
  $('hits').innerHTML = hits.map((n) => `<div data-a="${map.addresses[n]}" class="mono">${escapeText(shortName(map.names[n]))} <span style="color:var(--soft)">${hex(map.addresses[n])}</span></div>`).join('');
}

function readHash() {
  const m = /#(line|finding)=(0x[0-9a-f]+|\d+)/i.exec(location.hash);
  if (m && m[1] === 'finding' && report.findings[m[2] - 1]) return showFinding(m[2] - 1, true);
  if (m && m[1] === 'line') {
    const a = Number(m[2]);
    return showLine(a - a % lineSize);
  }
  if (current < 0 && report.findings.length) showFinding(0, true);
  else if (!report.findings.length) $('detail').innerHTML = '<p class="empty">No finding. The notes say what was looked at.</p>';
}

const notes = () => report.notes && report.notes.length ? `<h3>notes</h3><ul id="notes">${report.notes.map((n) => `<li>${escapeText(n)}</li>`).join('')}</ul>` : '';

function start() {
  const base = report.binary.split('/').pop(), all = report.findings.length + report.hidden_findings, total = report.findings.reduce((s, f) => s + f.score, 0);
  document.title = base + ' – Linesman';
  $('title').textContent = base;
  $('numbers').innerHTML = `<span><b>${all}</b> finding${all === 1 ? '' : 's'}</span><span>total score <b>${number(total) || 0}</b></span>` +
    (report.sections || []).filter((s) => s.kind === 'data' && s.size).map((s) => `<span>${escapeText(s.section)} <b>${s.size.toLocaleString('en')}</b> bytes</span>`).join('');
  const options = (id, all, values) => $(id).innerHTML = `<option value="">${all}</option>` + [...new Set(values)].filter(Boolean).sort().map((v) => `<option>${escapeText(v)}</option>`).join('');
  options('kind', 'every kind', report.findings.map((f) => f.kind));
  options('section', 'every section', report.findings.map(sectionOf));
  $('search').oninput = search;
  $('kind').onchange = $('section').onchange = listFindings;
  $('findings').onclick = (e) => { const li = e.target.closest('li[data-i]'); if (li) showFinding(+li.dataset.i); };
  $('hits').onclick = (e) => { const d = e.target.closest('[data-a]'); if (d) { $('hits').hidden = true; const a = +d.dataset.a; showLine(a - a % lineSize); } };
  $('theme').onclick = () => { const r = document.documentElement, dark = r.dataset.theme ? r.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches; r.dataset.theme = dark ? 'light' : 'dark'; drawMap(); };
  $('mapbox').onscroll = drawMap;
  addEventListener('resize', drawMap);
  addEventListener('hashchange', readHash);
  $('canvas').onclick = (e) => { const a = cellAt(e); if (a !== null) { showLine(a); scrollTo({ top: 0, behavior: 'smooth' }); } };
  $('canvas').onmousemove = (e) => {
    const a = cellAt(e), tip = $('tip'), on = a === null ? [] : objectsOn(a);
    tip.style.display = a === null ? 'none' : 'block';
    tip.style.left = Math.min(e.clientX + 14, innerWidth - 300) + 'px';
    tip.style.top = e.clientY + 14 + 'px';
    if (a !== null) tip.textContent = `${hex(a)} · ${useWords[map.uses.get(a / lineSize) || 0]}\n` + (on.slice(0, 8).map((o) => shortName(o.name)).join('\n') || 'no object') + (on.length > 8 ? `\nand ${on.length - 8} more` : '');
  };
  $('canvas').onmouseleave = () => $('tip').style.display = 'none';
  addEventListener('keydown', (e) => {
    if (e.key === 'Escape') { $('hits').hidden = true; document.activeElement.blur(); return; }
    if (e.target.matches('input, select') || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === '/') { $('search').focus(); e.preventDefault(); }
    const step = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (step && shown.length) {
      showFinding(shown[Math.min(shown.length - 1, Math.max(0, shown.indexOf(current) + step))]);
      if (e.key.startsWith('Arrow')) e.preventDefault();
    }
  });
  listFindings();
  readHash();
  $('list').insertAdjacentHTML('beforeend', notes());
  document.body.dataset.ready = 'yes';
  // After the first view has been drawn.
  requestAnimationFrame(() => setTimeout(readMap));
}
start();
