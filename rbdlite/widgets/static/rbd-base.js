// rbd-base: what the step player and the storyboards share. It stands before both in one script; no network.
//
// Sections: 1 small things  2 vectors and poses  3 a model to be drawn  4 drawing  5 camera  6 style  7 mounting

window.rbdBase ||= (() => {
// ---------- 1 small things ----------
const esc = s => String(s).replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }[c]));
const store = {
  get(key) { try { return JSON.parse(localStorage.getItem(key)) || {}; } catch { return {}; } },
  set(key, value) { try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* private window: answers last as long as the page */ } },
};
const hash = s => { let h = 5381; for (let i = 0; i < s.length; i++) h = (h * 33 ^ s.charCodeAt(i)) >>> 0; return h.toString(36); };

// ---------- 2 vectors and poses ----------
const I3 = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const mul = (R, v) => [R[0] * v[0] + R[1] * v[1] + R[2] * v[2], R[3] * v[0] + R[4] * v[1] + R[5] * v[2], R[6] * v[0] + R[7] * v[1] + R[8] * v[2]];
const mulM = (A, B) => A.map((_, k) => { const i = k - k % 3, j = k % 3; return A[i] * B[j] + A[i + 1] * B[j + 3] + A[i + 2] * B[j + 6]; });
const tr = R => [R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]];
const add = (a, b, s = 1) => a.map((x, i) => x + s * b[i]);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = v => Math.hypot(...v);
const compose = (A, B) => ({ R: mulM(A.R, B.R), p: add(A.p, mul(A.R, B.p)) });

/** Pose of a body in its parent from X = [[E, 0], [-E r×, E]]: R = Eᵀ, p = r. */
function poseOf(X) {
  const at = (i, j) => X[i * 6 + j];
  const E = [at(0, 0), at(0, 1), at(0, 2), at(1, 0), at(1, 1), at(1, 2), at(2, 0), at(2, 1), at(2, 2)];
  const B = [at(3, 0), at(3, 1), at(3, 2), at(4, 0), at(4, 1), at(4, 2), at(5, 0), at(5, 1), at(5, 2)];
  const C = mulM(tr(E), B);                       // = -r×
  return { R: tr(E), p: [C[5], C[6], C[1]] };
}

/** Motion by the twist (w; v) during unit time, as a pose. */
function twist(w, v) {
  const t = norm(w);
  if (t < 1e-12) return { R: I3, p: v };
  const k = [0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0], kk = mulM(k, k);
  const a = Math.sin(t) / t, b = (1 - Math.cos(t)) / t ** 2, c = (t - Math.sin(t)) / t ** 3;
  return { R: I3.map((x, i) => x + a * k[i] + b * kk[i]), p: mul(I3.map((x, i) => x + b * k[i] + c * kk[i]), v) };
}

// ---------- 3 a model to be drawn ----------
/** A model that can be drawn: rel[i] is the pose of body i in its parent, poses[i] its pose in the world. */
class Tree {
  constructor(model) { this.model = model; this.planar = model.planar; this.n = model.parent.length - 1; }
  joint(i, d) {                                   // motion of joint i by d, in the body's own axes
    const S = this.model.S[i]; let w = [0, 0, 0], v = [0, 0, 0];
    d.forEach((x, j) => { w = w.map((y, r) => y + S[r][j] * x); v = v.map((y, r) => y + S[r + 3][j] * x); });
    return twist(w, v);
  }
  chain(dq = null) {
    const out = [{ R: I3, p: [0, 0, 0] }];
    for (let i = 1, at = 0; i <= this.n; i++) {
      const nv = this.model.nv[i], rel = dq ? compose(this.rel[i], this.joint(i, dq.slice(at, at + nv))) : this.rel[i];
      out[i] = compose(out[this.model.parent[i]], rel); at += nv;
    }
    return out;
  }
  children(i) { return this.model.parent.map((p, j) => (p === i ? j : -1)).filter(j => j > 0); }
  /** Points (world) that body i joins: its joint, its children's joints, its tip. */
  ends(i, poses = this.poses) {
    const apart = new Map(this.children(i).map(j => [this.rel[j].p.map(x => x.toFixed(9)).join(), j]));   // each place once
    const kids = [...apart.values()].map(j => poses[j].p), tip = this.model.tip && this.model.tip[i];
    return tip ? [...kids, add(poses[i].p, mul(poses[i].R, tip))] : kids;
  }
}

