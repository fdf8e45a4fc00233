// rbd-demos: storyboards that ask first and answer by moving. One ES module, no dependency, no network.
//
// It finds every element of class "rbd-demo" that holds its data as JSON in a script element, also those added later,
// and mounts it in a shadow root. Dynamics is never computed by formulas written here: values are recorded, or come
// from functions of q, τ and m that rbdlite's code generator wrote for the model (see rbdlite/widgets/demos/). What the
// step player needs too: rbd-base.js.
//
// Sections: 1 words  2 numbers  3 small parts  4 plane and space  5 one storyboard  6 composite  7 padlocks  8 order game
//           9 factor  10 style  11 mounting

const { esc, store, hash, mul, tr, add, Tree, f1, icon, glyph, arrow, W, Camera, armParts, massEllipse, styled, mounting } = window.rbdBase;

// ---------- 1 words ----------
const WORDS = {
  en: {
    composite: 'Composite inertia', padlocks: 'Articulated inertia', order_game: 'Elimination', factor: 'LTDL and the textbook order',
    gain: 'One kilogram more', masses: 'Which masses?', build: 'Build M', parabola: 'Padlock and parabola', apparent: 'Apparent mass',
    numbers: 'Two numbers per link', gather: 'Joint by joint', locks: 'One padlock per joint', show: 'show me', again: 'ask again', commit: 'Commit', why: 'Say why in one line',
    compare: 'Compare', model: 'One way to say it:', step: 'Step', back: 'Back', next: 'Next gluing', change: 'Change the numbers', reset: 'Reset',
    lock: 'Lock', unlock: 'Unlock', push: 'Push', undo: 'Undo', restart: 'Start again', remove: 'Remove', cancel: 'Not this one', hint: 'Hint',
    predict: 'Predict', play: 'Play', lang: 'Language', steps: (a, b) => `step ${a} of ${b}`, right: 'Right.',
  },
  zh: {
    composite: '组合惯量', padlocks: '铰接惯量', order_game: '消元', factor: 'LTDL 与教科书次序',
    gain: '多一千克', masses: '哪些质量？', build: '组装 M', parabola: '锁与抛物线', apparent: '表观质量',
    numbers: '每杆两个数', gather: '逐关节', locks: '每关节一把锁', show: '直接看', again: '再问一次', commit: '提交', why: '用一句话说明原因',
    compare: '对照', model: '一种说法：', step: '前进', back: '后退', next: '下一次粘合', change: '改变数值', reset: '复位',
    lock: '锁住', unlock: '打开', push: '推', undo: '撤销', restart: '重新开始', remove: '消去', cancel: '换一个', hint: '提示',
    predict: '先预测', play: '播放', lang: '语言', steps: (a, b) => `第 ${a}/${b} 步`, right: '正确。',
  },
};

// ---------- 2 numbers ----------
const range = (a, b) => Array.from({ length: Math.max(0, b - a) }, (_, k) => a + k);
const sum = x => x.reduce((a, b) => a + b, 0);

