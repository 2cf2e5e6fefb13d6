// SPDX-License-Identifier: MIT
// Of plots in HTML: zooms and pans by the viewBox of the picture. It sets data-rhomb of the root to "ready"
// once it runs, data-range of the picture to what of the targets is shown, and where one has zoomed
// data-queries to what of the queries' axis. Texts keep their size.
const $ = id => document.getElementById(id), map = JSON.parse($('map').textContent);
const svg = document.querySelector('#view svg'), box = svg.viewBox.baseVal;
const all = [box.x, box.y, box.width, box.height];
svg.removeAttribute('width'); svg.removeAttribute('height');
let view = all.slice();
const texts = [...svg.querySelectorAll('text')].map(t => [t, Number(t.getAttribute('font-size'))]);
const rule = svg.appendChild(document.createElementNS(svg.namespaceURI, 'g'));
rule.id = 'rule';
const frame = map.frames.find(f => f[0] === 0) || map.frames[0];
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
// The sequence and its position at a share of an axis.
function place(axis, share) {
  const at = clamp(share, 0, 1) * axis.length;
  let s = axis.list[0];
  for (const t of axis.list) if (t[1] <= at) s = t;
  return [s, Math.floor(clamp(at - s[1] + s[2], s[2], s[3]) + 1e-3)];
}
function show() {
  view[2] = clamp(view[2], all[2] / 1e4, all[2]);
  view[3] = view[2] * all[3] / all[2];
  view[0] = clamp(view[0], 0, all[2] - view[2]);
  view[1] = clamp(view[1], 0, all[3] - view[3]);
  svg.setAttribute('viewBox', view.join(' '));
  const [a, from] = place(map.targets, (view[0] - frame[1]) / frame[3]);
  const [b, to] = place(map.targets, (view[0] + view[2] - frame[1]) / frame[3]);
  const end = a === b ? '-' : ' to ' + b[0] + ':';
  svg.dataset.range = a[0] + ':' + (from + 1) + end + to;
  $('at').textContent = svg.dataset.range;
  const f = view[2] / all[2];
  for (const [t, size] of texts) t.setAttribute('font-size', size * f);
  rule.textContent = '';
  delete svg.dataset.queries;
  if (f < 1) rulers(f);
}
// How much of the picture's height is in the window, from its top.
function visible() {
  const r = svg.getBoundingClientRect();
  return clamp((window.innerHeight - r.top) / r.height, 0.1, 1);
}
// Positions at the edges of what is shown, since the axes may be outside.
function rulers(f) {
  const inside = (z, k) => clamp((z - frame[k]) / frame[k + 2], 0, 1);
  const bottom = view[1] + view[3] * visible();
  ticks(map.targets, inside(view[0], 1), inside(view[0] + view[2], 1), p => [
    frame[1] + frame[3] * p, bottom - 4 * f, 'middle'], f);
  if (frame[0] !== 0) return;
  const low = 1 - inside(bottom, 2), high = 1 - inside(view[1], 2);
  ticks(map.queries, low, high, p => [
    view[0] + 4 * f, frame[2] + frame[4] * (1 - p) + 4 * f, 'start'], f);
  svg.dataset.queries = [low, high].map(p => Math.round(p * map.queries.length)).join('-');
}
function ticks(axis, low, high, at, f) {
  const least = Math.max((high - low) * axis.length / 6, 1), ten = 10 ** Math.floor(Math.log10(least));
  const step = ten * [1, 2, 5, 10].find(d => d * ten >= least * (1 - 1e-9)), one = axis.list.length === 1;
  low *= axis.length; high *= axis.length;
  for (const s of axis.list) {
    const to = Math.min(high - s[1] + s[2], s[3]), from = Math.max(low - s[1] + s[2], s[2], one ? 0 : 1);
    for (let n = Math.ceil(from / step) * step; n <= to && low < high; n += step) {
      const [x, y, anchor] = at((s[1] + n - s[2]) / axis.length);
      if (anchor === 'middle' && Math.abs(x - view[0] - view[2] / 2) > view[2] / 2 - 30 * f) continue;
      const t = rule.appendChild(document.createElementNS(svg.namespaceURI, 'text'));
      t.textContent = (one ? '' : s[0] + ':') + n.toLocaleString('en');
      const set = {x: x, y: y, 'text-anchor': anchor, 'font-size': 11 * f, 'stroke-width': 3 * f};
      for (const k in set) t.setAttribute(k, set[k]);
    }
  }
}
function zoom(factor, x = view[0] + view[2] / 2, y = view[1] + view[3] / 2) {
  const width = clamp(view[2] / factor, all[2] / 1e4, all[2]), f = view[2] / width;
  view = [x - (x - view[0]) / f, y - (y - view[1]) / f, width, 0];
  show();
}
function point(e) {
  const r = svg.getBoundingClientRect();
  return [view[0] + (e.clientX - r.left) / r.width * view[2],
          view[1] + (e.clientY - r.top) / r.height * view[3]];
}
// Where on the queries' axis most of what lies between two bases of the targets' axis is.
function height(x0, x1) {
  let most = -1, y = (x0 + x1) / 2 / map.targets.length * map.queries.length;
  for (const [a, b, c, d] of map.pieces) {
    const low = Math.max(a, x0), high = Math.min(c, x1);
    if (high < low || high - low <= most) continue;
    most = high - low;
    y = b + (d - b) * ((low + high) / 2 - a) / Math.max(c - a, 1);
  }
  return y / map.queries.length;
}
function go() {
  let hash;
  try { hash = decodeURIComponent(location.hash.slice(1)); } catch (e) { return; }
  const m = /^(.*):([\d,]+)-([\d,]+)$/.exec(hash);
  const t = m && map.targets.list.find(s => s[0] === m[1]);
  if (!t) return;
  const [from, to] = [m[2], m[3]].map(n => Number(n.replace(/,/g, '')));
  const x0 = t[1] + from - 1 - t[2], x1 = t[1] + to - t[2], pixels = frame[3] / map.targets.length;
  const width = Math.max((x1 - x0) * pixels, all[2] / 1e4), middle = frame[1] + (x0 + x1) / 2 * pixels;
  const y = frame[2] + frame[4] * (frame[0] === 0 ? 1 - height(x0, x1) : 0.5);
  view = [middle - width / 2, y - width * all[3] / all[2] * visible() / 2, width, 0];
  show();
}
const area = $('view');
area.addEventListener('wheel', e => {
  e.preventDefault();
  zoom(Math.exp(-e.deltaY / 400), ...point(e));
}, {passive: false});
let held = null;
area.addEventListener('pointerdown', e => { held = point(e); area.setPointerCapture(e.pointerId); });
area.addEventListener('pointerup', () => { held = null; });
area.addEventListener('pointercancel', () => { held = null; });
area.addEventListener('pointermove', e => {
  const p = point(e);
  if (held) { view[0] += held[0] - p[0]; view[1] += held[1] - p[1]; show(); return; }
  const x = (p[0] - frame[1]) / frame[3], y = 1 - (p[1] - frame[2]) / frame[4];
  if (x < 0 || x > 1) return;
  const [t, i] = place(map.targets, x), [q, j] = place(map.queries, y);
  const other = y >= 0 && y <= 1 && frame[0] === 0 ? ' \u00d7 ' + q[0] + ':' + (j + 1) : '';
  $('at').textContent = t[0] + ':' + (i + 1) + other;
});
document.addEventListener('keydown', e => {
  const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[e.key];
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === '+' || e.key === '=') zoom(1.5);
  else if (e.key === '-') zoom(1 / 1.5);
  else if (e.key === '0') { view = all.slice(); show(); }
  else if (step && view[2] < all[2]) {
    view[0] += step[0] * view[2] / 8; view[1] += step[1] * view[3] / 8; show(); e.preventDefault();
  }
});
$('in').onclick = () => zoom(1.5);
$('out').onclick = () => zoom(1 / 1.5);
$('all').onclick = () => { view = all.slice(); show(); };
window.addEventListener('hashchange', go);
for (const event of ['scroll', 'resize']) window.addEventListener(event, show);
show();
go();
document.documentElement.dataset.rhomb = 'ready';