// ---------- 4 drawing ----------
const f1 = x => (Math.round(x * 10) / 10).toString();
const poly = (...points) => 'M' + points.map(p => `${f1(p[0])} ${f1(p[1])}`).join('L');
const label = (p, cls, content) => `<text class="${cls}" x="${f1(p[0])}" y="${f1(p[1] + 4)}" text-anchor="middle">${content}</text>`;
/** Triangle with its tip at p, pointing along the unit vector u. */
const point = (p, u, h = 8) => poly(p, [p[0] - u[0] * h + u[1] * 3.6, p[1] - u[1] * h - u[0] * 3.6], [p[0] - u[0] * h - u[1] * 3.6, p[1] - u[1] * h + u[0] * 3.6]) + 'z';
const path = (d, cls, more = '') => `<path d="${d}" class="${cls}" ${more}/>`;
const ICONS = {
  l: 'M10 3 5 8l5 5', r: 'm6 3 5 5-5 5', rr: 'm3 3 5 5-5 5m5-10 5 5-5 5', re: 'm4 3 5 5-5 5m8-10v10', dn: 'm4 6 4 4 4-4', up: 'm4 10 4-4 4 4',
  lock: 'M5.2 7.4V5.2a2.8 2.8 0 0 1 5.6 0v2.2', open: 'M5.2 7.4V4.6a2.8 2.8 0 0 1 5.5-.7',
  ok: 'm3 8.5 3.4 3.4L13 4.6', no: 'm4 4 8 8m0-8-8 8', arm: 'M3 13V8h6V3', tree: 'M8 3 4 12M8 3l4 9',
  matrix: 'M5 2H2.5v12H5M11 2h2.5v12H11M5.5 5.5H7M9 5.5h1.5M5.5 10.5H7M9 10.5h1.5', equation: 'M2.5 6h11M2.5 10h11',
  change: 'M2.5 5h6m3 0h2M2.5 11h2m3 0h6M8.5 5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0M4.500 11a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0',
};
const DOTS = { arm: [[3, 13], [9, 8], [9, 3]], tree: [[8, 3], [4, 12.5], [12, 12.5]] };
const lockBody = closed => `<rect x="3.4" y="7.4" width="9.2" height="6.4" rx="1.2" ${closed ? 'class="solid"' : ''}/>`;
const icon = (n, cls = '') => `<svg class="ic ${cls}" viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[n]}"/>${
  (DOTS[n] || []).map(([x, y]) => `<circle cx="${x}" cy="${y}" r="1.7"/>`).join('')}${n === 'lock' || n === 'open' ? lockBody(n === 'lock') : ''}</svg>`;
/** A padlock in a drawing, centred at (x, y). */
const glyph = (x, y, closed, size = 1.2, more = '') => `<g class="gl ${closed ? 'c-locked' : 'c-free'}" transform="translate(${f1(x - 8 * size)} ${f1(y - 8 * size)}) scale(${size})" ${more}><path d="${ICONS[closed ? 'lock' : 'open']}"/>${lockBody(closed)}</g>`;

/** A straight arrow with its head drawn in place (no markers: they do not work in every shadow tree). */
function arrow(a, b, cls, heads = 1) {
  const dx = b[0] - a[0], dy = b[1] - a[1], len = Math.hypot(dx, dy);
  if (len < 2) return '';
  const u = [dx / len, dy / len], h = Math.min(8, len * 0.7), back = d => [b[0] - u[0] * d, b[1] - u[1] * d];
  return path(poly(a, back(h * 0.8)), 'arr ' + cls) + path(point(b, u, h) + (heads > 1 && len > 12 ? point(back(6), u, h) : ''), 'head ' + cls);
}

function away(p, a, b) {                          // distance of point p from the segment a-b
  const d = [b[0] - a[0], b[1] - a[1]], L = d[0] ** 2 + d[1] ** 2 || 1e-9;
  const t = Math.max(0, Math.min(1, ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / L));
  return Math.hypot(p[0] - a[0] - t * d[0], p[1] - a[1] - t * d[1]);
}