/** A number as text: three significant digits, true minus, whole numbers whole. */
function num(x, digits = 3) {
  if (x == null || Number.isNaN(x)) return '·';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : '−∞';
  if (Math.abs(x) < 1e-9) return '0';
  const size = Math.abs(x), minus = x < 0 ? '−' : '';
  if (Math.abs(size - Math.round(size)) < 1e-9 * Math.max(1, size) && size < 1e6) return minus + Math.round(size);
  if (size >= 1e5 || size < 1e-3) return minus + size.toExponential(1).replace('e+', 'e').replace('e-', 'e−');
  const text = size >= 1000 ? size.toFixed(0) : size.toPrecision(digits);
  return minus + (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
}

/** [numerator, denominator] of x if it is a fraction of small whole numbers, else null. */
function fraction(x, most = 400) {
  if (!Number.isFinite(x)) return null;
  let [a, b, c, d] = [1, 0, Math.floor(Math.abs(x)), 1], r = Math.abs(x) - c;
  for (let k = 0; k < 12 && Math.abs(c / d - Math.abs(x)) > 1e-10 * Math.max(1, Math.abs(x)); k++) {
    const t = 1 / r, w = Math.floor(t + 1e-9); r = t - w;
    [a, b, c, d] = [c, d, w * c + a, w * d + b];
    if (d > most) return null;
  }
  return [Math.sign(x) * c, d];
}
/** x as text with a slash, 71/8, if its denominator is no more than `most`; else rounded. */
const upTo = most => x => { const f = fraction(x, most); return f && f[1] > 1 ? `${num(f[0])}/${f[1]}` : num(x); };
const frac = upTo(64);
/** x with a built-up fraction. */
function stacked(x, most = 400) {
  const f = fraction(x, most);
  return f && f[1] > 1 && Math.abs(f[0]) < 10000
    ? `<span class="fq">${x < 0 ? '−' : ''}<span class="vh">${Math.abs(f[0])}/${f[1]}</span><span aria-hidden="true"><span>${Math.abs(f[0])}</span><span>${f[1]}</span></span></span>` : num(x);
}
const signed = x => (x > 0 ? '+' : '') + num(x);
const v3 = x => `(${num(x[0])};&thinsp;${x.slice(1).map(y => num(y)).join(',&thinsp;')})`;
/** Dotted letters drawn: fonts without combining marks set the dots beside the letter, or in sans. */
const dotted = html => html.replace(/<[^>]*>|([A-Za-z])([\u0307\u0308])/gu, (all, letter, mark) => (letter
  ? `<i class="d${mark === '\u0307' ? 1 : 2}" role="img" aria-label="${letter + mark}">${letter}</i>` : all));
const sub = (name, ...ix) => `<span class="m"><i>${name}</i><sub>${ix.join(ix.some(x => String(x).length > 1) ? ',' : '')}</sub></span>`;

// ---------- 3 small parts ----------
const btn = (a, text, { v = '', cls = '', off = false, label = '', more = '' } = {}) => `<button type="button" class="btn ${cls}" data-a="${a}" data-v="${esc(v)}" ${off ? 'disabled' : ''} ${label ? `aria-label="${esc(label)}"` : ''} ${more}>${text}</button>`;
/** A zigzag between two nodes: a coupling that was not there before. */
function spring(p, q, gap, cls) {
  const L = Math.hypot(q[0] - p[0], q[1] - p[1]), u = [(q[0] - p[0]) / L, (q[1] - p[1]) / L], s0 = gap + 8, len = L - 2 * s0, n = Math.max(5, Math.round(len / 9) | 1);
  const at = (t, w = 0) => `${f1(p[0] + u[0] * t - u[1] * w)} ${f1(p[1] + u[1] * t + u[0] * w)}`;
  const d = `M${at(gap)}L${at(s0)}${range(0, n).map(k => `L${at(s0 + len * (k + 0.5) / n, k % 2 ? -6 : 6)}`).join('')}L${at(L - s0)}L${at(L - gap)}`;
  return `<path class="glow ${cls}" d="${d}"/><path class="spring ${cls}" d="${d}"/>`;
}

// ---------- 4 the plane ----------
const turnBy = (a, v) => [Math.cos(a) * v[0] - Math.sin(a) * v[1], Math.sin(a) * v[0] + Math.cos(a) * v[1]];

/** A planar model to be drawn: poses of its bodies for given q, where links end. */
class Plane {
  constructor(model, home = null) {
    this.model = model; this.n = model.parent.length - 1; this.home = home;
    this.fixed = model.XT.map(X => X && { a: Math.atan2(-X[6], X[0]), p: Plane.origin(X) });
  }
  static origin(X) {                              // X = [[E, 0], [-E r×, E]]: r from -Eᵀ (lower left block)
    const E = [X[0], X[1], X[6], X[7]], B = [X[20], X[26]];
    return [E[1] * B[0] + E[3] * B[1], -(E[0] * B[0] + E[2] * B[1])];
  }
  chain(q) {
    const out = [{ a: 0, p: [0, 0] }];
    for (let i = 1; i <= this.n; i++) {
      const up = out[this.model.parent[i]], S = this.model.S[i].map(r => r[0]), at = this.fixed[i], x = q[this.model.q[i][0]];
      const a = up.a + at.a, d = turnBy(up.a, at.p), slide = turnBy(a, [S[3] * x, S[4] * x]);
      out[i] = { a: a + S[2] * x, p: [up.p[0] + d[0] + slide[0], up.p[1] + d[1] + slide[1]] };
    }
    return out;
  }
  point(pose, v) { const d = turnBy(pose.a, v); return [pose.p[0] + d[0], pose.p[1] + d[1]]; }
  kids(i) { return this.model.parent.map((p, j) => (p === i ? j : 0)).filter(Boolean); }
  ends(i, poses) {
    const out = this.kids(i).map(j => poses[j].p), tip = this.model.tip[i];
    if (tip) out.push(this.point(poses[i], tip));
    return out.filter((e, k) => out.findIndex(o => Math.hypot(o[0] - e[0], o[1] - e[1]) < 1e-6) === k && Math.hypot(e[0] - poses[i].p[0], e[1] - poses[i].p[1]) > 1e-6);
  }
  com(i, poses) { return this.point(poses[i], this.model.com[i]); }
  fit(q, pad = 0.24) {
    const poses = this.chain(q), pts = [[0, 0]]; for (let i = 1; i <= this.n; i++) pts.push(poses[i].p, this.com(i, poses), ...this.ends(i, poses));
    const lo = [0, 1].map(a => Math.min(...pts.map(p => p[a]))), hi = [0, 1].map(a => Math.max(...pts.map(p => p[a])));
    const size = Math.max(hi[0] - lo[0], hi[1] - lo[1], 0.1), g = pad * size;
    this.scale = Math.min(W / (hi[0] - lo[0] + 2 * g), W / (hi[1] - lo[1] + 2 * g));
    this.H = Math.max(190, Math.min(W, (hi[1] - lo[1] + 2 * g) * this.scale)); this.mid = [(lo[0] + hi[0]) / 2, (lo[1] + hi[1]) / 2];
    const raw = size / 8, p10 = 10 ** Math.floor(Math.log10(raw)); this.cell = [1, 2.5, 5, 10].map(c => c * p10).find(c => c >= raw * 0.8);
    return this;
  }
  at(p) { return [W / 2 + (p[0] - this.mid[0]) * this.scale, this.H / 2 - (p[1] - this.mid[1]) * this.scale]; }
  paper() {
    const c = this.cell, unit = String(c).includes('25') ? 4 : 5, w = W / 2 / this.scale, h = this.H / 2 / this.scale; let s = '';
    for (let k = Math.ceil((this.mid[0] - w) / c); k * c <= this.mid[0] + w; k++) { const x = f1(this.at([k * c, 0])[0]); s += `<line class="${k % unit ? '' : 'u'}" x1="${x}" y1="0" x2="${x}" y2="${f1(this.H)}"/>`; }
    for (let k = Math.ceil((this.mid[1] - h) / c); k * c <= this.mid[1] + h; k++) { const y = f1(this.at([0, k * c])[1]); s += `<line class="${k % unit ? '' : 'u'}" x1="0" y1="${y}" x2="${W}" y2="${y}"/>`; }
    return `<g class="gr">${s}</g>`;
  }
  ground() { const [x, y] = this.at([0, 0, 0]); return `<path class="ground" d="M${f1(x - 6)} ${f1(y + 7)}l-9 12h30l-9-12M${f1(x - 18)} ${f1(y + 19)}h36M${f1(x - 14)} ${f1(y + 19)}l-5 6m11-6-5 6m11-6-5 6m11-6-5 6m11-6-5 6"/>`; }
  link(i, poses, cls, mass = null, only = null) {
    const w = 5.5, a = this.at(poses[i].p), c = this.com(i, poses);
    const bars = this.ends(i, poses).map(e => { const b = this.at(e), L = Math.hypot(b[0] - a[0], b[1] - a[1]), t = Math.atan2(b[1] - a[1], b[0] - a[0]) * 180 / Math.PI;
      return `<rect x="${-w}" y="${-w}" width="${f1(L + 2 * w)}" height="${2 * w}" rx="${w}" transform="translate(${f1(a[0])} ${f1(a[1])}) rotate(${f1(t)})"/>`; }).join('');
    const d = this.at(c), big = Math.max(...this.model.mass.slice(1)), r = mass == null ? 0 : 3.5 + 4 * Math.min(1.6, Math.sqrt(Math.max(0, mass) / big));
    return `<g class="lk ${cls}" data-k="lk${i}">${bars}${only === 'bars' || !r ? '' : `<circle cx="${f1(d[0])}" cy="${f1(d[1])}" r="${f1(r)}"/>`}</g>`;
  }
  /** All links, joints too where they are not drawn over everything by `hinges`. cls(k): class of body k; mass(k): its dot. */
  arm(poses, cls, mass = () => null, only = null) { return range(1, this.n + 1).map(k => this.link(k, poses, cls(k), mass(k), only)).join(''); }
  /** Poses when the freedoms move by dv from home. */
  displaced(dv) { return this.chain(this.home.map((x, k) => x + dv[k])); }
  /** A rigid inertia (36 numbers, axes of the body posed here) as it is drawn, or null. */
  mass(I, pose) { const g = gyration(I); return g && { ...g, c: this.point(pose, g.c), th: g.th + pose.a }; }
  /** A symmetric 3×3 block (xx, xy, xz, yy, yz, zz; axes of the body posed here) in the picture's two directions: right-right, right-up, up-up. */
  flatten(A, pose) {
    const c = Math.cos(pose.a), s = Math.sin(pose.a), [xx, xy, , yy] = A;
    return [c * c * xx - 2 * c * s * xy + s * s * yy, c * s * (xx - yy) + (c * c - s * s) * xy, s * s * xx + 2 * c * s * xy + c * c * yy];
  }
  hinges(poses) { return range(1, this.n + 1).map(i => { const [x, y] = this.at(poses[i].p); return `<circle class="hg" cx="${f1(x)}" cy="${f1(y)}" r="4.5"/>`; }).join(''); }
  /** Labels that keep clear of links and of one another. what: [{at: world point, text, cls, r}] */
  labels(poses, what, busy = []) {
    const segs = []; for (let i = 1; i <= this.n; i++) for (const e of this.ends(i, poses)) segs.push([this.at(poses[i].p), this.at(e)]);
    const taken = busy.map(p => [p[0], p[1], 14]), away = (p, [a, b]) => { const d = [b[0] - a[0], b[1] - a[1]], L = d[0] ** 2 + d[1] ** 2 || 1e-9, t = Math.max(0, Math.min(1, ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / L)); return Math.hypot(p[0] - a[0] - t * d[0], p[1] - a[1] - t * d[1]); };
    return what.map(l => {
      const c = this.at(l.at), half = l.text.replace(/<[^>]*>/g, '').length * 3.1; let best = null;
      for (const [dx, dy] of [[0, -1], [1, 0], [-1, 0], [0, 1], [0.75, -0.75], [0.75, 0.75], [-0.75, 0.75], [-0.75, -0.75]]) {
        const r = l.r || 15, p = [c[0] + dx * (r + half * Math.abs(dx)), c[1] + dy * r];
        const clear = Math.min(...[-half, 0, half].map(o => Math.min(...segs.map(s => away([p[0] + o, p[1]], s)))), 22);
        const apart = Math.min(...taken.map(t => Math.max(Math.abs(t[0] - p[0]) - half - t[2], Math.abs(t[1] - p[1]) - 13)), 12);
        const inside = Math.min(p[0] - half, W - p[0] - half, p[1] - 8, this.H - p[1] - 8, 0);
        const score = clear + (apart < 4 ? 6 * (apart - 4) : 0) + 2 * inside; if (!best || score > best.score + 0.01) best = { score, p };
      }
      taken.push([best.p[0], best.p[1], half]);
      return `<text class="${l.cls || ''}" x="${f1(best.p[0])}" y="${f1(best.p[1] + 4)}" text-anchor="middle">${l.text}</text>`;
    }).join('');
  }
  svg(inner, label) { return `<svg viewBox="0 0 ${W} ${f1(this.H)}" role="img" aria-label="${esc(label)}">${this.paper()}${inner}</svg>`; }
}

/** A model that squared paper cannot hold, with the plane's methods: drawn as the step player draws it.
 *  Joints of one freedom follow q; the others keep the place that was recorded. */
class Space extends Plane {
  constructor(p) {
    super(p.model, p.inputs.q); const tree = this.tree = new Tree(p.model);
    tree.rel = p.poses.map(x => x && { R: x[0], p: x[1] }); tree.poses = tree.chain(); this.cam = new Camera(tree); this.flat = tree.planar;
  }
  chain(q) {
    const { nv, q: at } = this.model;
    return this.displaced(nv.flatMap((d, i) => (d === 1 ? [q[at[i][0]] - this.home[at[i][0]]] : Array(d).fill(0))));
  }
  displaced(dv) { return this.tree.chain(dv); }
  point(pose, v) { return add(pose.p, mul(pose.R, v)); }
  ends(i, poses) { return this.tree.ends(i, poses).filter(e => Math.hypot(...add(e, poses[i].p, -1)) > 1e-6); }
  fit(q) { this.tree.poses = this.chain(q); this.cam.fit(); this.H = this.cam.H; this.scale = this.cam.scale; return this; }
  at(p) { return this.cam.at(p); }
  paper() { return this.cam.paper(); }
  ground() { return this.flat && this.model.kind.some((x, i) => i && !this.model.parent[i] && x !== 'planar') ? super.ground() : ''; }
  hinges() { return ''; }
  arm(poses, cls) { this.tree.poses = poses; return armParts(this.tree, this.cam, cls).parts.map(x => x.svg).join(''); }
  mass(I, pose) { return massEllipse(I, pose, this.cam); }
  flatten(A, pose) {
    const M = [A[0], A[1], A[2], A[1], A[3], A[4], A[2], A[4], A[5]], [r, u] = this.cam.axes().map(v => mul(tr(pose.R), v)), dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    return [dot(r, mul(M, r)), dot(r, mul(M, u)), dot(u, mul(M, u))];
  }
  svg(inner, label) { return `<svg viewBox="0 0 ${W} ${f1(this.H)}" role="img" aria-label="${esc(label)}${this.flat ? '' : '; drag or arrow keys to turn" tabindex="0" class="spin" data-spin="1'}">${this.paper()}${inner}</svg>`; }
}
const drawing = (app, pad) => { const p = app.p, plane = p.paper ? new Plane(p.model, p.inputs.q) : new Space(p); plane.fit(p.inputs.q, pad); if (!p.paper) app.spaces.push(plane); return plane; };
/** Freedoms of each joint: their places in q̇. */
const freedoms = model => { const out = model.parent.map(() => []); model.dof_body.forEach((i, d) => out[i].push(d)); return out; };
/** 3, 4, 5, 9 as text: 3–5, 9. */
/** A joint's number, with its name where it has one that says more. */
const jointName = (p, k) => (p.paper || [`joint${k}`, `body${k}`].includes(p.model.joint_names[k]) ? String(k) : `${k} <span class="u">(${esc(p.model.joint_names[k])})</span>`);
const spans = list => { const out = []; for (const k of list) { const last = out[out.length - 1]; if (last && last[1] === k - 1) last[1] = k; else out.push([k, k]); } return out.map(([a, b]) => (a === b ? a : b === a + 1 ? `${a}, ${b}` : `${a}–${b}`)).join(', '); };

/** Mass, centre and radii of gyration in the plane from a 6×6 spatial inertia (36 numbers), in its own axes. */
function gyration(I) {
  const m = I[21]; if (!(m > 0)) return null;
  const c = [-I[11] / m, I[5] / m], xx = (I[7] + I[14] - I[0]) / 2 / m - c[0] ** 2, yy = (I[0] + I[14] - I[7]) / 2 / m - c[1] ** 2, xy = -I[1] / m - c[0] * c[1];
  const h = (xx + yy) / 2, d = Math.hypot((xx - yy) / 2, xy);
  return { m, c, r1: Math.sqrt(Math.max(0, h + d)), r2: Math.sqrt(Math.max(0, h - d)), th: Math.atan2(2 * xy, xx - yy) / 2 };
}

// ---------- 5 one storyboard ----------
const still = () => matchMedia('(prefers-reduced-motion:reduce)').matches;

/** Make the children of `a` those of `b`, keeping nodes that are the same: focus, drags and transitions survive. */
function patch(a, b) {
  const want = [...b.childNodes], key = x => x.nodeType === 1 && x.dataset.k;
  want.forEach((y, i) => {
    const x = a.childNodes[i];
    if (!x) { a.appendChild(y); return; }
    if (x.nodeType !== y.nodeType || x.nodeName !== y.nodeName || key(x) !== key(y)) { a.replaceChild(y, x); return; }
    if (x.nodeType !== 1) { if (x.data !== y.data) x.data = y.data; return; }
    for (const { name } of [...x.attributes]) if (!y.hasAttribute(name)) x.removeAttribute(name);
    for (const { name, value } of [...y.attributes]) if (x.getAttribute(name) !== value) x.setAttribute(name, value);
    if (x.nodeName === 'INPUT' && y.hasAttribute('value') && x.value !== y.getAttribute('value')) x.value = y.getAttribute('value');
    patch(x, y);
  });
  while (a.childNodes.length > want.length) a.removeChild(a.lastChild);
}

const PLACES = new Map();                         // id → the story shown last under it
/** A view takes over the reader's place from the one before: the entries of its state that it names. */
function succeed(view, old) {
  for (const k of view.place || []) if (k in old.s) view.s[k] = old.s[k];
  for (const k of Object.keys(view.parts || {})) if (old.parts[k]) succeed(view.parts[k], old.parts[k]);
  view.taken?.();
}

class Story {
  constructor(host, p) {
    this.host = host; this.p = p; this.lang = p.lang === 'zh' ? 'zh' : 'en';
    const numbers = p.id ? [] : [p.inputs, p.M];    // with an id they are moved from outside, and the answers stay
    this.key = 'rbd-demo:' + p.demo + ':' + hash(JSON.stringify([p.title, ...numbers, p.parts, p.gain, p.pair, (p.cases || []).map(c => [c.name, c.n])]));
    const kept = store.get(this.key); this.ans = kept.ans || {}; this.line = kept.line || {}; this.kept = kept.more || {}; this.now = { ...this.ans };
    this.root = host.shadowRoot || host.attachShadow({ mode: 'open' });
    this.root.innerHTML = `<style>${STYLE}</style><div class="card"><div class="pl" tabindex="-1"></div></div>`;
    this.pl = this.root.querySelector('.pl'); this.t = k => WORDS[this.lang][k] ?? WORDS.en[k];
    host.dataset.lmSuppressShortcuts = 'true';      // JupyterLab's command keys
    this.spaces = []; const last = p.id && PLACES.get(p.id);          // the same storyboard drawn again with other numbers
    if (last) Object.assign(this, { lang: last.lang, ans: last.ans, now: last.now, line: last.line, kept: last.kept });
    this.view = DEMOS[p.demo](this);
    if (last) succeed(this.view, last.view);
    if (last) this.spaces.forEach((x, k) => { if (last.spaces[k]) Object.assign(x.cam, { yaw: last.spaces[k].cam.yaw, tilt: last.spaces[k].cam.tilt }); });
    if (p.id) PLACES.set(p.id, this);
    this.deck = host.hasAttribute('deck'); this.render(); this.listen(); host.rbdDemo = this; this.fit();
  }
  save() { store.set(this.key, { ans: this.ans, line: this.line, more: this.kept }); }
  kernel(k) {
    const f = new Function(`"use strict";return (${k.src})`)();
    return values => f(...k.args.map(a => Float64Array.from(values[a])));
  }
  render() {
    const had = this.root.activeElement, t = document.createElement('template');
    t.innerHTML = `<div>${dotted(this.head() + this.view.html())}</div>`; patch(this.pl, t.content.firstChild);
    if (had && (!had.isConnected || had.disabled)) (this.pl.querySelector('[data-focus]:not([disabled])') || this.pl).focus({ preventScroll: true });
  }
  /** On a slide: as large as the room allows. Sizes are tried by the letters they give; from 1000 px the layout has larger ones. */
  fit(shrink = false) {
    const slides = this.deck && this.host.closest('.slides'), section = slides && this.host.closest('section'), card = this.root.querySelector('.card');
    if (!slides || !this.host.offsetWidth) return;
    const box = e => e.getBoundingClientRect(), scale = box(slides).height / slides.offsetHeight || 1;
    const over = () => (box(section).bottom - box(slides).top) / scale > slides.offsetHeight - 4 || (box(card).bottom - box(slides).top) / scale > slides.offsetHeight - 4;
    if (shrink && this.host.style.zoom && !over()) return;
    for (const z of [1.6, 1.5, 1.24, 1.4, 1.3, 1.2, 1.1, 1, 0.9, 0.8, 0.7]) { this.host.style.zoom = z; if (!over()) break; }
  }
  head() {
    const tabs = this.view.tabs || [];
    return `<div class="pl-head" data-k="head"><div class="h">${esc(this.p.title || this.t(this.p.demo))}</div><div class="seg" role="group" aria-label="${this.t('lang')}"><button type="button" data-a="lang" data-v="en" aria-pressed="${this.lang === 'en'}">EN</button><button type="button" data-a="lang" data-v="zh" lang="zh" aria-pressed="${this.lang === 'zh'}">中文</button></div></div>${
      tabs.length > 1 ? `<div class="tabs" role="group" data-k="tabs">${tabs.map(k => `<button type="button" data-a="tab" data-v="${esc(k)}" aria-pressed="${k === this.view.tab()}">${esc(this.t(k) || k)}</button>`).join('')}</div>` : ''}`;
  }
  /** Ask. options: [{v, t, right, says}]. After an answer the others may be tried too; the first one is what is stored. */
  ask(id, text, options) {
    const now = this.now[id], first = this.ans[id], has = now !== undefined, mark = o => (!has ? '' : o.right ? 'is-right' : o.v === now ? 'is-wrong' : '');
    const chosen = options.find(o => o.v === now);
    return `<div class="ask" data-k="ask-${id}"><div class="qn">${text}</div><div class="opts">${options.map(o => btn('answer', `${mark(o) ? icon(o.right ? 'ok' : 'no') : ''}<span>${o.t}</span>`, { v: `${id}|${o.v}`, cls: mark(o), more: `aria-pressed="${o.v === now}"` })).join('')}${
      has ? btn('forget', this.t('again'), { v: id, cls: 'quiet' }) : btn('answer', this.t('show'), { v: `${id}|`, cls: 'quiet' })}</div>${
      has ? `<div class="fb">${chosen ? `${icon(chosen.right ? 'ok' : 'no', chosen.right ? 'c-right' : 'c-wrong')}<span>${chosen.right ? this.t('right') + ' ' : ''}${chosen.says || ''}</span>` : `<span></span><span>${(options.find(o => o.right) || {}).says || ''}</span>`}${
        first && first !== now && options.find(o => o.v === first) ? `<span></span><span class="note">Your first answer: ${options.find(o => o.v === first).t}.</span>` : ''}</div>` : ''}</div>`;
  }
  asked(id) { return this.now[id] !== undefined; }
  why(id, sentence) {
    const l = this.line[id] || { text: '', seen: false };
    return `<div class="why" data-k="why-${id}"><label for="why-${id}">${this.t('why')}</label><div class="why-in"><input id="why-${id}" type="text" data-in="why|${id}" value="${esc(l.text)}" maxlength="200" autocomplete="off">${btn('compare', this.t('compare'), { v: id, off: !l.text.trim() })}</div>${
      l.seen ? `<p class="note"><b>${this.t('model')}</b> ${sentence}</p>` : ''}</div>`;
  }
  slider(spec) {
    const { arg, ix, label, min, max, step, value, unit, text = num(value), cls = '' } = spec;
    return `<label class="sl ${cls}" data-k="sl-${arg}-${ix}"><span>${label}</span><input type="range" data-in="${arg}|${ix}" min="${min}" max="${max}" step="${step}" value="${value}" aria-label="${esc(String(label).replace(/<[^>]*>/g, ''))}" aria-valuetext="${esc(text)} ${unit}"><output>${text} <span class="u">${unit}</span></output></label>`;
  }
  say(html) { return `<div class="say" aria-live="polite" data-k="say">${html}</div>`; }
  /** f(0…1) once, after an action; at once with reduced motion. */
  tween(ms, f, done = () => {}) {
    cancelAnimationFrame(this.frame);
    if (still()) { f(1); done(); this.render(); return; }
    const t0 = performance.now(), go = t => {
      const u = Math.min(1, Math.max(0, (t - t0) / ms)); f(u < 0.5 ? 2 * u * u : 1 - 2 * (1 - u) ** 2); if (u === 1) done();
      this.render(); if (u < 1) this.frame = requestAnimationFrame(go); else this.fit(true);
    };
    f(0); this.render(); this.frame = requestAnimationFrame(go);
  }
  turn(yaw, tilt) { for (const x of this.spaces) { x.cam.yaw += yaw; x.cam.tilt = Math.max(-1.5, Math.min(1.5, x.cam.tilt + tilt)); } this.render(); }
  act(a, v) {
    if (a === 'lang') this.lang = v;
    else if (a === 'answer') { const at = v.indexOf('|'), id = v.slice(0, at), x = v.slice(at + 1); this.now[id] = x; if (!(id in this.ans)) this.ans[id] = x; this.save(); this.view.answered?.(id, x); }
    else if (a === 'forget') { delete this.now[v]; delete this.ans[v]; this.save(); this.view.forgotten?.(v); }
    else if (a === 'compare') { this.line[v] = { ...this.line[v], seen: true }; this.save(); }
    else this.view.act(a, v);
    this.render(); this.fit();
  }
  listen() {
    const pl = this.pl;
    if (this.deck) new ResizeObserver(() => this.fit(true)).observe(this.host);    // a slide comes into sight, or text grew
    pl.addEventListener('click', ev => { const b = ev.target.closest('[data-a]'); if (b && !b.disabled) this.act(b.dataset.a, b.dataset.v ?? ''); });
    pl.addEventListener('input', ev => {
      const [arg, ix] = (ev.target.dataset.in || '').split('|'); if (!arg) return;
      if (arg === 'why') { this.line[ix] = { text: ev.target.value, seen: false }; this.save(); } else this.view.input?.(arg, ix, ev.target.value);
      this.render();
    });
    pl.addEventListener('change', ev => { const [arg, ix] = (ev.target.dataset.in || '').split('|'); if (arg && arg !== 'why' && this.view.changed) { this.view.changed(arg, ix, ev.target.value); this.render(); } });
    pl.addEventListener('pointerdown', ev => {
      const art = ev.target.closest('[data-spin]'); if (!art || ev.target.closest('[data-a]')) return;
      let [x, y] = [ev.clientX, ev.clientY]; ev.preventDefault(); art.focus({ preventScroll: true });
      const move = e => { this.turn((e.clientX - x) * -0.01, (e.clientY - y) * 0.01); [x, y] = [e.clientX, e.clientY]; };
      const stop = () => { removeEventListener('pointermove', move); for (const k of ['pointerup', 'pointercancel']) removeEventListener(k, stop); };
      addEventListener('pointermove', move); for (const k of ['pointerup', 'pointercancel']) addEventListener(k, stop);
    });
    pl.addEventListener('keydown', ev => {
      if (ev.altKey || ev.ctrlKey || ev.metaKey) return;
      const el = ev.target, text = el.matches('input[type=text]');
      if (el.matches('input')) { ev.stopPropagation(); if (text && ev.key === 'Enter') { const [arg, ix] = el.dataset.in.split('|'); if (arg === 'why' && el.value.trim()) this.act('compare', ix); else this.view.enter?.(arg, ix); this.render(); } return; }
      if ((ev.key === 'Enter' || ev.key === ' ') && el.matches('[role=button]')) { this.act(el.dataset.a, el.dataset.v); ev.preventDefault(); ev.stopPropagation(); return; }
      if (ev.key === 'Enter' || ev.key === ' ') { ev.stopPropagation(); return; }
      const spin = el.matches('[data-spin]') && { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[ev.key];
      if (spin) { this.turn(spin[0] * 0.12, spin[1] * 0.12); ev.preventDefault(); ev.stopPropagation(); return; }
      if (this.view.key?.(ev.key)) { ev.preventDefault(); ev.stopPropagation(); this.render(); }
    });
  }
}

/** Sliders for the masses and the joints of one freedom, in s.m and s.q. */
function sliders(app, home, s, args, reset) {
  const p = app.p, all = range(1, p.model.parent.length), few = all.length <= 8;
  return `<div class="sliders ${few ? '' : 'many'}" data-k="sliders">${all.filter(k => home.m[k - 1] > 0 && args.includes('m')).map(k => app.slider({ arg: 'm', ix: k - 1, label: `<span class="m"><i>m</i><sub>${k}</sub></span>`, min: 0, max: 4 * home.m[k - 1], step: home.m[k - 1] / 4, value: s.m[k - 1], unit: 'kg' })).join('')}${all.filter(k => p.model.nv[k] === 1).map(k => { const turns = p.model.kind[k] === 'revolute', at = p.model.q[k][0]; return app.slider({ arg: 'q', ix: at, label: `<span class="m"><i>q</i><sub>${k}</sub></span>`, min: turns ? -Math.PI : -1, max: turns ? Math.PI : 1, step: turns ? Math.PI / 36 : 0.02, value: s.q[at], unit: turns ? '°' : 'm', text: num(turns ? s.q[at] * 180 / Math.PI : s.q[at]) }); }).join('')}<div>${reset}</div></div>`;
}

/** M as a grid. cell(i, j) → {text, cls, a, v, label, more}; a cell with an action is a button. */
function grid(n, labels, cell) {
  const head = '<span></span>' + labels.map(l => `<span class="h">${l}</span>`).join('');
  return `<div class="M ${n > 5 ? 'tight' : ''}" style="--n:${n}" role="group" aria-label="M">${head}${range(1, n + 1).map(i => `<span class="h">${labels[i - 1]}</span>` + range(1, n + 1).map(j => {
    const c = cell(i, j);
    return c.a ? `<button type="button" class="cell ${c.cls || ''}" data-a="${c.a}" data-v="${c.v ?? `${i},${j}`}" aria-label="${esc(c.label || '')}" ${c.more || ''}>${c.text}</button>` : `<span class="cell ${c.cls || ''}">${c.text}</span>`;
  }).join('')).join('')}</div>`;
}

// ---------- 6 composite ----------
function composite(app) {
  const p = app.p, plane = drawing(app, 0.3), n = plane.n, run = p.kernel && app.kernel(p.kernel), L = p.steps.list, all = range(1, n + 1), few = n <= 8;
  const dofs = freedoms(p.model), body1 = p.model.dof_body, nv = body1.length, labels = body1.map((i, d) => (p.model.nv[i] === 1 ? String(i) : i + 'abcdef'[d - dofs[i][0]]));
  const named = k => jointName(p, k);
  const home = { q: [...p.inputs.q], m: [...p.inputs.m] };
  const s = { tab: p.open, q: [...home.q], m: [...home.m], marks: {}, ticks: [], act: null, turn: 0, k: 0, sel: null, sheet: 0, sliding: false, grow: 1, probe: [...home.m], moved: 0 };
  Object.assign(s, app.kept.composite || {});
  const keep = () => { app.kept.composite = { marks: s.marks, ticks: s.ticks, gainDone: s.gainDone, massDone: s.massDone }; app.save(); };
  /** M of other masses from recorded sheets, one for each body: M is their sum. */
  const added = m => { const y = new Float64Array(nv * nv); p.sheets.forEach((x, k) => { for (let e = 0; e < x.length; e += 3) { const v = (k ? m[k - 1] : 1) * x[e + 2]; y[x[e] * nv + x[e + 1]] += v; if (x[e] !== x[e + 1]) y[x[e + 1] * nv + x[e]] += v; } }); return y; };
  const Y = (m = s.m, q = s.q) => (run ? run({ q, m }) : added(m)), entry = (y, i, j) => y[dofs[i][0] * nv + dofs[j][0]], block = (y, i, j) => dofs[i].flatMap(r => dofs[j].map(k => y[r * nv + k]));
  const told = (y, i, j) => { const b = block(y, i, j), r = dofs[i].length, k = dofs[j].length; return b.length === 1 ? `<b>${num(b[0])}</b>` : b.length <= 6 ? `<b>(${b.map(x => num(x)).join(', ')})</b>` : `<b>${r} × ${k}</b>${i === j ? `, diagonal (${range(0, r).map(d => num(b[d * k + d])).join(', ')})` : ''}`; };
  const take = (y, at, k) => (typeof at === 'number' ? Array.from(y.slice(at, at + k)) : at);
  const moves = (i, k) => p.below[i].includes(k), related = (i, j) => moves(i, j) || moves(j, i), deeper = (i, j) => (moves(i, j) ? j : i);
  const unit = k => all.map(i => (i === k ? 1 : 0)), none = all.map(() => 0);
  /** What body k gives to M_ij per kilogram, and what is there without any body (rotors). */
  const perKilo = (i, j, k) => entry(Y(unit(k)), i, j) - entry(Y(none), i, j), rotor = (i, j) => entry(Y(none), i, j);
  const body = p.gain;
  const gained = () => { const a = Y(home.m, home.q), b = Y(home.m.map((x, k) => x + (k === body - 1 ? 1 : 0)), home.q); return (i, j) => { const d = entry(b, i, j) - entry(a, i, j); return Math.abs(d) < 1e-9 ? 0 : d; }; };
  const delta = body ? gained() : null, M0 = Y(home.m, home.q);
  const sign = x => (x > 0 ? '+' : x < 0 ? '−' : ''), changes = body && all.some(i => all.some(j => delta(i, j)));
  /** Nothing is marked, and nothing is not the answer. */
  const unmarked = () => changes && !Object.values(s.marks).some(Boolean);

  /** Poses with joint i turned by angle (slid by a fraction), everything beyond it frozen. */
  const turned = (i, t) => { const q = [...s.q], S = p.model.S[i].map(r => r[0]); q[p.model.q[i][0]] += t * (S[2] ? 0.22 * Math.sign(S[2]) : 0.25 * p.model.size); return plane.chain(q); };
  function motionOf(i, poses, point) {            // velocity of a point for unit rate of joint i: for arrows
    const S = p.model.S[i].map(r => r[0]), o = poses[i].p;
    return S[2] ? [-(point[1] - o[1]) * S[2], (point[0] - o[0]) * S[2]] : turnBy(poses[i].a, [S[3], S[4]]);
  }
  function gainArt() {
    const poses = plane.chain(s.q), c = plane.com(body, poses), [x, y] = plane.at(c); let back = '', front = '';
    if (s.act) {
      const [i, j] = s.act, lame = [i, j].find(k => !moves(k, body)), which = lame || deeper(i, j), to = turned(which, s.turn);
      back = all.map(k => plane.link(k, poses, moves(which, k) ? 'faint' : k === body ? 'fold' : '', s.m[k - 1])).join('');
      front = p.below[which].map(k => plane.link(k, to, k === body ? 'real fold' : 'real', s.m[k - 1])).join('') + plane.hinges(poses) + plane.hinges(to);
      for (const k of new Set([i, j])) if (moves(k, body)) {
        const v = motionOf(k, poses, c), L0 = Math.hypot(...v), px = L0 ? Math.min(64, 34 * L0 / p.model.size) / L0 : 0, e = [x + v[0] * px, y - v[1] * px];
        front += arrow([x, y], e, 'c-message') + (L0 > 1e-9 ? `<text class="c-message" x="${f1(e[0] + v[0] / L0 * 10)}" y="${f1(e[1] - v[1] / L0 * 10 + 4)}" text-anchor="middle">${k}</text>` : '');
      }
      const [hx, hy] = plane.at(poses[which].p); front += `<circle class="pick" cx="${f1(hx)}" cy="${f1(hy)}" r="9"/>`;
    } else back = all.map(k => plane.link(k, poses, k === body ? 'cur' : '', s.m[k - 1])).join('') + plane.hinges(poses);
    const words = all.map(k => ({ at: mid(k, poses), text: String(k), cls: k === body ? 'bn c-current' : 'bn', r: 13 }));
    if (!s.act) words.push({ at: c, text: '+1 kg', cls: 'bn c-current', r: 18 });
    return plane.svg(plane.ground() + back + front + plane.labels(poses, words), `Arm; body ${body} gains one kilogram`);
  }
  const mid = (k, poses) => { const e = plane.ends(k, poses)[0] || plane.com(k, poses); return poses[k].p.map((x, a) => (x + e[a]) / 2); };
  const wrongCells = () => all.flatMap(i => all.filter(j => j <= i).map(j => [j, i])).filter(([i, j]) => (s.marks[`${i},${j}`] || '') !== sign(delta(i, j)));
  function gainCell(i, j) {
    const key = `${Math.min(i, j)},${Math.max(i, j)}`, mark = s.marks[key] || '', d = delta(i, j), on = s.act && s.act.join() === key ? ' sel' : '', value = num(entry(M0, i, j));
    const name = `M ${i} ${j}, ${value}`;
    if (!s.gainDone) return { a: 'mark', text: `${value}${mark ? `<b class="sg">${mark}</b>` : ''}`, cls: mark ? 'marked' : '', label: `${name}, ${mark === '+' ? 'grows' : mark ? 'shrinks' : 'stays'}`, v: key };
    const ok = mark === sign(d);
    return { a: 'cell', v: key, cls: (ok ? (d ? 'hit' : '') : mark ? 'bad' : 'missed') + on, label: `${name}, ${d ? 'changes by ' + signed(d) : 'stays'}, ${ok ? 'as you said' : 'not as you said'}`,
      text: `${value}${d ? `<b class="dl">${signed(d)}</b>` : ''}${ok ? '' : `<b class="sg ${mark ? 'c-wrong' : ''}">${mark ? '×' : '?'}</b>`}` };
  }
  function gainSays() {
    if (!s.gainDone) return `Press a cell once for “grows”, twice for “shrinks”. Its mirror cell follows. ${unmarked() ? 'Mark one at least, then commit.' : 'Then commit.'}`;
    const bad = wrongCells(), head = s.act ? '' : bad.length ? '' : `All cells right: the block of the joints that move body ${body}. `;
    if (!s.act) return `${head}Press a cell to see its motion.`;
    const [i, j] = s.act, lame = [...new Set([i, j])].filter(k => !moves(k, body)), d = delta(i, j), name = sub('M', i, j);
    if (lame.length) return `Turn joint ${lame[0]}: body ${body} stands still. So ${name} cannot change.`;
    if (i === j) return `Freeze everything but joint ${i} and turn it: body ${body} moves. ${name} changes by <b>${signed(d)}</b>: twice the energy of 1 kg moving like that.`;
    return d ? `Joint ${i} and joint ${j} both move body ${body}; the product of its two motions is <b>${signed(d)}</b>, ${d > 0 ? 'the same way' : 'opposite ways'}.` : `Joint ${i} and joint ${j} both move body ${body}, but at right angles: their product is 0.`;
  }
  function gainStage() {
    const bad = s.gainDone ? wrongCells() : [], kept = ([i, j]) => !s.marks[`${i},${j}`], list = (sign, said, cells) => (cells.length ? [`<b>${sign}</b> ${said} ${cells.length > 6 ? `${cells.length} cells` : cells.map(c => sub('M', ...c)).join(', ')}`] : []);
    return `<div class="qn pad">Body ${body} gains 1 kg. Which cells of <span class="m"><i>M</i></span> change, and which way?</div><div class="duo"><div class="art">${gainArt()}</div><div>${grid(n, labels, gainCell)}${
      s.gainDone ? `<p class="note">${bad.length ? [...list('?', 'missed:', bad.filter(kept)), ...list('×', 'not so:', bad.filter(c => !kept(c)))].join('; ') + (bad.some(([i, j]) => i !== j) ? ', each with its mirror cell.' : '.') : `${icon('ok', 'c-right')} every cell right.`} Small numbers: the change.</p>` : '<p class="note">The numbers are <span class="m"><i>M</i></span> before the change.</p>'}</div></div>
      <div class="foot" data-k="foot-gain">${s.gainDone ? btn('gain-again', app.t('again')) : btn('gain', app.t('commit'), { cls: 'pri', more: 'data-focus', off: unmarked() }) + btn('gain-show', app.t('show'), { cls: 'quiet' })}${app.say(gainSays())}${
        s.gainDone ? app.why('gain', `An entry sees exactly the bodies that both of its joints move, so body ${body} enters the rows and columns of the joints between it and the base.`) : ''}</div>`;
  }
  function showCell(c) { s.act = c; app.tween(450, u => { s.turn = u; }); }

  // which masses?
  const [pi, pj] = p.pair, inside = () => p.below[deeper(pi, pj)].filter(() => related(pi, pj));
  const sumText = (i, j, m) => { const list = all.filter(k => moves(i, k) && moves(j, k)), r = rotor(i, j); return list.map(k => `${num(m[k - 1])}·${perKilo(i, j, k) < 0 ? `(${num(perKilo(i, j, k))})` : num(perKilo(i, j, k))}`).concat(Math.abs(r) > 1e-9 ? [num(r)] : []).join(' + '); };
  const summed = (i, j, m) => (few && block(M0, i, j).length === 1 ? `<span class="m">${sumText(i, j, m)}</span> = ` : '');
  const massSlider = k => app.slider({ arg: 'probe', ix: k - 1, label: `<span class="vh">mass ${k}</span>`, min: 0, max: 4 * home.m[k - 1], step: home.m[k - 1] / 4, value: s.probe[k - 1], unit: 'kg' });
  function massRow(k) {
      const on = s.ticks.includes(k), ok = inside().includes(k) === on;
      return `<div class="tick" data-k="tick${k}"><button type="button" class="chk ${s.massDone ? (ok ? (on ? 'is-right' : '') : 'is-wrong') : ''}" role="checkbox" aria-checked="${on}" data-a="tick" data-v="${k}" ${s.massDone ? 'disabled' : ''} aria-label="mass ${k}"><span class="bx">${on ? icon('ok') : ''}</span>mass ${k}</button>${
        s.massDone && home.m[k - 1] > 0 ? massSlider(k) : `<span class="note">${num(home.m[k - 1])} kg</span>`}</div>`;
  }
  /** Many bodies: a chip for each, and after the answer one slider for the chip that was pressed. */
  function massChips() {
    const truth = inside(), k = s.pick, name = i => `mass ${i}, ${p.model.names[i]}, ${num(home.m[i - 1])} kg`;
    return `<div class="chips" role="group" aria-label="masses">${all.map(i => { const on = s.ticks.includes(i), ok = truth.includes(i) === on;
      return `<button type="button" class="chk ${s.massDone ? (ok ? (on ? 'is-right' : '') : 'is-wrong') : ''} ${s.massDone && i === k ? 'sel' : ''}" data-k="tick${i}" data-a="${s.massDone ? 'probe-pick' : 'tick'}" data-v="${i}" ${s.massDone ? `aria-pressed="${i === k}"` : `role="checkbox" aria-checked="${on}"`} ${s.massDone && !(home.m[i - 1] > 0) ? 'disabled' : ''} aria-label="${esc(name(i))}"><span class="bx">${on ? icon('ok') : ''}</span>${i}</button>`; }).join('')}</div>${
      s.massDone && k ? `<p class="note">${esc(name(k))}</p>${massSlider(k)}` : ''}`;
  }
  function massStage() {
    const truth = inside(), yNow = Y(s.probe, home.q), told0 = told(M0, pi, pj), toldM = told(yNow, pi, pj), same = block(yNow, pi, pj).every((x, e) => Math.abs(x - block(M0, pi, pj)[e]) < 1e-9), bad = all.filter(k => truth.includes(k) !== s.ticks.includes(k)), poses = plane.chain(home.q);
    const cls = k => (s.massDone ? (truth.includes(k) ? 'fold' : k === s.moved ? 'bad' : '') : s.ticks.includes(k) ? 'cur' : '');
    const art = plane.svg(plane.ground() + plane.arm(poses, cls, k => s.probe[k - 1]) + plane.hinges(poses) + [pi, pj].map(k => { const [x, y] = plane.at(poses[k].p); return `<circle class="pick" cx="${f1(x)}" cy="${f1(y)}" r="9"/>`; }).join('')
      + plane.labels(poses, all.flatMap(k => [...(n <= 9 || [pi, pj].includes(k) ? [{ at: mid(k, poses), text: String(k), cls: 'bn halo', r: 13 }] : []), ...(p.paper && few ? [{ at: plane.com(k, poses), text: `${num(s.probe[k - 1])} kg`, r: 17 }] : [])])), `Arm with the masses of its bodies; joints ${pi} and ${pj} are ringed`);
    const says = !s.massDone ? `${sub('M', pj, pi)} belongs to the two ringed joints${p.paper ? '' : `, ${named(pj)} and ${named(pi)}`}.${s.ticks.length ? '' : ' Tick one mass at least, then commit.'}` : s.moved ? `Mass ${s.moved} goes from ${num(home.m[s.moved - 1])} to ${num(s.probe[s.moved - 1])} kg: ${sub('M', pj, pi)} ${same ? `stays ${toldM}. It is not in there.` : `goes from ${told0.replace(/<\/?b>/g, '')} to ${toldM}.`}`
      : `${sub('M', pj, pi)} = ${summed(pi, pj, s.probe)}${toldM}. ${few ? 'Move a slider.' : 'Press a mass, then move it.'}`;
    return `<div class="qn pad">Tick the masses that are in ${sub('M', pj, pi)}.</div><div class="duo"><div class="art">${art}</div><div><div class="big">${sub('M', pj, pi)} = ${toldM}</div>${few ? `<div class="ticks" role="group" aria-label="masses">${all.map(massRow).join('')}</div>` : massChips()}</div></div>
      <div class="foot" data-k="foot-mass">${s.massDone ? btn('mass-again', app.t('again')) + (s.moved ? btn('mass-reset', app.t('reset')) : '') : btn('mass', app.t('commit'), { cls: 'pri', more: 'data-focus', off: !s.ticks.length }) + btn('mass-show', app.t('show'), { cls: 'quiet' })}${app.say((s.massDone && bad.length && !s.moved ? 'Not quite. ' : s.massDone && !bad.length && !s.moved ? `${icon('ok', 'c-right')} ${app.t('right')} ` : '') + says)}${
        s.massDone ? app.why('masses', 'Everything beyond the deeper joint, and nothing else. The joints between give lever arms only.') : ''}</div>`;
  }
  function commitMass(show) {
    s.massDone = true; if (show) s.ticks = [...inside()];
    const bad = all.find(k => inside().includes(k) !== s.ticks.includes(k)); keep();
    s.pick = bad || s.ticks[0] || 0;
    if (bad) { s.moved = bad; app.tween(700, u => { s.probe = home.m.map((x, k) => (k === bad - 1 ? x * (1 + Math.round(4 * u) / 4) : x)); }); }
  }

  // build
  /** In a wide M of no whole numbers all cells have the decimals that give the largest three digits. */
  const cells = y => Array.from(y.slice(0, nv * nv)), rounded = nv > 5 && !cells(M0).every(x => Math.abs(x - Math.round(x)) < 1e-9), decimals = () => Math.max(0, 2 - Math.floor(Math.log10(Math.max(1e-9, ...cells(Y()).map(Math.abs)))));
  const cellText = (x, d) => (!rounded || Math.abs(x) < 1e-12 ? num(x) : x.toFixed(d).replace('-', '−'));
  const filled = () => { const f = {}; L.slice(0, s.k + 1).forEach((e, k) => { if (e.do === 'cell') f[`${e.i},${e.j}`] = f[`${e.j},${e.i}`] = k; }); return f; };
  function buildArt() {
    const y = Y(), poses = plane.chain(s.q), e = L[s.k], sel = s.sel, ell = (at, i, cls) => {
      const g = plane.mass(take(y, at, 36), poses[i]); if (!g) return { svg: '' };
      const [x, yy] = plane.at(g.c), r = p.paper ? 0.1 * Math.sqrt(plane.scale / 98) : 3 / plane.scale;
      return { ...g, svg: `<ellipse class="ell ${cls}" rx="${f1(Math.hypot(g.r1, r) * plane.scale)}" ry="${f1(Math.hypot(g.r2, r) * plane.scale)}" style="transform:translate(${f1(x)}px,${f1(yy)}px) rotate(${f1(-g.th * 180 / Math.PI)}deg)"/>` };
    };
    let under = '', over = '', lab = null, set, cur = null, par = [];
    const cross = g => { const [x, yy] = plane.at(g.c); return `<path class="plus" d="M${f1(x - 5)} ${f1(yy)}h10M${f1(x)} ${f1(yy - 5)}v10"/>`; };
    if (sel) {
      const d = deeper(...sel), g = ell(p.steps.IC[d], d, ''); under = related(...sel) ? g.svg : ''; par = sel; set = related(...sel) ? p.below[d] : [];
      if (set.length && g.c) { lab = g; over = cross(g) + [...new Set(sel)].map(j => arrow(plane.at(poses[j].p), plane.at(g.c), 'c-message')).join(''); }
    } else if (e.do === 'glue') {
      const a = ell(e.own, e.to, 'old'), b = ell(e.more, e.i, 'old'), g = ell(e.IC, e.to, ''); under = a.svg + b.svg + g.svg; if (g.c) over = cross(g); lab = g; cur = e.to;
      set = [...L.slice(0, s.k + 1).filter(x => x.do === 'glue' && x.to === e.to).flatMap(x => p.below[x.i]), e.to];
    } else { const g = ell(e.IC, e.i, ''); under = g.svg; if (g.c) over = cross(g); lab = g; set = p.below[e.i]; cur = e.i; par = e.i === e.j ? [] : [e.j]; }
    const cls = i => (set.includes(i) ? 'fold' : sel && par.includes(i) ? 'par' : sel ? 'faint' : '') + (i === cur ? ' cur' : !sel && par.includes(i) ? ' par' : '');
    const words = all.filter(k => n <= 9 || k === cur || par.includes(k)).map(k => ({ at: mid(k, poses), text: String(k), cls: `bn halo ${k === cur ? 'c-current' : ''}`, r: 13 }));
    if (lab && lab.c) words.unshift({ at: lab.c, text: `${num(lab.m)} kg`, cls: 'bn c-current halo', r: 20 });
    return plane.svg(plane.ground() + plane.arm(poses, cls, k => s.m[k - 1]) + under + plane.hinges(poses) + over + plane.labels(poses, words), 'Composite bodies as mass ellipses');
  }
  function buildSays() {
    const y = Y(), e = L[s.k];
    if (s.sel) {
      const [i, j] = s.sel, d = deeper(i, j), f = filled();
      if (f[`${i},${j}`] === undefined && (related(i, j) || f[`${Math.max(i, j)},${Math.max(i, j)}`] === undefined)) return `${sub('M', i, j)} of joints ${named(i)} and ${named(j)} is not filled yet.`;
      if (!related(i, j)) return `${sub('M', i, j)} = 0: joints ${i} and ${j} are on different branches. ${p.paper ? 'Turn' : 'Move'} joint ${i}: nothing beyond joint ${j} moves.`;
      const between = range(0, n + 1).filter(k => k && k !== d && moves(k, d) && moves(Math.min(i, j), k)).length;
      return `${sub('M', i, j)} = ${summed(i, j, s.m)}${told(y, i, j)}. It sees mass ${few ? p.below[d].join(', ') : spans(p.below[d])}: everything beyond joint ${named(d)}, nothing else.${i !== j && between ? ' The joints between give lever arms only.' : ''}`;
    }
    if (e.do === 'glue') { const g = plane.mass(take(y, e.IC, 36), plane.chain(s.q)[e.to]); return `The composite of body ${e.i} is glued to body ${named(e.to)}: ${g ? `<b>${num(g.m)} kg</b> at (${g.c.map(x => num(x)).join(', ')}).` : 'no mass yet.'}`; }
    const k = dofs[e.i].length, F = take(y, e.F, 6 * k), f = `<span class="m"><i>F</i>${k > 1 ? `</span>, 6 × ${k}` : ` = ${p.paper ? v3([F[2], F[3], F[4]]) : `(${F.map((x, d) => num(x) + (d === 2 ? ';' : d < 5 ? ',' : '')).join('&thinsp;')})`}</span>`}`, turns = p.model.S[e.j].slice(0, 3).some(r => r[0] !== 0);
    if (!p.paper) return e.i === e.j ? `Move joint ${named(e.i)} with all joints further out frozen: the force is ${f}; the joint feels ${sub('M', e.i, e.i)} = ${told(y, e.i, e.i)}.` : `The same force seen from joint ${named(e.j)}: ${f}; along that joint it is ${sub('M', e.i, e.j)} = ${told(y, e.i, e.j)}.`;
    return e.i === e.j ? `Move joint ${e.i} with all joints further out frozen: the force is ${f}; joint ${e.i} feels ${sub('M', e.i, e.i)} = <b>${num(entry(y, e.i, e.i))}</b>.` : `The same force seen from joint ${e.j}: ${f}; its ${turns ? 'moment' : 'part along the slide'} is ${sub('M', e.i, e.j)} = <b>${num(entry(y, e.i, e.j))}</b>.`;
  }
  function buildStage() {
    const f = filled(), y = Y(), d = decimals(), only = s.sheet ? Y(all.map(k => (k === s.sheet ? s.m[k - 1] : 0))) : null, rest = s.sheet ? Y(none) : null, on = (i, j) => s.sel && (s.sel.join() === `${i},${j}` || s.sel.join() === `${j},${i}`);
    const M = nv > 8 ? map(f, y) : grid(nv, labels, (r1, c1) => {
      const r = r1 - 1, k1 = c1 - 1, i = body1[r], j = body1[k1], at = (y2) => y2[r * nv + k1];
      const zero = !related(i, j), k = zero ? f[`${Math.max(i, j)},${Math.max(i, j)}`] : f[`${i},${j}`]; if (k === undefined) return { text: '·', cls: 'empty' };
      const value = s.sheet ? at(only) - at(rest) : at(y);
      return { a: 'sel', v: `${i},${j}`, text: cellText(value, d), cls: `${zero || (s.sheet && Math.abs(value) < 1e-9) ? 'zero' : ''} ${k === s.k && !s.sel && !zero ? 'new' : ''} ${on(i, j) ? 'sel' : ''} ${s.sheet && moves(i, s.sheet) && moves(j, s.sheet) ? 'sheet' : ''}`, label: `M ${labels[r]} ${labels[k1]}: ${num(value)}`, more: `aria-pressed="${!!on(i, j)}"` };
    });
    const changed = JSON.stringify([s.m, s.q]) !== JSON.stringify([home.m, home.q]);
    return `<div class="duo"><div class="art">${buildArt()}</div><div>${M}${few ? `<div class="sheets"><span class="note">sheets</span><div class="seg" role="group" aria-label="sheets">${[0, ...all].map(k => `<button type="button" data-a="sheet" data-v="${k}" aria-pressed="${s.sheet === k}">${k ? `<span class="m"><i>m</i><sub>${k}</sub></span>` : 'all'}</button>`).join('')}</div></div>` : ''}
      <p class="note">Semi-axes: radii of gyration${p.paper ? '' : ', as seen from here'}. ${nv > 8 ? 'One row and column for each freedom; press a block (or use arrow keys) to see which masses are in it.' : `A dot is an empty cell; press a number to see ${rounded ? 'its digits and ' : ''}which masses are in it.`}</p>${p.still ? `<p class="note">${p.still}, so its numbers are recorded; in Jupyter <code>explore</code> moves them.</p>` : ''}</div></div>
      <div class="foot" data-k="foot-build">${btn('step', icon('l'), { v: -1, cls: 'ico', off: !s.k, label: app.t('back') })}${btn('step', `<span>${app.t('step')}</span>${icon('r')}`, { v: 1, cls: 'pri', off: s.k >= L.length - 1 })}${btn('glue', `<span>${app.t('next')}</span>${icon('rr')}`, { off: !L.slice(s.k + 1).some(e => e.do === 'glue') })}<span class="sp"></span>${run && !p.id ? btn('slide', `${app.t('change')}${icon('dn')}`, { cls: 'quiet', more: `aria-expanded="${s.sliding}"` }) : ''}<span class="note cnt">${app.t('steps')(s.k + 1, L.length)}</span>${app.say(buildSays())}</div>${
      s.sliding ? sliders(app, home, s, p.kernel.args, btn('home', app.t('reset'), { off: !changed })) : ''}`;
  }
  /** M of many freedoms: a square for each block that is filled in. */
  function map(f, y) {
    const g = 290 / nv, P = { body: '', zero: '', now: '' }, edge = i => [dofs[i][0] * g, dofs[i].length * g], box = (i, j, w) => { const [x, a] = edge(j), [yy, b] = edge(i); return `M${f1(x + w)} ${f1(yy + w)}h${f1(a - 2 * w)}v${f1(b - 2 * w)}h${f1(2 * w - a)}z`; };
    for (const i of all) for (const j of all) {
      if (!dofs[i].length || !dofs[j].length) continue;
      const zero = !related(i, j), k = zero ? f[`${Math.max(i, j)},${Math.max(i, j)}`] : f[`${i},${j}`]; if (k === undefined) continue;
      P[zero ? 'zero' : k === s.k && !s.sel ? 'now' : 'body'] += box(i, j, zero ? g * 0.38 : 0.5);
    }
    return `<div class="map" tabindex="0" data-cells role="group" aria-label="M, ${nv} by ${nv}; arrow keys move the marked block"><svg viewBox="0 0 290 290" data-map><path class="fframe" d="M0 0H290V290H0z"/>${Object.entries(P).map(([name, d]) => `<path class="f-${name}" data-k="f-${name}" d="${d}"/>`).join('')}${s.sel ? `<path class="fsel" d="${box(...s.sel, -0.5)}"/>` : ''}</svg></div><div class="key"><span class="k-now">written now</span><span class="k-body">filled</span><span class="k-dot0">zero: different branches</span></div>`;
  }
  app.pl.addEventListener('click', ev => {
    const svg = ev.target.closest('[data-map]'); if (!svg) return;
    const r = svg.getBoundingClientRect(), d = x => body1[Math.max(0, Math.min(nv - 1, Math.floor(x * nv)))], to = [d((ev.clientY - r.top) / r.height), d((ev.clientX - r.left) / r.width)];
    s.sel = s.sel && s.sel.join() === to.join() || filled()[related(...to) ? to.join() : [Math.max(...to), Math.max(...to)].join()] === undefined ? null : to; app.render();
  });
  const step = d => { s.sel = null; s.k = Math.max(0, Math.min(L.length - 1, s.k + d)); };
  return {
    s, place: ['tab', 'marks', 'ticks', 'gainDone', 'massDone', 'act', 'turn', 'k', 'sel', 'sheet', 'pick'], tabs: p.stages, tab: () => s.tab,
    html: () => ({ gain: gainStage, masses: massStage, build: buildStage }[s.tab]()),
    act(a, v) {
      const cell = v.split(',').map(Number);
      if (a === 'tab') { s.tab = v; s.act = null; }
      else if (a === 'mark') { s.marks[v] = { '': '+', '+': '−', '−': '' }[s.marks[v] || '']; keep(); }
      else if (a === 'gain' || a === 'gain-show') {
        s.gainDone = true; if (a === 'gain-show') { s.marks = {}; for (const i of all) for (const j of all) if (i <= j) s.marks[`${i},${j}`] = sign(delta(i, j)); }
        keep(); const bad = wrongCells()[0]; showCell(bad || [1, 1].map((_, k) => [p.below.findIndex((b, i) => i && b.includes(body)), body][k]));
      } else if (a === 'gain-again') { s.gainDone = false; s.marks = {}; s.act = null; keep(); }
      else if (a === 'cell') showCell(cell);
      else if (a === 'tick') { const k = +v; s.ticks = s.ticks.includes(k) ? s.ticks.filter(x => x !== k) : [...s.ticks, k]; keep(); }
      else if (a === 'probe-pick') { s.pick = +v; s.moved = 0; s.probe = [...home.m]; }
      else if (a === 'mass') commitMass(false); else if (a === 'mass-show') commitMass(true);
      else if (a === 'mass-again') { s.massDone = false; s.ticks = []; s.moved = s.pick = 0; s.probe = [...home.m]; keep(); }
      else if (a === 'mass-reset') { s.moved = 0; s.probe = [...home.m]; }
      else if (a === 'step') step(+v);
      else if (a === 'glue') { s.sel = null; do s.k++; while (s.k < L.length - 1 && L[s.k].do !== 'glue'); }
      else if (a === 'sel') s.sel = s.sel && s.sel.join() === v ? null : cell;
      else if (a === 'sheet') s.sheet = +v;
      else if (a === 'slide') s.sliding = !s.sliding;
      else if (a === 'home') { s.m = [...home.m]; s.q = [...home.q]; plane.fit(s.q, 0.3); }
    },
    input(arg, ix, v) { if (arg === 'probe') { s.probe = [...home.m]; s.probe[ix] = +v; s.moved = +ix + 1; } else { s[arg][ix] = +v; } },
    changed(arg) { if (arg === 'q') plane.fit(s.q, 0.3); },
    key(k) {
      if (s.tab !== 'build') return false;
      const d = app.root.activeElement?.matches('[data-cells]') && { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[k];
      if (d) { const go = (i, e) => { let j = i + e; while (j >= 1 && j <= n && !dofs[j].length) j += e; return j >= 1 && j <= n ? j : i; }, from = s.sel || [L[s.k].i, L[s.k].j ?? L[s.k].i]; s.sel = [go(from[0], d[0]), go(from[1], d[1])]; return true; }
      if (k === 'ArrowRight') step(1); else if (k === 'ArrowLeft') step(-1); else if (k === 'Home') step(-999); else if (k === 'End') step(999); else return false; return true; },
  };
}

// ---------- 7 padlocks ----------
const PARTS = { parabola, apparent, numbers: twoNumbers, gather, locks };

function padlocks(app) {
  const p = app.p, parts = {}, s = { tab: p.open };
  for (const k of p.parts) parts[k] = PARTS[k](app);
  const on = () => parts[s.tab];
  return {
    s, place: ['tab'], parts, tabs: p.parts, tab: () => s.tab, html: () => `<div data-k="part-${s.tab}">${on().html()}</div>`,
    act(a, v) { if (a === 'tab') s.tab = v; else on().act?.(a, v); },
    input(arg, ix, v) { on().input?.(arg, ix, v); }, changed(arg, ix, v) { on().changed?.(arg, ix, v); }, enter(arg, ix) { on().enter?.(arg, ix); },
    key(k) { return on().key?.(k); },
    answered(id, v) { on().answered?.(id, v); }, forgotten(id) { on().forgotten?.(id); },
  };
}

/** (a) The free rate of joint 2 rolls to the lowest point of 2T. */
function parabola(app) {
  const d = app.p.parabola, plane = new Plane(d.model), [[a, b], [, c]] = d.M, s = { x: 0, closed: true, held: false };
  const px = x => 170 + x * 112, pv = y => 196 - y * 38, E = x => a + 2 * b * x + c * x * x, up = T => (-b + Math.sqrt(Math.max(0, b * b - c * (a - T)))) / c;
  plane.scale = 110; plane.H = 240; plane.mid = [0.52, -0.13];
  const high = 2 * a, low = d.free - 0.5, wrongAt = v => (v === 'high' ? [up(high), high] : v === 'low' ? [d.bottom, low] : [2 * d.bottom, a]);
  const options = [
    { v: 'low', t: num(low), says: `${num(low)} lies below the curve: no motion of joint 2 reaches it. The lowest is ${frac(d.free)}.` },
    { v: 'free', t: frac(d.free), right: true, says: `Free, the ball rolls to the bottom: <i>x</i> = ${frac(d.bottom)}, height ${frac(d.free)}. Joint 1 feels ${num(a)} − ${num(b)}·${frac(1 / d.D2)}·${num(b)}.` },
    { v: 'same', t: num(a), says: `${num(a)} is what you get while the padlock holds, or at <i>x</i> = ${frac(2 * d.bottom)}, where a motor would have to drive joint 2.` },
    { v: 'high', t: num(high), says: `${num(high)} is on the curve at <i>x</i> = ${num(up(high), 2)}, but there joint 2 has momentum ${num(b + c * up(high))}: only a motor brings it there. Free means slope zero.` },
  ];
  const ways = [
    { v: 'with', t: 'the same way as joint 1', says: `Turning along, joint 2 would raise the energy above the locked ${num(a)}. Nobody pays for that.` },
    { v: 'stays', t: 'it stays still', says: `Staying still takes a torque: the slope at <i>x</i> = 0 is not zero. That torque is what the padlock carries.` },
    { v: 'against', t: 'against joint 1', right: true, says: `It rolls downhill, to <i>x</i> = ${frac(d.bottom)}: link 2 lags behind.` },
  ];
  const open = () => app.asked('pad-much') && app.asked('pad-way'), LIFT = 13;
  /** The wheel that joint 1 carries, with spokes that show how it turns. */
  const wheel = a => { const [x, y] = plane.at([0, 0]), R = 31, spoke = k => { const w = a + (k + 0.5) * Math.PI / 3; return `M${f1(x)} ${f1(y)}L${f1(x + R * Math.cos(w))} ${f1(y - R * Math.sin(w))}`; }; return `<g class="wheel"><circle cx="${f1(x)}" cy="${f1(y)}" r="${R}"/><path d="${range(0, 6).map(spoke).join('')}"/></g>`; };
  const roll = (to, ms = 600) => { const from = s.x; app.tween(ms, u => { s.x = from + (to - from) * u; }); };
  function chart() {
    const done = app.asked('pad-much'), v = app.now['pad-much'], way = app.now['pad-way'], col = s.closed && !s.held ? 'locked' : 'free';
    const curve = d.x.map((x, k) => [x, d.twoT[k]]).filter(([, y]) => y < 4.75).map(([x, y], k) => `${k ? 'L' : 'M'}${f1(px(x))} ${f1(pv(y))}`).join('');
    const slope = 2 * (b + c * s.x), tx = 0.34, ghost = [];
    if (done && v && v !== 'free') ghost.push([...wrongAt(v), `your ${num(wrongAt(v)[1])}`]);
    if (way === 'with') ghost.push([-d.bottom, E(-d.bottom), 'with']);
    if (way === 'stays' && v === 'free') ghost.push([0, a, 'still']);
    return `<svg viewBox="0 0 290 240" role="img" aria-label="Twice the kinetic energy against the rate of joint 2"><path class="axis" d="M14 196H276"/>${[-1, -0.5, 0, 0.5].map(q => `<path class="axis" d="M${px(q)} 196v5"/><text x="${px(q)}" y="215" text-anchor="middle">${q === -0.5 ? '−½' : q === 0.5 ? '½' : num(q)}</text>`).join('')}<text x="276" y="232" text-anchor="end">rate of joint 2, <tspan class="mt">x</tspan></text>
      <path class="level c-locked" d="M30 ${pv(a)}H276"/><text class="c-locked" x="276" y="${f1(pv(a) - 5)}" text-anchor="end">locked ${num(a)}</text>${open() ? `<path class="level c-free" d="M30 ${pv(d.free)}H276"/><text class="c-free" x="276" y="${f1(pv(d.free) + 15)}" text-anchor="end">free ${frac(d.free)}</text>` : ''}
      <path class="curve" d="${curve}"/><text x="16" y="22">2<tspan class="mt">T</tspan> = ${num(a)} + ${num(2 * b)}<tspan class="mt">x</tspan> + ${num(c)}<tspan class="mt">x</tspan>²</text>
      <path class="tangent c-${col}" d="M${f1(px(s.x - tx))} ${f1(pv(E(s.x) - slope * tx))}L${f1(px(s.x + tx))} ${f1(pv(E(s.x) + slope * tx))}"/>${
      ghost.map(([x, y, t]) => `<circle class="gball" cx="${f1(px(x))}" cy="${f1(pv(y))}" r="8"/><text class="c-wrong halo" x="${f1(px(x) + (x > 0.3 ? -14 : 14))}" y="${f1(pv(y) + (y < 1.4 ? 5 : -7))}" text-anchor="${x > 0.3 ? 'end' : 'start'}">${t}</text>`).join('')}
      <circle class="ball c-${col}" cx="${f1(px(s.x))}" cy="${f1(pv(E(s.x)))}" r="8"/></svg>`;
  }
  function arm() {
    const t = open() ? 0.31 : 0, from = plane.chain(d.q), to = plane.chain([d.q[0] + t, d.q[1] + t * s.x]), [jx, jy] = plane.at(to[2].p), closed = s.closed && !s.held;
    const c = plane.at([0, 0]), R = 48, A = w => `${f1(c[0] + R * Math.cos(w))} ${f1(c[1] - R * Math.sin(w))}`;
    return `<svg viewBox="0 0 290 240" role="img" aria-label="Two-link arm folded back on itself; padlock at joint 2 ${closed ? 'closed' : 'open'}">${plane.ground()}${t ? `<g class="faint">${plane.link(1, from, '')}</g>` : ''}${wheel(to[1].a)}${plane.link(1, to, '')}<path class="pin" d="M${f1(jx)} ${f1(jy)}v${-LIFT}"/><g transform="translate(0 ${-LIFT})" data-k="second">${plane.link(2, to, closed ? '' : 'fold', 1)}<circle class="hg" cx="${f1(jx)}" cy="${f1(jy)}" r="4.5"/></g>${plane.hinges(to)}${glyph(jx + 24, jy - 2, closed, 1.5)}
      <path class="arr c-2" d="M${A(-0.62)}A${R} ${R} 0 0 0 ${A(-0.24)}"/>${arrow([c[0] + R * Math.cos(-0.3), c[1] - R * Math.sin(-0.3)], [c[0] + R * Math.cos(-0.08), c[1] - R * Math.sin(-0.08)], 'c-2')}<text x="${f1(c[0] + 54)}" y="${f1(c[1] + 34)}">rate 1</text><text x="${f1(c[0])}" y="${f1(c[1] + 48)}" text-anchor="middle">joint 1</text><text x="${f1(jx + 40)}" y="${f1(jy + 3)}">joint 2</text><text x="14" y="16">link 2 folded back over link 1 (drawn a little higher),</text><text x="14" y="32">its centre of mass over joint 1, where a wheel turns</text></svg>`;
  }
  function says() {
    if (!open()) return app.asked('pad-much') ? 'One more; then the padlock opens.' : 'Answer first; the padlock opens then.';
    const P = d.push, push = w => `Push τ = (1, 0): <span class="m">q̈</span> = (${w.map(frac).join(', ')})`;
    if (s.held) return `A motor holds joint 2 at rate ${num(s.x)}: 2<i>T</i> = <b>${num(E(s.x))}</b>; the momentum of joint 2, half the slope, is <b>${num(b + c * s.x)}</b>. ${Math.abs(b + c * s.x) < 1e-9 ? 'Zero: here nobody needs to hold it.' : ''}`;
    return s.closed ? `Locked: 2<i>T</i> = <b>${num(a)}</b>. ${push(P.locked)}, and the padlock carries ${frac(P.reaction[1])}.` : `Free: 2<i>T</i> = <b>${frac(d.free)}</b>. ${push(P.free)}. Half the slope, ${num(b)} + ${num(c)}<i>x</i>, is joint 2’s momentum; here it is zero.`;
  }
  return {
    s, place: ['x', 'closed', 'held'],
    html: () => `<div class="duo"><div class="art">${arm()}</div><div class="art">${chart()}</div></div><div class="foot col" data-k="foot-pad">${app.ask('pad-much', `Locked, joint 1 feels ${num(a)}. Unlock joint 2: lighter or heavier at joint 1, and how much?`, options)}${app.asked('pad-much') ? app.ask('pad-way', 'Joint 1 turns at rate 1. Which way will joint 2 go?', ways) : ''}${
      open() ? `<div class="row">${btn('pad-lock', `${icon(s.closed || s.held ? 'open' : 'lock')}<span>${s.closed || s.held ? 'Unlock' : 'Lock'} joint 2</span>`, { more: 'data-focus' })}${app.slider({ arg: 'x', ix: 0, label: 'hold it at', min: -1.4, max: 0.8, step: 0.05, value: Math.round(s.x * 20) / 20, unit: 'rad/s' })}</div>` : ''}${app.say(says())}${
      open() ? app.why('parabola', `Free means no torque at joint 2, so the slope in <i>x</i> is zero; and a lowest point cannot lie above the locked one. ${num(a)} − ${num(b)}·${frac(1 / d.D2)}·${num(b)} is the Schur complement.`) : ''}</div>`,
    act(a) { if (a === 'pad-lock') { const free = !(s.closed || s.held); s.closed = free; s.held = false; roll(free ? 0 : d.bottom); } },
    input(arg, ix, v) { s.held = true; s.closed = false; s.x = +v; },
    answered(id) { if (open()) { s.closed = s.held = false; if (id === 'pad-way' || s.x) { s.x = 0; roll(d.bottom); } } },
    forgotten() { s.closed = true; s.held = false; s.x = 0; },
  };
}

/** (b) Mass felt by direction: radius dᵀAd. */
function apparent(app) {
  const d = app.p.apparent, plane = new Plane(d.model), N = 360 / d.step, s = { scene: 'dial', place: 'elbow', dial: 45, open: { elbow: 0, base: 0 }, drift: 0, gone: false, bend: 0 };
  const frame = () => (s.place === 'elbow' ? Math.PI / 2 : 0), at = deg => ((Math.round((90 - deg - frame() * 180 / Math.PI) / d.step) % N) + N) % N;
  const P = () => d.places[s.place], U = () => s.open[s.place], felt = (k, u = U()) => P().locked.felt[k] - u * P().gone.felt[k], force = k => [0, 1].map(i => P().locked.force[k][i] - U() * P().gone.force[k][i]);
  const IDS = { elbow: 'app-push', base: 'app-base' }, asked = () => app.asked(IDS[s.place]), [own, rod2] = [d.places.base.free.A, d.places.elbow.free.A].map(A => [A[0][0], A[1][1]]);
  /** A vector of the hand's body as [along rod 2, across it], and its direction on the dial. */
  const dialled = v => { const f = turnBy(frame() - Math.PI / 2, v); return [f[0], -f[1]]; }, lean = f => Math.atan2(f[1], f[0]) * 180 / Math.PI;
  const needed = () => dialled(P().free.force[at(45)]), guess = () => { const near = lean(needed()); return { along: 45, near, across: 90 - near }; };
  const question = () => `${s.place === 'elbow' ? 'A hand moves the elbow without turning link 1.' : 'A hand moves the whole arm, its base loose, without turning link 1.'} Unlock the elbow: to accelerate ${s.place === 'elbow' ? 'it' : 'the base'} at 45°, where must the hand push?`;
  const options = () => {
    const g = guess(), f = needed(), it = s.place === 'elbow' ? 'the elbow' : 'the base';
    return [
      { v: 'along', t: 'along the motion, 45°', says: `Pushed along 45°, ${it} drifts across: that way it is lighter.` },
      { v: 'near', t: `nearer to along rod 2, ${num(g.near, 2)}°`, right: true, says: `The force (across ${num(f[1], 2)}, along ${num(f[0], 2)}) leans ${num(45 - g.near, 2)}° off the motion: across, rod 2 yields.` },
      { v: 'across', t: `nearer to across, ${num(g.across, 2)}°`, says: `Pushed towards the light side, ${it} leaves the line of motion even sooner.` },
    ];
  };
  function dialArt() {
    const k = s.place === 'elbow' ? 92 : 46, c = s.place === 'elbow' ? [150, 152] : [138, 152], w = frame(), on = at(s.dial), a = s.dial * Math.PI / 180, dir = [Math.sin(a), -Math.cos(a)];
    const screen = (v, r = 1) => { const t = turnBy(w, v); return [c[0] + k * r * t[0], c[1] - k * r * t[1]]; };
    const curve = f => range(0, N + 1).map(i => { const t = (i % N) * d.step * Math.PI / 180, r = f(i % N), p = screen([Math.cos(t), Math.sin(t)], r); return `${i ? 'L' : 'M'}${f1(p[0])} ${f1(p[1])}`; }).join('') + 'z';
    const L = Math.max(...P().locked.felt) * k, rail = [c[0] + dir[0] * L * 1.24, c[1] + dir[1] * L * 1.24], e = screen(force(on)), r = felt(on) * k, col = U() > 0.5 ? 'free' : 'locked';
    plane.scale = k; plane.mid = [s.place === 'elbow' ? (145 - c[0]) / k + 1 : (145 - c[0]) / k, (c[1] - 145) / k]; plane.H = 290;
    const poses = plane.chain(d.q), ticks = range(0, 24).map(n => { const g = n * Math.PI / 12, p = L * 1.2, q = p + (n % 6 ? 4 : 8); return `<path class="axis" d="M${f1(c[0] + p * Math.sin(g))} ${f1(c[1] - p * Math.cos(g))}L${f1(c[0] + q * Math.sin(g))} ${f1(c[1] - q * Math.cos(g))}"/>`; }).join('');
    const elbow = plane.at(poses[2].p), v = app.now[IDS[s.place]]; let ghost = '';
    if (s.dial === 45 && v && v !== 'near' && U() === 1) {
      const f = guess()[v] * Math.PI / 180, push = turnBy(Math.PI / 2 - w, [Math.cos(f), -Math.sin(f)]), acc = [0, 1].map(i => P().away[i][0] * push[0] + P().away[i][1] * push[1]), to = screen(acc.map(x => x / Math.hypot(...acc)), 1.15 * L / k);
      const end = [c[0] + (to[0] - c[0]) * s.drift, c[1] + (to[1] - c[1]) * s.drift];
      ghost = `<g class="acted">${arrow(c, [c[0] + 50 * Math.sin(f), c[1] - 50 * Math.cos(f)], 'c-wrong')}<path class="drift" d="M${c.map(f1).join(' ')}L${end.map(f1).join(' ')}"/><circle class="gball" cx="${f1(end[0])}" cy="${f1(end[1])}" r="7"/></g>`;
    }
    return `<svg viewBox="0 0 290 290" role="img" aria-label="Felt mass by direction, ${col}">${`<g class="faint2">${plane.link(1, poses, '')}${plane.link(2, poses, '')}</g>`}${ticks}<path class="locked-curve ${U() ? 'dash' : ''}" d="${curve(i => P().locked.felt[i])}"/>${
      s.gone ? `<path class="gone-curve" d="${curve(i => P().gone.felt[i])}"/>` : ''}${U() ? `<path class="free-curve" d="${curve(i => felt(i))}"/>` : ''}
      <path class="railway" d="M${c.map(f1).join(' ')}L${rail.map(f1).join(' ')}"/>${arrow(c, e, 'c-message')}${ghost}<circle class="dot c-${col}" cx="${f1(c[0] + dir[0] * r)}" cy="${f1(c[1] + dir[1] * r)}" r="4.5"/><circle class="hand" cx="${f1(rail[0])}" cy="${f1(rail[1])}" r="7"/><circle class="hg" cx="${f1(c[0])}" cy="${f1(c[1])}" r="5"/>${glyph(elbow[0] - 22 + (s.place === 'base' ? 40 : 0), elbow[1] + 20, U() < 0.5, 1.2)}</svg>`;
  }
  function dialSide() {
    const on = at(s.dial), f = dialled(force(on)), ang = Math.abs(((lean(f) - s.dial + 540) % 360) - 180), i0 = at(0), i90 = at(90), row = (t, k, b) => `<span class="l">${b ? `<b>${t}</b>` : t}</span><span class="c-locked">${frac(P().locked.felt[k])}</span><span class="c-free">${asked() ? frac(P().free.felt[k]) : '?'}</span>${s.gone ? `<span class="c-message">${frac(P().gone.felt[k])}</span>` : ''}`;
    return `<div class="seg wide" role="group" aria-label="place">${[['elbow', 'hand at the elbow'], ['base', 'hand at the base']].map(([v, t]) => `<button type="button" data-a="place" data-v="${v}" aria-pressed="${s.place === v}">${t}</button>`).join('')}</div>
      ${app.slider({ arg: 'dial', ix: 0, label: 'direction', min: 0, max: 355, step: d.step, value: s.dial, unit: '°' })}<div class="kv ${s.gone ? 'four' : ''}"><span class="h"></span><span class="h">locked</span><span class="h">free</span>${s.gone ? '<span class="h">taken away</span>' : ''}${row('along rod 2, 0°', i0)}${row('across, 90°', i90)}${row(`here, ${s.dial}°`, on, 1)}</div>
      <p class="note">Force for unit acceleration: across <b>${num(f[1], 2)}</b>, along <b>${num(f[0], 2)}</b>. ${ang < 0.05 ? 'It points along the motion.' : `It leans <b>${num(ang, 2)}°</b> off the motion.`}</p><div class="key"><span class="k-force">force</span><span class="k-rail">motion</span><span class="k-dot"><span>felt mass <i>d</i>ᵀ<i>Ad</i></span></span></div>`;
  }
  function bendArt() {
    const a = s.bend * Math.PI / 180; plane.scale = 66; plane.H = 240; plane.mid = [0.75, 0.1];
    const poses = plane.chain([0, a]), [x, y] = plane.at(poses[2].p);
    return `<svg viewBox="0 0 290 240" role="img" aria-label="Arm with its elbow bent by ${s.bend} degrees">${plane.ground()}${plane.link(1, poses, '')}${plane.link(2, poses, 'fold')}${plane.hinges(poses)}<text x="${f1(x)}" y="${f1(y + 24)}" text-anchor="middle">${s.bend}°</text></svg>`;
  }
  function bendChart() {
    const done = app.asked('app-bend'), X = v => 36 + v * 1.32, Y = v => 200 - v * 62, line = j => d.bends.map((v, k) => `${k ? 'L' : 'M'}${f1(X(v))} ${f1(Y(d.felt[k][j]))}`).join(''), k = Math.min(d.bends.length - 1, Math.round(s.bend / d.step)), v = app.now['app-bend'];
    const end = 90 / d.step, wrong = { falls: d.felt[0][1] * d.felt[end][0] / d.felt[0][0], stays: d.felt[0][1] }[v];
    return `<svg viewBox="0 0 290 240" role="img" aria-label="Felt at joint 1 against the bend of the elbow"><path class="axis" d="M36 200H276M36 20V200"/>${[0, 90, 180].map(b => `<path class="axis" d="M${X(b)} 200v5"/><text x="${X(b)}" y="219" text-anchor="middle">${b}°</text>`).join('')}${[1, 2].map(b => `<text x="28" y="${Y(b) + 4}" text-anchor="end">${b}</text>`).join('')}<text x="276" y="236" text-anchor="end">bend of the elbow</text><text x="40" y="14">felt at joint 1</text>
      <path class="curve c-locked" d="${line(0)}"/><text class="c-locked" x="${X(52)}" y="${Y(2.5)}">locked</text><circle class="dot c-locked" cx="${f1(X(s.bend))}" cy="${f1(Y(d.felt[k][0]))}" r="5"/>${done ? `<path class="curve c-free" d="${line(1)}"/><text class="c-free" x="${X(8)}" y="${Y(0.78)}">free</text><circle class="dot c-free" cx="${f1(X(s.bend))}" cy="${f1(Y(d.felt[k][1]))}" r="5"/>` : `<circle class="dot c-free" cx="${X(0)}" cy="${f1(Y(d.felt[0][1]))}" r="5"/><text class="c-free" x="${X(0) + 9}" y="${Y(d.felt[0][1]) + 4}">free ${frac(d.felt[0][1])}</text>`}${
      wrong !== undefined ? `<path class="drift" d="M${X(0)} ${f1(Y(d.felt[0][1]))}L${X(90)} ${f1(Y(wrong))}"/><circle class="gball" cx="${X(90)}" cy="${f1(Y(wrong))}" r="7"/>` : ''}</svg>`;
  }
  const e90 = d.felt[90 / d.step], e0 = d.felt[0];
  const bends = [
    { v: 'falls', t: 'falls too', says: `Most say so. But the free elbow moves across rod 2 when straight, and along it when bent; along, rod 2 cannot yield.` },
    { v: 'stays', t: 'stays', says: `It would, if rod 2 felt the same from every side. At 0° it yields; at 90° it is pushed along its length.` },
    { v: 'rises', t: 'rises', right: true, says: `From ${frac(e0[1])} to ${frac(e90[1])}: link 1’s own 1/3 and what rod 2 weighs in the direction the elbow moves, ${frac(e0[1] - 1 / 3)}, then ${frac(e90[1] - 1 / 3)}.` },
  ];
  const sweep = (ms = 900) => { s.bend = 0; app.tween(ms, u => { s.bend = Math.round(90 * u / d.step) * d.step; }); };
  return {
    s, place: Object.keys(s),
    html: () => `<div class="scenes"><div class="seg" role="group" aria-label="scene">${[['dial', 'by direction'], ['bend', 'bend the elbow']].map(([v, t]) => `<button type="button" data-a="scene" data-v="${v}" aria-pressed="${s.scene === v}">${t}</button>`).join('')}</div></div>${s.scene === 'dial'
      ? `<div class="duo" data-k="dial"><div class="art">${dialArt()}</div><div>${dialSide()}</div></div><div class="foot col" data-k="foot-dial">${app.ask(IDS[s.place], question(), options())}${
        asked() ? `<div class="row">${btn('app-lock', `${icon(U() < 0.5 ? 'open' : 'lock')}<span>${U() < 0.5 ? 'Unlock' : 'Lock'} the elbow</span>`, { more: 'data-focus' })}${btn('app-gone', `<span>${s.gone ? 'Hide' : 'Show'} what is taken away</span>`, { more: `aria-pressed="${s.gone}"` })}</div>` : ''}${app.say(asked() ? `Here, at ${s.dial}°, the hand feels <b>${frac(felt(at(s.dial)))} kg</b>. ${s.gone ? 'Taken away: <span class="m"><i>U</i> <i>D</i><sup>−1</sup> <i>U</i><sup>⊤</sup></span>, one direction only. Locked less taken away is free, in every direction.' : s.place === 'base' && U() === 1 ? `Link 1 does not turn, so it counts in full: ${frac(own[1] - rod2[0])} kg. Rod 2 adds ${frac(rod2[0])} along its length and ${frac(rod2[1])} across, where it yields.` : ''}` : `Locked, ${s.place === 'base' ? 'the arm' : 'rod 2'} feels like ${frac(P().locked.felt[0])} kg in every direction.`)}${
        asked() ? app.why('apparent', 'Rod 2 can swing aside across its length but not along it, so the hand feels less across than along, and the force leans to the heavy side.') : ''}</div>`
      : `<div class="duo" data-k="bend"><div class="art">${bendArt()}</div><div class="art">${bendChart()}</div></div><div class="foot col" data-k="foot-bend">${app.ask('app-bend', `Bend the elbow from 0° to 90°: locked, joint 1 feels less (${frac(e0[0])} falls to ${frac(e90[0])}). And with the elbow free?`, bends)}${
        app.asked('app-bend') ? app.slider({ arg: 'bend', ix: 0, label: 'bend', min: 0, max: 180, step: d.step, value: s.bend, unit: '°' }) : ''}${app.say(app.asked('app-bend') ? `At ${s.bend}°: locked <b>${frac(d.felt[s.bend / d.step][0])}</b>, free <b>${frac(d.felt[s.bend / d.step][1])}</b>.` : '')}</div>`}`,
    act(a, v) {
      if (a === 'scene') s.scene = v; else if (a === 'place') { s.place = v; s.drift = 1; } else if (a === 'app-gone') s.gone = !s.gone;
      else if (a === 'app-lock') { const here = s.place, from = U(), to = from < 0.5 ? 1 : 0; s.drift = 1; app.tween(500, u => { s.open[here] = from + (to - from) * u; }); }
    },
    input(arg, ix, v) { s[arg] = +v; },
    answered(id) { if (id === 'app-bend') sweep(); else { s.dial = 45; const here = s.place, from = U(); s.drift = 0; app.tween(900, u => { s.open[here] = Math.min(1, from + 2 * u); s.drift = Math.max(0, 2 * u - 1); }); } },
    forgotten(id) { if (id === 'app-bend') s.bend = 0; else { s.open[s.place] = 0; s.gone = false; } },
  };
}

/** What (c) and (d) share: the model, all padlock states as one function. */
function armed(app) {
  const p = app.p, plane = drawing(app, 0.3), n = plane.n, run = p.kernel && app.kernel(p.kernel), home = { q: [...p.inputs.q], tau: [...p.inputs.tau], m: [...p.inputs.m] };
  const dofs = freedoms(p.model), owner = p.model.dof_body, nv = owner.length, unit = owner.map((_, d) => (d ? 0 : 1));
  const turns = d => range(0, 3).some(r => p.model.S[owner[d]][r][d - dofs[owner[d]][0]] !== 0);
  /** q̈, what padlocks carry, diagonals of D, with the padlocks of the joints in `shut` closed. */
  const state = (shut, tau, m = home.m) => { const y = run({ q: home.q, s: owner.map(i => (shut.includes(i) ? 0 : 1)), tau, m }), part = k => Array.from(y.slice(k * nv, (k + 1) * nv)); return { qdd: part(0), carried: part(1), D: part(2) }; };
  const mid = (k, poses) => { const e = plane.ends(k, poses)[0] || plane.com(k, poses); return poses[k].p.map((x, a) => (x + e[a]) / 2); };
  const reach = d => (p.paper || turns(d) ? 1 : p.model.size);
  /** How far a push has moved the freedoms at time t: q̈ t² / 2, scaled so that the fastest of all turns by half a radian. */
  const fastest = (...all) => Math.max(...all.flat().map((x, k) => Math.abs(x) / reach(k % nv)));
  const pushed = (qdd, most, t) => plane.displaced(qdd.map(x => (most > 1e-12 ? t * t * x / most * 0.5 : 0)));
  return { p, plane, n, nv, dofs, owner, turns, home, unit, state, mid, fastest, pushed, all: range(1, n + 1) };
}

/** (c) Two numbers per link. */
function twoNumbers(app) {
  const { plane, home, state, unit, pushed, mid, all } = armed(app), d = app.p.numbers, s = { text: {}, act: 0, swing: 0, t: 0, mass: 1 };
  Object.assign(s.text, app.kept.numbers || {});
  const inward = [...all].reverse(), parse = x => Number(String(x).replace(/−/g, '-').replace(',', '.')), typed = (i, j) => (s.text[`${i}.${j}`] ?? '').trim();
  const ok = (i, j) => typed(i, j) !== '' && Math.abs(parse(typed(i, j)) - d.ab[i][j]) < 1e-9, full = i => typed(i, 0) !== '' && typed(i, 1) !== '', done = () => all.every(i => ok(i, 0) && ok(i, 1));
  const first = () => inward.find(i => full(i) && !(ok(i, 0) && ok(i, 1)));
  function heard(i) {
    const kids = plane.kids(i), x = parse(typed(i, 0)), y = parse(typed(i, 1)), c = kids.find(k => d.ab[k][0] !== d.ab[k][1]) || kids[0];
    if (!kids.length) return { text: `Link ${i} is a leaf: crosswise and lengthwise both start at its mass, ${num(home.m[i - 1])}.`, c: 0 };
    if ([d.wrong.all[i], d.wrong.alpha[i]].some(w => Math.abs(w[0] - x) < 1e-9 && Math.abs(w[1] - y) < 1e-9)) return { text: `(${num(x)}, ${num(y)}) is what you get when link ${c} hands on all it has. Push it crosswise and it swings aside: it passes on only its <i>β</i>.`, c };
    return { text: `Link ${i} starts at (${num(home.m[i - 1])}, ${num(home.m[i - 1])}). ${kids.map(k => `Link ${k} is ${d.across[k] ? 'perpendicular: its <i>β</i> goes to <i>α</i>' : 'in line: its <i>β</i> goes to <i>β</i>'}`).join('; ')}.`, c };
  }
  const total = home.m.map((x, k) => (k === d.heavy - 1 ? 10 * x : x)), pool = [[d.D1[1], true, `${num(d.D1[1])}: it stays. M₁₁ goes from ${num(d.M11[0])} to ${num(d.M11[1])}, but link ${d.heavy} swings aside; only the masses that cannot are felt.`], [d.sum, false, `${num(d.sum)} is what you get when every mass counts once. Unlock and push: link ${d.heavy} swings aside.`],
    [10 * d.D1[0], false, `${num(10 * d.D1[0])} is what you get when everything counts ten times. Unlock and push: link ${d.heavy} swings aside.`], [d.M11[1], false, `${num(d.M11[1])} is the new M₁₁, all joints locked. Unlock and push: link ${d.heavy} swings aside.`]];
  const options = pool.filter(([x], k) => pool.findIndex(([y]) => Math.abs(x - y) < 1e-9) === k).map(([x, right, says]) => ({ v: num(x), t: num(x), right, says })).sort((a, b) => parse(a.v) - parse(b.v));
  function art() {
    const m = home.m.map((x, k) => (k === d.heavy - 1 ? x * s.mass : x)), base = plane.chain(home.q), qdd = state([], unit, m).qdd, most = Math.max(...qdd.map(Math.abs)), poses = pushed(qdd, most, s.t);
    let ghost = '';
    if (s.act && s.swing) { const q = [...home.q], S = app.p.model.S[s.act].map(r => r[0]); q[app.p.model.q[s.act][0]] += s.swing * 0.4 * S[2]; const to = plane.chain(q); ghost = app.p.below[s.act].map(k => plane.link(k, to, 'real', m[k - 1])).join('') + plane.hinges(to); }
    const words = s.t ? all.map(k => ({ at: mid(k, poses), text: String(k), cls: 'bn', r: 13 })) : all.flatMap(k => { const right = ok(k, 0) && ok(k, 1); return [{ at: mid(k, base), text: right ? `${k}: ${num(d.ab[k][0])}, ${num(d.ab[k][1])}` : String(k), cls: `bn ${right ? 'c-free' : ''}`, r: 13 }, { at: plane.com(k, base), text: `${num(m[k - 1])} kg`, r: 17 }]; });
    return plane.svg(plane.ground() + (s.t ? all.map(k => plane.link(k, base, 'faint', m[k - 1])).join('') : '') + all.map(k => plane.link(k, poses, s.t ? (k === d.heavy ? 'real fold' : 'real') : ok(k, 0) && ok(k, 1) ? 'fold' : '', m[k - 1])).join('') + plane.hinges(poses) + ghost + plane.labels(poses, words), 'Arm with two numbers on each link');
  }
  const cell = (i, j) => { const t = typed(i, j), bad = full(i) && !ok(i, j); return `<span class="two"><input type="text" inputmode="numeric" size="3" data-in="ab|${i}.${j}" value="${esc(s.text[`${i}.${j}`] ?? '')}" aria-label="${j ? 'beta' : 'alpha'} of link ${i}" autocomplete="off" class="${t && full(i) ? (bad ? 'bad' : 'good') : ''}">${full(i) ? icon(bad ? 'no' : 'ok', bad ? 'c-wrong' : 'c-right') : '<span class="ic"></span>'}</span>`; };
  const act = () => { const i = first(); s.act = i ? heard(i).c : 0; if (s.act) app.tween(500, u => { s.swing = u; }); else s.swing = 0; };
  return {
    s, place: ['text', 'mass', 't'],
    html: () => `<div class="qn pad">Each link has two numbers: <i>α</i> crosswise, <i>β</i> lengthwise. Both start at its mass. A link passes on only its <i>β</i>: to its parent’s <i>α</i> if it is perpendicular, to <i>β</i> if it is in line. From the leaves in, what are they?</div><div class="duo"><div class="art">${art()}</div><div><div class="ab" role="group"><span class="h">link</span><span class="h"><i>α</i> crosswise</span><span class="h"><i>β</i> lengthwise</span>${inward.map(i => `<span class="l">${i}</span>${cell(i, 0)}${cell(i, 1)}`).join('')}</div><div class="row">${btn('ab-show', app.t('show'), { cls: 'quiet' })}${btn('ab-again', app.t('again'), { cls: 'quiet', off: !Object.keys(s.text).length })}</div></div></div>
      <div class="foot col" data-k="foot-ab">${done() ? app.ask('heavy', `Make mass ${d.heavy} ten times heavier: ${sub('M', 1, 1)} goes from ${num(d.M11[0])} to ${num(d.M11[1])}. And <span class="m"><i>D</i><sub>1</sub></span>, which was ${num(d.D1[0])}?`, options) : ''}${app.say(done() ? (app.asked('heavy') ? `Pushed at joint 1 with every joint free: <span class="m">q̈</span> = (${state([], unit, total).qdd.map(x => frac(x)).join(', ')}). Joint 1 feels <b>${num(1 / state([], unit, total).qdd[0])}</b>.` : `${icon('ok', 'c-right')} ${app.t('right')} <span class="m"><i>D</i><sub>1</sub></span> = <i>α</i> of link 1 = <b>${num(d.ab[1][0])}</b>; <span class="m"><i>I</i><sup>A</sup></span> of link <i>i</i> is [[α, 0, α], [0, β, 0], [α, 0, α]].`) : first() ? heard(first()).text : 'A tick appears when both numbers of a link stand.')}${
        done() && app.asked('heavy') ? app.why('numbers', 'A free joint lets its link swing aside, so the parent feels it only lengthwise, where it cannot yield.') : ''}</div>`,
    act(a) {
      if (a === 'ab-show') { for (const i of all) { s.text[`${i}.0`] = num(d.ab[i][0]); s.text[`${i}.1`] = num(d.ab[i][1]); } s.act = s.swing = 0; } else if (a === 'ab-again') { s.text = {}; s.act = s.swing = s.t = 0; s.mass = 1; delete app.now.heavy; }
      app.kept.numbers = s.text; app.save();
    },
    input(arg, ix, v) { s.text[ix] = v; s.act = s.swing = 0; app.kept.numbers = s.text; app.save(); },
    changed(arg, ix) { if (full(+ix.split('.')[0])) act(); },
    answered() { s.t = 0; app.tween(900, u => { s.mass = 1 + 9 * Math.min(1, 2 * u); s.t = Math.max(0, 2 * u - 1); }); },
    forgotten() { s.t = 0; s.mass = 1; },
  };
}

/** (d) I^A from the leaves in: what is felt by direction, what a free joint takes away, what its parent gets. */
/** Eigenvalues of a small symmetric matrix, ascending (Jacobi's rotations). */
function eigenvalues(M) {
  const A = M.map(r => [...r]), n = A.length;
  for (let sweep = 0; sweep < 30; sweep++) {
    let off = 0; for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) off += A[p][q] ** 2; if (off < 1e-30) break;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) {
      if (Math.abs(A[p][q]) < 1e-300) continue; const h = (A[q][q] - A[p][p]) / (2 * A[p][q]), t = (h < 0 ? -1 : 1) / (Math.abs(h) + Math.hypot(h, 1)), c = 1 / Math.hypot(t, 1), s = t * c;
      for (let k = 0; k < n; k++) { const [x, y] = [A[k][p], A[k][q]]; A[k][p] = c * x - s * y; A[k][q] = s * x + c * y; }
      for (let k = 0; k < n; k++) { const [x, y] = [A[p][k], A[q][k]]; A[p][k] = c * x - s * y; A[q][k] = s * x + c * y; }
    }
  }
  return A.map((r, k) => r[k]).sort((a, b) => a - b);
}
function gather(app) {
  const p = app.p, d = p.gather, plane = drawing(app, 0.3), n = plane.n, all = range(1, n + 1), few = n <= 9, up = p.model.parent, home = { q: [...p.inputs.q], m: [...p.inputs.m] };
  const run = d.kernel && app.kernel(d.kernel), s = { k: 0, q: [...home.q], m: [...home.m], sliding: false, mats: false }, named = k => jointName(p, k);
  const list = [...all].reverse().flatMap(i => [[i, 'felt'], ...(up[i] ? [[i, 'yields'], [i, 'handed']] : [])]);
  const values = () => (run ? run({ q: s.q, m: s.m }) : d.values), block = (y, i, j) => Array.from(y.slice((n - i) * d.each + 6 * j, (n - i) * d.each + 6 * j + 6));
  const weight = bodies => sum(bodies.map(k => s.m[k - 1])), radius = ([a, b, c], t) => a * Math.cos(t) ** 2 + 2 * b * Math.cos(t) * Math.sin(t) + c * Math.sin(t) ** 2;
  const ends = ([a, b, c]) => { const h = (a + c) / 2, r = Math.hypot((a - c) / 2, b); return [h - r, h + r]; };
  const between = A => { const [lo, hi] = ends(A); return Math.abs(hi - lo) < 1e-9 * Math.abs(hi) ? `<b>${frac(hi)} kg</b> in every direction of this picture` : frac(lo) === frac(hi) ? `<b>${frac(hi)} kg</b>, nearly the same in every direction of this picture` : `<b>${frac(Math.max(0, lo))}</b> to <b>${frac(hi)} kg</b>, by direction`; };
  function now() {
    const [i, phase] = list[s.k], y = values(), poses = plane.chain(s.q), at = phase === 'handed' ? up[i] : i, flat = j => plane.flatten(block(y, i, j), poses[at]), IA = plane.flatten(block(y, i, 0), poses[i]);
    const sons = all.filter(k => up[k] === up[i] && k >= i), mass = phase === 'handed' ? weight([up[i], ...sons.flatMap(k => p.below[k])]) : weight(p.below[i]);
    const out = { i, phase, at, poses, mass, IA };
    if (phase === 'yields') { out.left = flat(1); out.gone = IA.map((x, k) => x - out.left[k]); }
    if (phase === 'handed') Object.assign(out, { before: flat(2), after: flat(3), left: plane.flatten(block(y, i, 1), poses[i]) });
    return out;
  }
  function art(v) {
    const c = plane.at(v.poses[v.at].p), most = Math.max(30, Math.min(62, c[0], W - c[0], c[1], plane.H - c[1])), k = v.mass > 0 ? most / v.mass : 0, set = p.below[v.i];
    const curve = (A, cls) => `<path class="${cls}" d="${range(0, 73).map(j => { const t = j * Math.PI / 36, r = k * Math.max(0, radius(A, t)); return `${j ? 'L' : 'M'}${f1(c[0] + r * Math.cos(t))} ${f1(c[1] - r * Math.sin(t))}`; }).join('')}z"/>`;
    const cls = i => (i === v.i ? 'cur' : i === up[v.i] && v.phase !== 'felt' ? 'par' : set.includes(i) ? 'fold' : '');
    const shapes = `<circle class="locked-curve dash" cx="${f1(c[0])}" cy="${f1(c[1])}" r="${f1(k * v.mass)}"/>` + (v.phase === 'felt' ? curve(v.IA, 'free-curve') : v.phase === 'yields' ? curve(v.IA, 'was') + curve(v.gone, 'gone-curve') + curve(v.left, 'free-curve') : curve(v.before, 'was') + curve(v.after, 'free-curve'));
    const words = all.filter(k => few || k === v.i || k === up[v.i]).map(k => { const e = plane.ends(k, v.poses)[0] || plane.com(k, v.poses); return { at: v.poses[k].p.map((x, a) => (x + e[a]) / 2), text: String(k), cls: `bn halo ${k === v.i ? 'c-current' : k === up[v.i] && v.phase !== 'felt' ? 'c-parent' : ''}`, r: 13 }; });
    return plane.svg(plane.ground() + plane.arm(v.poses, cls, k => s.m[k - 1]) + plane.hinges(v.poses) + shapes + plane.labels(v.poses, words), `Felt mass by direction at joint ${v.at}`);
  }
  function says(v) {
    if (v.phase === 'felt') return `${p.below[v.i].length > 1 ? `Locked, body ${v.i} and all beyond weigh <b>${num(v.mass)} kg</b> in every direction. With the joints beyond free, a hand that moves body ${v.i} without turning it feels` : `Nothing hangs on body ${v.i}: <span class="m"><i>I</i><sup>A</sup></span> is its own inertia. A hand that moves it without turning feels`} ${between(v.IA)}.`;
    if (v.phase === 'yields') { const most = ends(v.gone)[1]; return `Joint ${named(v.i)} is free: <span class="m"><i>U D</i><sup>−1</sup><i>U</i><sup>⊤</sup></span> is taken away, ${most < 1e-9 * v.mass ? 'nothing in the directions of this picture' : `at most <b>${frac(most)} kg</b> in this picture`}. Left for body ${up[v.i]}: ${between(v.left)}.`; }
    return `Handed to body ${named(up[v.i])} and added: ${between(v.after)}. The curve of joint ${v.i} came over as it was, for a motion without turning is the same at every point.`;
  }
  const options = [
    { v: 'yes', t: 'yes, in some', says: 'Step on and look for it: the dashed curve is what was there before.' },
    { v: 'no', t: 'no, in none', right: true, says: 'What is taken away is a square, (<i>d</i>ᵀ<i>U</i>)² over <i>D</i>: never negative. And it has one piece only for each freedom: across <i>U</i> nothing is lost.' },
    { v: 'same', t: 'all shrink alike', says: 'The piece taken away has a direction of its own: across it the curve keeps its radius.' },
  ];
  const step = e => { s.k = Math.max(0, Math.min(list.length - 1, s.k + e)); };
  // the matrices behind the curves
  const size = d.slots, count = size * (size + 1) / 2, sup = x => `<span class="m"><i>I</i><sup>${x}</sup></span>`, UDU = '<span class="m"><i>U D</i><sup>−1</sup><i>U</i><sup>⊤</sup></span>';
  /** Matrix j of joint i, full: 0 I^c, 1 I^A, 2 U D⁻¹ Uᵀ. */
  const matrix = (y, i, j) => { const from = (n - i) * d.each + 24 + j * count, at = (a, b) => y[from + a * size - a * (a - 1) / 2 + b - a]; return range(0, size).map(a => range(0, size).map(b => at(Math.min(a, b), Math.max(a, b)))); };
  /** I^c − I^A of joint i, and the signs of its eigenvalues, rows and columns scaled by √I^c_kk: signs do not depend on units. */
  function difference(y, i) {
    const C = matrix(y, i, 0), A = matrix(y, i, 1), D = C.map((r, a) => r.map((x, b) => (Math.abs(x - A[a][b]) < 1e-10 * Math.sqrt(Math.abs(C[a][a] * C[b][b])) ? 0 : x - A[a][b])));
    const scale = C.map((r, a) => (r[a] > 0 ? 1 / Math.sqrt(r[a]) : 0)), values = eigenvalues(D.map((r, a) => r.map((x, b) => x * scale[a] * scale[b])));
    return { C, A, D, low: values[0], signs: values.reverse().map(x => (x > 1e-9 ? '+' : x < -1e-9 ? '−' : '0')) };
  }
  function figure(name, words, M, on = '') {
    const block = (a, b) => Math.max(...M.slice(a < 3 ? 0 : 3, a < 3 ? 3 : 6).flatMap(r => r.slice(b < 3 ? 0 : 3, b < 3 ? 3 : 6).map(Math.abs)));
    const text = (x, a, b) => { const big = block(a, b); if (size === 3 || big < 1e-9) return big < 1e-9 ? '0' : frac(x); const e = Math.floor(Math.log10(big)), t = x.toFixed(Math.max(0, Math.min(6, 2 - e - (e < -1 ? 1 : 0)))); return Number(t) === 0 ? '0' : t.replace('-', '−'); };
    const cells = M.map((r, a) => r.map((x, b) => { const t = text(x, a, b); return `<span class="${t === '0' ? 'z' : ''}${size === 6 && b === 3 ? ' gc' : ''}${size === 6 && a === 3 ? ' gr' : ''}">${t}</span>`; }).join('')).join('');
    return `<figure class="${on}"><figcaption>${name} <span class="u">${words}</span></figcaption><div class="nx" style="grid-template-columns:repeat(${size},auto)">${cells}</div></figure>`;
  }
  function matrices(v) {
    const y = values(), i = v.i, x = difference(y, i), rank = x.signs.filter(c => c === '+').length, far = all.filter(k => p.below[i].includes(k) && k !== i), most = Math.min(size, sum(far.map(k => p.model.nv[k]))), one = named(i);
    const story = n > 12 ? '' : `<p class="lead">Signs without zeros, joint by joint inward:</p><p class="grow">${[...all].reverse().map(k => `<span class="${k === i ? 'on' : ''}">joint ${k}: <b>${k < i ? '·' : difference(y, k).signs.filter(c => c !== '0').join('&thinsp;') || '0'}</b></span>`).join(' ')}</p>`;
    const psd = x.signs.includes('−') ? 'One is negative: this should not be.' : 'None is negative: whatever the motion, the locked body is at least as heavy.';
    return `<div class="mats" data-k="mats"><div class="four ${size === 3 ? 'pair' : ''}">${figure(`${sup('c')}, joint ${one}:`, 'all beyond locked', x.C)}${figure(`${sup('A')}:`, 'all beyond free', x.A, v.phase === 'felt' ? 'on' : '')}${figure(`${sup('c')} − ${sup('A')}:`, 'what the free joints beyond took', x.D)}${figure(`${UDU}:`, `what joint ${i} takes`, matrix(y, i, 2), v.phase === 'yields' ? 'on' : '')}</div>
      <p class="eig">Eigenvalues of ${sup('c')} − ${sup('A')}: <b class="signs">${x.signs.join(' ')}</b>. ${psd} Rank <b>${rank}</b>; the joints beyond have ${most === size ? `${size} freedoms or more` : `${most} freedom${most === 1 ? '' : 's'}`}.</p>${story}
      <p class="note">Rows and columns ${size === 3 ? '(ω; <i>v</i><sub>x</sub>, <i>v</i><sub>y</sub>)' : '(ω; <i>v</i>)'} in the axes of body ${i}, about its joint; kg m², kg m, kg.</p></div>`;
  }
  return {
    s, place: ['k', 'mats'],
    html() {
      const v = now(), changed = JSON.stringify([s.m, s.q]) !== JSON.stringify([home.m, home.q]), key = { felt: '<span class="k-iA">felt, joints beyond free</span>', yields: '<span class="k-was">before</span><span class="k-gone">taken away</span><span class="k-iA">left</span>', handed: '<span class="k-was">parent before</span><span class="k-iA">parent now</span>' }[v.phase];
      return `<div class="duo tall"><div class="art">${art(v)}</div><div><div class="big">joint ${named(v.i)}: ${{ felt: 'felt', yields: 'it yields', handed: `handed to body ${up[v.i]}` }[v.phase]}</div>${app.say(says(v))}<div class="key"><span class="k-lock">all beyond locked</span>${key}</div><p class="note">Radius: mass felt in that direction, <i>d</i>ᵀ<i>Ad</i>${p.paper ? '' : ', in the plane of the picture'}. With the joint’s own motion <i>S</i> for <i>d</i> it is <i>D</i> = <i>S</i>ᵀ<i>I</i><sup>A</sup><i>S</i> (a rotor comes on top): what the joint feels while its parent stands still.</p>${d.still ? `<p class="note">${d.still}, so its numbers are recorded; in Jupyter <code>explore</code> moves them.</p>` : ''}</div></div>
        <div class="foot" data-k="foot-gather">${btn('step', icon('l'), { v: -1, cls: 'ico', off: !s.k, label: app.t('back') })}${btn('step', `<span>${app.t('step')}</span>${icon('r')}`, { v: 1, cls: 'pri', off: s.k >= list.length - 1, more: 'data-focus' })}${btn('joint', `<span>next joint</span>${icon('rr')}`, { off: list[s.k][0] === 1 })}<span class="sp"></span>${run && !p.id ? btn('slide', `${app.t('change')}${icon('dn')}`, { cls: 'quiet', more: `aria-expanded="${s.sliding}"` }) : ''}<span class="note cnt">${app.t('steps')(s.k + 1, list.length)}</span></div>${
        s.sliding ? sliders(app, home, s, d.kernel.args, btn('home', app.t('reset'), { off: !changed })) : ''}<div class="foot" data-k="foot-mats">${btn('mats', `<span>Matrices: ${sup('c')}, ${sup('A')}, ${sup('c')} − ${sup('A')}, ${UDU}</span>${icon(s.mats ? 'up' : 'dn')}`, { cls: 'quiet', more: `aria-expanded="${s.mats}"` })}</div>${s.mats ? matrices(v) : ''}<div class="foot col" data-k="foot-gather-ask">${app.ask('gather', 'A free joint yields. Can the mass felt grow in some direction?', options)}${app.asked('gather') ? app.why('gather', 'The joint moves so that it carries nothing; a motion more to choose from can only make the same push easier. One freedom takes away one piece, of rank one.') : ''}</div>`;
    },
    act(a, v) {
      if (a === 'step') step(+v); else if (a === 'slide') s.sliding = !s.sliding; else if (a === 'mats') s.mats = !s.mats;
      else if (a === 'joint') { const i = list[s.k][0]; while (s.k < list.length - 1 && list[s.k][0] === i) s.k++; }
      else if (a === 'home') { s.m = [...home.m]; s.q = [...home.q]; plane.fit(s.q, 0.3); }
    },
    input(arg, ix, v) { s[arg][ix] = +v; }, changed(arg) { if (arg === 'q') plane.fit(s.q, 0.3); },
    key(k) { if (k === 'ArrowRight') step(1); else if (k === 'ArrowLeft') step(-1); else if (k === 'Home') step(-9999); else if (k === 'End') step(9999); else return false; return true; },
  };
}

/** (e) One padlock per joint: what each closed one carries, what each joint feels. */
function locks(app) {
  const { p, plane, n, nv, dofs, owner, turns, home, state, mid, fastest, pushed, all } = armed(app), can = p.lockable, R = p.recorded, few = n <= 9, tell = upTo(p.paper && R.locked.every(Number.isInteger) ? 128 : 64);   // all states of the tree in full
  const fixed = !p.kernel || !!p.id;              // recorded numbers: no control that moves them
  const s = { shut: [...p.locked], tau: [...home.tau], m: [...home.m], t: 0, seen: {}, stamp: JSON.stringify([home.q, home.m]), more: false, table: 'motion' };
  const single = all.filter(i => dofs[i].length === 1), J = (single.length ? single : all.filter(i => dofs[i].length)).reduce((a, i) => (p.below[i].length > p.below[a].length ? i : a));
  const others = can.filter(i => i !== J), closed = j => s.shut.includes(j), key = shut => { const l = others.filter(i => shut.includes(i)); return l.length ? l.join('+') : 'all open'; };
  const lattice = others.length <= 4 ? range(0, 1 << others.length).map(k => others.filter((_, b) => k >> b & 1)).sort((a, b) => a.length - b.length) : null;
  const named = j => jointName(p, j), unit = d => (turns(d) ? 'N m' : 'N'), mark = d => (dofs[owner[d]].length > 1 ? `${owner[d]}${'abcdef'[d - dofs[owner[d]][0]]}` : owner[d]);
  const now = () => (fixed ? R : state(s.shut, s.tau, s.m)), free = () => (fixed ? { qdd: R.open } : state([], s.tau, s.m)), at = dofs[J][0];
  /** Push over acceleration of freedom d when nothing else is pushed: what it feels with these padlocks, its own open. */
  const feel = (d, shut) => 1 / state(shut.filter(i => i !== owner[d]), owner.map((_, k) => (k === d ? 1 : 0)), s.m).qdd[d];
  const three = () => (fixed ? R : { felt: owner.map((_, d) => feel(d, s.shut)), free: owner.map((_, d) => feel(d, [])), D: state([], s.tau, s.m).D, locked: state(all, s.tau, s.m).D });
  const see = () => { if (!closed(J)) s.seen[key(s.shut)] = fixed ? R.felt[at] : 1; }, felt = name => (fixed ? s.seen[name] : feel(at, name === 'all open' ? [] : name.split('+').map(Number)));
  see();
  const options = [
    { v: 'yes', t: 'yes', says: `Then find one: close and open padlocks, and watch what joint ${J} feels.` },
    { v: 'no', t: 'no, never', right: true, says: lattice ? 'Try to break it: visit the states.' : 'Try to break it: close some.' },
    { v: 'depends', t: 'it depends on the push', says: `The felt inertia belongs to the arm and its padlocks, not to the push.${fixed ? '' : ' Try the sliders.'}` },
  ];
  const toggle = j => { s.shut = closed(j) ? s.shut.filter(x => x !== j) : [...s.shut, j].sort((a, b) => a - b); s.t = 0; see(); };
  function art() {
    const a = now(), b = free(), most = fastest(a.qdd, b.qdd), base = plane.chain(home.q), A = pushed(a.qdd, most, s.t), B = pushed(b.qdd, most, s.t), apart = a.qdd.some((x, k) => Math.abs(x - b.qdd[k]) > 1e-9), taken = [], busy = [], size = few ? 1.1 : 0.9;
    const links = s.t ? plane.arm(base, () => 'faint', k => s.m[k - 1]) + (apart ? plane.arm(B, () => 'other', () => null, 'bars') : '') : '', arm = plane.arm(A, k => (s.t ? 'real' : ''), k => s.m[k - 1]);
    const gl = all.map(j => {
      if (!can.includes(j) || !(few || closed(j))) return '';
      const o = plane.at(A[j].p), same = taken.filter(t => Math.hypot(t[0] - o[0], t[1] - o[1]) < 12).length; taken.push(o);
      const e = mid(j, A), m = plane.at(e), L = Math.hypot(m[0] - o[0], m[1] - o[1]) || 1, u = [(m[0] - o[0]) / L, (m[1] - o[1]) / L], side = same % 2 ? -1 : 1, c = [o[0] + 15 * u[0] + side * 15 * u[1], o[1] + 15 * u[1] - side * 15 * u[0]];
      busy.push(c, o); return glyph(c[0], c[1], closed(j), size, fixed ? '' : `role="button" tabindex="-1" aria-hidden="true" data-a="toggle" data-v="${j}"`);
    }).join('');
    const words = all.filter(k => few || closed(k)).flatMap(k => [{ at: mid(k, base), text: String(k), cls: 'bn halo', r: 14 }, ...(n > 4 || !p.paper ? [] : [{ at: plane.com(k, base), text: `${num(s.m[k - 1])} kg`, r: 18 }])]);
    return plane.svg(plane.ground() + links + arm + plane.hinges(A) + gl + (s.t ? '' : plane.labels(base, words, busy)), `Arm with one padlock per joint; closed: ${s.shut.join(', ') || 'none'}`);
  }
  const padlock = j => (!can.includes(j) ? `<span class="lk-b">${j}</span>` : fixed ? `<span class="lk-b${closed(j) ? ' shut' : ''}">${icon(closed(j) ? 'lock' : 'open', closed(j) ? 'c-locked' : 'c-free')}${j}<span class="vh">${closed(j) ? 'closed' : 'open'}</span></span>`
    : `<button type="button" class="btn lk-b ${closed(j) ? 'shut' : ''}" data-k="lb${j}" data-a="toggle" data-v="${j}" aria-pressed="${closed(j)}" aria-label="padlock of joint ${esc(p.paper ? j : `${j}, ${p.model.joint_names[j]}`)}: ${closed(j) ? 'closed' : 'open'}">${icon(closed(j) ? 'lock' : 'open', closed(j) ? 'c-locked' : 'c-free')}${j}</button>`);
  const lead = d => (dofs[owner[d]][0] === d ? padlock(owner[d]) : `<span class="lk-b u">${mark(d)}</span>`);
  const boxed = html => (nv > 8 ? `<div class="scroll" tabindex="0" role="group" aria-label="joints" data-k="scroll-${s.table}">${html}</div>` : html);
  function motion() {
    const a = now(), b = free(), most = d => Math.max(20, 2 * Math.abs(home.tau[d]));
    const push = d => (fixed ? `<span class="r">${tell(s.tau[d])}</span>` : app.slider({ arg: 'tau', ix: d, label: `<span class="vh">push at joint ${mark(d)}</span>`, min: -most(d), max: most(d), step: most(d) / 20, value: s.tau[d], unit: '' }));
    const long = s.tau.some(x => tell(x).length > 3) ? 'long' : '';
    return boxed(`<div class="lt ${fixed ? 'told' : long}" role="group" aria-label="joints"><span class="h">joint</span><span class="h ${fixed ? 'r' : ''}">push <span class="m">τ</span></span><span class="h r"><span class="m">q̈</span></span><span class="h r">all open</span><span class="h r">padlock carries</span>${owner.map((j, d) => `${lead(d)}
      ${push(d)}<span class="r ${closed(j) ? 'c-locked' : ''}">${tell(a.qdd[d])}</span><span class="r c-2">${tell(b.qdd[d])}</span><span class="r">${closed(j) ? `<b>${tell(a.carried[d])}</b>` : '–'}</span>`).join('')}</div>`);
  }
  function feels() {
    const { felt: a, free: b, D, locked: c } = three();
    return boxed(`<div class="lt ft3" role="group" aria-label="inertia felt at each joint"><span class="h">joint</span><span class="h">share of <i>M<sub>ii</sub></i></span><span class="h r">now</span><span class="h r">all open</span><span class="h r"><i>D</i></span><span class="h r"><i>M<sub>ii</sub></i></span>${owner.map((j, d) => {
      const w = x => f1(Math.max(0, Math.min(100, 100 * x / c[d] || 0)));
      return `${lead(d)}<span class="bar" aria-hidden="true"><span class="b-now" style="width:${w(a[d])}%"></span><span class="b-free" style="width:${w(b[d])}%"></span></span><span class="r"><b>${tell(a[d])}</b></span><span class="r c-free">${tell(b[d])}</span><span class="r">${tell(D[d])}</span><span class="r c-locked">${tell(c[d])}</span>`; }).join('')}</div>`)
      + '<p class="note">Push over acceleration, one joint pushed alone. Now: with these padlocks, a closed joint’s own opened. All open: 1/(<i>M</i><sup>−1</sup>)<sub><i>ii</i></sub>. <i>D</i> = <i>S</i>ᵀ<i>I</i><sup>A</sup><i>S</i> (a rotor adds <i>I</i><sup>r</sup>), ABA’s: joints further in locked, beyond free. <i>M<sub>ii</sub></i>: all others locked.</p>';
  }
  function states() {
    if (closed(J)) return `<p class="note">Joint ${J} is locked: a push on it moves nothing, its padlock takes it. The table tells what it would feel with its own padlock open.</p>`;
    const list = lattice ? lattice.map(key) : Object.keys(s.seen), here = key(s.shut), few = list.slice(-12), seen = list.filter(k => s.seen[k]).length;
    return `<div class="felt"><div class="big">joint ${named(J)} feels <b>${tell(felt(here))}</b>${turns(at) ? ' kg m²' : ' kg'}</div>${others.length ? `<div class="lat" role="group" aria-label="padlock states">${(lattice ? list : few).map(k => `<span class="st ${k === here ? 'on' : ''} ${s.seen[k] ? '' : 'hid'}"><span>${short(k)}</span><b>${s.seen[k] ? tell(felt(k)) : '?'}</b></span>`).join('')}</div>` : ''}${lattice && others.length ? `<span class="note">${seen} of ${list.length} states seen</span>` : ''}</div>`;
  }
  const short = k => (k.split('+').length > 4 ? spans(k.split('+').map(Number)) : k);
  function says() {
    const seen = lattice && lattice.every(k => s.seen[key(k)]), j = can.filter(closed), a = now();
    if (s.t) return `Solid: with your padlocks. ${j.length ? 'Dashed: all open, under the same push.' : ''}`;
    if (seen && app.asked('lighter')) return `All ${lattice.length} states seen: none is lighter than all open, ${tell(Math.min(...lattice.map(k => felt(key(k)))))}.`;
    const carries = x => (dofs[x].length === 1 ? `${tell(a.carried[dofs[x][0]])} ${unit(dofs[x][0])}` : `(${dofs[x].map(d => num(a.carried[d])).join(', ')})`);
    return j.length ? `Joint${j.length > 1 ? 's' : ''} ${spans(j)} locked: ${j.slice(0, 4).map(x => `padlock ${x} carries ${carries(x)}`).join('; ')}${j.length > 4 ? `; ${j.length - 4} more in the table` : ''}.` : `All padlocks open: the arm of ABA. ${fixed ? '' : 'Close one.'}`;
  }
  return {
    s, place: ['seen', 'stamp', 'more', 'table'],
    taken() { const stamp = JSON.stringify([home.q, home.m]); if (s.stamp !== stamp) Object.assign(s, { stamp, seen: {} }); see(); },
    html: () => `<div class="duo wideart"><div class="art">${art()}</div><div><div class="seg" role="group" aria-label="table">${[['motion', 'moves and carries'], ['felt', 'feels']].map(([v, text]) => `<button type="button" data-a="table" data-v="${v}" aria-pressed="${s.table === v}">${text}</button>`).join('')}</div>${s.table === 'motion' ? motion() : feels()}<div class="row">${btn('push', app.t('push'), { cls: 'pri', more: 'data-focus' })}${fixed ? '' : `${btn('locks-home', app.t('reset'), { off: s.shut.join() === p.locked.join() && !s.t && s.tau.join() === home.tau.join() && s.m.join() === home.m.join() })}${few ? '' : btn('locks-all', s.shut.length < can.length ? 'close all' : 'open all')}<span class="sp"></span>${p.kernel.args.includes('m') ? btn('locks-more', `masses${icon('dn')}`, { cls: 'quiet', more: `aria-expanded="${s.more}"` }) : ''}`}</div>${
      p.still ? `<p class="note">${p.still}, so its numbers are recorded; in Jupyter <code>explore</code> moves them.</p>` : ''}</div></div>${
      s.more && !fixed ? `<div class="sliders ${few ? '' : 'many'}" data-k="sliders">${all.map(k => (home.m[k - 1] > 0 ? app.slider({ arg: 'm', ix: k - 1, label: `<span class="m"><i>m</i><sub>${k}</sub></span>`, min: home.m[k - 1] / 4, max: 10 * home.m[k - 1], step: home.m[k - 1] / 4, value: s.m[k - 1], unit: 'kg' }) : '')).join('')}</div>` : ''}
      <div class="foot col" data-k="foot-locks">${others.length ? app.ask('lighter', `Can closing a padlock ever make joint ${J} lighter?`, options) : ''}${states()}${app.say(says())}${app.asked('lighter') ? app.why('locks', 'A closed padlock leaves fewer motions to choose from, and the lowest of fewer cannot be lower: <span class="m"><i>I</i><sup>A</sup></span> ⪯ <span class="m"><i>I</i><sup>c</sup></span>.') : ''}</div>`,
    act(a, v) {
      if (a === 'toggle') toggle(+v); else if (a === 'push') { s.t = 0; app.tween(800, u => { s.t = u; }); } else if (a === 'table') s.table = v;
      else if (a === 'locks-all') { s.shut = s.shut.length < can.length ? [...can] : []; s.t = 0; see(); }
      else if (a === 'locks-home') { Object.assign(s, { shut: [...p.locked], t: 0, tau: [...home.tau], m: [...home.m] }); see(); } else if (a === 'locks-more') s.more = !s.more;
    },
    input(arg, ix, v) { s[arg][ix] = +v; s.t = 0; },
  };
}

// ---------- 8 order game ----------
function orderGame(app) {
  const p = app.p, n = p.n, all = range(0, n), name = k => p.labels[k], pair = (i, j) => `${Math.min(i, j)},${Math.max(i, j)}`;
  const sets = p.states.map(s => new Set(s.pairs.map(x => x.join()))), s = { ord: [], pick: null, guess: [], predict: true, flash: null, hint: 0, tries: app.kept.tries || [], tick: 0 };
  const whole = p.M.flat().every(x => fraction(x, 1)), MOST = 9999;
  /** Of whole numbers come fractions; one too long for the place is a decimal that says so. */
  const exact = x => { const f = fraction(x, MOST); return f && Math.abs(f[0]) <= MOST ? (f[1] > 1 ? `${num(f[0])}/${f[1]}` : num(f[0])) : null; };
  const text = whole ? x => exact(x) ?? '≈ ' + num(x, 5) : x => num(x), built = whole ? x => (exact(x) ? stacked(x, MOST) : '≈ ' + num(x)) : x => num(x);
  const mask = ord => ord.reduce((m, k) => m | 1 << k, 0), near = (set, k) => all.filter(i => i !== k && set.has(pair(i, k)));
  const above = k => { const out = []; for (let i = p.parent[k]; i >= 0; i = p.parent[i]) out.push(i); return out; };
  const news = (m, k) => p.states[m | 1 << k].pairs.map(x => x.join()).filter(x => !sets[m].has(x));
  const cost = (m, k) => { const d = near(sets[m], k).length; return d + d * (d + 1) / 2; };
  const walk = ord => { let m = 0, fill = [], ops = 0; ord.forEach(k => { fill.push(...news(m, k)); ops += cost(m, k); m |= 1 << k; }); return { m, fill, ops }; };
  const leafFirst = () => s.ord.every((k, at) => all.every(i => !above(i).includes(k) || s.ord.indexOf(i) > -1 && s.ord.indexOf(i) < at));
  const empty = k => { const m = mask(s.ord), left = all.filter(i => !s.ord.includes(i) && i !== k); return left.flatMap(i => left.filter(j => j > i && !sets[m].has(pair(i, j))).map(j => pair(i, j))); };
  const clean = k => !news(mask(s.ord), k).length, done = () => s.ord.length === n;
  // drawing: leaves side by side, depth downwards
  const kids = i => all.filter(k => p.parent[k] === i), depth = k => above(k).length, deep = Math.max(...all.map(depth)); let leaf = 0; const col = {};
  (function place(i) { const c = kids(i); c.forEach(place); if (i >= 0) col[i] = c.length ? (col[c[0]] + col[c[c.length - 1]]) / 2 : leaf++; })(-1);
  const at = k => [145 + (leaf > 1 ? (col[k] - (leaf - 1) / 2) * Math.min(140, 230 / (leaf - 1)) : 0), 36 + (deep ? depth(k) * Math.min(86, 190 / deep) : 0)], H = 36 + Math.min(86 * deep, 190) + 36, R = 18;
  function remove(k) {
    const m = mask(s.ord), fills = news(m, k), guess = s.predict ? s.guess : null;
    s.flash = { k, fills, missed: guess ? fills.filter(x => !guess.includes(x)) : [], extra: guess ? guess.filter(x => !fills.includes(x)) : [], asked: guess && empty(k).length > 0 };
    s.ord.push(k); s.pick = null; s.guess = []; s.hint = 0; s.tick++;
    if (done() && !s.tries.some(o => o.join() === s.ord.join())) { s.tries = [[...s.ord], ...s.tries].slice(0, 6); app.kept.tries = s.tries; app.save(); }
  }
  const choose = k => { if (s.ord.includes(k)) return; if (s.predict && empty(k).length) { s.pick = k; s.guess = []; s.flash = null; } else { s.guess = []; remove(k); } };
  function tree() {
    const m = mask(s.ord), here = walk(s.ord), gone = k => s.ord.includes(k); let out = '';
    const faded = (i, j) => (gone(i) || gone(j) ? 'gone' : '');
    for (const [i, j] of p.states[0].pairs) {
      const a = at(i), b = at(j), straight = p.parent[j] === i || p.parent[i] === j;
      if (straight) out += `<path class="ed ${faded(i, j)}" d="M${a.map(f1).join(' ')}L${b.map(f1).join(' ')}"/>`;
      else { const bend = a[0] + b[0] < 280 ? -1 : 1, dx = bend * (34 + 16 * Math.abs(depth(i) - depth(j))); out += `<path class="ed dotted ${faded(i, j)}" d="M${a.map(f1).join(' ')}C${f1(a[0] + dx)} ${f1(a[1] + 30)} ${f1(b[0] + dx)} ${f1(b[1] - 30)} ${b.map(f1).join(' ')}"/>`; }
    }
    const zig = (x, cls) => { const [i, j] = x.split(',').map(Number); return `<g data-k="sp${x}${cls}${cls.includes('flash') ? s.tick : ''}">${spring(at(i), at(j), R, `${cls} ${faded(i, j)}`)}</g>`; };
    here.fill.forEach(x => { out += zig(x, s.flash && s.flash.fills.includes(x) ? 'flash' : ''); });
    if (s.flash) s.flash.extra.forEach(x => { out += zig(x, 'not flash'); });
    if (s.pick !== null) s.guess.forEach(x => { out += zig(x, 'guess'); });
    for (const k of all) {
      const [x, y] = at(k), hint = s.hint > 1 && !gone(k) && clean(k);
      out += `<g class="nd ${gone(k) ? 'gone' : ''} ${s.pick === k ? 'cur' : ''} ${hint ? 'ok' : ''}" ${gone(k) || s.pick !== null ? '' : `role="button" tabindex="0" data-a="take" data-v="${k}" aria-label="remove joint ${name(k)}"`}><circle cx="${f1(x)}" cy="${f1(y)}" r="${R}"/><text x="${f1(x)}" y="${f1(y + 4)}" text-anchor="middle">${name(k)}</text></g>`;
    }
    return `<svg viewBox="0 0 290 ${f1(H)}" role="group" aria-label="Tree of joints and their couplings">${out}</svg>`;
  }
  function matrix() {
    const m = mask(s.ord), Hm = p.states[m].H, before = s.flash ? p.states[mask(s.ord.slice(0, -1))].H : null, fill = walk(s.ord).fill, open = s.pick === null ? [] : empty(s.pick);
    return grid(n, p.labels, (i1, j1) => {
      const i = i1 - 1, j = j1 - 1, gone = s.ord.includes(i) || s.ord.includes(j), x = pair(i, j);
      if (i === j && gone) { const at = s.ord.indexOf(i), D = p.states[mask(s.ord.slice(0, at))].H[i][i]; return { text: built(D), cls: 'piv', label: `pivot ${num(D)}` }; }
      if (gone) { const at = Math.min(...[i, j].map(k => s.ord.indexOf(k)).filter(k => k >= 0)); return { text: built(p.states[mask(s.ord.slice(0, at))].H[i][j]), cls: 'gone' }; }
      const value = built(Hm[i][j]), isFill = fill.includes(x), chg = before && Math.abs(before[i][j] - Hm[i][j]) > 1e-9, zero = i !== j && !sets[m].has(x);
      if (s.pick !== null) {
        if (open.includes(x)) return { a: 'guess', v: x, text: s.guess.includes(x) ? '<b>fill</b>' : '0', cls: s.guess.includes(x) ? 'marked' : 'zero ask', label: `cell ${name(i)} ${name(j)}: ${s.guess.includes(x) ? 'will fill in' : 'stays empty'}`, more: `aria-pressed="${s.guess.includes(x)}"` };
        return { text: value, cls: i === s.pick || j === s.pick ? 'going' : zero ? 'zero' : '' };
      }
      const cls = `${isFill ? 'new' : ''} ${chg && !isFill ? 'chg' : ''} ${zero ? 'zero' : ''} ${i === j && s.hint > 1 && clean(i) ? 'ok' : ''}`;
      return i === j ? { a: 'take', v: i, text: value, cls, label: `remove joint ${name(i)}, pivot ${num(Hm[i][i])}` } : { text: value, cls };
    });
  }
  const rate = k => `<span class="m">q̇<sub>${name(k)}</sub></span>`;
  function squares() {
    return s.ord.map((k, at) => {
      const Hm = p.states[mask(s.ord.slice(0, at))].H, D = Hm[k][k], rest = all.filter(j => !s.ord.slice(0, at + 1).includes(j) && Math.abs(Hm[k][j]) > 1e-9);
      const terms = rest.map(j => { const c = Hm[k][j] / D; return `${c < 0 ? '−' : '+'} ${Math.abs(Math.abs(c) - 1) < 1e-9 ? '' : text(Math.abs(c)) + '&thinsp;'}${rate(j)}`; });
      return `<span class="sq">${text(D)} ${terms.length ? `(${[rate(k), ...terms].join(' ')})²` : `${rate(k)}²`}</span>`;
    }).join(' + ');
  }
  function ledger() {
    if (!s.ord.length) return '';
    const lf = leafFirst(), rows = s.ord.map((k, at) => {
      const st = p.states[mask(s.ord.slice(0, at))], D = st.H[k][k], anc = above(k).reverse();
      return `<tr><th scope="row">${name(k)}</th><td>${text(D)}</td><td>${lf ? num((p.aba ? p.aba.D : p.D)[k]) : '–'}</td><td>${lf ? (anc.map(i => text(p.L[k][i])).join(', ') || '–') : '–'}</td>${st.u ? `<td>${text(st.u[k])}</td><td>${lf && p.aba && p.aba.u ? text(p.aba.u[k]) : '–'}</td>` : ''}</tr>`;
    }).join('');
    return `<table class="led"><thead><tr><th>joint</th><th>pivot</th><th>${p.aba ? 'ABA’s' : 'LTDL’s'} <i>D</i></th><th><i>L</i> row${p.aba ? ' = <i>U</i>/<i>D</i>' : ''}</th>${p.tau ? '<th>right side</th><th>ABA’s <i>u</i></th>' : ''}</tr></thead><tbody>${rows}</tbody></table>${lf ? '' : '<p class="note">ABA goes leaf first; for this order it has no such numbers.</p>'}${
      p.tau ? `<p class="note">Right side: it starts as the push <span class="m">τ</span> = (${p.tau.map(text).join(', ')}), which gives <span class="m">q̈</span> = (${p.qdd.map(text).join(', ')}) from rest, without gravity. A joint that goes hands its share on, as to the entries of <span class="m"><i>M</i></span>.</p>` : ''}`;
  }
  function says() {
    const w = walk(s.ord), k = s.ord[s.ord.length - 1], f = s.flash, two = x => x.split(',').map(q => name(+q));
    if (s.pick !== null) return `Removing joint ${name(s.pick)}: which empty cells will fill in? Press them, then remove.`;
    if (s.hint === 1) return 'Hint: look for a joint whose remaining neighbours are all joined to one another already.';
    if (s.hint > 1) return `Joints ${all.filter(i => !s.ord.includes(i) && clean(i)).map(name).join(', ') || '(none)'} can go now without a new coupling.`;
    if (!s.ord.length) return 'Which joint first? Choose it on the diagonal or in the tree.';
    const judged = f && f.asked ? (f.missed.length || f.extra.length ? `${f.missed.length ? `Missed: ${f.missed.map(x => two(x).join('–')).join(', ')}. ` : ''}${f.extra.length ? `Not so: ${f.extra.map(x => two(x).join('–')).join(', ')}; who would have told joint ${two(f.extra[0])[0]} about joint ${two(f.extra[0])[1]}? ` : ''}` : `${icon('ok', 'c-right')} As you said. `) : '';
    if (done()) return `${judged}Order ${s.ord.map(name).join(', ')}: ${w.fill.length ? `${w.fill.length} fill-in${w.fill.length > 1 ? 's' : ''}` : 'no fill-in'}, ${w.ops} updates. ${p.free[0]} of the ${p.free[1]} orders need none; find the rule they share.`;
    return judged + (f && f.fills.length ? `Joint ${name(k)} joined two branches: it was the only one that knew joint ${two(f.fills[0])[0]} and joint ${two(f.fills[0])[1]}. ${f.fills.map(x => { const [i, j] = x.split(',').map(Number); return `${sub('M', name(i), name(j))} = ${text(p.states[w.m].H[i][j])}`; }).join(', ')}.` : `Joint ${name(k)} is gone. Its neighbours were joined already: no new coupling.`);
  }
  const chain = p.chain[p.chain.length - 1], options = [[chain[0] ** 2, `${chain[0] ** 2} is what you get when every pair of joints is touched once.`], [chain[1], null], [chain[0] ** 3, `${chain[0] ** 3} is ${chain[0]}³; only triples that hang on one another count, and each once.`]].map(([x, says]) => ({ v: String(x), t: String(x), right: says === null,
    says: says ?? `LTDL on chains of ${p.chain.map(c => c[0]).join(', ')} links: ${p.chain.map(c => c[1]).join(', ')} updates, each a product with its subtraction or a product alone: ${p.chain.map(c => c[2]).join(', ')} flops. Yet ABA takes ${p.chain.map(c => c[3]).join(', ')} flops, linear: it eliminates the same pivots without ever writing <span class="m"><i>M</i></span>.` }));
  return {
    s, place: ['ord', 'pick', 'guess', 'predict', 'hint'], walk, leafFirst,
    html() {
      const w = walk(s.ord);
      return `<div class="duo l"><div>${matrix()}<p class="note">Dotted: joined already, through a joint between. A zigzag: a new coupling, one point. An update makes one number anew: a product, and its subtraction if there is one.</p></div><div class="art">${tree()}</div></div>
        <div class="foot" data-k="foot-game"><span class="score">fill-in <b>${w.fill.length}</b></span><span class="score">updates <b>${w.ops}</b></span><span class="score">order <b>${s.ord.map(name).join(', ') || '…'}</b></span><span class="sp"></span>${s.pick !== null ? btn('go', `${app.t('remove')} ${name(s.pick)}`, { cls: 'pri', more: 'data-focus' }) + btn('cancel', app.t('cancel')) : btn('hint', app.t('hint'), { off: done() }) + btn('undo', app.t('undo'), { off: !s.ord.length }) + btn('new', app.t('restart'), { off: !s.ord.length, more: 'data-focus' })}<button type="button" class="sw" role="switch" aria-checked="${s.predict}" data-a="predict"><span class="tr"></span>${app.t('predict')}</button>${app.say(says())}</div>${
        s.ord.length ? `<div class="foot col" data-k="foot-sq"><p class="sqs">2<i>T</i> = ${squares()}${done() ? '' : ' + …'}</p>${ledger()}</div>` : ''}${
        s.tries.length ? `<div class="foot col" data-k="foot-tries"><table class="led"><thead><tr><th>order tried</th><th>fill-in</th><th>updates</th></tr></thead><tbody>${s.tries.map(o => { const t = walk(o); return `<tr><td>${o.map(name).join(', ')}</td><td>${t.fill.length}</td><td>${t.ops}</td></tr>`; }).join('')}</tbody></table>${app.why('order', 'Never remove a joint while two joints beyond it, on different branches, remain. Leaf first always obeys: a leaf’s neighbours are its ancestors, joined already.')}${app.ask('chain', `A chain of ${chain[0]} links, leaf first: how many updates does LTDL take?`, options)}</div>` : ''}`;
    },
    act(a, v) {
      if (a === 'take') { if (s.pick === null) choose(+v); } else if (a === 'guess') s.guess = s.guess.includes(v) ? s.guess.filter(x => x !== v) : [...s.guess, v];
      else if (a === 'go') remove(s.pick); else if (a === 'cancel') { s.pick = null; s.guess = []; } else if (a === 'undo') { s.ord.pop(); s.flash = null; s.hint = 0; }
      else if (a === 'new') { s.ord = []; s.flash = null; s.hint = 0; } else if (a === 'hint') s.hint = Math.min(2, s.hint + 1); else if (a === 'predict') { s.predict = !s.predict; s.pick = null; s.guess = []; }
    },
    key(k) { const at = p.labels.indexOf(k); if (at >= 0 && s.pick === null && !s.ord.includes(at)) { choose(at); return true; } if (k === 'Backspace' && s.ord.length && s.pick === null) { this.act('undo'); return true; } if (k === 'Escape' && s.pick !== null) { this.act('cancel'); return true; } return false; },
  };
}

// ---------- 9 factor ----------
/** L and D of M = LᵀDL along the tree: par[k] is the parent of freedom k, -1 for the base. M: flat rows of n. */
function ltdl(M, par) {
  const n = par.length, H = range(0, n).map(i => [...M.slice(i * n, i * n + n)]), L = range(0, n).map(i => range(0, n).map(j => (i === j ? 1 : 0))), D = [];
  for (let k = n - 1; k >= 0; k--) {
    D[k] = H[k][k];
    for (let i = par[k]; i >= 0; i = par[i]) { L[k][i] = H[k][i] / D[k]; for (let j = i; j >= 0; j = par[j]) H[i][j] -= L[k][i] * H[k][j]; }
  }
  return { L, D };
}
/** L and D of M = LDLᵀ, first freedom first. */
function ldlt(M, n) {
  const H = range(0, n).map(i => [...M.slice(i * n, i * n + n)]), L = range(0, n).map(i => range(0, n).map(j => (i === j ? 1 : 0))), D = [];
  for (let k = 0; k < n; k++) {
    D[k] = H[k][k];
    for (let i = k + 1; i < n; i++) { L[i][k] = H[i][k] / D[k]; for (let j = k + 1; j <= i; j++) H[i][j] -= L[i][k] * H[j][k]; }
  }
  return { L, D };
}
function factor(app) {
  const home = app.p.cases, cases = home.map(c => ({ ...c, run: c.kernel && app.kernel(c.kernel), q: [...c.inputs.q], m: [...c.inputs.m], moved: false })), s = { c: 0, k: 0, cell: null };
  /** All numbers of a case at other angles and masses; false if a pivot is lost there. */
  function factored(c, q, m) {
    const n = c.n, M = [...c.run({ q, m })], a = ltdl(M, c.parent), b = ldlt(M, n), zero = (i, j) => Math.abs(M[i * n + j]) < 1e-12 * Math.sqrt(M[i * n + i] * M[j * n + j]);
    if (![...a.D, ...b.D].every(d => d > 0)) return false;
    Object.assign(c, { q, m, M: range(0, n).map(i => M.slice(i * n, i * n + n)), L: a.L, D: a.D, Lc: b.L, Dc: b.D, chance: c.tree.filter(([i, j]) => zero(j, i) && !c.always.some(x => x[0] === i && x[1] === j)), moved: true });
    return true;
  }
  function another(what) {
    const c = C();
    for (let t = 0; t < 20; t++) {
      const q = [...c.q], m = [...c.m];
      if (what === 'masses') m.forEach((x, i) => { m[i] = home[s.c].inputs.m[i] * 2 ** (2 * Math.random() - 1); });
      else for (const [at, how] of c.coordinates) {
        if (how !== 'quaternion') { q[at] = how === 'turn' ? Math.PI * (2 * Math.random() - 1) : 2 * Math.random() - 1; continue; }
        const x = range(0, 4).map(() => Math.random() + Math.random() + Math.random() - 1.5), r = Math.hypot(...x); x.forEach((y, d) => { q[at + d] = y / r; });
      }
      if (!factored(c, q, m)) continue;
      const there = c.tree.filter(([j, i]) => Math.abs(c.M[i][j]) > 1e-9), [j, i] = there.find(([j, i]) => c.joints[i] !== c.joints[j]) || there[0] || [0, 0]; s.cell = s.cell || [i, j];   // whose numbers are told
      return;
    }
  }
  const called = k => esc(C().joints[k].replace(/^joint(?=\d+$)/, 'joint '));   // as elsewhere, where the model gives no name
  const C = () => cases[s.c], wide = c => c.n + c.tree.length, id = c => `factor-${cases.indexOf(c)}`, open = () => app.asked(id(C()));
  const options = c => { const l = wide(c), t = l + c.fill.length, full = c.n * (c.n + 1) / 2, pool = [[t, true], [l], [full], [Math.round((l + full) / 2)], [2 * c.n - 1]], list = pool.filter(([x], k) => pool.findIndex(([y]) => y === x) === k).slice(0, 4);
    return list.map(([x, right]) => ({ v: String(x), t: String(x), right: !!right, says: right ? `${c.fill.length ? `${c.fill.length} entries fill in: ${l} become ${t}.` : 'No entry fills in: on this tree nothing waits beside another branch.'} Updates: ${sum(c.ops[0])} leaf first, ${sum(c.ops[1])} in the textbook order.` : x === l ? `${x} is LTDL’s count. Play it: the first joints join all branches.` : x === full ? `${x} would be every entry; some pairs never meet.` : `Play it and count.` })).sort((a, b) => a.v - b.v); };
  /** One triangle after k eliminations. side 0: leaf first; 1: first joint first. */
  function triangle(side) {
    const c = C(), n = c.n, g = 290 / n, k = s.k, gone = i => (side ? i < k : i >= n - k), now = side ? k - 1 : n - k, P = { body: '', done: '', fill: '', now: '', chance: '' };
    const box = (i, j, w = 0.5) => `M${f1(j * g + w)} ${f1(i * g + w)}h${f1(g - 2 * w)}v${f1(g - 2 * w)}h${f1(-(g - 2 * w))}z`;
    const put = (i, j, fill) => { P[k && (i === now || j === now) && (side ? Math.min(i, j) === now : Math.max(i, j) === now) ? 'now' : fill ? 'fill' : gone(i) || gone(j) ? 'done' : 'body'] += box(i, j); };
    for (let i = 0; i < n; i++) put(i, i, false);
    for (const [a, b] of c.tree) put(b, a, false);
    if (side) for (const [a, b, t] of c.fill) if (t < k) { put(b, a, true); if (P.now.includes(box(b, a))) P.fill += box(b, a); }
    for (const [a, b] of [...c.chance, ...c.always]) if (k === 0) P.chance += `M${f1(a * g + g / 2 - 1.2)} ${f1(b * g + g / 2)}a1.2 1.2 0 1 0 2.4 0a1.2 1.2 0 1 0-2.4 0`;
    const sel = s.cell ? `<path class="fsel" d="${box(s.cell[0], s.cell[1], 0.2)}"/>` : '';
    return `<svg viewBox="0 0 290 290" role="img" aria-label="${side ? 'Textbook order' : 'Leaf first'}: pattern after ${k} eliminations" data-pick="${side}"><path class="fframe" d="M0 0${range(1, n + 1).map(i => `H${f1(i * g)}V${f1(i * g)}`).join('')}H0z"/>${Object.entries(P).map(([name, d]) => `<path class="f-${name}" data-k="f-${name}" d="${d}"/>`).join('')}${sel}</svg>`;
  }
  const upto = side => sum(C().ops[side].slice(0, s.k)), filled = () => C().fill.filter(x => x[2] < s.k).length;
  function says() {
    const c = C(), n = c.n;
    if (s.cell) {
      const [i, j] = s.cell, M = c.M[i][j], t = c.tree.some(x => x[0] === j && x[1] === i), f = c.fill.find(x => x[0] === j && x[1] === i), has = list => list.some(x => x[0] === j && x[1] === i), nm = (i, j) => sub('M', i + 1, j + 1);
      if (i === j) return `${nm(i, i)} = ${num(M, 4)} (${called(i)}). Pivot: ${num(c.D[i], 4)} leaf first, ${num(c.Dc[i], 4)} in the textbook order.`;
      return `${nm(i, j)} = ${num(M, 4)}: ${c.joints[i] === c.joints[j] ? `both belong to ${called(i)}` : `${called(i)} and ${called(j)} are on ${t ? 'one path' : 'different branches, so it is zero whatever the angles'}`}.${has(c.chance) ? ' Zero here by chance: other angles fill it.' : has(c.always) ? ' Still zero, at every angle: that is how the inertia of one body is built, not the tree.' : ''} <span class="m"><i>L</i></span> has ${num(c.L[i][j], 4)} leaf first, ${num(c.Lc[i][j], 4)} in the textbook order${f ? ': a fill-in' : ''}.`;
    }
    if (!open()) return `${n} degrees of freedom. Answer first, then step through both orders. Press a square to see its numbers.`;
    if (!s.k) return 'Nothing eliminated yet. Both start from the same pattern: step, or play.';
    return `Step ${s.k} of ${n}: leaf first removes ${called(n - s.k)} (${c.ops[0][s.k - 1]} updates), the textbook ${called(s.k - 1)} (${c.ops[1][s.k - 1]}).${filled() ? ` Fill-ins so far: ${filled()}.` : ''}`;
  }
  const play = () => { s.cell = null; const n = C().n; app.tween(still() ? 1 : Math.min(2200, 120 * n), u => { s.k = Math.round(u * n); }); };
  const step = d => { s.k = Math.max(0, Math.min(C().n, s.k + d)); };
  const move = (di, dj) => { const n = C().n, [i, j] = s.cell || [0, 0], row = Math.max(0, Math.min(n - 1, i + di)); s.cell = [row, Math.max(0, Math.min(row, j + dj))]; };
  const view = {
    s, now: C, place: ['c', 'k', 'cell'], tabs: cases.map(c => c.name), tab: () => C().name,
    html() {
      const c = C(), half = (side, title) => `<div class="art fa"><div class="ft"><b>${title}</b><span class="note">${open() ? `updates <b>${upto(side)}</b>, fill-in <b>${side ? filled() : 0}</b>` : '&nbsp;'}</span></div>${triangle(side)}</div>`;
      return `<div class="duo" data-k="duo${s.c}" tabindex="0" data-cells role="group" aria-label="pattern of M; arrow keys move the marked square">${half(0, 'LTDL, leaf first')}${half(1, 'LDLᵀ, first joint first')}</div><div class="key pad">${open() ? '<span class="k-now">eliminated now</span><span class="k-done">in the factor</span>' : ''}<span class="k-body">coupled</span>${!s.k && c.chance.length + c.always.length ? '<span class="k-chance">coupled, yet zero now</span>' : ''}${open() && c.fill.length ? '<span class="k-fill">filled in</span>' : ''}</div>
        <div class="foot col" data-k="foot-f">${app.ask(id(c), `LTDL writes ${wide(c)} numbers, the diagonal counted. How many does the textbook order write for the same <span class="m"><i>M</i></span>?`, options(c))}${
        open() ? `<div class="row">${btn('step', icon('l'), { v: -1, cls: 'ico', off: !s.k, label: app.t('back') })}${btn('step', `<span>${app.t('step')}</span>${icon('r')}`, { v: 1, cls: 'pri', off: s.k >= c.n, more: 'data-focus' })}${btn('play', app.t('play'))}${app.slider({ arg: 'k', ix: 0, label: '<span class="vh">eliminated</span>', min: 0, max: c.n, step: 1, value: s.k, unit: `of ${c.n}` })}</div>` : ''}${app.say(says())}${
        c.run ? `<div class="row" data-k="row-else">${btn('else', 'Other angles', { v: 'angles' })}${c.kernel.args.includes('m') ? btn('else', 'Other masses', { v: 'masses' }) : ''}${btn('home', app.t('reset'), { off: !c.moved })}<span class="note">${c.moved ? 'The numbers have changed, the pattern has not: it is that of the tree.' : ''}</span></div>` : ''}${
        open() ? app.why(`factor-${s.c}`, c.fill.length ? 'Leaf first, a removed joint’s neighbours are its ancestors, joined already. The first joints know every branch; removing them first joins all their branches to one another.' : 'On a chain every joint is on one path with every other, so any order from one end writes the whole triangle: nothing can fill in.') : ''}</div>`;
    },
    act(a, v) { if (a === 'tab') { s.c = cases.findIndex(c => c.name === v); s.k = 0; s.cell = null; } else if (a === 'step') { s.cell = null; step(+v); } else if (a === 'play') play(); else if (a === 'else') another(v); else if (a === 'home') Object.assign(C(), home[s.c], { q: [...home[s.c].inputs.q], m: [...home[s.c].inputs.m], moved: false }); },
    input(arg, ix, v) { s.cell = null; s.k = +v; }, answered() { s.cell = null; s.k = 0; }, forgotten() { s.k = 0; },
    key(k) {
      const on = app.root.activeElement?.matches('[data-cells]'), d = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[k];
      if (on && d) { move(...d); return true; }
      if (!open()) return false; s.cell = null;
      if (k === 'ArrowRight') step(1); else if (k === 'ArrowLeft') step(-1); else if (k === 'Home') step(-999); else if (k === 'End') step(999); else return false; return true;
    },
  };
  app.pl.addEventListener('click', ev => {
    const svg = ev.target.closest('[data-pick]'); if (!svg) return; const r = svg.getBoundingClientRect(), n = C().n, j = Math.floor((ev.clientX - r.left) / r.width * n), i = Math.floor((ev.clientY - r.top) / r.height * n);
    s.cell = i >= j && i < n && j >= 0 && !(s.cell && s.cell.join() === `${i},${j}`) ? [i, j] : null; app.render();
  });
  return view;
}

const DEMOS = { composite, padlocks, order_game: orderGame, factor };

// ---------- 10 style ----------
const STYLE = styled(`--block:color-mix(in srgb,var(--ink-3) 55%,var(--surface))`) + `
i,.mt{font-family:var(--math);font-style:italic}
.d2::before{margin:0 -.31em 0 .19em;box-shadow:.2em 0}
b{font-weight:600}
.c-current{color:var(--current)}.c-parent{color:var(--parent)}.c-message{color:var(--message)}.c-locked{color:var(--locked)}.c-free{color:var(--free)}.c-wrong{color:var(--wrong)}.c-right{color:var(--right)}.c-2{color:var(--ink-2)}
.pl{position:relative}.pl:focus{outline:none}
.h{font-weight:600;line-height:1.35}
.ic{width:16px;height:16px;flex:none;display:inline-block;vertical-align:-3px;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
.ic rect,.gl rect{fill:none}.ic .solid,.gl .solid{fill:currentColor}
.gl{fill:none;stroke:currentColor;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}.gl[data-a]{cursor:pointer}.gl rect:not(.solid){fill:var(--surface)}
.btn:hover{border-color:var(--ink-3)}.btn:disabled{opacity:.45;cursor:default}
.btn.ico{padding:0;width:36px;justify-content:center}
.btn.quiet{background:none;border-color:transparent;color:var(--ink-2)}.btn.quiet:hover{color:var(--ink)}
.seg :focus-visible,.tabs :focus-visible{outline-offset:-2px}
.seg.wide{display:flex}.seg.wide button{flex:1}
.tabs{display:flex;flex-wrap:wrap;gap:0 4px;padding:0 12px;border-bottom:1px solid var(--rule)}
.tabs button{border:0;background:none;min-height:40px;padding:0 8px;font-size:14px;color:var(--ink-2);cursor:pointer;border-bottom:2px solid transparent;margin-bottom:-1px}
.tabs button[aria-pressed=true]{color:var(--ink);font-weight:600;border-bottom-color:var(--current)}
.tabs button:hover{color:var(--ink)}
.scenes{padding:10px 16px 0}
.duo{display:grid;grid-template-columns:minmax(0,1fr);gap:8px 24px;padding:12px 16px 16px}.duo>*{min-width:0}.duo:focus-visible{outline-offset:-3px}
.art svg{width:100%;height:auto;overflow:visible}
.foot{border-top:1px solid var(--rule);padding:12px 16px;display:flex;flex-wrap:wrap;gap:8px;align-items:center}
.foot.col{display:grid;grid-template-columns:minmax(0,1fr);gap:12px}
.foot .sp,.row .sp{flex:1}.foot .say,.foot .why{flex-basis:100%}
.row{display:flex;flex-wrap:wrap;gap:8px;align-items:center}.duo .row{margin-top:12px}
.say{min-height:42px;line-height:1.5}
.note{font-size:13px;line-height:1.5;color:var(--ink-2)}.note b{color:var(--ink)}
.qn{font-weight:600;line-height:1.45}.qn.pad{padding:14px 16px 0}.qn i{font-weight:400}
.ask .opts{display:flex;flex-wrap:wrap;gap:8px;margin-top:8px}
.opts .btn{white-space:normal;text-align:left;padding-top:6px;padding-bottom:6px}
.fb{margin-top:10px;display:grid;grid-template-columns:18px 1fr;gap:4px 6px;align-items:start}.fb .ic{margin-top:3px}
.why{display:grid;gap:4px}.why label{font-size:13px;color:var(--ink-2)}
.why-in{display:flex;gap:8px}.why input{flex:1;min-width:0;min-height:36px;padding:4px 10px;border:1px solid var(--rule);border-radius:6px;background:var(--surface)}
.why input:hover,.two input:hover{border-color:var(--ink-3)}
.mats{border-top:1px solid var(--rule);padding:8px 16px 10px;font-size:13px}.mats p{margin:6px 0 0}.four{display:grid;grid-template-columns:minmax(0,1fr);gap:8px 20px}.four.pair{grid-template-columns:repeat(2,minmax(0,1fr))}
.mats figure{margin:0;min-width:0;overflow-x:auto;padding:4px 6px;border:1px solid transparent;border-radius:4px}.mats figure.on{border-color:var(--written-rule)}.mats figcaption{min-height:2.7em;line-height:1.35}
.nx{display:inline-grid;gap:1px 10px;text-align:right;font-size:13px;font-variant-numeric:tabular-nums;border:solid var(--ink-3);border-width:0 1px;border-radius:4px;padding:1px 6px;line-height:1.45}.nx .z{color:var(--ink-2)}.nx .gc{padding-left:6px}.nx .gr{padding-top:4px}
.mats .eig{min-height:5.8em}.mats .grow{display:grid;grid-template-columns:repeat(auto-fill,minmax(112px,1fr));gap:2px 14px;margin-top:0}.grow .on{color:var(--current);font-weight:600}
.sliders{border-top:1px solid var(--rule);display:grid;grid-template-columns:minmax(0,1fr);gap:2px 24px;padding:8px 16px 12px}
.sl{display:grid;grid-template-columns:auto minmax(60px,1fr) 5.4em;gap:10px;align-items:center;min-height:36px;flex:1;min-width:0}
.sl output{font-size:13px;text-align:right;white-space:nowrap}.sl .u{color:var(--ink-2)}.sl>span:first-child{font-size:13px;color:var(--ink-2);min-width:1.6em}
.sl>.vh:first-child,.sl>span:has(.vh){min-width:0;width:0;margin-left:-10px}
.big{font-size:16px;margin:2px 0 8px}.big b{font-size:18px}
.fq{display:inline-flex;align-items:center;gap:2px;position:relative}.fq>span:last-child{display:inline-flex;flex-direction:column;text-align:center;font-size:13px;line-height:1.2}.fq>span:last-child>span:first-child{border-bottom:1px solid currentColor;padding:0 2px}

/* M */
.M{display:grid;grid-template-columns:20px repeat(var(--n),minmax(0,56px));gap:4px;font-size:15px;justify-content:center;margin-top:4px}
.M .h{display:grid;place-items:center;font-size:12px;font-weight:400;color:var(--ink-2)}
.cell{appearance:none;position:relative;border:1px solid var(--rule);background:var(--surface);border-radius:4px;height:46px;padding:0;display:grid;place-items:center;font-size:15px;line-height:1.1;transition:background var(--t),opacity var(--t);min-width:0}
button.cell{cursor:pointer}button.cell:hover{border-color:var(--ink-3)}
.cell.empty{border-style:dashed;color:var(--ink-2)}.cell.zero{color:var(--ink-2)}.cell.ask{border-style:dashed;border-color:var(--ink-3)}
.cell.new{background:var(--written);color:var(--written-ink);border-color:var(--written-rule)}.cell.chg{border-color:var(--written-rule);box-shadow:inset 0 0 0 1px var(--written-rule)}
.cell.sel{box-shadow:0 0 0 2px var(--current);border-color:var(--current)}.cell.sheet{background:var(--folded)}
.cell.gone{opacity:.38;background:var(--recess)}.cell.going{background:var(--recess);border-color:var(--current)}.cell.piv{border-color:var(--current);color:var(--current);font-weight:600}
.cell.marked{border-color:var(--current);box-shadow:inset 0 0 0 1px var(--current)}.cell.ok{border-color:var(--right);box-shadow:inset 0 0 0 1px var(--right)}
.cell.hit{background:var(--written);color:var(--written-ink);border-color:var(--written-rule)}.cell.missed{background:var(--written);color:var(--written-ink);border:1.5px dashed var(--written-rule)}.cell.bad{border:1.5px dashed var(--wrong)}
.sg{position:absolute;right:4px;top:1px;font-size:13px;color:var(--current)}.missed .sg{color:inherit}.sg.c-wrong{color:var(--wrong)}
.dl{font-size:12px;font-weight:600}.cell:has(.dl){align-content:center;row-gap:2px}
.sheets{display:flex;flex-wrap:wrap;align-items:center;justify-content:center;gap:8px;margin-top:12px}
.ticks{display:grid;gap:4px}.tick{display:grid;grid-template-columns:104px minmax(0,1fr);gap:10px;align-items:center;min-height:40px}
.chk{appearance:none;border:1px solid var(--rule);border-radius:6px;background:var(--surface);min-height:36px;display:flex;align-items:center;gap:8px;padding:0 10px;cursor:pointer;white-space:nowrap}.chk:disabled{cursor:default}
.bx{width:18px;height:18px;border:1.5px solid var(--ink-3);border-radius:4px;display:grid;place-items:center}.chk[aria-checked=true] .bx{border-color:var(--current);color:var(--current)}
.chk.is-wrong{border:1px dashed var(--wrong);color:var(--wrong)}.chk.is-right{border-color:var(--right);color:var(--right)}

.M.tight{gap:2px}.M.tight .cell{font-size:12.5px;height:36px}

/* drawings */
svg text{font:12px var(--ui);fill:var(--ink-2);user-select:none;font-variant-numeric:tabular-nums}svg .mt{font-family:var(--math);font-size:14px;font-style:italic}
svg text[class*=c-]{fill:currentColor}svg .bn{font-weight:400}svg .bn[class*=c-]{font-weight:600}
.halo,.labels text{paint-order:stroke;stroke:var(--surface);stroke-width:3px;stroke-linejoin:round}
.lk.faint,.faint{opacity:.35}.faint2{opacity:.55}
.lk.bad rect{stroke:var(--wrong);stroke-dasharray:4 3;stroke-width:1.75}
.lk.real rect{stroke:var(--right);stroke-width:1.75;fill:var(--surface)}.lk.real circle{fill:var(--right)}.lk.real.fold rect{fill:var(--folded)}
.lk.other rect{fill:none;stroke:var(--free);stroke-width:1.5;stroke-dasharray:3 3}
.hg{fill:var(--surface);stroke:var(--ink-2);stroke-width:1.5}.pick{fill:none;stroke:var(--parent);stroke-width:2;stroke-dasharray:4 2.5}
.arr{fill:none;stroke:currentColor;stroke-width:2}.head{fill:currentColor;stroke:none}
.ell{fill:var(--current);fill-opacity:.1;stroke:var(--current);stroke-width:1.75;transition:transform var(--t),rx var(--t),ry var(--t)}
.ell.old{fill:none;stroke:var(--ink-3);stroke-dasharray:3 3;stroke-width:1.25}
.plus{stroke:var(--current);stroke-width:1.75;fill:none}
.axis{stroke:var(--rule);fill:none}.level{stroke:currentColor;stroke-dasharray:2 3;fill:none}.curve{fill:none;stroke:var(--ink-2);stroke-width:1.75}.curve[class*=c-]{stroke:currentColor}
.tangent{stroke:currentColor;stroke-width:1.5}.ball,.dot{fill:currentColor}.gball{fill:none;stroke:var(--wrong);stroke-width:1.75;stroke-dasharray:3 3}
.drift{fill:none;stroke:var(--wrong);stroke-width:1.75;stroke-dasharray:4 3}
.locked-curve{fill:none;stroke:var(--locked);stroke-width:1.5}.locked-curve.dash{stroke-dasharray:2 3}.free-curve{fill:var(--free);fill-opacity:.12;stroke:var(--free);stroke-width:2}.gone-curve{fill:var(--message);fill-opacity:.12;stroke:var(--message);stroke-width:1.5;stroke-dasharray:5 3}
.wheel{fill:none;stroke:var(--ink-3);stroke-width:1.25}.wheel circle{stroke-width:3}.pin{stroke:var(--ink-2);stroke-width:5;fill:none}.railway{stroke:var(--ink-2);stroke-dasharray:3 3}.hand{fill:var(--surface);stroke:var(--current);stroke-width:2}
.kv{display:grid;grid-template-columns:auto auto auto;gap:2px 18px;align-items:baseline;justify-content:start;margin:8px 0 0}.kv.four{grid-template-columns:repeat(4,auto);gap:2px 14px}.kv .h{font-size:12px;font-weight:400;color:var(--ink-2)}.kv>*{text-align:right}.kv>.l{text-align:left;color:var(--ink-2)}.kv .l b{color:var(--ink)}
.key{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:12px;color:var(--ink-2);margin-top:8px}.key.pad{padding:0 16px 12px;margin:0}.key>span{display:inline-flex;align-items:center;gap:6px}.key>span::before{content:"";width:16px;height:0;border-top:2px solid var(--message)}
.key .k-rail::before{border-top:1.5px dashed var(--ink-2)}.key .k-dot::before{width:8px;height:8px;border:0;border-radius:50%;background:var(--free)}
.key .k-now::before,.key .k-done::before,.key .k-body::before,.key .k-fill::before,.key .k-chance::before{width:11px;height:11px;border:1px solid var(--ink-3);border-radius:2px;background:var(--body)}.key .k-now::before{background:var(--current);border-color:var(--current)}.key .k-done::before{background:var(--folded);border-color:var(--current)}.key .k-fill::before{background:var(--written);border-color:var(--written-rule)}.key .k-body::before{background:var(--block);border-color:var(--block)}.key .k-chance::before{background:radial-gradient(circle,var(--surface) 2px,var(--block) 2.5px);border-color:var(--block)}
.ab{display:grid;grid-template-columns:40px repeat(2,minmax(0,112px));gap:6px 10px;align-items:center}.ab .h{font-size:12px;font-weight:400;color:var(--ink-2)}.ab .l{font-weight:600}
.two{display:flex;gap:6px;align-items:center}.two input{width:100%;min-width:0;min-height:36px;padding:2px 8px;border:1px solid var(--ink-3);border-radius:4px;background:var(--surface);font-size:16px}.two input.bad{border:1px dashed var(--wrong)}.two input.good{border-color:var(--right)}
.lt{display:grid;grid-template-columns:54px minmax(56px,1fr) repeat(3,minmax(44px,auto));gap:4px 10px;align-items:center}.lt .h{font-size:12px;font-weight:400;color:var(--ink-2);line-height:1.25;align-self:end}.lt .r{text-align:right;white-space:nowrap}.lt .h.r{white-space:normal}
.lt .sl{grid-template-columns:0 minmax(48px,1fr) 2em;gap:6px}.lt .sl>span:first-child{width:0;margin:0;min-width:0}.scroll{max-height:372px;overflow:auto;padding-right:6px}.scroll .h{position:sticky;top:0;background:var(--surface);z-index:1;padding-bottom:4px}.lt.ft3{grid-template-columns:50px minmax(28px,1fr) repeat(4,minmax(36px,auto));gap:4px 6px}.lt.told{grid-template-columns:54px repeat(4,minmax(44px,1fr))}.u{color:var(--ink-2)}.lk-b.u{padding-left:24px}span.lk-b{display:inline-flex;align-items:center;border-radius:6px}.duo .seg+.lt,.duo .seg+.scroll{margin-top:8px}
.bar{position:relative;height:14px;background:var(--recess);border:1px solid var(--locked);border-radius:3px;overflow:hidden}.bar>span{position:absolute;left:0;top:0;bottom:0}.b-now{background:var(--folded);border-right:2px solid var(--ink)}.b-free{background:var(--free);bottom:50%!important}
.tall .say{min-height:108px}.was{fill:none;stroke:var(--ink-2);stroke-width:1.25;stroke-dasharray:3 3}.key .k-lock::before{border-top:1.5px dotted var(--locked)}.key .k-was::before{border-top:1.5px dashed var(--ink-2)}.key .k-gone::before{border-top:2px dashed var(--message)}.key .k-iA::before{border-top:2px solid var(--free)}
.lt.long .sl{grid-template-columns:0 minmax(36px,1fr) 3em!important}
.lk-b{min-height:36px;padding:0 8px;gap:4px}.lk-b.shut{background:var(--recess);border-color:var(--ink-2)}
.lat{display:flex;flex-wrap:wrap;gap:6px;margin-bottom:6px}.st{border:1px solid var(--rule);border-radius:6px;padding:4px 10px;min-width:64px;display:grid;justify-items:center;line-height:1.3;font-size:13px;color:var(--ink-2)}.st b{color:var(--ink);font-size:14px}.st.on{border-color:var(--current);box-shadow:inset 0 0 0 1px var(--current)}.st.hid{border-style:dashed}
.nd circle{fill:var(--surface);stroke:var(--ink-3);stroke-width:1.5;transition:stroke var(--t)}.nd text{fill:var(--ink);font-size:14px}.nd[data-a]{cursor:pointer}.nd[data-a]:hover circle{stroke:var(--current)}.nd:focus-visible{outline:none}.nd:focus-visible circle{stroke:var(--current);stroke-width:3}
.nd.cur circle{stroke:var(--current);stroke-width:2.5;fill:var(--folded)}.nd.ok circle{stroke:var(--right);stroke-width:2.5}.nd.gone{opacity:.4}.nd.gone circle{stroke-dasharray:3 3}
.ed{stroke:var(--ink-3);stroke-width:1.25;fill:none}.ed.dotted{stroke-dasharray:2 4}.ed.gone{opacity:.25}
.spring{fill:none;stroke:var(--ink-2);stroke-width:1.5;stroke-linejoin:round}.glow{fill:none;stroke:var(--written);stroke-width:8;stroke-linejoin:round}.spring.gone{opacity:.25}.glow.gone{opacity:0}
.spring.not{stroke:var(--wrong);stroke-dasharray:3 3}.glow.not{stroke:none}.spring.guess{stroke:var(--current);stroke-dasharray:4 3}.glow.guess{stroke:none}
.flash{animation:flash 700ms ease-out 1}@keyframes flash{0%{opacity:0}30%{opacity:1}50%{opacity:.2}75%{opacity:1}}
@media (prefers-reduced-motion:reduce){.flash{animation:none}}
.score{color:var(--ink-2);margin-right:8px}.score b{color:var(--ink)}
.sw{display:inline-flex;align-items:center;gap:8px;cursor:pointer;background:none;border:0;padding:0;min-height:36px}.sw .tr{width:30px;height:18px;border-radius:9px;border:1.5px solid var(--ink-3);position:relative;transition:background var(--t)}.sw .tr::after{content:"";position:absolute;left:2px;top:2px;width:11px;height:11px;border-radius:50%;background:var(--ink-3);transition:transform var(--t)}.sw[aria-checked=true] .tr{border-color:var(--current);background:var(--current)}.sw[aria-checked=true] .tr::after{transform:translateX(12px);background:var(--surface)}
.sqs{margin:0;line-height:1.8}.sq{white-space:nowrap}
.led{border-collapse:collapse;font-size:13px;width:100%}.led th,.led td{text-align:right;font-weight:400;padding:4px 0 4px 8px;border-bottom:1px solid var(--rule)}.led th:first-child,.led td:first-child{text-align:left;padding-left:0}.led thead th{color:var(--ink-2);font-size:12px;vertical-align:bottom}
.fframe{fill:var(--recess);stroke:none}.f-body{fill:var(--block)}.f-done{fill:var(--folded);stroke:var(--current);stroke-width:.6}.f-fill{fill:var(--written);stroke:var(--written-rule);stroke-width:1}.f-now{fill:var(--current)}.f-chance{fill:var(--surface)}.fsel{fill:none;stroke:var(--parent);stroke-width:2}
.fa svg,.map svg{cursor:pointer}.map{max-width:340px;margin:0 auto}.map:focus-visible{outline-offset:3px}.f-zero{fill:var(--ink-3)}.key .k-dot0::before{width:5px;height:5px;border:0;background:var(--ink-3)}
.chips{display:flex;flex-wrap:wrap;gap:6px}.chips .chk{padding:0 8px;gap:6px}.chk.sel{box-shadow:0 0 0 2px var(--current)}.sliders.many{max-height:280px;overflow-y:auto}
.jt.real>*{stroke:var(--right)}.jt.bad>*{stroke:var(--wrong);stroke-dasharray:4 3}.jt.other{display:none}
.ft{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 12px;margin-bottom:6px}

@container (min-width:560px){
  .duo{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}.duo.l{grid-template-columns:minmax(0,52fr) minmax(0,48fr)}.duo.wideart{grid-template-columns:minmax(0,42fr) minmax(0,58fr)}
  .sliders,.four{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}.mats figcaption{min-height:1.35em}.mats .eig{min-height:3em}
}
@container (max-width:679px){.lt.ft3{grid-template-columns:50px minmax(20px,1fr) repeat(4,minmax(36px,auto));font-size:13px}}
@container (max-width:559px){
  .art{max-width:290px;margin:0 auto;width:100%}.cnt{display:none}.cell{height:42px}
  .tabs{padding:0 8px}.tabs button{padding:0 6px;font-size:13px}.row .sl{flex-basis:100%}
  .lt{grid-template-columns:50px minmax(44px,1fr) repeat(3,minmax(36px,auto));gap:4px 6px;font-size:13px}.lt .h.r{max-width:52px;justify-self:end}.lt.long .r{padding-left:4px}.lt .sl{grid-template-columns:0 minmax(36px,1fr) 1.7em;gap:3px}
}
@container (min-width:1000px){
  .card,.pl{font-size:17px}.pl-head{padding:8px 24px}.h{font-size:19px}.tabs{padding:0 16px}.tabs button,.btn,.say,.qn{font-size:17px}
  .duo{padding:12px 24px 12px;gap:8px 40px}.art{max-width:400px;margin:0 auto;width:100%}.foot{padding-left:24px;padding-right:24px}.qn.pad{padding-left:24px;padding-right:24px}
  .M{font-size:18px;grid-template-columns:24px repeat(var(--n),minmax(0,72px))}.cell{font-size:18px;height:54px}.note,.led,.sl output,.sl>span:first-child,.key,.kv .h,.lt .h,.ab .h,.why label{font-size:14px}.M .h{font-size:14px}
}
/* in a slide deck: the slide has the title */
:host([deck]){margin:4px 0}:host([deck]) svg text{font-size:13.5px}:host([deck]) .art{max-width:300px;margin:0 auto;width:100%}:host([deck]) .why{display:none}
:host([deck]) .duo{padding-top:8px;padding-bottom:6px}:host([deck]) .foot{padding-top:8px;padding-bottom:8px}:host([deck]) .foot.col{gap:6px}:host([deck]) .say{min-height:0}
:host([deck]) .ask{display:flex;flex-wrap:wrap;gap:4px 20px;align-items:center}:host([deck]) .ask .qn{flex:0 0 100%}:host([deck]) .ask .opts{margin:0}:host([deck]) .ask .fb{margin:0;flex:1 1 320px}
:host([deck]) .pl-head{position:absolute;z-index:1;right:0;top:0;border:0;padding:5px 8px}:host([deck]) .pl-head .h{display:none}:host([deck]) .pl-head .seg button{min-height:24px}
:host([deck]) :is(.tabs,.scenes),:host([deck]) .qn.pad{padding-right:110px}
:host([deck]) :is(.note,.key,.led,.kv .h,.lt .h,.ab .h,.M .h){font-size:15px}
@media print{.btn,.sw,.sliders,.seg,.why{display:none!important}.card{break-inside:avoid}}
`;

// ---------- 11 mounting ----------
if (!window.rbdDemosLoaded) {                     // the module may be inlined in several notebook outputs
  window.rbdDemosLoaded = true;
  mounting('rbd-demo', 'rbdDemo', (host, data) => new Story(host, data));
}
