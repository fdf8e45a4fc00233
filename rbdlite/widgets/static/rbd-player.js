// rbd-player: the step player. One ES module, no dependency, no network.
//
// It finds every element of class "rbd-player" that holds its data as JSON in a script element, also those added
// later, and mounts a player in its shadow root, so that no style leaks in or out. The JSON is a recorded trace
// (see rbdlite/widgets/payload.py); nothing here knows any particular algorithm. What storyboards need too: rbd-base.js.
//
// Sections: 1 words  2 numbers  3 mathematics  4 the record  5 drawing  6 arm  7 tree  8 matrix
//           9 equation  10 questions  11 player  12 style  13 mounting

const { esc, store, hash, mul, tr, add, cross, norm, compose, poseOf, Tree, f1, poly, label, point, path, icon, arrow,
  away, W, Camera, capsule, armParts, styled, mounting } = window.rbdBase;

// ---------- 1 words ----------
const WORDS = {
  en: {
    title: x => x,
    arm: 'Arm', tree: 'Tree: messages', matrix: 'Matrix', equation: 'Equation',
    pass: (a, b) => `pass <b>${a}</b> of ${b}`, body: (a, b) => `body <b>${a}</b> of ${b}`, base: 'base',
    step: 'Step', steps: (a, b) => `step ${a} of ${b}`, back: 'Back', nextBody: 'Next body', nextPass: 'Next pass',
    predict: 'Predict', show: 'show me', again: 'ask again', right: 'Right.', fold: 'fold', open: 'open',
    hand: 'in hand', walk: 'walking in', parent: 'parent', seen: 'done in this pass', sym: 'symbols', code: 'code', words: 'words',
    hidden: 'hidden', empty: 'empty', put: 'numbers put in', before: 'before', after: 'after', written: 'written in this step',
    change: 'Change the numbers', reset: 'Reset', changed: 'your numbers', recorded: 'as recorded',
    waits: 'Questions are about the recorded numbers; they come back with Reset.', result: 'result', bodies: 'body', freedom: 'dof',
    joint: 'joint', keys: 'body', keyp: 'pass', quiet: 'nothing is written here', turn: 'drag or arrow keys to turn',
    v: 'velocity of the centre of mass', a: 'acceleration of the centre of mass, weight counted as upward acceleration',
    f: 'force and moment through the joint', fB: 'force this body needs', m: 'linear part at the joint',
    tau: 'torque or force of the joint', msg: 'what is passed on', real: 'what happens', yours: 'your answer',
    IC: 'circle: radius of gyration, cross: centre of mass', IA: 'curve: apparent mass by direction', lang: 'Language',
    now: 'now', none: 'no message on this line', still: 'no message', sees: 'see it in Matrix', head: 'no value is written on this line',
    yes: 'yes', no: 'no', wide: 'scroll for the rest', joins: 'the entry that changes', gone: 'eliminated', diag: 'on the diagonal', twin: 'the mirror image',
  },
  zh: {
    title: x => ({ outward: '向外', inward: '向内', 'outward again': '再次向外', 'inward again': '再次向内', columns: '逐列' })[x.toLowerCase()] || x,
    arm: '机械臂', tree: '树与消息', matrix: '矩阵', equation: '公式',
    pass: (a, b) => `第 <b>${a}</b>/${b} 遍`, body: (a, b) => `刚体 <b>${a}</b>/${b}`, base: '基座',
    step: '前进', steps: (a, b) => `第 ${a}/${b} 步`, back: '后退', nextBody: '下一刚体', nextPass: '下一遍',
    predict: '先预测', show: '直接看', again: '再问一次', right: '正确。', fold: '折叠', open: '展开',
    hand: '当前刚体', walk: '向内行进', parent: '父刚体', seen: '本遍已处理', sym: '符号', code: '代码', words: '文字',
    hidden: '隐藏', empty: '空', put: '代入数值', before: '之前', after: '之后', written: '本步写入',
    change: '改变数值', reset: '复位', changed: '自定数值', recorded: '原始数值',
    waits: '提问只针对原始数值；复位后恢复。', result: '结果', bodies: '刚体', freedom: '自由度',
    joint: '关节', keys: '刚体', keyp: '遍', quiet: '本步不写入', turn: '拖动或用方向键旋转',
    v: '质心速度', a: '质心加速度（重力计为向上加速度）', f: '关节传递的力与力矩', fB: '该刚体所需的力',
    m: '关节处的线性部分', tau: '关节力或力矩', msg: '传递的量', real: '真实运动', yours: '你的答案',
    IC: '圆：回转半径，十字：质心', IA: '曲线：各方向的表观质量', lang: '语言', now: '本步', none: '本行不传递消息',
    still: '无消息', sees: '见矩阵视图', head: '本行不写入数值', yes: '是', no: '否', wide: '可横向滚动', joins: '改变的元素', gone: '已消去', diag: '对角线上为', twin: '镜像',
  },
};

let saying = WORDS.en;                            // the language of the player that is being drawn

// ---------- 2 numbers ----------
/** A value without entries, by its size; "" for one that has some. */
function bare(value, planar) {
  if (value.x.length) return '';
  const [r, c] = value.s.map(n => (planar && n === 6 ? 3 : n)); return `<span class="n c-2">${saying.empty}, ${r} × ${c}</span>`;
}
const clean = (x, big = 1) => (Math.abs(x) < 1e-9 * Math.max(1, big) ? 0 : x);
const biggest = x => x.reduce((m, v) => Math.max(m, Math.abs(v) || 0), 0);