// ---------- 5 camera ----------
const W = 290;                                    // width of a drawing, in its own units

/** Where a world point is drawn. Planar models: squared paper, x right, y up. Others: orthographic, z up. */
class Camera {
  constructor(rec) { this.rec = rec; this.yaw = -0.9; this.tilt = 0.32; this.fit(); if (!rec.planar) this.look(); }
  points() {
    const r = this.rec, out = [[0, 0, 0]];
    for (let i = 1; i <= r.n; i++) out.push(r.poses[i].p, ...r.ends(i), add(r.poses[i].p, mul(r.poses[i].R, r.model.com[i])));
    return out;
  }
  fit(grow = false) {
    const pts = this.points(), lo = [0, 1, 2].map(a => Math.min(...pts.map(p => p[a]))), hi = [0, 1, 2].map(a => Math.max(...pts.map(p => p[a])));
    this.lo = grow ? this.lo.map((x, a) => Math.min(x, lo[a])) : lo; this.hi = grow ? this.hi.map((x, a) => Math.max(x, hi[a])) : hi;
    const size = Math.max(this.hi[0] - this.lo[0], this.hi[1] - this.lo[1], this.rec.planar ? 0 : this.hi[2] - this.lo[2], 0.1);
    if (this.rec.planar) {
      const pad = 0.24 * size, w = this.hi[0] - this.lo[0] + 2 * pad, h = this.hi[1] - this.lo[1] + 2 * pad;
      this.scale = Math.min(W / w, W / h); this.H = Math.max(190, Math.min(W, h * this.scale));
    } else {
      this.scale = 250 / (norm(add(this.hi, this.lo, -1)) || 1); this.H = 280;
    }
    this.mid = this.hi.map((x, a) => (x + this.lo[a]) / 2);
    const raw = size / 8, p10 = 10 ** Math.floor(Math.log10(raw));
    this.cell = [1, 2.5, 5, 10].map(c => c * p10).find(c => c >= raw * 0.8);
  }
  look() {                                        // the turn about z that spreads the arm most
    let best = -1;
    for (const yaw of [-0.5, -0.9, -1.3, -1.8]) {
      this.yaw = yaw; const xs = this.points().map(p => this.at(p)[0]), w = Math.max(...xs) - Math.min(...xs);
      if (w > best * 1.05) { best = w; this.best = yaw; }
    }
    this.yaw = this.best;
  }
  /** Directions in the world that are drawn to the right and upwards. */
  axes() {
    if (this.rec.planar) return [[1, 0, 0], [0, 1, 0]];
    const c = Math.cos(this.yaw), s = Math.sin(this.yaw), ct = Math.cos(this.tilt), st = Math.sin(this.tilt);
    return [[-s, c, 0], [-c * st, -s * st, ct]];
  }
  turn(yaw, tilt) { this.yaw += yaw; this.tilt = Math.max(-0.2, Math.min(1.4, this.tilt + tilt)); }
  at(p) {
    const d = add(p, this.mid, -1);
    if (this.rec.planar) return [W / 2 + d[0] * this.scale, this.H / 2 - d[1] * this.scale, d[2]];
    const c = Math.cos(this.yaw), s = Math.sin(this.yaw), ct = Math.cos(this.tilt), st = Math.sin(this.tilt);
    const out = c * d[0] + s * d[1];              // towards the eye, level
    return [W / 2 + (-s * d[0] + c * d[1]) * this.scale, this.H / 2 - (d[2] * ct - out * st) * this.scale, out * ct + d[2] * st];
  }
  paper() {
    const c = this.cell; let s = '';
    if (this.rec.planar) {
      const x0 = this.mid[0] - W / 2 / this.scale, x1 = this.mid[0] + W / 2 / this.scale, y0 = this.mid[1] - this.H / 2 / this.scale, y1 = this.mid[1] + this.H / 2 / this.scale;
      const unit = k => (Math.abs(k % (String(c).includes('25') ? 4 : 5)) === 0 ? 'u' : '');
      for (let k = Math.ceil(x0 / c); k * c <= x1; k++) { const x = f1(this.at([k * c, 0, 0])[0]); s += `<line class="${unit(k)}" x1="${x}" y1="0" x2="${x}" y2="${f1(this.H)}"/>`; }
      for (let k = Math.ceil(y0 / c); k * c <= y1; k++) { const y = f1(this.at([0, k * c, 0])[1]); s += `<line class="${unit(k)}" x1="0" y1="${y}" x2="${W}" y2="${y}"/>`; }
    } else {
      const g = c * 1.5, n = 3, z = Math.min(0, this.lo[2]);
      for (let k = -n; k <= n; k++) for (const [a, b] of [[[k * g, -n * g, z], [k * g, n * g, z]], [[-n * g, k * g, z], [n * g, k * g, z]]]) {
        const p = this.at(a), q = this.at(b); s += `<line class="${k ? '' : 'u'}" x1="${f1(p[0])}" y1="${f1(p[1])}" x2="${f1(q[0])}" y2="${f1(q[1])}"/>`;
      }
    }
    return `<svg class="gr" style="overflow:hidden" width="${W}" height="${f1(this.H)}">${s}</svg>`;   // the floor ends at the frame, arrows may not
  }
}

function capsule(a, b, w, cls, start = null) {    // start: pose from which a moved link begins its way
  const len = Math.hypot(b[0] - a[0], b[1] - a[1]), deg = t => Math.atan2(t[1][1] - t[0][1], t[1][0] - t[0][0]) * 180 / Math.PI;
  const tf = t => `translate(${f1(t[0][0])}px,${f1(t[0][1])}px) rotate(${f1(deg(t))}deg)`;
  if (len < 1.5) return '';
  const rect = `<rect x="${-w}" y="${-w}" width="${f1(len + 2 * w)}" height="${2 * w}" rx="${w}"/>`;
  return `<g class="lk ${cls}" style="transform:${tf(start || [a, b])}" ${start ? `data-to="${tf([a, b])}"` : ''}>${rect}</g>`;
}

/** A joint's axis as a short cylinder (3D). */
function disc(cam, pose, axis, r, h, cls) {
  const u = mul(pose.R, axis), p = cam.at(pose.p), tip = cam.at(add(pose.p, u, h)), d = [tip[0] - p[0], tip[1] - p[1]], len = Math.hypot(...d);
  const depth = (tip[2] - p[2]) / h, front = depth >= 0 ? 1 : -1, rx = r * cam.scale, ry = rx * Math.min(1, Math.abs(depth));
  const rot = len > 0.01 ? Math.atan2(d[1], d[0]) * 180 / Math.PI + 90 : 0, n = len > 0.01 ? [-d[1] / len * rx, d[0] / len * rx] : [rx, 0];
  const a = [p[0] + front * d[0], p[1] + front * d[1]], b = [p[0] - front * d[0], p[1] - front * d[1]];
  const ell = (c, k) => `<ellipse class="${k}" cx="${f1(c[0])}" cy="${f1(c[1])}" rx="${f1(rx)}" ry="${f1(ry)}" transform="rotate(${f1(rot)} ${f1(c[0])} ${f1(c[1])})"/>`;
  const side = poly(add(a, n), add(b, n), add(b, n, -1), add(a, n, -1));
  return `<g class="jt ${cls}">${ell(b, '')}${path(side, '')}${ell(a, 'face')}</g>`;
}