/** A number as text: `digits` significant digits, true minus, no trailing zeros. Text (inf, nan) stays text. */
function num(x, digits = 4, big = 1) {
  if (typeof x !== 'number') return esc(x);
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'nan' : x > 0 ? '∞' : '−∞';
  x = clean(x, big);
  if (x === 0) return '0';
  const size = Math.abs(x), minus = x < 0 ? '−' : '';
  if (Math.abs(size - Math.round(size)) < 1e-9 * size && size < 1e6) return minus + Math.round(size);
  if (size >= 1e5 || size < 1e-4) return minus + size.toExponential(2).replace('e+', 'e').replace('e-', 'e−');
  const text = size >= 1000 ? size.toFixed(0) : size.toPrecision(digits);
  return minus + (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
}

/** Rows and columns to show: the plane's slots (ω; vx, vy) of a planar model, else all. */
function grid(value, planar) {
  const [r, c] = value.s.length === 2 ? value.s : value.s.length === 1 ? [value.s[0], 1] : [1, value.x.length];
  const pick = n => (planar && n === 6 ? [2, 3, 4] : [...Array(n).keys()]);
  const rows = pick(r), cols = pick(c), big = biggest(value.x);
  return { rows: rows.map(i => cols.map(j => value.x[i * c + j])), big, spatialR: r === 6, spatialC: c === 6 };
}

function numbers(value, planar, cls = '', before = null, digits = 4) {
  if (!value.x.length) return bare(value, planar);
  if (value.x.length === 1) return `<span class="n ${cls}">${num(value.x[0], digits)}</span>`;
  const g = grid(value, planar), old = before && grid(before, planar);
  const show = (i, j) => num(g.rows[i][j], digits, g.big);
  if (g.rows[0].length === 1 && !(g.spatialR && !planar)) {
    const parts = g.rows.map((_, i) => show(i, 0));
    const text = g.spatialR ? `${parts[0]};&thinsp;${parts.slice(1).join(',&thinsp;')}` : parts.join(',&thinsp;');
    return `<span class="n ${cls}">(${text})</span>`;
  }
  const half = n => (n === 6 ? 3 : -1), differs = (i, j) => old && old.rows[i] && show(i, j) !== num(old.rows[i][j], digits, old.big);
  const whole = old && g.rows.length > 4 && g.rows.flatMap((r, i) => r.filter((_, j) => differs(i, j))).length > 12;   // then mark it as a whole
  const cells = g.rows.map((row, i) => row.map((x, j) => {
    const changed = !whole && differs(i, j);
    const gap = (g.spatialR && i === half(g.rows.length) ? ' gr' : '') + (g.spatialC && j === half(row.length) ? ' gc' : '');
    const text = show(i, j);
    return `<span class="${changed ? 'ch' : text === '0' ? 'z' : ''}${gap}">${text}</span>`;
  }).join('')).join('');
  return `<span class="mat ${g.rows.length > 4 ? 'small' : ''} ${whole ? 'wr' : ''} ${cls}" style="grid-template-columns:repeat(${g.rows[0].length},auto)">${cells}</span>`;
}

// ---------- 3 mathematics: plain Unicode pseudocode to HTML ----------
const UPRIGHT = new Set(['for', 'if', 'while', 'in', 'to', 'else', 'return', 'and', 'or', 'not', 'do', 'until', 'of', 'sin', 'cos',
  'each', 'down', 'then', 'diag', 'inv', 'min', 'max', 'base', 'none', 'with', 'all', 'the', 'from', 'ancestor', 'end', 'nv', 'nq']);
const CODE_NAME = { tau: 'τ', qd: 'q̇', qdd: 'q̈', f_ext: 'fext', a_: 'a′', lam: 'λ', lambda: 'λ', omega: 'ω', Phi: 'Φ' };
const SUB = '(?:_(\\{[^}]*\\}|[A-Za-zα-ω0-9]+(?:,[A-Za-zα-ω0-9]+)*))?';  // _i, _k,i, _{i+1}: before or after the power
const TOKEN = new RegExp(`([A-Za-zΑ-Ωα-ω])([\u0300-\u036f]*)([A-Za-z]*)([′']*)${SUB}((?:⁻¹|⁻ᵀ|ᵀ|²)*)${SUB}|×\\*|[0-9.]+|\\s+|.`, 'gu');

/** A letter with its marks. Dots are drawn: fonts without combining marks would set them beside the letter, or in sans. */
function accent(letter, marks, slanted = true) {
  const dots = marks === '\u0307' ? 1 : marks === '\u0308' ? 2 : 0, high = /[A-Zbdfhklt]/.test(letter) ? ' hi' : '';
  if (dots) return `<i class="d${dots}${high}" role="img" aria-label="${letter + marks}">${letter}</i>`;
  return slanted ? `<i>${letter}${marks}</i>` : letter + marks;
}
/** Text or HTML with its dotted letters drawn. */
const dotted = html => html.replace(/([A-Za-z])([\u0307\u0308])(?!")/gu, (_, letter, marks) => accent(letter, marks));
/** An element's text as it is read out, dots included. */
function spoken(el) {
  if (!el) return ''; const all = el.cloneNode(true);
  all.querySelectorAll('i[aria-label],.mat[aria-label]').forEach(i => { i.textContent = i.getAttribute('aria-label'); });
  return all.textContent;
}

/** `at` maps a subscript letter to {text, cls}: those letters are replaced (numbers put in). */
function math(text, at = null) {
  const letter = c => (at && at[c] ? `<span class="${at[c].cls}">${at[c].text}</span>` : /[a-z]/.test(c) ? `<i>${c}</i>` : c);
  const under = s => (s.startsWith('{') ? s.slice(1, -1) : s).split(',').map(x => x.split('').map(letter).join(at && x.length > 1 ? '&thinsp;' : '')).join(',');
  let out = '';
  for (const m of String(text).matchAll(TOKEN)) {
    const [all, base, marks, tail, prime, sub1, power, sub2] = m;
    if (!base) { out += all === '×*' ? '×<sup>∗</sup>' : all === '@' ? '&thinsp;' : /\s/.test(all) ? ' ' : esc(all); continue; }
    const word = base + tail, sub = sub1 ?? sub2, of = base === 'λ' && String(text)[m.index + all.length] === '(';
    if (word === 'nv' || word === 'nq') { out += `<i>n</i><sub><i>${tail}</i></sub>`; continue; }
    if (UPRIGHT.has(word) || (tail.length > 1 && !/^(ext|inv|free)$/.test(tail) && !/^[A-Z]+$/.test(tail))) {
      out += esc(word) + (sub ? `<sub>${under(sub)}</sub>` : ''); continue;
    }
    if (at && at[word] && !sub && !marks && !of) { out += letter(word); continue; }   // λ(j) is a function of j, not the λ in hand
    const sup = (tail === 'inv' ? '−1' : tail === 'C' ? 'c' : tail) + power.replace('ᵀ', '⊤').replace('⁻', '−').replace('¹', '1').replace('²', '2');
    const stem = accent(base, marks, /[A-Za-zα-ω]/.test(base) && !/λ/.test(base)) + (prime ? '′' : '');
    out += stem + (sub && sup ? `<span class="ss"><span>${sup}</span><span>${under(sub)}</span></span>`
      : sub ? `<sub>${under(sub)}</sub>` : sup ? `<sup>${sup}</sup>` : '');
  }
  return out;
}
const m = (text, at) => `<span class="m">${math(text, at)}</span>`;

// ---------- 4 the record: values, poses, context of a step ----------
const copy = x => JSON.parse(JSON.stringify(x));
/** A value made here of numbers with seven digits: what is left of zeros is zero. */
const tidy = v => { const big = v ? biggest(v.x) : 0; return v && { ...v, x: v.x.map(x => (Math.abs(x) < 2e-6 * big ? 0 : x)) }; };

/** Where a subscript (2, [1, 0], "1:3, :") stands in an array of this shape: places in its flat list; null: not known here. */
function spots(ix, [rows, cols]) {
  const parts = typeof ix === 'string' ? ix.split(', ') : [].concat(ix), dots = parts.indexOf('...');
  if (dots >= 0) parts.splice(dots, 1, ...Array(Math.max(0, 3 - parts.length)).fill(':'));
  if (parts.length === 1) parts.push(':');
  const range = (part, n) => {
    const [, one, a, b, by] = String(part).match(/^(?:(-?\d+)|(-?\d*):(-?\d*)(?::(\d+))?)$/) || [null, '', 'x'], from0 = i => (i < 0 ? i + n : i), clip = i => Math.max(0, Math.min(n, from0(+i)));
    if (one) return from0(+one) >= 0 && from0(+one) < n ? [from0(+one)] : null;
    if (a === 'x' || by === '0') return null; const out = [];
    for (let i = a ? clip(a) : 0; i < (b ? clip(b) : n); i += +(by || 1)) out.push(i);
    return out;
  };
  const [a, b] = parts.length === 2 ? [range(parts[0], rows), range(parts[1], cols)] : []; return a && b ? a.flatMap(i => b.map(j => i * cols + j)) : null;
}

class Record extends Tree {
  constructor(p) {
    super({ ...p.model }); this.p = p;
    this.line = {}; p.lines.forEach(l => { this.line[l.n] = l; });
    this.steps = p.steps.map(s => ({ ...s, x: s.x && [...s.x] }));
    this.env = copy(p.env || {}); this.inputs = copy(p.inputs || {}); this.result = p.result;
    this.changed = false; this.dof = new Set(p.dof || []);
    this.index = {}; this.lists = {}; this.writes = {}; this.names = { ...CODE_NAME };
    let pass = 0, run = -1, body = null;
    this.steps.forEach((s, k) => {
      const found = p.passes.findIndex(q => s.l >= q.lines[0] && s.l <= q.lines[1]);
      if (found >= 0) pass = found;
      s.pass = pass; s.body = this.bodyOf(s);
      if (k === 0 || this.steps[k - 1].pass !== pass) { run++; body = null; }
      s.run = run; s.first = s.body !== body; body = s.body;
      if (s.k === 'w') { (this.index[this.key(s.n, s.ix)] ||= []).push(k); (this.writes[s.n] ||= []).push(k); }
      if (s.all) (this.lists[s.list] ||= []).push(k);
    });
    for (const l of p.lines) {                    // code name -> the author's symbol, from each line's left side
      const t = l.tree && l.tree.target, lhs = this.lhs(l);
      const stem = lhs && lhs.match(/^([^_[]+?)([_[]|$)/);
      if (t && stem && !(t.n in CODE_NAME)) this.names[t.n] = stem[1];
    }
    this.kernel = this.compile(p.kernel);
    this.place();
  }
  key(n, ix) { return n + '|' + (ix == null ? '' : Array.isArray(ix) ? ix.join(',') : ix); }
  bodyOf(s) {
    const at = s.at || {};
    for (const v of ['i', 'j', 'k', ...Object.keys(at)]) if (Number.isInteger(at[v]) && !this.dof.has(v)) return at[v];
    for (const v of ['k', 'i', ...Object.keys(at)]) if (Number.isInteger(at[v]) && at[v] >= 0) return this.model.dof_body[at[v]];
    return Number.isInteger(s.ix) ? s.ix : null;
  }
  /** Body j of an inner walk towards the base (while body i is in hand), or null. */
  walker(s) { const j = (s.at || {}).j; return Number.isInteger(j) && !this.dof.has('j') && j !== s.body ? j : null; }
  parent(i) { return i > 0 && i <= this.n ? this.model.parent[i] : null; }
  lhs(l) { const c = l.sym.match(/^(.*?)\s*(?:\+=|−=|←|=)/); return l.kind === 'for' || l.kind === 'if' || l.kind === 'while' ? null : c && c[1].trim(); }
  name(n) { return this.names[n] || n; }
  /** Last value of (n, ix) written before step k, else a constant the line reads, else null. */
  value(n, ix, k) {
    const own = this.entry(n, ix, k), kind = x => (x == null ? 0 : typeof x === 'number' ? 1 : Array.isArray(x) ? 2 : x), since = own?.from ?? -1;
    const later = (this.writes[n] || []).some(j => j > since && j < k && kind(this.steps[j].ix) !== kind(ix));   // written since as a whole, or in another part
    return !later ? own : this.pieced(n, ix, k) ?? (typeof ix === 'string' && !this.base(n, k) ? own : null);
  }
  /** An array as it was last written (or read) as a whole before step k: {x, s, from}; null: never. */
  base(n, k) {
    const j = (this.index[this.key(n, null)] || []).filter(i => i < k).pop(), e = this.env[n] && this.env[n][''];
    return j != null ? { ...this.steps[j], from: j } : e && e.x ? { x: e.x, s: e.s, from: -1 } : null;
  }
  /** An array (or part ix of it) pieced together: as it was written as a whole, and what was written into it since. null: it cannot be told. */
  pieced(n, ix, k) {
    const whole = this.base(n, k); if (!whole || (typeof ix === 'number' && whole.s[1] > 1)) return null;   // a row, or a column of M[..., i]
    const x = [...whole.x]; let { from } = whole;
    for (const j of this.writes[n]) {
      const s = this.steps[j]; if (j <= whole.from || j >= k || s.ix == null) continue;
      const at = spots(s.ix, whole.s); if (!at || at.length !== s.x.length) return null;
      at.forEach((c, e) => { x[c] = s.x[e]; }); from = j;
    }
    const at = ix == null ? null : spots(ix, whole.s); if (ix != null && !at) return null;
    return at ? { x: at.map(c => x[c]), s: [at.length, 1], from } : { x, s: whole.s, from };
  }
  /** Last value written to exactly this entry, or what a line reads there. */
  entry(n, ix, k) {
    const list = this.index[this.key(n, ix)];
    const anew = (this.lists[n] || []).filter(j => j < k).pop() ?? -1;      // the whole list was written then
    const mine = j => ix != null || (this.steps[j].c || 0) === (this.steps[Math.min(k, this.steps.length - 1)].c || 0);   // locals of this call
    if (list) for (let j = list.length - 1; j >= 0 && list[j] > anew; j--) if (list[j] < k && mine(list[j])) return { ...this.steps[list[j]], from: list[j] };
    if (anew >= 0 && Number.isInteger(ix) && this.steps[anew].all[ix]) return { ...this.steps[anew].all[ix], anew };
    const e = this.env[n];
    if (e) { const x = e[Array.isArray(ix) ? ix.join(',') : ix ?? '']; if (x) return x; }
    const all = e && ix != null && e[''];         // an entry of an array that is kept as a whole
    if (all && all.x) {
      const [a, b = 0] = [].concat(ix), [r, c] = all.s, row = Array.isArray(ix) || c === 1;
      if (row && a >= 0 && a < r && b >= 0 && b < c) return { x: [all.x[a * c + b]], s: [1, 1] };
    }
    return null;
  }
  /** What the tree view draws: bodies; or, where every loop counts freedoms, those: node d + 1 is freedom d. Node 0 is the base. */
  get net() {
    if (!this.drawn) {
      const used = new Set(this.steps.flatMap(s => Object.keys(s.at || {}))), up = this.model.dof_parent, dofs = !!up && used.size > 0 && [...used].every(v => this.dof.has(v));
      const parent = dofs ? [-1, ...up.map(p => p + 1)] : this.model.parent, children = parent.map(() => []);
      parent.forEach((p, i) => { if (p >= 0) children[p].push(i); });
      this.drawn = { dofs, parent, n: parent.length - 1, children: i => children[i] };
    }
    return this.drawn;
  }
  /** The outermost loop's letter, and the freedom that it has in hand. */
  outer(s) { return Object.keys(s.at || {})[0]; }
  hand(s) { return (s.at || {})[this.outer(s)] ?? null; }
  /** The node in hand, and those that inner loops have reached. */
  node(s) { const d = this.hand(s); return this.net.dofs ? (d == null ? null : d + 1) : s.body; }
  walkers(s) {
    if (!this.net.dofs) { const j = this.walker(s); return j == null ? [] : [j]; }
    return Object.entries(s.at || {}).filter(([v]) => v !== this.outer(s)).map(([, d]) => d + 1);
  }
  /** Edges (their lower nodes) on the way from node a to node b, with its direction; null if neither is above the other. */
  way(a, b) {
    const climb = (x, top) => { const list = []; for (; x !== top; x = this.net.parent[x]) { if (x <= 0) return null; list.push(x); } return list; };
    const up = climb(a, b), down = up || climb(b, a); return down && { edges: down, out: !up };
  }
  /** The message of step k as the tree draws it: {from, to, n, ix, v, join}; v: its value. Bodies: see `message`. Freedoms: a new entry (k, i) is
   *  what k says to i; an entry (i, j) worked over while k is in hand joins i and j; an x_i made from x_k has x_k come over. */
  tells(k) {
    const s = this.steps[k], l = this.line[s.l]; if (s.k !== 'w' || !l.tree) return null;
    if (!this.net.dofs) { const g = this.message(k); const v = g && (g.of ? tidy(this.reckon(g.of, s.at, k)) : this.value(g.n, g.ix, k)); return g && (v || !g.of) ? { ...g, v } : null; }
    const ix = s.ix == null ? [] : [].concat(s.ix), hand = this.hand(s); if (hand == null || !ix.length || ix.length > 2 || ix.some(d => !(d >= 0))) return null;
    const reads = this.refs(l.tree.rhs).filter(r => r.n !== 'λ').map(r => ({ n: r.n, ix: this.index1(r.ix, s.at) })), text = String(ix);
    if (ix.length === 2) {
      const made = { n: s.n, ix: s.ix, v: s };
      if (!ix.includes(hand)) return reads.some(r => r.n === s.n && String(r.ix) === text) ? { ...made, from: ix[0] + 1, to: ix[1] + 1, join: true } : null;
      const [other] = ix.filter(d => d !== hand); return other == null ? null : { ...made, from: hand + 1, to: other + 1 };
    }
    const far = reads.filter(r => Number.isInteger(r.ix) && r.ix >= 0 && r.ix !== ix[0]), r = far.find(x => x.n === s.n) || far[0];
    return r ? { n: r.n, ix: r.ix, v: this.value(r.n, r.ix, k), from: r.ix + 1, to: ix[0] + 1 } : null;
  }
  /** What stood in entry "a,b" of an array before anything was written, or null. */
  start(n, key) { const e = this.env[n], [a, b] = key.split(',').map(Number); if (e[key]) return e[key]; const all = e['']; return all ? { x: [all.x[a * all.s[1] + b]] } : null; }
  /** What step k writes over: the same entry, or a name without index written for the same body in the same round. */
  before(k) {
    const s = this.steps[k], v = s.k === 'w' ? this.value(s.n, s.ix, k) : null; if (!v || !v.x || v.x.length !== s.x.length) return null;
    if (s.ix != null) return v;
    const p = v.from == null ? null : this.steps[v.from]; return p && p.run === s.run && p.body === s.body && this.sameRound(p, s) ? v : null;
  }
  /** Letters of the pseudocode that have a number at step k. */
  letters(k) {
    const s = this.steps[k], out = {};
    for (const [v, x] of Object.entries(s.at || {})) {
      if (typeof x !== 'number') continue;
      const text = !this.dof.has(v) ? x : x < 0 ? WORDS.en.base : x + 1;
      out[v] = { text, cls: (this.net.dofs ? v !== this.outer(s) : v === 'j' && 'i' in s.at) ? 'c-message' : 'c-current' };
    }
    const inner = this.walker(s) ?? s.body;
    if (inner != null && !this.dof.has('i') && this.parent(inner) != null && this.parent(inner) >= 0) out['λ'] = { text: this.parent(s.body), cls: 'c-parent' };
    return out;
  }
  /** The written thing of step k in the author's symbols, with numbers for letters. */
  target(k) {
    const s = this.steps[k], l = this.line[s.l], lhs = this.lhs(l);
    const plain = {}; for (const [c, v] of Object.entries(this.letters(k))) plain[c] = { text: v.text, cls: '' };
    const where = /\[(.*)\]/.exec(lhs || ''), told = where && (where[1].match(/[\p{L}_]\w*/gu) || []).every(c => c in plain && c !== 'λ');
    if (typeof s.ix === 'string' && (!lhs || (where && !told))) return `<span class="m">${math(this.name(s.n))}[${esc(s.ix)}]</span>`;
    return lhs ? m(lhs, plain) : m(this.name(s.n) + (s.ix == null ? '' : '_' + [].concat(s.ix).join('')));
  }
  sentence(k) {
    const at = this.letters(k), l = this.line[this.steps[k].l];
    const said = dotted(esc(l.words || l.sym)).replace(/\{(.)\}/g, (all, c) => (at[c] ? at[c].text : all));
    return said.replace(/\b(?:([Bb])ody|([Jj])oint) 0\b/g, (all, b, j) => ('BJ'.includes(b || j) ? 'The base' : 'the base'));
  }
  /** Matrices that the function returns, as {x, s}. */
  get outs() { return this.p.outs || (this.result ? [{ x: this.result, s: Array(2).fill(this.model.dof_body.length) }] : []); }
  /** Which of them a table of entries ends as: all that is written agrees. null: none. */
  end(name) {
    this.ends ||= {};
    if (!(name in this.ends)) {
      const T = table(this, name, this.steps.length - 1, true);
      this.ends[name] = T ? this.outs.findIndex(({ x, s }) => x.length === s[0] * s[1] && T.rows.every(r => T.cols.every(c => { const y = T.cell(r, c); return !y || (r < s[0] && c < s[1] && y.x === x[r * s[1] + c]); }))) : -1;
    }
    return this.outs[this.ends[name]] || null;
  }
  /** The name of what the function returns: a table that is the result. */
  returned() {
    if (this.out !== undefined || !this.outs.length) return this.out ?? null;
    const names = [...new Set(this.steps.filter(s => s.k === 'w' && Array.isArray(s.ix)).map(s => s.n))];
    return (this.out = names.find(n => this.end(n) === this.outs[0]) ?? names.find(n => this.end(n)) ?? null);
  }
  index1(ix, at) {                                // index expression of a tree node -> number
    if (ix == null) return null;
    if (Array.isArray(ix)) return ix.map(x => this.index1(x, at));
    if (ix.v === 'λ') { const j = this.index1(ix.of, at); return (this.net.dofs ? this.model.dof_parent : this.model.parent)[j]; }
    if (typeof ix.v === 'number') return ix.v;
    if (ix.v in at) return at[ix.v];
    const w = this.index[this.key(ix.v, null)]; return w ? this.steps[w[w.length - 1]].x[0] : null;
  }
  refs(node, out = [], turned = false) {          // every read of a line, in order; t: transposed
    if (!node || typeof node !== 'object') return out;
    if (node.op === 'ref') out.push({ n: node.n, ix: node.ix, t: turned });
    for (const c of [node.a, node.b]) if (Array.isArray(c)) c.forEach(x => this.refs(x, out)); else if (c) this.refs(c, out, node.op === 'T');
    return out;
  }
  sameRound(a, b) { return [...this.dof].every(v => (a.at || {})[v] === (b.at || {})[v]); }
  /** What step k passes along an edge: {from, to, n, ix, out} or null. X_bᵀ … goes from body b to its parent, X_b … comes from it. */
  message(k) {
    const s = this.steps[k], l = this.line[s.l]; if (s.k !== 'w' || !l.tree) return null;
    const reads = this.refs(l.tree.rhs).map(r => ({ n: r.n, ix: this.index1(r.ix, s.at), t: r.t }));
    const x = reads.findIndex(r => r.n === 'X' && (r.t || s.n !== 'X')); if (x < 0) return null;
    const b = reads[x].ix, p = this.parent(b), next = reads.slice(x + 1).find(r => r.n !== 'X'); if (p == null || p < 0 || !next) return null;
    const what = this.carriedBy(l.tree.rhs), of = what && what.op !== 'ref' && what.op !== '@' ? { of: what, as: (l.sym.match(/ᵀ \((.+)\)$/)?.[1] || '').replace(/_[\p{L}\d,]+/gu, '').replace(/(\p{L})inv/gu, '$1⁻¹') } : null;   // a sum: its value is what is sent
    return reads[x].t ? { from: b, to: p, out: false, n: next.n, ix: next.ix, ...of } : next.ix === p ? { from: p, to: b, out: true, n: next.n, ix: next.ix } : null;
  }
  /** What Xᵀ is multiplied with in a line, or null. */
  carriedBy(n) {
    if (!n || typeof n !== 'object') return null;
    if (n.op === '@' && n.a.op === 'T' && n.a.a.op === 'ref' && n.a.a.n === 'X') return n.b;
    return [n.a, n.b].flat().reduce((found, x) => found || this.carriedBy(x), null);
  }
  /** The value {x, s} of part of a line at step k, or null where it holds what cannot be reckoned here. */
  reckon(n, at, k) {
    if (n.op === 'ref') { const v = this.value(n.n, this.index1(n.ix, at), k); return v && v.x ? { x: v.x, s: v.s || [v.x.length, 1] } : null; }
    if (n.op === 'num') return { x: [n.v], s: [1, 1] };
    const a = n.a && !Array.isArray(n.a) ? this.reckon(n.a, at, k) : null, b = n.b ? this.reckon(n.b, at, k) : null;
    if (!a || (n.b && !b)) return null;
    if (n.op === 'T') return { x: transposed(a), s: [a.s[1], a.s[0]] };
    if (n.op === 'neg') return { x: a.x.map(v => -v), s: a.s };
    if (n.op === '+' || n.op === '-') return a.x.length === b.x.length ? { x: a.x.map((v, i) => (n.op === '+' ? v + b.x[i] : v - b.x[i])), s: a.s } : null;
    if (n.op === '*' && b.x.length === 1) return { x: a.x.map(v => v * b.x[0]), s: a.s };
    if (n.op === '*' && a.x.length === 1) return { x: b.x.map(v => a.x[0] * v), s: b.s };
    if (n.op === '/' && b.x.length === 1) return { x: a.x.map(v => v / b.x[0]), s: a.s };
    if (n.op !== '@' || a.s[1] !== b.s[0]) return null;
    const [r, c, m] = [a.s[0], a.s[1], b.s[1]];
    return { x: Array.from({ length: r * m }, (_, e) => { let sum = 0; for (let j = 0; j < c; j++) sum += a.x[Math.floor(e / m) * c + j] * b.x[j * m + e % m]; return sum; }), s: [r, m] };
  }
  // -- live numbers
  compile(kernel) {
    if (!kernel) return null;
    try {
      const f = new Function(`"use strict";return (${kernel.src})`)(), y = f(...this.numbersIn());
      return y.length === kernel.size ? f : null;
    } catch { return null; }                      // a page that forbids generated code keeps the recorded numbers
  }
  numbersIn() { return this.p.kernel.args.map(a => Float64Array.from(this.inputs[a])); }
  run() {
    this.changed = Object.keys(this.inputs).some(a => this.inputs[a].some((x, i) => x !== this.p.inputs[a][i]));
    if (this.changed) {
      const y = this.kernel(...this.numbersIn()), take = (x, from) => [...y.slice(from, from + x.length)];
      for (const e of this.p.kernel.out) {
        if (e[0] === 'env') { const v = (this.env[e[1]] || {})[e[2]]; if (v) v.x = take(v.x, e[3]); }
        else if (e[0] === 'all') { const v = this.steps[e[1]].all?.[e[2]]; if (v) v.x = take(v.x, e[3]); }
        else { const s = this.steps[e[0]]; if (s.x) s.x = take(s.x, e[1]); }
      }
      if (this.p.result) this.result = take(this.p.result, 0);
    } else this.recorded();
    if (this.inputs.m) this.model.mass = [this.model.mass[0], ...this.inputs.m];
    this.place();
  }
  recorded() {
    this.steps.forEach((s, j) => { if (s.x) s.x = [...this.p.steps[j].x]; if (s.all) s.all = copy(this.p.steps[j].all); });
    this.env = copy(this.p.env || {}); this.result = this.p.result;
  }
  // -- geometry
  relative(i) {
    const list = this.index[this.key('X', i)];
    if (list) { const s = this.steps[list[list.length - 1]]; if (s.x.length === 36) return poseOf(s.x); }
    const q0 = this.p.inputs.q, at = this.model.q && this.model.q[i];
    const rel = this.p.poses ? { R: this.p.poses[i][0], p: this.p.poses[i][1] } : poseOf(this.model.XT[i]);
    return q0 && at && at[1] - at[0] === 1 ? compose(rel, this.joint(i, [this.inputs.q[at[0]] - q0[at[0]]])) : rel;
  }
  place() { this.rel = [null]; for (let i = 1; i <= this.n; i++) this.rel[i] = this.relative(i); this.poses = this.chain(); }
}

// ---------- 5 drawing ----------
/** A turning arrow about c; turn in radians, counter-clockwise positive (screen y points down). */
function turning(c, r, turn, cls, start = 0.6) {
  const end = start + turn, at = t => [c[0] + r * Math.cos(t), c[1] - r * Math.sin(t)], back = turn > 0 ? -0.42 : 0.42;
  const e = at(end), s = at(start), b = at(end + back * (14 / r)), d = [e[0] - b[0], e[1] - b[1]], L = Math.hypot(...d) || 1;
  const head = point(e, [d[0] / L, d[1] / L]), large = Math.abs(turn) > Math.PI ? 1 : 0, sweep = turn > 0 ? 0 : 1;
  const stop = at(end + back * 0.6 * (14 / r));
  return path(`${poly(s)}A${r} ${r} 0 ${large} ${sweep} ${f1(stop[0])} ${f1(stop[1])}`, 'arr ' + cls) + path(head, 'head ' + cls);
}
/** A letter for SVG text; dots are full stops raised over it, the pen returned to the letter's end. */
function svgLetter(base) {
  const dots = base.endsWith('\u0307') ? '.' : base.endsWith('\u0308') ? '..' : '', letter = dots ? base.slice(0, -1) : base;
  const [there, back] = dots.length > 1 ? [-0.42, -0.08] : [-0.3, 0.05];
  return `<tspan font-style="italic">${esc(letter)}</tspan>` + (dots && `<tspan dx="${there}em" dy="-.56em">${dots}</tspan><tspan dx="${back}em" dy=".56em">&#8203;</tspan>`);
}
function svgMath(name, sub) {                     // a symbol with sub- and superscript as SVG text spans
  const [, base, sup] = name.match(/^(.[\u0300-\u036f]*)(.*)$/u);
  return `${svgLetter(base)}${sup ? `<tspan dy="-5" font-size="10">${esc(sup === 'C' ? 'c' : sup)}</tspan><tspan dy="5">&#8203;</tspan>` : ''}${
    sub == null ? '' : `<tspan dy="3.5" font-size="10">${esc(sub)}</tspan>`}`;
}
// ---------- 6 arm ----------
const FORCE = /^(f|p|F|U)/, MOTION = /^(v|a|c)/;
const sized = (l, most) => (l > 1e-9 * most && most > 0 ? 15 + 47 * Math.min(1, l / most) : 0);

/** Arrows of step k: list of {svg, key}. */
function marks(rec, cam, k) {
  const s = rec.steps[k], out = []; if (s.k !== 'w' || !s.x) return out;
  const R = cam.at.bind(cam), msg = rec.message(k), most = name => Math.max(...rec.steps.map(t => (t.n === name && t.x && t.x.length === 6 ? norm(arrowOf(rec, t).v) : 0)));
  const draw = (step, cls, key) => {
    const a = arrowOf(rec, step), L = sized(norm(a.v), most(step.n)); let svg = '';
    const p0 = R(a.p);
    if (L) {
      const e = R(add(a.p, a.v, L / norm(a.v) / cam.scale)), d = [e[0] - p0[0], e[1] - p0[1]], n = Math.hypot(...d);
      svg += arrow(p0, e, cls);
      if (n > 4) svg += label([e[0] + d[0] / n * 11, e[1] + d[1] / n * 11], 'mt ' + cls, svgMath(rec.name(step.n), step.ix));
    }
    const big = Math.max(...rec.steps.map(t => (t.n === step.n && t.x && t.x.length === 6 ? norm(arrowOf(rec, t).w) : 0))), w = norm(a.w);
    if (w > 1e-9 * big && big > 0) {
      if (rec.planar) svg += turning(R(a.c), 15, Math.sign(a.w[2]) * (0.9 + 3.4 * w / big), cls);
      else { const q = R(a.c); svg += arrow(q, R(add(a.c, a.w, sized(w, big) * 0.8 / w / cam.scale)), cls, 2); }
    }
    if (svg) out.push({ svg, key, cls });
  };
  if (s.x.length === 6 && (FORCE.test(s.n) || MOTION.test(s.n)) && (Number.isInteger(s.ix) || s.s[1] === 1)) {
    if (!Number.isInteger(s.ix)) draw({ ...s, ix: msg ? msg.to : s.body }, FORCE.test(s.n) ? 'c-message' : 'c-current', arrowOf(rec, { ...s, ix: s.body }).key);
    else if (msg && !msg.out && FORCE.test(msg.n || '')) {
      const v = rec.value(msg.n, msg.ix, k);
      if (v && v.x.length === 6) draw({ n: msg.n, ix: msg.from, x: v.x, s: v.s }, 'c-message', 'msg');
    } else draw(s, FORCE.test(s.n) ? 'c-message' : 'c-current', arrowOf(rec, s).key);
  } else if (s.x.length === 1 && /^(tau|qdd|u|qd)$/.test(s.n) && rec.model.nv[s.ix] === 1) {
    const all = Math.max(...rec.steps.map(t => (t.n === s.n && t.x ? Math.abs(t.x[0]) : 0))), x = s.x[0], cls = /^(tau|u)$/.test(s.n) ? 'c-message' : 'c-current';
    const pose = rec.poses[s.ix], axis = mul(pose.R, rec.model.axis[s.ix] || [0, 0, 1]), p = R(pose.p);
    if (Math.abs(x) > 1e-9 * all) {
      const turns = rec.planar && rec.model.kind[s.ix] === 'revolute';
      const svg = turns ? turning(p, 17, Math.sign(x) * Math.sign(axis[2]) * (0.9 + 3.4 * Math.abs(x) / all), cls)
        : (() => {
          const e = R(add(pose.p, axis, Math.sign(x) * sized(Math.abs(x), all) / cam.scale)), d = [e[0] - p[0], e[1] - p[1]], n = Math.hypot(...d) || 1;
          return arrow(p, e, cls, rec.model.kind[s.ix] === 'revolute' ? 2 : 1)
            + label([e[0] + d[0] / n * 13, e[1] + d[1] / n * 13], 'mt ' + cls, svgMath(rec.name(s.n), s.ix));
        })();
      out.push({ svg, key: 'tau', cls });
    }
  } else if (rec.planar && s.x.length === 36 && /^(I|M)/.test(s.n) && Number.isInteger(s.ix) && rec.poses[s.ix]) {
    out.push(...heaviness(rec, cam, s));
  }
  return out;
}

/** Point, linear and turning part (world) by which a 6D vector of body ix is drawn. */
function arrowOf(rec, s) {
  const pose = rec.poses[s.ix] || rec.poses[0], w = s.x.slice(0, 3), v = s.x.slice(3), com = rec.model.com[s.ix] || [0, 0, 0];
  const world = x => mul(pose.R, x), o = pose.p, c = add(o, world(com));
  if (FORCE.test(s.n)) {
    if (s.n === 'fB') return { p: c, c, v: world(v), w: world(add(w, cross(com, v), -1)), key: 'fB' };
    return { p: o, c: o, v: world(v), w: world(w), key: 'f' };
  }
  if (s.n === 'v') return { p: c, c: o, v: world(add(v, cross(w, com))), w: world(w), key: 'v' };
  if (s.n === 'a') {
    const V = rec.value('v', s.ix, Infinity), wv = V ? V.x.slice(0, 3) : [0, 0, 0], vv = V ? V.x.slice(3) : [0, 0, 0];
    return { p: c, c: o, v: world(add(add(v, cross(w, com)), cross(wv, add(vv, cross(wv, com))))), w: world(w), key: 'a' };
  }
  return { p: o, c: o, v: world(v), w: world(w), key: 'm' };
}

/** Planar inertia of a step: circle of gyration (rigid), or the curve dᵀAd (articulated). */
function heaviness(rec, cam, s) {
  const A = grid(s, true).rows, pose = rec.poses[s.ix], out = [], rigid = !/A|a/.test(s.n);
  if (rigid) {
    const mass = A[1][1]; if (!(mass > 0)) return out;
    const c = [A[2][0] / mass, -A[1][0] / mass, 0], J = A[0][0] / mass - c[0] ** 2 - c[1] ** 2, p = cam.at(add(pose.p, mul(pose.R, c)));
    out.push({ svg: `<circle class="felt" cx="${f1(p[0])}" cy="${f1(p[1])}" r="${f1(Math.max(4, Math.sqrt(Math.max(0, J)) * cam.scale))}"/>`
      + path(`M${f1(p[0] - 5)} ${f1(p[1])}h10M${f1(p[0])} ${f1(p[1] - 5)}v10`, 'arr c-current'), key: 'IC', cls: 'c-current' });
  } else {
    const all = Math.max(...rec.steps.map(t => (t.x && t.x.length === 36 && /A|a/.test(t.n) && /^I/.test(t.n) ? Math.max(t.x[21], t.x[28]) : 0)));
    if (!(all > 0)) return out;
    let d = ''; const o = cam.at(pose.p);
    for (let n = 0; n <= 72; n++) {
      const t = n * Math.PI / 36, u = [Math.cos(t), Math.sin(t)], q = mul(pose.R, [u[0], u[1], 0]);
      const r = 56 / all * (A[1][1] * u[0] ** 2 + 2 * A[1][2] * u[0] * u[1] + A[2][2] * u[1] ** 2);
      d += `${n ? 'L' : 'M'}${f1(o[0] + r * q[0])} ${f1(o[1] - r * q[1])}`;
    }
    out.push({ svg: path(d + 'z', 'felt' + (s.n === 'Ia' ? ' msg' : '')), key: 'IA', cls: s.n === 'Ia' ? 'c-message' : 'c-current' });
  }
  return out;
}

function armView(pl) {
  const { rec, cam, k, t } = pl, s = rec.steps[k], act = pl.acted();
  const seen = new Set(rec.steps.slice(0, k).filter(x => x.run === s.run && x.k === 'w').map(x => x.body)), par = rec.parent(s.body);
  const walk = rec.walker(s), cls = i => (act ? 'dim' : i === s.body ? 'cur' : i === walk ? 'walk' : walk == null && i === par ? 'par' : seen.has(i) ? 'fold' : '');
  const small = rec.n > 9;
  const order = i => (i === s.body ? 2 : i === par ? 1 : 0);
  const { parts, segments, labels, w } = armParts(rec, cam, cls, { order, base: act ? 'dim base' : 'base' });
  let over = '', text = '';
  const base = cam.at([0, 0, 0]), grounded = rec.model.kind.some((x, i) => i && rec.model.parent[i] === 0 && x !== 'free' && x !== 'planar');
  const taken = [], foot = grounded && rec.planar ? [[base[0] - 16, base[1] + 17], [base[0] + 16, base[1] + 17]] : null;
  const room = (c, gap) => Math.min(34, ...segments.map(q => away(c, q[0], q[1])), ...taken.map(q => Math.hypot((c[0] - q[0]) * 0.7, c[1] - q[1])),
    ...labels.map(q => Math.hypot(c[0] - q.o[0], c[1] - q.o[1]) - gap), foot ? away(c, ...foot) : 99,
    c[0] < 8 || c[0] > W - 8 || c[1] < 8 || c[1] > cam.H - 8 ? 0 : 99);
  const free = (choices, gap) => {                // the candidate farthest from links, joints and other labels
    let best = null, score = -Infinity;
    for (const c of choices) { const d = room(c, gap); if (d > score + 0.5) { score = d; best = c; } }
    taken.push(best); return best;
  };
  const around = (c, rx, ry, count) => [...Array(count).keys()].map(q => [c[0] + rx * Math.cos(q * 2 * Math.PI / count), c[1] + ry * Math.sin(q * 2 * Math.PI / count)]);
  const ms = act ? [] : pl.masked ? [] : marks(rec, cam, k);
  if (!act) {
    for (const l of labels) {
      const d = [l.e[0] - l.o[0], l.e[1] - l.o[1]], L = Math.hypot(...d) || 1, n = [-d[1] / L, d[0] / L];
      const along = f => [l.o[0] + d[0] * f, l.o[1] + d[1] * f], side = (f, r) => [[along(f)[0] + n[0] * r, along(f)[1] + n[1] * r], [along(f)[0] - n[0] * r, along(f)[1] - n[1] * r]];
      if (small && l.i !== s.body && l.i !== par) continue;
      const at = free(L > 24 ? [...side(0.5, 14), ...side(0.35, 14), ...side(0.65, 14)] : around(l.o, 19, 19, 8), 0);
      text += label(at, 'bn ' + cls(l.i), l.i);
    }
    if (rec.planar && rec.n <= 6) for (const l of labels) {
      if (!(rec.model.mass[l.i] > 0)) continue;
      const at = free(around(l.com, l.R + 20, l.R + 11, 12), 8);
      text += label(at, '', num(rec.model.mass[l.i], 3) + ' kg');
    }
    if (grounded && !rec.planar) text += label(free(around(base, pl.deck ? 38 : 28, 14, 12), 0), '', pl.t('base'));
  } else {
    const to = (poses, c) => {
      let g = '';
      for (let i = rec.n; i; i--) rec.ends(i, poses).forEach((e, j) => {
        const from = rec.planar ? [cam.at(rec.poses[i].p), cam.at(rec.ends(i)[j])] : null;
        g += capsule(cam.at(poses[i].p), cam.at(e), w, c, from);
      });
      return g;
    };
    over = to(act.real, 'real') + (act.wrong ? to(act.wrong, 'ghost') : '');
  }
  const ground = !grounded || !rec.planar ? '' : path(`${poly([base[0] - 6, base[1] + 9])}l-8 10h28l-8-10`
    + `${poly([base[0] - 16, base[1] + 19])}h32m-27 0-4 6m12-6-4 6m12-6-4 6m12-6-4 6`, 'ground');
  const under = ms.filter(x => /^I/.test(x.key)).map(x => x.svg).join(''); over += ms.filter(x => !/^I/.test(x.key)).map(x => x.svg).join('');
  const sign = (c, name) => `<span><i class="${c}"></i>${t(name)}</span>`;
  const key = act ? sign('kr', 'real') + (act.wrong ? sign('kw', 'yours') : '') : sign('kc', 'hand') + (walk == null ? sign('kp', 'parent') : sign('kj', 'walk')) + sign('kf', 'seen');
  const kinds = [...new Map(ms.map(x => [x.key, x])).values()], lead = x => (/^I/.test(x.key) ? '' : x.key === 'tau' ? '↻ ' : '→ ');
  const arrows = kinds.map(x => `<span class="${x.cls}">${lead(x)}${t(x.key)}</span>`).join('');
  const what = esc(rec.p.subtitle || rec.model.name || '') + (rec.planar ? '' : ': ' + t('turn')), spin = rec.planar ? '' : ' tabindex="0" class="spin" data-spin';
  const drawing = cam.paper() + ground + parts.map(x => x.svg).join('') + under + text + over;
  return `<div class="art"><svg viewBox="0 0 ${W} ${f1(cam.H)}" role="img" aria-label="${what}"${spin}>${drawing}</svg></div>
    <div class="key">${key}</div><div class="key two">${arrows || (act || rec.planar ? '' : t('turn'))}</div>`;
}

// ---------- 7 tree ----------
const SIZE = x => `|${x}|`;
/** A travelling value as short text: planar numbers in full, 3D by the sizes of its two halves. */
function brief(rec, n, v, as) {
  const name = as || rec.name(n);
  if (!v || !v.x) return name;
  if (v.x.length === 1) return `${name} = ${num(v.x[0], 3)}`;
  if (v.x.length === 36) return `${name}, ${rec.planar ? '3 × 3' : '6 × 6'}`;
  if (v.x.length !== 6) return name;
  if (rec.planar) { const x = [2, 3, 4].map(i => num(v.x[i], 3, biggest(v.x))); return `${name} (${x[0]}; ${x[1]}, ${x[2]})`; }
  const [w, l] = FORCE.test(n) ? ['n', 'f'] : /^[ac]/.test(n) ? ['α', 'a'] : ['ω', 'v'];
  return `${name}: ${SIZE(w)} ${num(norm(v.x.slice(0, 3)), 3)}, ${SIZE(l)} ${num(norm(v.x.slice(3)), 3)}`;
}
const raised = c => (c ? `<tspan dy="-4" font-size="10">${c}</tspan><tspan dy="4">&#8203;</tspan>` : '');
const plainName = t => esc(t).replace(/^(.[\u0300-\u036f]*)([A-Za-z]*)/u, (_, b, c) => svgLetter(b) + raised(c));

function treeLayout({ n, children, dofs }) {
  const depth = [0], x = [], kids = children; let leaf = 0;
  const walk = i => { const c = kids(i); c.forEach(j => { depth[j] = depth[i] + 1; walk(j); }); x[i] = c.length ? c.reduce((s, j) => s + x[j], 0) / c.length : leaf++; };
  walk(0);
  const deep = Math.max(...depth), r = deep > (dofs ? 7 : 9) || leaf > 5 ? 9 : deep > 5 ? 12 : 15, dy = deep > 12 ? 30 : dofs && deep > 7 ? 35 : deep > 9 ? 30 : deep > 5 ? 42 : 62;
  const dx = leaf > 1 ? Math.min(112, (W - 2 * r - (leaf < 4 ? 120 : 10)) / (leaf - 1)) : 0;
  const off = W / 2 - dx * (leaf - 1) / 2;
  return { r, H: deep * dy + 2 * r + 12, at: x.map((v, i) => [off + v * dx - (leaf === 1 ? 30 : 0), r + 6 + depth[i] * dy]) };
}
const under1 = (rec, ix) => { const d = [].concat(ix).map(x => x + (rec.net.dofs ? 1 : 0)); return d.join(d.some(x => x > 9) ? ',' : ''); };
/** A travelling value as [SVG text, its length]. Freedoms: L₄₁ = 1. */
function carried(rec, g, masked) {
  if (!rec.net.dofs) { const t = masked ? (g.as || rec.name(g.n)) + ' ?' : brief(rec, g.n, g.v, g.as); return [g.as ? esc(t) : plainName(t), t.length]; }
  const value = masked ? '?' : g.v && g.v.x && g.v.x.length === 1 ? num(g.v.x[0], 3) : '', sub = under1(rec, g.ix), name = rec.name(g.n);
  return [svgMath(name, sub) + `<tspan dy="-3.5"> ${value && '= ' + value}</tspan>`, name.length + sub.length * 0.8 + 3 + value.length];
}

function treeView(pl) {
  const { rec, k, t } = pl, s = rec.steps[k], { net } = rec, T = pl.tree ||= treeLayout(net), here = rec.node(s), walk = rec.walkers(s), par = net.dofs ? null : rec.parent(s.body);
  const edge = {}, arcs = []; let past = false, some = false;
  const note = (j, g) => {
    const now = j === k, way = g.join ? null : net.dofs ? rec.way(g.from, g.to) : { edges: [g.out ? g.to : g.from], out: g.out }; some = true;
    if (!way) { if (now) arcs.push(g); return; }
    for (const e of way.edges) edge[e] = { tag: (edge[e] || {}).tag, out: way.out, now, ...(e === way.edges[way.edges.length - 1] ? { tag: { g, now } } : {}) };   // the number stands at the upper end
  };
  const round = (a, b) => (net.dofs ? rec.hand(a) === rec.hand(b) : rec.sameRound(a, b));
  const gather = (run, of) => rec.steps.forEach((x, j) => { if (j > k || x.run !== run || (of && !round(x, of))) return; const g = rec.tells(j); if (g) note(j, g); });
  gather(s.run, s);
  if (!some && s.run > 0 && !net.dofs) { gather(s.run - 1, null); past = some; }   // nothing passed on yet: the last picture, greyed
  let lines = '', chips = '', nodes = '', joints = ''; const h = pl.deck ? 30 : 22, wide = n => n * (pl.deck ? 7.8 : 6.1) + 14;
  const chip = (at, [text, length], cls = '') => `<g class="chip ${cls}"><rect x="${f1(at[0] - wide(length) / 2)}" y="${f1(at[1] - h / 2)}" width="${f1(wide(length))}" height="${h}" rx="${cls ? 4 : h / 2}"/>${label(at, '', text)}</g>`;
  /** Beside a point: on the wanted side, unless nodes are there; then on the other, or a little higher or lower. */
  const beside = (p, gap, w, left) => {
    const at = (side, dy) => [Math.max(w / 2 + 1, Math.min(W - w / 2 - 1, p[0] + side * (w / 2 + gap))), Math.max(h / 2, Math.min(T.H - h / 2, p[1] + dy))], first = left ? -1 : 1;
    if (!net.dofs) return at(first, 0);
    const covers = c => T.at.filter(q => Math.abs(q[0] - c[0]) < w / 2 + T.r && Math.abs(q[1] - c[1]) < h / 2 + T.r).length;
    const all = [0, -14, 14, -28, 28].flatMap(dy => [at(first, dy), at(-first, dy)]); return all.reduce((best, c) => (covers(c) < covers(best) ? c : best));
  };
  for (let i = 1; i <= net.n; i++) {
    const a = T.at[i], b = T.at[net.parent[i]], d = [b[0] - a[0], b[1] - a[1]], L = Math.hypot(...d), q = (T.r + 2) / L, g = edge[i];
    const p1 = [a[0] + d[0] * q, a[1] + d[1] * q], p2 = [b[0] - d[0] * q, b[1] - d[1] * q];
    if (!g) { lines += path(`M${f1(p1[0])} ${f1(p1[1])}L${f1(p2[0])} ${f1(p2[1])}`, 'ed'); continue; }
    lines += g.out ? arrow(p2, p1, 'c-message' + (g.now ? ' now' : '')) : arrow(p1, p2, 'c-message' + (g.now ? ' now' : ''));
    if (!g.tag) continue;
    const says = carried(rec, g.tag.g, g.tag.now && pl.masked), w = wide(says[1]);
    const left = net.children(net.parent[i]).length > 1 ? T.at[i][0] < W / 2 : T.at[i][0] < W / 2 - 20 && T.at[i][0] > 120;
    const at = beside([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], 10, w, left);
    if (g.tag.now) chips += chip(at, says); else if (net.n <= 12) lines += label(at, 'c-message', says[0]);
  }
  for (const g of arcs) {                         // an entry between two freedoms, or a message where no edge leads
    const [a, b] = [T.at[g.from], T.at[g.to]], says = carried(rec, g, pl.masked), w = wide(says[1]), L = Math.hypot(b[0] - a[0], b[1] - a[1]), cls = g.join ? 'join' : '';
    if (!L) { chips += chip(beside(a, T.r + 6, w, a[0] > W / 2), says, cls); continue; }
    const left = (a[0] + b[0]) / 2 > W / 2 + 20, n = [Math.abs(b[1] - a[1]) / L, (b[0] - a[0]) / L * (b[1] > a[1] ? -1 : 1)], bow = (left ? -1 : 1) * Math.min(64, 14 + 0.35 * L);
    const c = [(a[0] + b[0]) / 2 + n[0] * 2 * bow, (a[1] + b[1]) / 2 + n[1] * 2 * bow], mid = [(a[0] + b[0] + 2 * c[0]) / 4, (a[1] + b[1] + 2 * c[1]) / 4];
    const rim = p => { const u = [c[0] - p[0], c[1] - p[1]], l = Math.hypot(...u); return [p[0] + u[0] / l * (T.r + 1), p[1] + u[1] / l * (T.r + 1)]; }, p1 = rim(a), p2 = rim(b), e = [p2[0] - c[0], p2[1] - c[1]], l = Math.hypot(...e);
    lines += path(`M${f1(p1[0])} ${f1(p1[1])}Q${f1(c[0])} ${f1(c[1])} ${f1(p2[0])} ${f1(p2[1])}`, g.join ? 'tie' : 'arr c-message now') + (g.join ? '' : path(point(p2, [e[0] / l, e[1] / l]), 'head c-message'));
    chips += chip(beside(mid, 4, w, left), says, cls);
  }
  const done = new Set(net.dofs ? rec.steps.slice(0, k).filter(x => x.run === s.run).map(x => rec.node(x)) : []), hit = new Set(arcs.filter(g => g.join).flatMap(g => [g.from, g.to]));
  for (let i = 0; i <= net.n; i++) {
    const [x, y] = T.at[i], c = hit.has(i) ? 'hit' : i && i === here ? 'cur' : walk.includes(i) ? 'walk' : !walk.length && i === par ? 'par' : done.has(i) ? 'fold' : '';
    nodes += `<g class="nd ${c}"><circle cx="${f1(x)}" cy="${f1(y)}" r="${T.r}"/><text x="${f1(x)}" y="${f1(y + 4)}" text-anchor="middle">${i}</text></g>`;
  }
  if (net.dofs) rec.model.nv.forEach((m, i) => {  // freedoms of one joint share a frame
    if (m < 2) return; const at = rec.model.dof_body.flatMap((b, d) => (b === i ? [T.at[d + 1]] : [])), [xs, ys] = [at.map(p => p[0]), at.map(p => p[1])], e = T.r + 4;
    joints += `<rect class="jn" x="${f1(Math.min(...xs) - e)}" y="${f1(Math.min(...ys) - e)}" width="${f1(Math.max(...xs) - Math.min(...xs) + 2 * e)}" height="${f1(Math.max(...ys) - Math.min(...ys) + 2 * e)}" rx="${e}"/>`;
  });
  const drawing = `<svg style="--h:${f1(T.H)}px" viewBox="0 0 ${W} ${f1(T.H)}" role="img" aria-label="${esc(pl.treeLine())}">${joints}<g class="${past ? 'past' : ''}">${lines}${past ? chips : ''}</g>${nodes}${past ? '' : chips}</svg>`;
  const told = rec.tells(k), key = told ? (told.join ? `<span><i class="kb"></i>${t('joins')}</span>` : '') : `<span>${t('none')}</span>`;
  return `<div class="art">${drawing}</div><div class="key two">${key}${freedomName(pl, here)}</div>`;
}
/** Which joint a freedom belongs to, where joints have several. */
function freedomName(pl, node) {
  const { rec } = pl, { nv, dof_body: of, joint_names: names } = rec.model; if (!rec.net.dofs || !node || nv.slice(1).every(x => x === 1)) return '';
  const i = of[node - 1]; return `<span><bdi>${pl.t('freedom')} <b class="c-current">${node}</b>: ${esc(names[i])}${nv[i] > 1 ? `, ${node - of.indexOf(i)}/${nv[i]}` : ''}</bdi></span>`;
}

// ---------- 8 matrix ----------
const shade = (x, percent) => `background:color-mix(in oklab,var(${x < 0 ? '--message' : '--current'}) ${Math.round(percent)}%,var(--surface))`;
function heat(value, planar, before) {
  if (!value.x.length) return `<p class="note">${bare(value, planar)}</p>`;
  const g = grid(value, planar), old = before && grid(before, planar), wide = g.rows[0].length > 4, digits = wide ? 3 : 4;
  const cells = g.rows.map((row, i) => row.map((x, j) => {
    if (x == null) return '<span class="none"></span>';
    const text = wide ? tight(x, g.big) : num(x, digits, g.big), changed = old ? text !== (wide ? tight(old.rows[i][j], old.big) : num(old.rows[i][j], digits, old.big)) : text !== '0';
    const tint = text === '0' || typeof x !== 'number' ? '' : shade(x, 8 + 36 * Math.min(1, Math.abs(x) / (g.big || 1)));
    const gap = (g.spatialR && row.length > 1 && i === 3 ? ' gr' : '') + (g.spatialC && j === 3 ? ' gc' : '');
    return `<span class="${text === '0' ? 'zero' : ''}${before !== null && changed ? ' chg' : ''}${gap}" style="${tint}">${wide ? both(x, g.big) : text}</span>`;
  }).join('')).join('');
  return `<div class="hm ${wide ? 'wide' : ''}" style="grid-template-columns:repeat(${g.rows[0].length},auto)">${cells}</div>`;
}

/** Some six characters at most, for a cell of a 6 × 6 table: 3 digits, or 3 decimals, or one digit with its power. */
function tight(x, big) {
  const text = num(x, 3, big), size = Math.abs(x); if (text.length <= 5) return text;
  return (x < 0 ? '−' : '') + (size >= 1000 || size < 0.0005 ? size.toExponential(0).replace('e+', 'e').replace('e-', 'e−') : size.toFixed(3).replace(/0+$/, ''));
}

/** Where cells are narrow: as many decimals as give the largest of the table two or three digits. */
function short(x, big) {
  if (typeof x !== 'number' || !Number.isFinite(x) || clean(x, big) === 0 || (Number.isInteger(big) && Number.isInteger(x))) return num(x, 2, big);
  const e = Math.floor(Math.log10(big)), size = Math.abs(x);
  return ((x < 0 ? '−' : '') + (e > 4 || e < -3 ? size.toExponential(0).replace('e+', 'e').replace('e-', 'e−') : size.toFixed(e < 0 ? 1 - e : Math.max(0, 2 - e)))).replace(/^−(?=[0.]*$)/, '');
}
/** A number of a wide table twice, the shorter one for when the longer ones have no room, without its leading zero if need be (see Player.measure). */
const both = (x, big) => { const a = tight(x, big), b = short(x, big); return a === b ? a : `<span class="lo">${a}</span><span class="sh">${b.replace(/^(−?)0(?=\.)/, '$1<span class="lead">0</span>')}</span>`; };
const hint = t => `<span class="hint">${t('wide')} →</span>`;

/** All entries of a name indexed by two numbers, as one table {rows, cols, first, cell}; blocks of bodies with several
 *  freedoms are spread over their rows and columns. Cells not yet written are missing, but for what stood there before
 *  (H begins as M: then the table is whole) and for what the function returns there without ever writing it (the zeros and
 *  ones of L). gone: freedoms that an elimination in place is done with; twin: cells that stand for their mirror image. */
function table(rec, n, k, plain = false) {
  const writes = rec.steps.map((s, j) => ({ ...s, j })).filter(s => s.k === 'w' && s.n === n && Array.isArray(s.ix));
  if (!writes.length) return null;
  const nv = rec.model.nv, start = nv.map((_, i) => nv.slice(0, i).reduce((a, b) => a + b, 0)), out = {};
  const all = writes.every(s => s.ix.every((b, d) => b > 0 && nv[b] === s.s[d])), t = writes.map(s => rec.line[s.l].tree?.target.ix).find(Array.isArray);
  const bodies = [0, 1].map(a => (t ? !rec.dof.has(t[a].v === 'λ' ? t[a].of.v : t[a].v) : all)), spot = (b, d, a) => (bodies[a] ? start[b] + d : b), rows = new Set(), cols = new Set(), ever = new Set();
  for (const s of writes) for (let a = 0; a < s.s[0]; a++) for (let b = 0; b < s.s[1]; b++) {
    const r = spot(s.ix[0], a, 0), c = spot(s.ix[1], b, 1); rows.add(r); cols.add(c); ever.add(r + ',' + c);
    if (s.j <= k) out[r + ',' + c] = { x: s.x[a * s.s[1] + b], now: s.j === k };
  }
  const sort = set => [...set].sort((a, b) => a - b), first = (set, a) => (t || bodies[a] || set.has(0) ? 1 : 0);
  const cell = (a, b) => out[a + ',' + b]; if (plain) return { rows: sort(rows), cols: sort(cols), cell };
  const offset = [first(rows, 0), first(cols, 1)], whole = !bodies[0] && !bodies[1] && rec.env[n], size = whole ? sizeOf(whole) : 0, end = size ? null : rec.end(n);
  const begins = size && [...ever].every(x => rec.start(n, x)), shape = begins ? [size, size] : end ? end.s : null, fill = (set, d) => { for (let j = 0; j < shape[d]; j++) set.add(j); };
  if (shape) { fill(rows, 0); fill(cols, 1); }
  const lower = begins && [...ever].every(x => { const [a, b] = x.split(','); return +a >= +b; }) && ![...ever].every(x => { const [a, b] = x.split(','); return a === b; })
    && sort(rows).every(a => sort(cols).every(b => rec.start(n, `${a},${b}`).x[0] === rec.start(n, `${b},${a}`).x[0]));
  const hands = rec.net.dofs && begins && writes.some(s => !s.ix.includes(rec.hand(s))) ? rec.steps.slice(0, k + 1).map(s => rec.hand(s)).filter(d => d != null) : [], gone = new Set(hands); gone.delete(hands[hands.length - 1]);
  const full = (a, b) => {
    const twin = lower && a < b, key = twin ? `${b},${a}` : `${a},${b}`, c = out[key] || (begins ? { x: rec.start(n, key).x[0] } : end && !ever.has(key) ? { x: end.x[a * end.s[1] + b] } : null);
    return c && { ...c, now: c.now && !twin, twin, none: c.x === 0 && !ever.has(key) };
  };
  return { rows: sort(rows), cols: sort(cols), first: offset, cell: full, gone, lower };
}
/** Rows of a square array of numbers that was kept as it stood at first, by entries or as a whole; else 0. */
function sizeOf(e) {
  if (e['']) { const [r, c] = e[''].s; return r === c && r > 1 ? r : 0; }
  const r = Math.round(Math.sqrt(Object.keys(e).length)); return r > 1 && e[`${r - 1},${r - 1}`]?.x.length === 1 && Object.keys(e).length === r * r ? r : 0;
}
/** The name that takes its k-th value from entry (k, k) of n, in the author's symbols: the pivots; "" if there is none. */
function pivots(rec, n) {
  const l = rec.p.lines.find(x => x.tree && x.tree.target.ix && !Array.isArray(x.tree.target.ix) && rec.refs(x.tree.rhs).some(r => r.n === n && Array.isArray(r.ix) && r.ix.length === 2 && r.ix.every(v => v.v === x.tree.target.ix.v)));
  return l ? rec.name(l.tree.target.n) : '';
}

function matrixView(pl, k = pl.k) {
  const { rec, t } = pl, masked = pl.masked && k === pl.k, names = pl.matrices(), now = pl.shows(k), pick = names.includes(now) ? now : null, s = rec.steps[k];
  const filling = pick || (Array.isArray(s.ix) && s.k === 'w' ? s.n : null), T = filling && table(rec, filling, masked ? k - 1 : k);
  if (T) {
    const big = Math.max(1e-12, ...T.rows.flatMap(a => T.cols.map(b => Math.abs(T.cell(a, b)?.x || 0)))), [d0, d1] = T.first;
    const mini = T.cols.length > 9, wide = T.cols.length > 4, off = x => (T.gone.has(x) ? ' off' : ''), head = (x, d) => `<span class="hd${off(x)}">${mini ? '' : x + d}</span>`;
    const cells = T.rows.map(a => head(a, d0) + T.cols.map(b => {
      const c = T.cell(a, b), over = T.gone.has(a) || T.gone.has(b), cls = over ? (a === b ? ' piv' : ' gone') : ''; if (!c) return `<span class="none${cls}"></span>`;
      if (c.none) return `<span class="blank${cls}"></span>`;
      const text = mini ? '' : wide ? both(c.x, big) : num(c.x, 3, big);
      return `<span class="${c.now ? 'chg' : ''}${c.twin ? ' twin' : ''}${cls}" style="${cls || !c.x ? '' : shade(c.x, mini ? 20 + 70 * Math.sqrt(Math.abs(c.x) / big) : 40 * Math.abs(c.x) / big)}">${text}</span>`;
    }).join('')).join('');
    const top = '<span class="hd"></span>' + T.cols.map(b => head(b, d1)).join(''), columns = `grid-template-columns:auto repeat(${T.cols.length},auto)`, D = T.gone.size ? pivots(rec, filling) : '';
    const signs = T.gone.size ? `<span><i class="kp2"></i><bdi>${t('gone')}${D && `, ${t('diag')} ${m(D)}`}</bdi></span>` : T.lower ? `<span><i class="kt"></i>${t('twin')}</span>` : '', key = rec.net.dofs && T.lower ? `<p class="key two">${signs}</p>` : '';
    return `<div class="ttl">${m(rec.name(filling))}${hint(t)}</div><div class="hm ${mini ? 'mini' : wide ? 'wide' : ''}" style="${columns}">${top}${cells}</div>${key}`;
  }
  if (pick) {
    const ix = rec.value(pick, s.body, k + 1) ? s.body : null, v = rec.value(pick, ix, k + (masked ? 0 : 1)), of = v && ix == null && v.from != null ? rec.steps[v.from].body : null;
    return v ? `<div class="ttl">${m(rec.name(pick) + (ix == null ? '' : '_' + ix))}${of == null || of === s.body ? '' : `, ${t('bodies')} ${of}`}${hint(t)}</div>${heat(v, rec.planar, null)}` : `<p class="note">${m(rec.name(pick))}: ${t('quiet')}</p>`;
  }
  if (s.k !== 'w') {                              // nothing is written: the last picture stays, greyed
    let j = k; while (j >= 0 && rec.steps[j].k !== 'w') j--;
    return (j < 0 ? '' : `<div class="past" aria-hidden="true">${matrixView(pl, j)}</div>`) + `<p class="key two">${t('head')}</p>`;
  }
  if (masked) return `<div class="ttl">${rec.target(k)}</div><span class="mask">?</span>`;
  const b = rec.before(k);
  const table1 = (name, html) => `<div><div class="ttl">${name}</div>${html}</div>`, stack = s.x.length === 36 && !rec.planar ? 'stack' : '';
  const first = b ? table1(t('before'), heat(b, rec.planar, null)) + icon('r', 'to') : '';
  const then = table1((b ? t('after') + ' ' : '') + rec.target(k), heat(s, rec.planar, b || undefined));
  return `<div class="ba ${stack}">${first}${then}</div><p class="key two">${t('written')}: <i class="kb"></i></p>`;
}

// ---------- 9 equation and code, numbers put in ----------
function listing(pl) {
  const { rec, k } = pl, s = rec.steps[k], { sym, code, words, hidden } = pl.modes, passes = rec.p.passes;
  const passOf = l => { let q = 0; passes.forEach((x, i) => { if (l.n >= x.lines[0]) q = i; }); return q; };
  return `<ol class="lst ${sym ? 'with' : ''}">${rec.p.lines.filter(l => passOf(l) === s.pass).map(l => {
    const on = l.n === s.l, d = `style="padding-left:${12 * l.depth}px"`;
    const say = on ? rec.sentence(k) : dotted(esc(l.words || '')).replace(/\{(.)\}/g, '<i class="m">$1</i>');
    const body = hidden ? `<span class="hid" ${d}><i></i></span>`
      : (sym ? `<span class="eq" ${d}>${math(l.sym)}</span>` : '') + (code ? `<span class="py" ${d}>${esc(l.code)}</span>` : '') + (words ? `<span class="wd" ${d}>${say}</span>` : '');
    return `<li class="${on ? 'on' : ''}" ${on ? 'aria-current="step"' : ''}><span class="no">${l.n}</span>${body}</li>`;
  }).join('')}</ol>`;
}

const PREC = { '+': 1, '-': 1, neg: 1, '@': 2, '*': 2, '/': 2 };
const hasText = n => !!n && (Array.isArray(n) ? n.some(hasText) : n.op === 'txt' || (n.op === 'call' && !/^(crm|crf)$/.test(n.f)) || hasText(n.a) || hasText(n.b));
function transposed(v) { const [r, c] = v.s, x = []; for (let j = 0; j < c; j++) for (let i = 0; i < r; i++) x.push(v.x[i * c + j]); return { x, s: [c, r] }; }

/** The right-hand side of a line with numbers for its names, each in the colour of where it came from. */
function substituted(pl, k) {
  const { rec } = pl, s = rec.steps[k], line = rec.line[s.l], msg = rec.message(k), inward = msg && !msg.out, par = rec.parent(s.body);
  const digits = rec.planar ? 4 : 3;
  const sub = ix => (ix == null ? '' : `_{${under1(rec, ix)}}`);
  const colour = (ix, v) => {
    if (!v || v.from == null || v.n === 'X') return '';
    if (ix === par && par !== null) return 'c-parent';
    return inward || !(ix === s.body || ix == null) ? 'c-message' : 'c-current';
  };
  const ref = (node, turned) => {
    const ix = rec.index1(node.ix, s.at), v = rec.value(node.n, ix, k), tag = `<span class="m ${colour(ix, v)}">${math(rec.name(node.n) + sub(ix) + (turned ? 'ᵀ' : ''))}</span>`;
    if (!v || !v.x) return { h: tag };
    const cls = colour(ix, v), one = v.x.length === 1; if (!v.x.length) return { h: tag };
    if (one) return { h: numbers(v, rec.planar, cls, null, digits), one, neg: v.x[0] < 0 };
    const g = grid(v, rec.planar);
    if (g.rows[0].length > 1 && g.rows.length * g.rows[0].length > 16) return { h: tag };
    if (turned && g.rows[0].length > 1) return { h: numbers(transposed(v), rec.planar, cls, null, digits) };
    if (!rec.planar && /^S$/.test(node.n)) return { h: tag };
    return { h: numbers(v, rec.planar, cls, null, digits) + (turned ? '<sup>⊤</sup>' : '') };
  };
  const wrap = (x, min) => (x.p && x.p < min ? `(${x.h})` : x.neg ? `(${x.h})` : x.h);
  const chain = n => (n.op === '@' ? [...chain(n.a), n.b] : [n]);
  const zero = n => {                             // a constant that is zero here (no load, no rotor): its term is left out
    if (n.op === '@' || n.op === '*') return zero(n.a) || zero(n.b);
    if (n.op !== 'ref' || n.n in rec.inputs) return false;
    const v = rec.value(n.n, rec.index1(n.ix, s.at), k); return !!v && v.from == null && !!v.x && !/^[va]$/.test(n.n) && biggest(v.x) === 0;
  };
  const show = n => {
    switch (n.op) {
      case 'ref': return ref(n, false);
      case 'num': return { h: num(n.v), one: true, neg: n.v < 0 };
      case 'T': return n.a.op === 'ref' ? ref(n.a, true) : { h: `(${show(n.a).h})<sup>⊤</sup>` };
      case 'neg': return { h: '−' + wrap(show(n.a), 2), p: 1 };
      case '+': case '-': {
        if (zero(n.b)) return show(n.a);
        const a = show(n.a), b = show(n.b), minus = n.op === '-'; return { h: `${a.h} ${minus ? '−' : '+'} ${wrap(b, minus ? 2 : 1)}`, p: 1 };
      }
      case '*': case '/': { const a = show(n.a), b = show(n.b); return { h: `${wrap(a, 2)} ${n.op === '*' ? '·' : '/'} ${wrap(b, 3)}`, p: 2 }; }
      case '@': {
        let out = '', prevOne = false, all = true;
        chain(n).forEach((x, j) => {
          if (x.op === 'call') { out += (j ? '&thinsp;' : '') + wrap(show(x.a[0]), 2) + (x.f === 'crf' ? ' ×<sup>∗</sup> ' : ' × '); prevOne = all = false; return; }
          const y = show(x);
          out += (j && !/[×>] $/.test(out) ? (y.one || prevOne ? ' · ' : '&thinsp;') : '') + wrap(y, 2); prevOne = y.one; all &&= !!y.one;
        });
        return { h: out, p: 2, one: all };
      }
      case 'call': return { h: `${wrap(show(n.a[0]), 2)} ${n.f === 'crf' ? '×<sup>∗</sup>' : '×'}`, p: 2 };
      default: return { h: '' };
    }
  };
  const tree = line.tree && line.tree.rhs;
  if (tree && !hasText(tree)) return tree.op === 'ref' || tree.op !== 'txt' ? show(tree).h : '';
  const rhs = line.sym.replace(/^.*?(?:\+=|−=|←|=)\s*/, ''), reads = tree ? rec.refs(tree).filter(r => r.ix != null) : [];
  const where = reads.map(r => {
    const ix = rec.index1(r.ix, s.at), v = rec.value(r.n, ix, k); if (!v || v.x.length !== 1) return '';
    const deg = r.n === 'q' && rec.model.kind[ix] === 'revolute';
    return `<span class="c-2"> &nbsp;${m(rec.name(r.n) + sub(ix))} = ${num(deg ? v.x[0] * 180 / Math.PI : v.x[0])}${deg ? '°' : ''}</span>`;
  }).join('');
  return m(rhs, rec.letters(k)) + where;
}

/** What a loop's head, a counter or a test comes to at step k: "i = 3", "j = λ(4) = 1", "λ(4) = 1 ≠ 0: yes". */
function headSays(pl, k) {
  const { rec, t } = pl, s = rec.steps[k], line = rec.line[s.l], at = rec.letters(k), old = k ? rec.steps[k - 1].at || {} : {};
  const of = (c, from = s.at) => { const x = (from || {})[c]; return typeof x !== 'number' ? null : rec.dof.has(c) ? (x < 0 ? pl.t('base') : x + 1) : x; };
  const up = (c, x) => (x == null || rec.dof.has(c) ? null : rec.model.parent[x]), tint = (c, x) => (at[c] ? `<span class="${at[c].cls}">${x}</span>` : x);
  const answer = yes => (yes == null ? '' : `: <b>${t(yes ? 'yes' : 'no')}</b>`), put = html => `<span class="m">${html}</span>`;
  if (line.kind === 'if' || line.kind === 'while') {
    const asks = line.sym.replace(/^(if|while)\s+/, ''), [, c] = asks.match(/^λ\((\w)\) ≠ 0$/) || [], [, d] = asks.match(/^(\w) ≠ base$/) || [];
    const p = c && of(c) != null ? up(c, of(c)) : null;
    if (p != null) return put(`λ(${tint(c, of(c))}) = <span class="c-parent">${p}</span>${p ? ' ≠ 0' : ''}${answer(p)}`);
    if (d && of(d) != null) return put(`<i>${d}</i> = ${tint(d, of(d))}${s.at[d] >= 0 ? ` ≠ ${t('base')}` : ''}${answer(s.at[d] >= 0)}`);
    return put(math(asks) + answer(s.y));
  }
  const [, to, f, g] = line.sym.match(/^(\w) = (?:λ\((\w)\)|(\w))$/) || [], from = f || g, x = from && of(from, from === to ? old : s.at);
  if (x != null && of(to) != null) return put(`<i>${to}</i> = ${f ? `λ(${tint(from, x)})` : `<i>${g}</i>`} = ${tint(to, of(to))}`);
  return '';
}

function numsView(pl) {
  const { rec, k, t } = pl, s = rec.steps[k], line = rec.line[s.l];
  const who = Object.entries(rec.letters(k)).map(([c, v]) => `<span class="m n"><i>${c}</i> = <b class="${v.cls}">${v.text}</b></span>`).join(' &nbsp; ');
  const lit = pl.modes.code && !pl.modes.hidden ? `<span class="lit">${esc(line.code)}</span>` : '';
  const lab = `<div class="lab"><span class="pt">${t('put')}</span><span>${who}</span>${lit}</div>`;
  const each = s.all && Object.values(s.all).map(e => e.x);          // a list of numbers, written as a whole
  if (each && each.length <= 12 && each.every(x => x.length === 1)) return `${lab}<div class="row"><span class="big">${m(rec.lhs(line) || rec.name(s.list))}</span> = <span class="wr">(${each.map(x => num(x[0], 4)).join(', ')})</span></div>`;
  if (s.k !== 'w') {                              // a loop's head or a counter says where we are, a test what it asks
    return `${lab}<div class="row c-2">${headSays(pl, k) || `${m(line.sym.replace(/:$/, ''))}: &nbsp;${who}`}</div>`;
  }
  const b = rec.before(k) || { x: s.x.map(() => 0), s: s.s }, column = !s.x.length || grid(s, rec.planar).rows[0].length === 1;
  const exact = pl.masked ? '' : pl.exact(k);
  const value = pl.masked ? '<span class="mask">?</span>'
    : !column ? numbers(s, rec.planar, '', b, rec.planar ? 4 : 3)
      : !rec.planar && s.x.length > 1 ? numbers(s, false, 'wr') : `<span class="wr">${numbers(s, rec.planar)}</span>`;
  return `${lab}<div class="row"><span class="big">${rec.target(k)}</span> = ${substituted(pl, k)} <span class="res">${exact && `= ${exact} `}= <span class="big">${value}</span></span></div>`;
}

/** Scalars of the joints as they fill: one row per name, one column per body. */
function ledgerNames(rec) {
  const ok = {};
  const dofs = rec.dof.has('k') && rec.dof.has('i'), fits = s => Number.isInteger(s.ix) && (dofs ? s.x.length === 1 : s.ix > 0 && s.x.length === rec.model.nv[s.ix]);
  rec.steps.forEach(s => { if (s.k === 'w') ok[s.n] = (ok[s.n] ?? true) && fits(s); });
  return Object.keys(ok).filter(n => ok[n] && !(n.endsWith('inv') && ok[n.slice(0, -3)])).slice(-3);   // D says what Dinv says
}
function ledger(pl) {
  const { rec, k, t } = pl, s = rec.steps[k], last = k === rec.steps.length - 1, names = pl.ledgerNames ||= ledgerNames(rec);
  if (!names.length) {
    const r = rec.result; if (!r) return '';
    const text = r.length <= 12 ? `(${r.map(x => num(x, 4, biggest(r))).join(', ')})` : `${rec.returned() ? m(rec.name(rec.returned())) + ' ' : ''}<button type="button" class="see" data-a="result">${t('sees')}</button>`;
    return `<div class="led one"><span class="c-2">${t('result')}</span> ${last ? `<b>${text}</b>` : '·'}</div>`;
  }
  const dofs = rec.dof.has('k') && rec.dof.has('i'), cols = dofs ? rec.model.dof_body.map((_, d) => d) : rec.model.nv.map((v, i) => i).filter(i => i && rec.model.nv[i] > 0);
  const width = i => (dofs ? 1 : rec.model.nv[i]), all = cols.reduce((n, i) => n + width(i), 0), digits = all > 8 ? 3 : 4, write = all > 5 ? tight : (x, big) => num(x, digits, big);
  const stale = from => !dofs && [...rec.dof].some(d => d in (from.at || {})) && !rec.sameRound(from, s);   // of an earlier column
  const whole = n => cols.flatMap(i => rec.value(n, i, rec.steps.length)?.x ?? [NaN]), same = x => !!rec.result && x.length === rec.result.length && x.every((y, i) => y === rec.result[i]);
  const result = names.find(n => same(whole(n))), see = !result && rec.returned() && !pl.deck ? `<div class="led one" ${last ? '' : 'style="visibility:hidden"'}><span class="c-2">${t('result')}</span> ${m(rec.name(rec.returned()))} <button type="button" class="see" data-a="result">${t('sees')}</button></div>` : '';
  const cells = (n, i) => {                       // one cell for each freedom of the joint
    const v = rec.value(n, i, k + (pl.masked ? 0 : 1)); if (!v || (v.from ?? v.anew) == null || stale(rec.steps[v.from ?? v.anew])) return '<td><span class="q">·</span></td>'.repeat(width(i));
    const now = !pl.masked && s.n === n && s.ix === i && s.k === 'w', final = last && n === result;
    return v.x.map(x => write(x, biggest(v.x))).map(x => `<td>${now ? `<span class="wr">${x}</span>` : final ? `<b>${x}</b>` : x}</td>`).join('');
  };
  const head = cols.map(i => `<th scope="col" colspan="${width(i)}">${dofs ? i + 1 : i}</th>`).join('');
  const row = n => {
    const note = last && n === result ? ` <span class="c-2">${t('result')}</span>` : '';
    return `<tr><th scope="row">${m(rec.name(n))}${note}</th>${cols.map(i => cells(n, i)).join('')}</tr>`;
  };
  return `<div class="led"><table style="min-width:${all * 44 + 48}px"><tr><th scope="row">${t(dofs ? 'freedom' : 'bodies')}</th>${head}</tr>${names.map(row).join('')}</table></div>${see}`;
}

// ---------- 10 questions ----------
/** The chapter's questions, or some made from the record: other bodies' values, the sign, the value before. */
function questions(rec) {
  const out = {};
  for (const q of rec.p.questions || []) out[q.step] = q;
  if (Object.keys(out).length || !rec.p.predict) return out;
  const runs = [...new Set(rec.steps.map(s => s.run))], names = ledgerNames(rec);
  for (const run of runs) {
    const writes = rec.steps.map((s, k) => ({ s, k })).filter(({ s }) => s.run === run && s.k === 'w' && Number.isInteger(s.ix) && s.ix > 0
      && (s.x.length === 1 || (rec.planar && s.x.length === 6)) && s.n !== 'c' && s.n !== 'vJ');
    const scalar = writes.filter(w => names.includes(w.s.n)), own = scalar.length ? scalar : writes, name = own.length && own[own.length - 1].s.n;
    const list = own.filter(w => w.s.n === name);
    for (const w of scalar.length ? [list[1], list[list.length - 1]] : [list[list.length - 2]]) { const q = w && ask(rec, w.k); if (q && !out[w.k]) out[w.k] = q; }
  }
  return out;
}
function ask(rec, k) {
  const s = rec.steps[k], text = x => numbers({ x, s: s.s }, rec.planar), right = text(s.x), choices = [{ html: right, right: true, x: s.x }];
  const offer = (x, says) => { const html = text(x); if (choices.length < 4 && !choices.some(c => c.html === html)) choices.push({ html, x, says: `${html} ${says}` }); };
  const b = rec.before(k); if (b) offer(b.x, 'is the value before this line adds its part.');
  const near = [rec.parent(s.ix), ...rec.children(s.ix), s.ix + 1, s.ix - 1];
  for (const j of near) { const list = rec.index[rec.key(s.n, j)]; if (j > 0 && list) offer(rec.steps[list[list.length - 1]].x, `is what body ${j} has, not body ${s.ix}.`); }
  offer(s.x.map(x => -x), 'has its sign turned round.');
  choices.sort((p, q) => { for (let i = 0; i < p.x.length; i++) if (p.x[i] !== q.x[i]) return p.x[i] - q.x[i]; return 0; });
  return choices.length > 2 ? { step: k, html: `Body ${s.ix}. What will be written?`, choices } : null;
}

// ---------- 11 player ----------
const VIEWS = ['arm', 'tree', 'matrix', 'equation'];
const DRAW = { arm: armView, tree: treeView, matrix: matrixView, equation: listing };
const PLACES = new Map();                         // id → the player shown last under it
/** Steps by what they are: line, loop variables, and which of those that share them. */
function stepKeys(steps) {
  const met = {};
  return steps.map(s => { const key = JSON.stringify([s.l, Object.entries(s.at || {}).sort()]); met[key] = (met[key] || 0) + 1; return key + met[key]; });
}
/** Where step k of a run with these keys stands in another run: the same step, else the nearest one before or after it that is still there; the last stays last. */
function samePlace({ keys, k }, steps) {
  if (k === keys.length - 1) return steps.length - 1;
  const at = new Map(stepKeys(steps).map((key, j) => [key, j]));
  for (let d = 0; d < keys.length; d++) for (const j of [k - d, k + d]) if (at.has(keys[j])) return at.get(keys[j]);
  return 0;
}

class Player {
  constructor(host, payload) {
    this.host = host; this.deck = host.hasAttribute('deck'); this.rec = new Record(payload); this.cam = new Camera(this.rec);
    this.lang = payload.lang === 'zh' ? 'zh' : 'en'; this.open = (payload.open || ['arm', 'equation']).filter(v => VIEWS.includes(v)).slice(0, 2);
    this.modes = { sym: true, code: true, words: false, hidden: false }; this.pick = payload.pick || null; this.sliding = false;
    this.questions = questions(this.rec); this.predict = payload.predict !== false && Object.keys(this.questions).length > 0;
    this.key = 'rbd-player:' + payload.fn + ':' + hash(JSON.stringify([payload.title, payload.subtitle, payload.inputs, payload.questions, payload.model.parent]));
    this.answers = store.get(this.key); this.shown = false;
    this.t = k => WORDS[this.lang][k] ?? WORDS.en[k];
    this.root = host.shadowRoot || host.attachShadow({ mode: 'open' });
    this.root.innerHTML = `<style>${STYLE}</style><div class="card"><div class="pl" tabindex="-1"></div></div>`;
    this.pl = this.root.querySelector('.pl'); this.skeleton(); this.listen();
    const kept = payload.id && PLACES.get(payload.id);      // the same player drawn again with other numbers
    if (kept) Object.assign(this, { open: kept.open, modes: kept.modes, lang: kept.lang, pick: kept.pick }) && Object.assign(this.cam, { yaw: kept.cam.yaw, tilt: kept.cam.tilt });
    if (kept && kept.lang !== (payload.lang || 'en')) this.skeleton();
    if (payload.id) PLACES.set(payload.id, this);
    // The place that the reader chose, which may be gone in this run: it comes back when the step does.
    if (kept) this.chosen = kept.chosen && kept.chosen.here === kept.k ? kept.chosen : { keys: stepKeys(kept.rec.steps), k: kept.k };
    this.goto(kept ? samePlace(this.chosen, this.rec.steps) : Math.max(0, Math.min(this.last, payload.step || 0)), !!kept);
    if (kept) this.chosen = { ...this.chosen, here: this.k };
    host.rbdPlayer = this;
  }
  get last() { return this.rec.steps.length - 1; }
  get step() { return this.rec.steps[this.k]; }
  $(s) { return this.pl.querySelector(s); }

  // -- moving
  question(k = this.k) { return this.predict && !this.rec.changed ? this.questions[k] : null; }
  waits(k) { return !!this.question(k) && this.answers[k] == null; }
  goto(k, reveal = false) { this.k = Math.max(0, Math.min(this.last, k)); this.shown = reveal; this.masked = !reveal && this.waits(this.k); this.render(); }
  forward(to) {                                   // stops at the first open question on the way
    if (this.masked) return;
    for (let k = this.k + 1; k < to; k++) if (this.waits(k)) { to = k; break; }
    if (to > this.k) this.goto(to);
  }
  after(same) { let k = this.k + 1; while (k < this.last && same(this.rec.steps[k], this.step)) k++; return Math.min(k, this.last); }
  nextBody() { return this.after((a, b) => a.body === b.body && a.run === b.run); }
  nextPass() { return this.after((a, b) => a.run === b.run); }
  /** The value of step k as the fraction it is, where its question speaks in fractions; else "". */
  exact(k) {
    const q = this.questions[k]; return (this.predict && !this.rec.changed && q && q.exact) || '';
  }
  /** Matrices of a text, [5 0 5; 0 5 0], set as such; what lies between goes through `words`. */
  set(text, words) {
    return String(text).split(/(\[[^[\];]+(?:;[^[\];]+)+\])/).map((x, j) => {
      if (!(j % 2)) return words(x); const rows = x.slice(1, -1).split(';').map(r => r.trim().split(/\s+/));
      if (rows.some(r => r.length !== rows[0].length)) return words(x);
      return `<span class="mat set" role="img" aria-label="${esc(x)}" style="grid-template-columns:repeat(${rows[0].length},auto)">${rows.flat().map(c => `<span class="${c === '0' ? 'z' : ''}">${esc(c)}</span>`).join('')}</span>`;
    }).join('');
  }
  /** Text of a chapter as HTML: IC₂ as the listing writes it, dots drawn. */
  spell(text) {
    this.symbols ||= [...new Set(this.rec.steps.filter(s => s.k === 'w').map(s => s.n))].filter(n => /^\w+$/.test(n)).sort((a, b) => b.length - a.length);
    const found = this.symbols.length ? new RegExp(`(?<![\\p{L}\\d])(${this.symbols.join('|')})([₀-₉]+)`, 'gu') : /$^/;
    return this.set(text, x => dotted(esc(x).replace(found, (_, n, ix) => m(`${this.rec.name(n)}_${ix.replace(/./gu, d => d.codePointAt(0) - 0x2080)}`))));
  }
  /** Does a question name what will be written, in code or in symbols? */
  names1(text, k) {
    const n = this.rec.steps[k].n, words = [n, this.rec.name(n)].map(x => x.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + (x === 'a' || x === 'I' ? '(?=[₀-₉])' : ''));   // a word too
    return new RegExp(`(?<![\\p{L}\\d])(${words.join('|')})(?![\\p{L}\u0300-\u036f])`, 'u').test(text);
  }
  answer(c) { this.answers[this.k] = c; store.set(this.key, this.answers); this.masked = false; this.render(); }
  /** Motions to act out a wrong answer, or null. */
  acted() {
    const q = this.question(), a = q && this.answers[this.k], rec = this.rec;
    if (this.masked || a == null || a < 0 || !q.choices[a] || !q.choices[a].motion) return null;
    const right = q.choices.find(c => c.right), truth = (right && right.motion) || rec.inputs.qdd || rec.result, wrong = q.choices[a].motion;
    if (!truth || truth.length !== wrong.length) return null;
    const length = rec.model.kind.flatMap((kind, i) => Array(rec.model.nv[i]).fill(kind === 'prismatic' ? rec.model.size || 1 : 1));
    const most = Math.max(1e-12, ...[...truth, ...wrong].map((x, i) => Math.abs(x) / length[i % wrong.length])), s = 0.22 / most;
    return { real: rec.chain(truth.map(x => x * s)), wrong: q.choices[a].right ? null : rec.chain(wrong.map(x => x * s)) };
  }

  // -- text for folded views
  treeLine() {
    const g = this.rec.tells(this.k); if (!g) return this.t('none');
    const name = this.rec.net.dofs ? `${this.rec.name(g.n)}_${under1(this.rec, g.ix)}` : this.rec.name(g.n), value = this.rec.net.dofs && g.v ? `${name} = ${num(g.v.x[0], 3)}` : brief(this.rec, g.n, g.v, g.as);
    return `${g.from} ${g.join ? '–' : '→'} ${g.to}: ${this.masked ? name : value}`;
  }
  summary(v) {
    const s = this.step, rec = this.rec, t = this.t;
    if (v === 'tree') { const g = rec.tells(this.k); return g ? `${g.from} ${g.join ? '–' : '→'} ${g.to}: ${m(rec.name(g.n) + (rec.net.dofs ? `_{${under1(rec, g.ix)}}` : ''))}` : t('still'); }
    if (v === 'arm') {
      if (!s.body) return t('base');
      const p = rec.parent(s.body); return `${t('hand')} <b class="c-current">${s.body}</b>${p > 0 ? `, ${t('parent')} <b class="c-parent">${p}</b>` : ''}`;
    }
    if (v === 'equation') return `[${s.l}] ${m(rec.lhs(rec.line[s.l]) || rec.line[s.l].sym)}`;
    if (s.k !== 'w') return t('quiet');
    if (this.masked) return `${rec.target(this.k)} = ?`;
    if (!s.x.length) return `${rec.target(this.k)} = ${bare(s, rec.planar)}`;
    const g = grid(s, rec.planar), [r, c] = [g.rows.length, g.rows[0].length], size = `${r} × ${c}`;
    return rec.target(this.k) + ' ' + (c > 1 ? (rec.before(this.k) ? `${t('before')} → ${t('after')}` : size) : r > 3 ? size : '= ' + numbers(s, rec.planar));
  }
  /** The name that the matrix view keeps in sight at step k, or null: what is written now. After the last step it is the result. */
  shows(k = this.k) { return this.pick ?? (k === this.last ? this.rec.returned() : null); }
  matrices() {
    if (!this.names) {
      const seen = new Set(this.rec.steps.filter(s => s.k === 'w' && s.x.length >= 9 && s.s.length === 2 && s.s[0] > 1 && s.s[1] > 1).map(s => s.n));
      const tables = new Set(this.rec.steps.filter(s => s.k === 'w' && Array.isArray(s.ix)).map(s => s.n));
      this.names = [...new Set([...tables, ...(this.rec.env.I ? ['I'] : []), ...seen])].slice(0, 6);
      if (this.rec.p.pick && !this.names.includes(this.rec.p.pick)) this.names.push(this.rec.p.pick);
    }
    return this.names;
  }

  // -- drawing
  button(a, name, ic, cls = '') {
    return `<button type="button" class="btn nav ${cls}" data-a="${a}" title="${name}" aria-label="${name}"><span class="lb">${name}</span>${ic}</button>`;
  }
  /** Buttons in one frame, one or several pressed: [[value, name, pressed], ...]. */
  choice(data, name, list) {
    const one = ([value, text, on]) => `<button type="button" data-${data}="${esc(value)}" aria-pressed="${!!on}">${text}</button>`;
    return `<span class="seg" role="group" aria-label="${name}">${list.map(one).join('')}</span>`;
  }
  strip(data, v, name, text, chev) { return `<button type="button" class="strip ${v}" data-${data}="${v}" aria-expanded="false">${icon(v)}<span class="t">${name}</span><span class="s">${text}</span>${icon('dn', chev)}</button>`; }
  skeleton() {
    const { t, rec, lang } = this, p = rec.p, s = rec.kernel ? p.sliders || [] : [];
    this.pl.lang = lang === 'zh' ? 'zh-Hans' : 'en';
    this.pl.classList.toggle('asks', Object.keys(this.questions).length > 0); this.pl.classList.toggle('solid', !rec.planar);
    const asks = Object.keys(this.questions).length ? `<button type="button" class="sw" role="switch" data-a="predict"><span class="tr"></span>${t('predict')}</button>` : '';
    const keys = `<kbd>←</kbd> <kbd>→</kbd> &nbsp;<kbd>B</kbd> ${t('keys')} &nbsp;<kbd>P</kbd> ${t('keyp')}`;
    const langs = this.choice('lang', t('lang'), [['en', 'EN', lang === 'en'], ['zh', '中文', lang === 'zh']]);
    this.pl.setAttribute('role', 'group'); this.pl.setAttribute('aria-label', [p.title || p.fn, p.subtitle].filter(Boolean).join(': '));
    const head = `<div class="pl-head"><div class="h">${esc(p.title || p.fn)}${p.subtitle ? ` <span>· ${esc(p.subtitle)}</span>` : ''}</div>${langs}</div>`;
    this.pl.innerHTML = `${this.deck ? '' : head}
      <div class="panes"></div>
      <div class="strips"><div class="views"></div>${s.length ? this.strip('a', 'change', t('change'), '', 'chev') : ''}</div>
      ${s.length ? `<div class="sliders" hidden>${s.map((x, j) => this.slider(x, j)).join('')}
        <div class="sl-foot"><button type="button" class="btn" data-a="reset">${t('reset')}</button><span class="note"></span></div></div>` : ''}
      <div class="fill"></div><div class="dock"><div class="talk"></div><div class="bar">
        <div class="bar-1"><span class="where"></span><span class="sp"></span><span class="c-2 cnt"></span>${asks}${this.deck ? langs : ''}</div>
        ${this.scrub()}
        <div class="ctl">${this.button('back', t('back'), icon('l'), 'ico')}${this.button('step', t('step'), icon('r'), 'pri')}
          ${this.button('body', t('nextBody'), icon('rr'))}${this.button('pass', t('nextPass'), icon('re'))}
          <span class="sp"></span><span class="keys" aria-hidden="true">${keys}</span></div></div></div>
      <div class="vh" aria-live="polite" role="status"></div><div class="end"></div>`;
    this.watch?.disconnect();                     // the bar stands over the page until the player's end is in sight
    this.watch = new IntersectionObserver(([e]) => this.$('.dock').classList.toggle('stuck', !e.isIntersecting && e.boundingClientRect.top > 0));
    this.watch.observe(this.$('.end')); this.slide(this.sliding);
    this.ticks = [...this.pl.querySelectorAll('.k')];
  }
  scrub() {
    const { rec, t } = this, runs = []; rec.steps.forEach((s, k) => (runs[s.run] ||= []).push({ s, k }));
    const many = rec.steps.length, thin = many > 300 ? 'thin dense' : many > 150 ? 'thin' : '', title = r => rec.p.passes[r[0].s.pass]?.title || '';
    const tick = ({ s, k }) => `<span class="k${s.first ? ' b' : ''}" data-k="${k}"></span>`, group = r => `<div class="g" style="flex:${r.length}">${r.map(tick).join('')}</div>`;
    return `<div class="scrub ${thin}" role="slider" tabindex="0" aria-label="${t('step')}" aria-valuemin="1" aria-valuemax="${many}">${runs.map(group).join('')}</div>
      <div class="scrub-l">${runs.map((r, j) => `<span data-run="${j}" style="flex:${r.length}">${j + 1} <em>${esc(t('title')(title(r)))}</em></span>`).join('')}</div>`;
  }
  slider(s, j) {
    const deg = s.unit === 'rad', f = deg ? 180 / Math.PI : 1, label = s.label.replace(/^(.[\u0300-\u036f]*)(\d+)$/u, '$1_$2'), u = deg ? '°' : esc(s.unit || '');
    const range = `min="${+(s.min * f).toPrecision(6)}" max="${+(s.max * f).toPrecision(6)}"`;
    const name = `data-s="${j}" aria-label="${esc(s.label)} ${u}"`;
    return `<label class="sl"><span class="m">${math(label)}</span><input type="range" ${range} step="${+(s.step * f).toPrecision(4)}" ${name}>
      <input type="number" ${range} step="any" ${name}><span class="u">${u}</span></label>`;
  }
  slide(on) {
    const panel = this.$('.sliders'); if (!panel) return;
    this.sliding = on; panel.hidden = !on; this.$('.change').setAttribute('aria-expanded', on); this.sliderValues();
  }
  sliderValues(except = null) {
    (this.rec.p.sliders || []).forEach((s, j) => {
      const x = this.rec.inputs[s.arg][s.ix] * (s.unit === 'rad' ? 180 / Math.PI : 1), text = String(+x.toPrecision(5));
      this.pl.querySelectorAll(`.sl [data-s="${j}"]`).forEach(el => { if (el !== except) el.value = text; });
    });
  }
  change(el) {
    const s = this.rec.p.sliders[+el.dataset.s], x = Number(el.value); if (el.value === '' || !Number.isFinite(x)) return;
    const f = s.unit === 'rad' ? Math.PI / 180 : 1, q = this.rec.inputs[s.arg], before = q[s.ix];
    q[s.ix] = Math.max(s.min, Math.min(s.max, x * f));
    if (q[s.ix] === before) return;
    this.refresh(); this.sliderValues(el);
  }
  refresh() {
    this.rec.run(); this.cam.fit(this.rec.changed); this.masked = !this.shown && this.waits(this.k) && !this.rec.changed; this.render();
  }
  numbersNote() {
    const p = this.rec.p, el = this.$('.change .s'); if (!el) return;
    el.textContent = this.rec.changed ? this.t('changed') : this.t('recorded'); this.$('.change').classList.toggle('own', this.rec.changed);
    this.$('.sl-foot .note').textContent = this.rec.changed && this.predict && p.predict !== false ? this.t('waits') : '';
    this.$('[data-a=reset]').disabled = !this.rec.changed;
  }
  nums() { return (this.open.includes('equation') ? `<div class="nums">${numsView(this)}</div>` : '') + '<div class="flow"></div>'; }
  pane(v) {
    const t = this.t, M = this.modes, names = this.matrices();
    const modes = ['sym', 'code', 'words', 'hidden'].map(x => [x, t(x), M[x] && (x === 'hidden' || !M.hidden)]);
    const picks = ['', ...names].map(x => [x, x ? math(this.rec.name(x)) : t('now'), (this.shows() || '') === x]);
    const seg = v === 'equation' ? this.choice('mode', t(v), modes) : v === 'matrix' && names.length ? this.choice('pick', t(v), picks) : '';
    const fold = `<button type="button" class="fold" data-fold="${v}" title="${t('fold')}" aria-label="${t('fold')}: ${t(v)}">${icon('up')}</button>`;
    return `<section class="pane ${v}" data-v="${v}" aria-label="${t(v)}"><div class="pane-h">${icon(v)}<span class="tt">${t(v)}</span>
      <span class="sp"></span>${seg}${fold}</div><div class="in">${DRAW[v](this)}</div></section>`;
  }
  talk() {
    const q = this.question(), a = this.answers[this.k], led = ledger(this);
    const said = `<div class="said"><span class="no">[${this.step.l}]</span>${this.rec.sentence(this.k)}</div>`;
    if (!q || (!this.masked && a == null)) return said + led;
    const c = q.choices, right = c.findIndex(x => x.right), given = !this.masked && a >= 0 ? c[a] : null, ok = a === right;
    const text = x => x.html || `<span class="n">${this.set(x.text, y => dotted(esc(y)))}</span>`, done = !this.masked, exact = done && this.exact(this.k);
    const option = (x, j) => {
      const good = done && j === right, bad = done && j === a && !ok;
      return `<button type="button" class="btn keep ${bad ? 'is-wrong' : ''} ${good ? 'is-right' : ''}" data-o="${j}" ${done ? 'disabled' : ''}>${good ? icon('ok') : bad ? icon('no') : ''}${text(x)}</button>`;
    };
    const says = given && (given.says ? (given.html ? given.says : this.spell(given.says)) : ok ? `${this.t('right')} ${this.rec.sentence(this.k)}` : '');
    const more = done ? 'again' : 'show';
    return `<div class="predict"><div class="qn"><span class="tag">${this.t('predict')}</span>${q.html || this.spell(q.ask)}${exact ? ` <span class="m">${this.rec.target(this.k)} = ${exact} = ${num(this.step.x[0])}</span>` : q.html || !this.names1(q.ask, this.k) ? ` <span class="m">${this.rec.target(this.k)} = ?</span>` : ''}</div>
      <div class="opts">${c.map(option).join('')}<button type="button" class="btn keep quiet" data-a="${more}">${this.t(more)}</button></div>
      ${given ? `<div class="fb">${icon(ok ? 'ok' : 'no', ok ? 'c-right' : 'c-wrong')}<span>${says}</span></div>` : ''}</div>`;
  }
  render() {
    saying = WORDS[this.lang];
    const { rec, t, k } = this, s = this.step, views = VIEWS.filter(v => this.open.includes(v)), folded = VIEWS.filter(v => !this.open.includes(v)), panes = this.$('.panes');
    const signature = views.join() + this.lang + JSON.stringify(this.modes) + this.shows();
    if (this.drawn !== signature) {               // the frame of the views changed: build it; else only fill it
      panes.className = 'panes' + (views.length === 2 ? ' two' : ''); panes.innerHTML = views.map(v => this.pane(v)).join('') + this.nums();
      this.drawn = signature; this.reserved = null;
    } else {
      const spun = this.root.activeElement && this.root.activeElement.matches('[data-spin]');
      for (const v of views) this.$(`.pane.${v} .in`).innerHTML = DRAW[v](this);
      const n = this.$('.nums'); if (n) n.innerHTML = numsView(this);
      if (spun) this.$('[data-spin]')?.focus({ preventScroll: true });
    }
    this.$('.strips').className = 'strips n' + folded.length;
    this.$('.views').innerHTML = folded.map(v => this.strip('open', v, t(v).split(':')[0], this.summary(v))).join('');
    this.$('.talk').innerHTML = this.talk(); this.$('.flow').innerHTML = ledger(this);   // narrow: the table flows with the page
    this.$('.vh').textContent = this.masked ? `${t('predict')}: ${spoken(this.$('.qn'))}` : `[${s.l}] ${spoken(this.$('.said, .fb')).replace(/^\[\d+\]/, '')}`;
    this.bar(); this.numbersNote(); this.animate(); this.reserve(); this.level(); this.measure();
  }
  bar() {
    const { rec, t, k } = this, s = this.step, runs = rec.steps[this.last].run + 1;
    this.$('.where').innerHTML = `<span class="ps">${t('pass')(s.run + 1, runs)} <span class="c-2">·</span> </span>${s.body ? t('body')(s.body, rec.n) : t('base')}`;
    this.$('.cnt').textContent = t('steps')(k + 1, this.last + 1);
    this.ticks.forEach((el, j) => {
      const c = `k${rec.steps[j].first ? ' b' : ''}${j < k ? ' done' : j === k ? ' now' : ''}${this.waits(j) ? ' q' : ''}`;
      if (el.className !== c) el.className = c;
    });
    this.pl.querySelectorAll('.scrub-l span').forEach((el, j) => el.classList.toggle('on', j === s.run));
    const sc = this.$('.scrub'); sc.setAttribute('aria-valuenow', k + 1); sc.setAttribute('aria-valuetext', `${this.$('.where').textContent}, [${s.l}]`);
    const end = k === this.last, set = (a, off) => { const b = this.$(`.ctl [data-a=${a}]`); b.disabled = off; };
    const had = this.root.activeElement;
    set('back', k === 0); for (const a of ['step', 'body', 'pass']) set(a, end || this.masked);
    if (had && had.disabled) (this.masked ? this.$('.opts .btn') : this.pl).focus({ preventScroll: true });
    const sw = this.$('.sw'); if (sw) sw.setAttribute('aria-checked', String(this.predict));
  }
  /** Narrow: a question stands in place of the table and the folded views; heights of what is said and of what is asked. */
  overlay(said, put, fit) {
    const box = this.$('.talk'), high = list => { fit(box, list); const h = parseFloat(box.style.minHeight) || 0; return h; };
    this.heights = { put: put.length ? high(put) : 0, said: high(said) };
  }
  level() {
    const box = this.$('.talk'), fill = this.$('.fill'), h = this.heights; fill.style.height = ''; this.pl.classList.remove('over-it');
    if (!h || this.pl.clientWidth >= 560) return;
    const asks = !!box.querySelector('.predict'), room = this.$('.strips').offsetHeight + this.$('.flow').offsetHeight;
    this.pl.classList.toggle('over-it', asks);
    fill.style.height = Math.max(0, Math.max(h.said + room, h.put) - (asks ? 0 : room) - box.offsetHeight) + 'px';   // under the bar where it is stuck
  }
  /** What depends on the room there is: short numbers in a wide matrix, then a hint that it scrolls; whole titles of the passes. */
  measure() {
    const box = this.$('.pane.matrix .in');
    if (box) {
      const all = [...box.querySelectorAll('.hm')], over = () => box.scrollWidth > box.clientWidth + 1;
      all.forEach(x => x.classList.remove('short', 'bare')); for (const c of ['short', 'bare']) if (over()) all.forEach(x => x.classList.add(c));
      box.classList.toggle('over', over());
    }
    const row = this.$('.scrub-l'), width = row.clientWidth; if (this.titled === width) return; this.titled = width;
    const titles = [...row.children], groups = [...this.$('.scrub').children], set = (j, w) => { titles[j].style.minWidth = groups[j].style.minWidth = w; };
    titles.forEach((_, j) => set(j, '')); row.classList.remove('tight');
    const gap = parseFloat(getComputedStyle(row).columnGap) || 0, scale = row.getBoundingClientRect().width / row.offsetWidth || 1;
    const need = titles.map(x => { const r = document.createRange(); r.selectNodeContents(x); return Math.ceil(r.getBoundingClientRect().width / scale) + 1; });
    if (need.reduce((a, b) => a + b + gap, -gap) <= width) need.forEach((w, j) => set(j, w + 'px')); else row.classList.add('tight');   // then only the pass in hand has its title
  }
  animate() {                                     // acted answers start from the present pose and move once
    const links = [...this.pl.querySelectorAll('.lk[data-to]')]; if (!links.length) return;
    void this.host.offsetWidth; links.forEach(g => { g.style.transform = g.dataset.to; });
  }
  /** Nothing may jump: give what changes its height the height of its tallest step in the whole run. */
  reserve() {
    const width = this.pl.clientWidth, mark = [width, this.drawn, this.rec.changed, this.predict].join('|'); if (!width || mark === this.reserved) return;
    this.reserved = mark;
    const was = [this.k, this.masked, this.answers], at = (k, draw) => { [this.k, this.masked] = [k, false]; return draw(); };
    const longest = draw => {                     // of each line's steps the one with most to show; its HTML
      const out = {};
      this.rec.steps.forEach((s, k) => {
        const html = at(k, draw), size = html.replace(/<[^>]*>|&[^;]*;/g, '').length, key = s.l + '|' + s.pass;
        if (!out[key] || size > out[key].size) out[key] = { size, html };
      });
      return Object.values(out).map(x => x.html);
    };
    const fit = (box, all) => {
      if (!box) return; box.style.minHeight = '';
      const ghost = box.cloneNode(false); box.parentNode.appendChild(ghost);
      ghost.style.cssText = `position:absolute;visibility:hidden;left:0;width:${getComputedStyle(box).width};min-height:0`;
      let most = 0; for (const html of all) { ghost.innerHTML = html; most = Math.max(most, parseFloat(getComputedStyle(ghost).height)); }
      ghost.remove(); box.style.minHeight = most + 'px';
    };
    const talk = () => this.talk(), asked = Object.keys(this.questions).map(Number).filter(k => this.question(k));
    this.answers = {}; const said = longest(() => { const { predict } = this; this.predict = false; const html = talk(); this.predict = predict; return html; });
    const put = asked.flatMap(k => this.questions[k].choices.map((_, c) => { this.answers = { [k]: c }; return at(k, talk); }));
    this.answers = was[2];
    if (width >= 560) fit(this.$('.talk'), [...said, ...put]);
    else this.overlay(said, put, fit);
    if (this.open.includes('equation')) { fit(this.$('.pane.equation .in'), longest(() => listing(this))); fit(this.$('.nums'), longest(() => numsView(this))); }
    if (this.open.includes('matrix')) fit(this.$('.pane.matrix .in'), longest(() => matrixView(this)));
    [this.k, this.masked] = was;
    this.level();
  }

  // -- listening
  listen() {
    const pl = this.pl, focus = a => this.$(a)?.focus({ preventScroll: true });
    pl.addEventListener('click', ev => {
      const b = ev.target.closest('button'); if (!b) return; const d = b.dataset, a = d.a;
      if (a === 'back') this.goto(this.k - 1, true);
      else if (a === 'step') this.forward(this.k + 1);
      else if (a === 'body') this.forward(this.nextBody());
      else if (a === 'pass') this.forward(this.nextPass());
      else if (a === 'predict') { this.predict = !this.predict; this.reserved = null; this.masked = this.masked && this.predict; this.render(); }
      else if (a === 'show') { this.answer(-1); focus('[data-a=step]'); }
      else if (a === 'again') { delete this.answers[this.k]; store.set(this.key, this.answers); this.goto(this.k); focus('.opts .btn'); }
      else if (a === 'change') this.slide(!this.sliding);
      else if (a === 'result') { this.pick = this.rec.returned(); if (!this.open.includes('matrix')) this.open = [...this.open, 'matrix'].slice(-2); this.render(); focus('[data-fold=matrix]'); }
      else if (a === 'reset') { this.rec.inputs = copy(this.rec.p.inputs); this.refresh(); this.sliderValues(); }
      else if (d.o != null) { this.answer(+d.o); focus('[data-a=step]'); }
      else if (d.lang) { this.lang = d.lang; this.drawn = null; this.skeleton(); this.sliderValues(); this.render(); focus(`[data-lang=${d.lang}]`); }
      else if (d.fold) { this.open = this.open.filter(v => v !== d.fold); this.render(); focus(`[data-open=${d.fold}]`); }
      else if (d.open) { this.open = [...this.open, d.open].slice(-2); this.render(); focus(`[data-fold=${d.open}]`); }
      else if (d.mode) { this.mode(d.mode); focus(`[data-mode=${d.mode}]`); }
      else if (d.pick != null) { this.pick = d.pick; this.render(); focus(`[data-pick="${d.pick}"]`); }
    });
    pl.addEventListener('input', ev => { if (ev.target.dataset.s != null) this.change(ev.target); });
    pl.addEventListener('change', ev => { if (ev.target.dataset.s != null) this.sliderValues(); });
    pl.addEventListener('keydown', ev => {
      if (ev.altKey || ev.ctrlKey || ev.metaKey || ev.target.matches('input')) return;
      const key = ev.key, spin = ev.target.matches('[data-spin]') && { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key];
      if (spin) this.turn(spin[0] * 0.12, spin[1] * 0.12);
      else if (key === 'ArrowRight') this.forward(this.k + 1);
      else if (key === 'ArrowLeft') this.goto(this.k - 1, true);
      else if (key === 'b' || key === 'B') this.forward(this.nextBody());
      else if (key === 'p' || key === 'P') this.forward(this.nextPass());
      else if (key === 'Home') this.goto(0);
      else if (key === 'End') this.goto(this.last, true);
      else return;
      ev.preventDefault();
    });
    let drag = null;
    const seek = ev => {
      const gaps = this.ticks.map(el => { const r = el.getBoundingClientRect(); return Math.abs(r.left + r.width / 2 - ev.clientX); });
      const best = gaps.indexOf(Math.min(...gaps)); if (best !== this.k) this.goto(best, true);
    };
    pl.addEventListener('pointerdown', ev => {
      const sc = ev.target.closest('.scrub'), art = ev.target.closest('[data-spin]');
      if (sc) { drag = seek; sc.setPointerCapture(ev.pointerId); sc.focus({ preventScroll: true }); seek(ev); ev.preventDefault(); }
      else if (art) {
        let [x, y] = [ev.clientX, ev.clientY]; ev.preventDefault(); art.focus({ preventScroll: true });
        drag = e => { this.turn((e.clientX - x) * -0.01, (e.clientY - y) * 0.01); [x, y] = [e.clientX, e.clientY]; };
      }
    });
    const move = ev => drag && drag(ev), stop = () => { drag = null; };
    addEventListener('pointermove', move); addEventListener('pointerup', stop); addEventListener('pointercancel', stop);
    new ResizeObserver(() => { this.reserve(); this.measure(); }).observe(this.host);
  }
  turn(yaw, tilt) {
    this.cam.yaw += yaw; this.cam.tilt = Math.max(-1.5, Math.min(1.5, this.cam.tilt + tilt));
    const box = this.$('.pane.arm .in'); if (!box) return; const had = this.root.activeElement?.matches('[data-spin]');
    box.innerHTML = armView(this); if (had) this.$('[data-spin]').focus({ preventScroll: true });
  }
  mode(x) {
    const M = this.modes;
    if (x === 'hidden') { M.hidden = !M.hidden; }
    else if (M.hidden) { M.hidden = false; M.sym = M.code = M.words = false; M[x] = true; }
    else { M[x] = !M[x]; if (!M.sym && !M.code && !M.words) M.hidden = true; }
    if (!M.hidden && !M.sym && !M.code && !M.words) M.sym = true;
    this.render();
  }
}

// ---------- 12 style ----------
const STYLE = styled(`--mono:ui-monospace,SFMono-Regular,"JetBrains Mono",Menlo,Consolas,"Liberation Mono",monospace`) + `
i{font-family:var(--math);font-style:italic}
.ss{display:inline-flex;flex-direction:column;vertical-align:middle;font-size:.66em;line-height:1.02;margin:0 .1em 0 .06em;text-align:left}
.n{white-space:nowrap}
.d2::before{margin:0 -.31em 0 .19em;box-shadow:.2em 0}.d1.hi::before,.d2.hi::before{vertical-align:.76em;margin:0 -.52em 0 .4em}
.past{opacity:.4}.end{position:absolute;bottom:0;width:1px;height:1px}.lit{display:none}.pt{margin-right:12px}
.c-current{color:var(--current)}.c-parent{color:var(--parent)}.c-message{color:var(--message)}.c-wrong{color:var(--wrong)}.c-right{color:var(--right)}.c-2{color:var(--ink-2)}

.pl{position:relative;border-radius:10px;outline-offset:1px}
.pl:focus{outline:none}
.h{font-weight:600;line-height:1.35}.h span{font-weight:400;color:var(--ink-2)}
.ic{width:16px;height:16px;flex:none;fill:none;stroke:currentColor;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}
.ic circle{fill:currentColor;stroke:none}
.btn:hover{border-color:var(--ink-3)}
.btn:disabled{opacity:.45;cursor:default}
.btn.ico{padding:0;width:36px;justify-content:center}.btn.ico .lb{display:none}
.btn.quiet{background:none;border-color:transparent;color:var(--ink-2);opacity:1}
.seg :focus-visible{outline-offset:-2px}

.panes{display:grid;grid-template-columns:minmax(0,1fr)}
.pane{padding:10px 16px 12px;min-width:0}
.pane-h{display:flex;align-items:center;gap:8px;margin-bottom:2px;font-size:13px;color:var(--ink-2);min-height:28px}
.pane-h .tt{white-space:nowrap}
.pane-h .ic{color:var(--ink-3)}.pane-h .sp{flex:1}.pane-h .seg button{min-height:24px;padding:0 6px;font-size:12px}
.in{position:relative}
.fold{border:0;background:none;padding:6px;cursor:pointer;border-radius:4px;line-height:0}
.strips{display:grid;grid-template-columns:minmax(0,1fr);gap:1px;background:var(--rule);border-top:1px solid var(--rule)}.views{display:contents}.strips:not(:has(.strip)){display:none}
.strip{display:flex;align-items:center;gap:8px;width:100%;min-height:40px;border:0;background:var(--surface);text-align:left;padding:6px 16px;font-size:13px;color:var(--ink-2);cursor:pointer;min-width:0}
.strip .ic{color:var(--ink-3)}.strip .t{white-space:nowrap}
.strip .s{flex:1;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;text-align:right;line-height:1.7}
.strip:hover{background:var(--recess)}.strip:focus-visible{outline-offset:-2px}
.strip[aria-expanded=true] .chev{transform:rotate(180deg)}
.lst{margin:4px 0 0;padding:0;list-style:none}
.lst li{display:grid;grid-template-columns:26px minmax(0,1fr);align-items:baseline;padding:0;border-left:3px solid transparent;border-radius:0 4px 4px 0;color:var(--ink-2);transition:background var(--t)}
.lst .no{font-size:12px;text-align:right;padding-right:9px;grid-row:1}
.lst .eq{grid-column:2;font-family:var(--math);font-size:15px;line-height:1.35;white-space:nowrap}
.lst .py{grid-column:2;font:12px/1.35 var(--mono);white-space:pre-wrap;overflow-wrap:anywhere;letter-spacing:-.01em}
.lst .wd{grid-column:2;font-size:13px;line-height:1.4}
.lst .hid{grid-column:2;display:block;height:26px}.lst .hid i{display:block;width:min(72%,220px);height:18px;margin-top:4px;border:1px dashed var(--rule);border-radius:3px}
.lst li.on{background:var(--recess);border-left-color:var(--current);color:var(--ink)}.lst li.on .hid i{border-color:var(--ink-2)}
.nums{position:relative;border-top:1px solid var(--rule);padding:6px 16px 8px;font-family:var(--math);font-size:15px;line-height:1.4;min-width:0;display:grid;grid-template-rows:auto 1fr;grid-template-columns:minmax(0,1fr)}
.nums .lab{font:12px/1.4 var(--ui);color:var(--ink-2);margin-bottom:2px}
.nums .row{align-self:center;line-height:1.7;word-spacing:.06em;overflow-x:auto;overflow-y:hidden;padding:2px 1px;scrollbar-width:thin}
.nums .res{white-space:nowrap}.nums .big{font-size:17px}
.wr{background:var(--written);color:var(--written-ink);border-radius:3px;padding:0 .25em;box-shadow:0 0 0 1px var(--written-rule)}
.wr .mat{margin:0}
.mask{display:inline-block;min-width:2.2em;text-align:center;border:1px dashed var(--ink-3);border-radius:3px;color:var(--ink-2);padding:0 .3em}
.mat{display:inline-grid;vertical-align:middle;column-gap:.5em;padding:.05em .38em;line-height:1.3;text-align:right;margin:.15em;position:relative;font-family:var(--math)}
.mat::before,.mat::after{content:"";position:absolute;top:0;bottom:0;width:4px;border:1.25px solid currentColor}
.mat::before{left:0;border-right:0}.mat::after{right:0;border-left:0}
.mat .ch{background:var(--written);color:var(--written-ink);border-radius:2px;box-shadow:0 0 0 1px var(--written-rule);margin:1px 0;padding:0 .18em;line-height:1.2}
.mat.small{font-size:13px;line-height:1.15}.mat.small .ch{margin:0;line-height:inherit}
.gr:is(span){margin-top:.32em!important}.gc{margin-left:.45em!important}
.sliders{border-top:1px solid var(--rule);display:grid;grid-template-columns:repeat(auto-fill,minmax(250px,1fr));gap:2px 24px;padding:4px 16px 12px}
.sl{display:grid;grid-template-columns:2.2em minmax(0,1fr) 4.6em 3.2em;gap:8px;align-items:center;min-height:36px}
.sl .u,.note{font-size:12px;color:var(--ink-2)}
.sl input[type=number]{appearance:textfield;width:100%;min-width:0;font-size:13px;text-align:right;padding:3px 6px;border:1px solid var(--rule);border-radius:4px;background:var(--surface);height:28px}
.sl input::-webkit-inner-spin-button{display:none}
.sl-foot{grid-column:1/-1;display:flex;gap:12px;align-items:center;margin-top:4px}

.dock{position:sticky;bottom:0;z-index:2;background:var(--surface);border-radius:0 0 10px 10px}.dock.stuck{border-radius:0;box-shadow:0 -8px 14px -12px rgb(0 0 0/.45)}
@media (max-height:420px){.dock{position:static;box-shadow:none!important}}
@media (max-height:860px){                        /* low windows: the numbers put in stay above the bar */
  :host(:not([deck])) .lst.with li:not(.on) .py{display:none}:host(:not([deck])) .arm .art>svg{max-height:190px}
  @container (max-width:559px){:host(:not([deck])) .arm .art>svg{max-height:165px}.nums .row{align-self:start}}
}
@media (max-height:760px){:host(:not([deck])) .arm .art>svg{max-height:175px}}
.talk{position:relative;border-top:1px solid var(--rule)}.talk:has(.predict){display:grid;grid-template-columns:minmax(0,1fr)}
.said{padding:8px 16px;min-height:38px}.said .no{color:var(--ink-2);margin-right:6px}
.flow{display:none;border-top:1px solid var(--rule);padding-top:8px}
.led{padding:4px 16px 6px;overflow-x:auto;scrollbar-width:thin}.led.one{display:flex;gap:12px}
.led table{width:100%;border-collapse:collapse;font-size:13px;table-layout:fixed}
.led th,.led td{text-align:center;font-weight:400;padding:1px 2px;height:22px;line-height:1.3;white-space:nowrap}
.led tr:first-child th{color:var(--ink-2);font-size:12px;border-bottom:1px solid var(--rule)}
.led th:first-child{text-align:left;padding-left:0;width:48px}
.led .q{color:var(--ink-3)}.led b{font-weight:600}
.predict{padding:8px 16px;background:var(--recess);height:100%}
.qn{font-weight:600;margin-bottom:6px}.qn .tag{font-weight:400;color:var(--ink-2);margin-right:8px}
.opts{display:flex;flex-wrap:wrap;gap:8px}.opts .btn:disabled{opacity:1}
.opts .n{font-family:inherit}
.fb{margin-top:10px;display:grid;grid-template-columns:18px 1fr;gap:6px;align-items:start}.fb .ic{margin-top:2px;stroke-width:2}
.bar{border-top:1px solid var(--rule);padding:6px 16px 10px}
.bar-1{display:flex;align-items:center;gap:4px 16px}.bar-1 .sp,.ctl .sp{flex:1}.bar-1 b{font-weight:600}
.sw{display:inline-flex;align-items:center;gap:8px;cursor:pointer;background:none;border:0;padding:0;min-height:28px;border-radius:4px}
.tr{width:30px;height:18px;border-radius:9px;border:1.5px solid var(--ink-3);position:relative;transition:background var(--t)}
.tr::after{content:"";position:absolute;left:2px;top:2px;width:11px;height:11px;border-radius:50%;background:var(--ink-3);transition:transform var(--t)}
.sw[aria-checked=true] .tr{border-color:var(--current);background:var(--current)}
.sw[aria-checked=true] .tr::after{transform:translateX(12px);background:var(--surface)}
.scrub{position:relative;display:flex;gap:10px;padding:6px 0 2px;cursor:pointer;touch-action:none;border-radius:4px}
.g{display:flex;min-width:0;align-items:flex-end;height:22px;border-bottom:1px solid var(--rule)}
.k{flex:1;min-width:0;height:100%;position:relative}
.k::after{content:"";position:absolute;left:50%;bottom:0;width:2px;margin-left:-1px;height:7px;background:var(--ink-3);opacity:.55;border-radius:1px 1px 0 0;transition:height var(--t)}
.k:first-child::after{left:1px;margin-left:0}
.thin .k:not(.b):not(.now)::after{width:1px;height:4px}
.dense .k:not(.b):not(.now)::after{display:none}
.k.b::after{height:12px}.k.done::after{background:var(--current);opacity:1}
.k.now::after{width:4px;margin-left:-2px;height:20px;background:var(--current);opacity:1}
.k.q::before{content:"";position:absolute;left:50%;top:0;width:6px;height:6px;margin-left:-4px;border:1.5px solid var(--ink-2);border-radius:50%;background:var(--surface);box-sizing:content-box;z-index:1}
.k.q.now::before{display:none}
.scrub-l{display:flex;gap:10px;font-size:12px;color:var(--ink-2);line-height:1.3;margin-bottom:6px}
.scrub-l span{min-width:0;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}.scrub-l .on{color:var(--ink)}.scrub-l em{font-style:normal}.tight span:not(.on) em{display:none}.tight .on{flex:none!important}
.ctl{display:flex;flex-wrap:wrap;gap:8px;align-items:center}
.keys{font-size:12px;color:var(--ink-2)}
kbd{font:12px/1 var(--mono);border:1px solid var(--rule);border-radius:3px;padding:1px 4px;background:var(--recess)}

.art>svg{width:100%;height:auto;overflow:visible}
.art text{font:12px var(--ui);fill:var(--ink-2);user-select:none}.art .mt{font-family:var(--math);font-size:14px}
.lk{transition:transform var(--t)}
.lk.walk rect{stroke:var(--message);stroke-width:2.25}.lk.walk circle{fill:var(--message)}.jt.walk>*{stroke:var(--message);stroke-width:1.75}
.lk.dim{opacity:.4}.lk.base rect{fill:var(--recess);stroke:var(--rule)}
.lk.ghost rect{fill:none;stroke:var(--wrong);stroke-width:1.75;stroke-dasharray:3 3}
.lk.real rect{fill:var(--folded);stroke:var(--right);stroke-width:1.75}
.hg{fill:var(--surface);stroke:var(--ink-2);stroke-width:1.5}
.art .bn.cur{fill:var(--current);font-weight:700}.art .bn.walk{fill:var(--message);font-weight:700}.art .bn.par{fill:var(--parent);font-weight:700}
.arr{fill:none;stroke:currentColor;stroke-width:1.75}.head{fill:currentColor;stroke:none}.art text[class*=c-]{fill:currentColor}
.art .c-current{color:var(--current)}.art .c-message{color:var(--message)}
.felt{fill:var(--current);fill-opacity:.1;stroke:var(--current);stroke-width:1.5}.felt.msg{fill:var(--message);fill-opacity:.18;stroke:var(--message)}
.nd circle{fill:var(--surface);stroke:var(--ink-3);stroke-width:1.5}.nd text{fill:var(--ink)!important}
.nd.cur circle{stroke:var(--current);stroke-width:2.5;fill:var(--folded)}.nd.walk circle{stroke:var(--message);stroke-width:2.25}.nd.par circle{stroke:var(--parent);stroke-width:2;stroke-dasharray:5 3}
.nd.fold circle{fill:var(--folded)}.nd.hit circle{fill:var(--written);stroke:var(--written-rule);stroke-width:2.25}.nd.hit text{fill:var(--written-ink)!important}
.tie{fill:none;stroke:var(--written-rule);stroke-width:2.25}.chip.join rect{fill:var(--written);stroke:var(--written-rule);stroke-width:1.5}.art .chip.join text{fill:var(--written-ink)}.jn{fill:none;stroke:var(--ink-3);stroke-width:1;stroke-dasharray:2 3}
.ed{stroke:var(--ink-3);stroke-width:1.25;fill:none}.arr.now{stroke-width:2.25}
.chip rect{fill:var(--surface);stroke:var(--message);stroke-width:1.25}.art .chip text{fill:var(--message)}
.key{display:flex;flex-wrap:wrap;gap:4px 14px;font-size:12px;color:var(--ink-2);line-height:1.4;margin:4px 0 0}.key.two{min-height:34px;align-content:flex-start}
.key span{display:inline-flex;align-items:center;gap:5px}
.key i{display:inline-block;width:16px;height:9px;border-radius:5px;border:1.25px solid var(--ink-3);background:var(--body)}
.key .kc{border:2px solid var(--current);background:var(--folded)}.key .kp{border:1.75px dashed var(--parent)}.key .kj{border:2px solid var(--message)}.key .kf{background:var(--folded)}
.key .kr{border:1.75px solid var(--right);background:var(--folded)}.key .kw{border:1.5px dashed var(--wrong);background:none}.key .kb{border:2px solid var(--written-rule);border-radius:3px;align-self:center;margin-left:6px}
.hm{display:inline-grid;gap:2px;font-size:14px;max-width:100%}
.hm>*{min-width:2.7em;height:2.2em;padding:0 .3em;display:grid;place-items:center;border-radius:3px}
.hm.wide{font-size:12px;gap:1px;width:max-content;max-width:none}.hm.wide>*{min-width:2.4em;height:2em;padding:0 3px}.hm.wide>.hd{min-width:1em}
.hm .sh,.hm.short .lo{display:none}.hm.short .sh{display:inline}.hm.bare .lead{display:none}.hm.bare>*{min-width:2em}.hint{visibility:hidden;font-size:12px;margin-left:12px}.over .hint{visibility:visible}
.see{border:0;background:none;padding:0;color:var(--current);text-decoration:underline;cursor:pointer;font-weight:600}
.hm.mini>*{min-width:0;width:12px;height:12px;padding:0;border-radius:1px}.hm.mini .hd{min-width:0;width:2px;height:2px}.hm.mini .chg{box-shadow:inset 0 0 0 1.5px var(--written-rule)}
.hm .hd{min-width:1.4em;color:var(--ink-2);font-size:12px;height:1.7em}
.hm .blank{background:none}.hm .twin{color:var(--ink-2);opacity:.6}.hm .gone{background:var(--recess);color:var(--ink-2);opacity:.6}.hm .hd.off{text-decoration:line-through}.hm .piv{background:var(--folded);font-weight:600;box-shadow:inset 0 0 0 1px var(--current)}.hm.mini .gone:not(.blank){background:var(--rule)}
.key .m i{display:inline;width:auto;height:auto;border:0;background:none}.key .kp2{border:1px solid var(--current);border-radius:3px;background:var(--folded)}.key .kt{border-radius:3px;opacity:.6}
.key .m{display:inline}
.hm .zero{color:var(--ink-2);background:var(--recess)}.hm .none{border:1px dashed var(--rule)}.hm .chg{box-shadow:inset 0 0 0 2px var(--written-rule)}
.ba{display:flex;flex-wrap:wrap;align-items:center;gap:8px 14px;margin-top:4px}.ba.stack{flex-direction:column;align-items:flex-start}.stack .to{transform:rotate(90deg);margin-left:5em}
.matrix .in{overflow-x:auto;scrollbar-width:thin}
.ttl{font-size:12px;color:var(--ink-2);margin-bottom:4px}.ttl .m{font-size:15px}

@container (min-width:560px){
  .panes.two{grid-template-columns:minmax(0,41fr) minmax(0,59fr)}.panes.two .nums{grid-column:1/3}
  .panes.two .pane+.pane{border-left:1px solid var(--rule)}
  .strips{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}
  .art{max-width:340px;margin:0 auto}
  .talk:has(.led){display:grid;grid-template-columns:minmax(0,9fr) minmax(0,11fr);align-items:center}
}
@container (min-width:560px) and (max-width:999px){
  .pl-head{padding:5px 16px}.pane{padding:5px 16px 7px}
  .panes.two .art{max-width:250px}
  .strips.n2:has(.change){grid-template-columns:minmax(0,1fr) minmax(0,1fr) auto}.strips.n2 .change .s{display:none}
  .strips.n2 .own.change .s{display:block}.strips.n2 .own.change .t{display:none}
  .predict{display:flex;flex-wrap:wrap;gap:6px 16px;align-content:flex-start}.predict .qn{flex:0 0 100%;margin:0}.predict .fb{flex:1 1 200px;margin:0;font-size:13px;line-height:1.4}.opts .btn{min-height:34px;padding:0 10px}.opts .quiet{padding:0 4px}
  .nums{grid-template:1fr/80px minmax(0,1fr);gap:0 8px}.nums .mat.small{font-size:12px;column-gap:.36em;padding:.05em .3em;margin:.1em}.nums .lab{align-self:center;margin:0}.pt{display:block;margin:0}
}
@container (min-width:680px) and (max-width:999px){
  .bar{display:grid;grid-template-columns:auto minmax(0,1fr);column-gap:16px}.scrub,.scrub-l{grid-column:1/-1}.ctl{grid-area:3/1}.bar-1{grid-area:3/2;gap:4px 12px}
  .ps,.keys,.ctl .sp{display:none}.bar-1>*{white-space:nowrap}
}
@container (max-width:559px){
  .panes .pane+.pane{border-top:1px solid var(--rule)}
  .lst li:not(.on){display:none}
  .lst .py{white-space:pre-wrap;overflow-wrap:anywhere}.lst .eq{white-space:normal}
  .equation .in{min-height:4.2em}
  .pane-h{flex-wrap:wrap}.pane-h .seg{order:5}
  .art{max-width:236px;margin:0 auto}
  .fb{max-height:8.2em;overflow-y:auto}
  .flow{display:block}.talk .led{display:none}.over-it .flow,.over-it .strips{display:none}
  .keys,.bar-1 .cnt{display:none}
  .btn.nav .lb{display:none}.btn.pri.nav .lb{display:inline}
  .btn.nav{padding:0;width:40px;justify-content:center;min-height:40px}.btn.pri.nav{width:auto;padding:0 16px}
  .scrub,.scrub-l{gap:6px}
  .sliders{grid-template-columns:minmax(0,1fr)}
}
@container (min-width:1000px){
  .pl{font-size:17px}
  .pl-head{padding:8px 24px}.h{font-size:19px}
  .panes.two{grid-template-columns:minmax(0,36fr) minmax(0,64fr);grid-template-rows:auto 1fr}
  .panes.two:has(.nums) .pane:first-child{grid-row:1/3}.panes.two .nums{grid-column:2;border-left:1px solid var(--rule);border-top:0;padding-top:0}
  .pane{padding:6px 24px 8px}.art{max-width:292px}.key.two{min-height:22px}
  .strips{grid-auto-flow:column;grid-auto-columns:minmax(0,1fr);grid-template-columns:none!important}.strips .change{grid-column:auto!important}
  .strip{padding-left:24px;padding-right:24px}
  .lst li{grid-template-columns:34px minmax(0,5fr) minmax(0,9fr);column-gap:8px}.lst .py{grid-column:3;font-size:15px;padding-left:0!important}.lst .wd{font-size:15px;grid-column:2/4}
  .lst .eq{font-size:18px}.lst .no,.scrub-l,.strip,.pane-h,.key,.nums .lab,.keys{font-size:14px}
  .nums{font-size:18px;padding-left:24px;padding-right:24px;align-content:start}.nums .big{font-size:20px}
  .talk{display:grid;grid-template-columns:minmax(0,1fr)}.talk:has(.led){grid-template-columns:minmax(0,1fr) minmax(0,1fr)}
  .bar,.predict,.said,.led,.sliders{padding-left:24px;padding-right:24px}.led{padding-top:4px}
  .bar-1,.btn,.sw,.said{font-size:17px}
  .scrub-l{margin-bottom:6px}
  .predict{display:grid;grid-template-columns:auto 1fr;gap:6px 24px;align-items:center}.predict .qn{margin:0}.predict .fb{grid-column:1/3;margin:0}
}
/* in a slide deck: text of 18 px and more when 1280 × 720 is shown; the lit line's code stands by its numbers */
:host([deck]){margin:8px 0}
:host([deck]) .card,:host([deck]) :is(.pl,.btn,.sw,.said,.bar-1,.h){font-size:20px}
:host([deck]) :is(.lst .no,.scrub-l,.strip,.pane-h,.pane-h .seg button,.seg button,.key,.nums .lab,.led table,.led.one,.led tr:first-child th,.ttl,.sl .u,.note,.sl input[type=number],.hm,.hm.wide,.hm .hd,.mat.small,.lst .wd,.keys,kbd,p){font-size:19px}
:host([deck]) :is(.lst .eq,.nums){font-size:20.5px}:host([deck]) .lst .eq{line-height:1.2}:host([deck]) .lst .py,:host([deck]) .lit{font:19px/1.35 var(--mono);letter-spacing:-.02em}
:host([deck]) .nums .big{font-size:22px}:host([deck]) .art text{font-size:19.5px;translate:0 2px}:host([deck]) .ttl .m{font-size:21px}
:host([deck]) .art{max-width:none}:host([deck]) .arm .art>svg{max-height:270px}:host([deck]) .tree .art>svg{max-height:max(280px,var(--h))}
:host([deck]) .panes:not(.two) .hm:not(.wide,.mini){font-size:26px}
:host([deck]) .predict .mat{font-size:17px;line-height:1.1;padding-top:0;padding-bottom:0;margin:0 .1em}:host([deck]) .predict .opts .btn:has(.mat){padding-top:2px;padding-bottom:2px}
:host([deck]) .dock{position:static;box-shadow:none}:host([deck]) .keys{display:none}
:host([deck]) .sl{grid-template-columns:2.2em minmax(0,1fr) 5em 3.6em}
@container (min-width:1000px){
  :host([deck]) .pane{padding:3px 20px 6px}:host([deck]) .key.two{min-height:54px}
  :host([deck]) .panes.two:has(.nums){grid-template-columns:minmax(0,30fr) minmax(0,70fr)}
  :host([deck]) .lst li{grid-template-columns:36px minmax(0,1fr)}:host([deck]) .lst .py{grid-column:2}:host([deck]) .lst .wd{grid-column:2}
  :host([deck]) .lst.with .py{display:none}:host([deck]) .lit{display:block;color:var(--ink);white-space:nowrap}
  :host([deck]) .nums{padding:0 20px 6px}:host([deck]) .nums .lab{display:flex;gap:20px;align-items:baseline;flex-direction:row-reverse;justify-content:space-between;margin:0}:host([deck]) .pt{display:none}
  :host([deck]) .nums .row{line-height:1.4;white-space:nowrap}:host([deck]) .mat.small{line-height:1.1}
  :host([deck]) .bar{display:grid;grid-template-columns:auto minmax(0,1fr) auto;gap:0 20px;padding:6px 92px 8px 20px;align-items:center}   /* the deck's arrows stand in the corner */
  :host([deck]) .ctl{grid-area:1/1/3/2}:host([deck]) .scrub{grid-area:1/2}:host([deck]) .scrub-l{grid-area:2/2;margin:0}:host([deck]) .bar-1{grid-area:1/3/3/4}
  :host([deck]) :is(.ps,.bar-1 .cnt,.change .s){display:none}:host([deck]) .change .t{flex:1}:host([deck]) .own.change .s{display:block}:host([deck]) .own.change .t{display:none}
  :host([deck]) :is(.predict,.said,.led,.sliders){padding-left:20px;padding-right:20px}:host([deck]) .said{padding-top:5px;padding-bottom:5px;line-height:1.3}
  :host([deck]) .strip{min-height:34px;padding:0 20px}
  :host([deck]) .led th,:host([deck]) .led td{height:23px;line-height:1.15;padding:0 2px}:host([deck]) .predict{padding-top:5px;padding-bottom:5px;gap:4px 20px}
}
@media print{.dock{position:static;box-shadow:none!important}.ctl,.sw,.strips,.sliders,.fold,.seg{display:none!important}.card{break-inside:avoid}}
`;

// ---------- 13 mounting ----------
if (!window.rbdPlayerLoaded) {                     // the module may be inlined in several notebook outputs
  window.rbdPlayerLoaded = true;
  mounting('rbd-player', 'rbdPlayer', (host, data) => new Player(host, data));
}