/** Links and joints of an arm at its present poses, back to front. cls(i), order(i): class and rank of body i. segments, labels: what words keep clear of; w: half a link's width. */
function armParts(rec, cam, cls, { order = () => 0, base = 'base' } = {}) {
  const w = rec.planar ? 5.5 : 4.2, parts = [], segments = [], labels = [], small = rec.n > 9, heaviest = Math.max(...rec.model.mass.slice(1));
  for (let i = 1; i <= rec.n; i++) {
    const o = cam.at(rec.poses[i].p), com = cam.at(add(rec.poses[i].p, mul(rec.poses[i].R, rec.model.com[i])));
    for (const e of rec.ends(i)) { const q = cam.at(e); segments.push([o, q, i]); parts.push({ z: (o[2] + q[2]) / 2, o: order(i), svg: capsule(o, q, w, cls(i)) }); }
    const R = rec.planar ? 3 + 6.2 * Math.sqrt(Math.max(0, rec.model.mass[i]) / heaviest) : 0;
    if (R && rec.model.mass[i] > 0) parts.push({ z: o[2], o: order(i) + 0.5, svg: `<g class="lk ${cls(i)}"><circle cx="${f1(com[0])}" cy="${f1(com[1])}" r="${f1(R)}"/></g>` });
    if (rec.planar) {
      const slide = rec.model.kind[i] === 'prismatic', a = mul(rec.poses[i].R, rec.model.axis[i] || [1, 0, 0]), ang = f1(-Math.atan2(a[1], a[0]) * 180 / Math.PI);
      const hinge = slide ? `<rect class="hg" x="${f1(o[0] - 8)}" y="${f1(o[1] - 4.5)}" width="16" height="9" transform="rotate(${ang} ${f1(o[0])} ${f1(o[1])})"/>`
        : `<circle class="hg" cx="${f1(o[0])}" cy="${f1(o[1])}" r="3.5"/>`;
      parts.push({ z: o[2], o: 5, svg: hinge });
    } else if (rec.model.nv[i] === 1) {
      const size = 22 / cam.scale * (small ? 0.6 : 1);
      parts.push({ z: o[2] + 0.001, o: 0, svg: disc(cam, rec.poses[i], rec.model.axis[i], size * 0.34, size * 0.38, cls(i)) });
    } else parts.push({ z: o[2] + 0.001, o: 0, svg: `<g class="jt ${cls(i)}"><circle class="face" cx="${f1(o[0])}" cy="${f1(o[1])}" r="7"/></g>` });
    labels.push({ i, o, com, e: rec.ends(i).map(x => cam.at(x))[0] || com, R });
  }
  if (!rec.planar) for (const j of rec.children(0)) {
    if (rec.model.kind[j] === 'free') continue; const o = cam.at([0, 0, 0]), q = cam.at(rec.poses[j].p);
    segments.push([o, q, 0]); parts.push({ z: Math.min(o[2], q[2]) - 1, o: 0, svg: capsule(o, q, w, base) });
  }
  parts.sort((a, b) => (rec.planar ? a.o - b.o : a.z - b.z));
  return { parts, segments, labels, w };
}

/** The ellipsoid of a rigid inertia (36 numbers, body axes) as it is seen: semi-axes are radii of gyration. null without mass. */
function massEllipse(I, pose, cam) {
  const m = I[21]; if (!(m > 0)) return null;
  const c = [-I[11] / m, I[5] / m, I[9] / m], half = (I[0] + I[7] + I[14]) / 2;     // about the origin: I = tr(Σ) − Σ
  const spread = v => { const u = mul(tr(pose.R), v); return w => { const x = mul(tr(pose.R), w); let s = 0;
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) s += u[i] * x[j] * (((i === j ? half : 0) - I[6 * i + j]) / m - c[i] * c[j]);
    return s; }; };
  const [right, up] = cam.axes(), xx = spread(right)(right), yy = spread(up)(up), xy = spread(right)(up), h = (xx + yy) / 2, d = Math.hypot((xx - yy) / 2, xy);
  return { m, c: add(pose.p, mul(pose.R, c)), r1: Math.sqrt(Math.max(0, h + d)), r2: Math.sqrt(Math.max(0, h - d)), th: Math.atan2(2 * xy, xx - yy) / 2 };
}

// ---------- 6 style ----------
// token: light, dark. A colour never stands without its sign.
const TOKENS = {
  paper: '#ffffff #14181e', surface: '#ffffff #181d24', recess: '#f5f7f9 #1e242c', rule: '#dde2e8 #333c47', grid: '#e9eff4 #232b34',
  'grid-unit': '#d5dfe8 #303a45', ink: '#1d232b #e6eaef', 'ink-2': '#535e6b #a8b2be', 'ink-3': '#7f8a96 #74808d', body: '#f1f3f5 #262d36',
  current: '#0b4a9e #62aef0', folded: '#d9e6f6 #1b3a5a', parent: '#6a2560 #f3cdf5', message: '#935f00 #fdaa16', written: '#fff1a8 #4d430c',
  'written-ink': '#453700 #f7e690', 'written-rule': '#c2a100 #b79d2c', wrong: '#9c1420 #ff7a80', right: '#07685b #69e1a2', 'on-current': '#ffffff #0d1116',
  locked: '#262b33 #e8ecf0', free: '#0670ab #38b4c8',
};
const tokens = j => Object.entries(TOKENS).map(([k, v]) => `--${k}:${v.split(' ')[j]}`).join(';');
/** The head of a style sheet; more: further custom properties of the host. */
const styled = more => `
:host{all:initial;display:block;color-scheme:light;${tokens(0)};
  --ui:-apple-system,BlinkMacSystemFont,"Segoe UI",Inter,Roboto,"Helvetica Neue",Arial,"PingFang SC","Noto Sans CJK SC","Microsoft YaHei",sans-serif;
  --math:"STIX Two Text","STIX Two Math",STIX,STIXGeneral,"Cambria Math",Cambria,"Times New Roman",serif;
  --t:200ms cubic-bezier(.3,.7,.2,1);margin:16px 0;line-height:1.5;${more}}
:host([theme=dark]){color-scheme:dark;${tokens(1)}}
@media (prefers-reduced-motion:reduce){:host{--t:1ms linear}}
*{box-sizing:border-box}
[hidden]{display:none!important}
svg{display:block}
button,input{font:inherit;color:inherit;margin:0}
:focus-visible{outline:2px solid var(--current);outline-offset:2px}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.m{font-family:var(--math);font-size:1.08em}
.d1,.d2{white-space:nowrap}.d1::before,.d2::before{content:"";display:inline-block;width:.12em;height:.12em;border-radius:50%;background:currentColor;vertical-align:.55em;margin:0 -.4em 0 .28em}
sub,sup{font-size:.7em;line-height:0}
.card{container-type:inline-size;border:1px solid var(--rule);border-radius:10px;background:var(--surface);color:var(--ink);font:14px/1.5 var(--ui);font-variant-numeric:tabular-nums lining-nums;text-align:left}
.pl-head{display:flex;align-items:center;justify-content:space-between;gap:12px;padding:10px 16px;border-bottom:1px solid var(--rule)}
.btn{appearance:none;border:1px solid var(--rule);background:var(--surface);border-radius:6px;min-height:36px;padding:0 12px;display:inline-flex;align-items:center;gap:6px;font-size:14px;line-height:1.2;cursor:pointer;white-space:nowrap;transition:border-color var(--t),background var(--t)}
.btn.pri{background:var(--current);border-color:var(--current);color:var(--on-current);font-weight:600}
.btn.is-wrong{border:1px dashed var(--wrong);color:var(--wrong)}.btn.is-right{border-color:var(--right);color:var(--right);box-shadow:inset 0 0 0 1px var(--right)}
.seg{display:inline-flex;flex:none;border:1px solid var(--rule);border-radius:6px;overflow:hidden}
.seg button{white-space:nowrap;border:0;background:none;min-height:30px;padding:0 10px;font-size:13px;cursor:pointer;color:var(--ink-2)}
.seg button+button{border-left:1px solid var(--rule)}
.seg button[aria-pressed=true]{color:var(--ink);font-weight:600;background:var(--recess)}
p{margin:8px 0 0}
input[type=range]{appearance:none;width:100%;min-width:0;height:24px;background:none;cursor:pointer}
input[type=range]::-webkit-slider-runnable-track{height:2px;background:var(--ink-3);border-radius:1px}
input[type=range]::-webkit-slider-thumb{appearance:none;width:18px;height:18px;border-radius:50%;background:var(--surface);border:2px solid var(--current);margin-top:-8px}
input[type=range]::-moz-range-track{height:2px;background:var(--ink-3)}
input[type=range]::-moz-range-thumb{width:14px;height:14px;border-radius:50%;background:var(--surface);border:2px solid var(--current)}
.gr line{stroke:var(--grid);stroke-width:1}.gr .u{stroke:var(--grid-unit)}
.lk rect{fill:var(--body);stroke:var(--ink-3);stroke-width:1.25}.lk circle{fill:var(--ink-3)}
.lk.fold rect{fill:var(--folded)}.lk.fold circle{fill:var(--current)}
.lk.cur rect{fill:var(--folded);stroke:var(--current);stroke-width:2.5}.lk.cur circle{fill:var(--current)}
.lk.par rect{stroke:var(--parent);stroke-width:2;stroke-dasharray:5 3}.lk.par circle{fill:var(--parent)}
.spin{cursor:grab;touch-action:pan-y;border-radius:4px}.spin:active{cursor:grabbing}
.jt ellipse,.jt path,.jt circle{fill:var(--body);stroke:var(--ink-3);stroke-width:1.25}.jt .face{fill:var(--surface)}
.jt.fold>*{fill:var(--folded)}.jt.cur>*{fill:var(--folded);stroke:var(--current);stroke-width:2}.jt.par>*{stroke:var(--parent);stroke-width:1.5}.jt.dim{opacity:.4}
.ground{fill:none;stroke:var(--ink-3);stroke-width:1.25}
`;

// ---------- 7 mounting ----------
/** "dark" or "light": what lies under a slide; the book theme, JupyterLab, VS Code, else the system. */
function theme(host) {
  if (host.closest('.reveal')) return under(host);
  const html = document.documentElement.dataset, body = document.body ? document.body.dataset : {};
  if (html.theme === 'dark' || html.theme === 'light') return html.theme;
  if (body.jpThemeLight) return body.jpThemeLight === 'false' ? 'dark' : 'light';
  if (body.vscodeThemeKind) return /dark/.test(body.vscodeThemeKind) ? 'dark' : 'light';
  return matchMedia('(prefers-color-scheme:dark)').matches ? 'dark' : 'light';
}
/** The nearest background behind an element of a deck: slides do not follow the system. */
function under(el) {
  for (let e = el.parentElement; e; e = e.parentElement) {
    if (e.matches('section.has-dark-background')) return 'dark';
    if (e.matches('section.has-light-background')) return 'light';
    const [r, g, b, alpha = 1] = (getComputedStyle(e).backgroundColor.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
    if (alpha > 0.5) return 0.299 * r + 0.587 * g + 0.114 * b < 128 ? 'dark' : 'light';
  }
  return 'light';
}
/** Mount every element of a class, now and later: make(host, its data). Themes are followed. */
function mounting(name, made, make) {
  const all = f => document.querySelectorAll('.' + name).forEach(f);
  const paint = () => all(host => { const now = theme(host); if (host.getAttribute('theme') !== now) host.setAttribute('theme', now); });
  const mount = host => {
    if (host[made] || host.dataset.failed) return;
    const data = host.querySelector('script[type="application/json"]'); if (!data) return;
    host.setAttribute('theme', theme(host)); host.toggleAttribute('deck', !!host.closest('.reveal'));
    const box = host.closest('.text_html');       // the book theme puts outputs on a light plate in the dark
    if (box) Object.assign(box.style, { background: 'none', padding: '0', overflow: 'visible' });
    try { make(host, JSON.parse(data.textContent)); }
    catch (e) { host.dataset.failed = '1'; if (host.shadowRoot) host.shadowRoot.innerHTML = '<slot></slot>'; console.error(name + ':', e); }
  };
  const start = () => {
    all(mount); new MutationObserver(() => all(mount)).observe(document.body, { childList: true, subtree: true });
    const themes = { attributes: true, attributeFilter: ['data-theme', 'data-jp-theme-light', 'data-vscode-theme-kind', 'class'] };
    for (const el of [document.documentElement, document.body]) new MutationObserver(paint).observe(el, themes);
    matchMedia('(prefers-color-scheme:dark)').addEventListener('change', paint); addEventListener('load', paint);
  };
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start); else start();
}
return { esc, store, hash, I3, mul, mulM, tr, add, cross, norm, compose, poseOf, twist, Tree, f1, poly, label, point,
  path, ICONS, DOTS, lockBody, icon, glyph, arrow, away, W, Camera, capsule, disc, armParts, massEllipse, TOKENS,
  tokens, styled, theme, under, mounting };
})();
