"use strict";
/* The script of a page: it shows what is in the element "data" and in those of the packed sources.
 * What comes from outside becomes text nodes only; the page's policy allows no other script. It
 * stands in the head, so that what is there without it is never laid out. */
document.documentElement.classList.add("live");
document.addEventListener("DOMContentLoaded", () => {
const LINE = 18;                 /* pixels: as .l in page.css */
const CHUNK = 120, ROWS = 100, CALLS = 8;   /* lines, rows, calls that are made at once */
const FLAME_ROW = 20, FLAME_LEAST = 0.0008;

const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent);

/* ---- elements ---- */

function el(tag, name, ...children)
{
	const e = document.createElement(tag);
	if (name)
		e.className = name;
	e.append(...children);
	return e;
}

function link(hash, name, ...children)
{
	const a = el("a", name, ...children);
	a.href = "#" + hash;
	return a;
}

function button(text, title, action)
{
	const b = el("button", "", text);
	b.title = title;
	b.addEventListener("click", action);
	return b;
}

const clear = (e) => e.replaceChildren();
const classOf = (h) => (h[2] ? "l " : "") + rankClass(h[3]); /* of a column with this head */
const collator = new Intl.Collator("en", { numeric: true });

/* What the terminal takes: a regular expression, in which capitals matter if there are any. */
function matcher(text)
{
	try {
		const r = new RegExp(text, /[A-Z]/.test(text) ? "" : "i");
		return (s) => r.test(s);
	} catch (e) {
		say("not a regular expression: it is looked for as it is");
		return (s) => s.includes(text);
	}
}

/* ---- places ---- */

const fileNamed = new Map();
data.files.forEach((f, i) => f && fileNamed.set(f[0], i));
const inFile = data.files.map(() => []); /* procedures of each, by line */
data.procedures.forEach((p, i) => p && p[1] && inFile[p[1]] && inFile[p[1]].push(i));
inFile.forEach((ids) => ids.sort((a, b) => data.procedures[a][2] - data.procedures[b][2] || a - b));
const encode = (path) => path.split("/").map(encodeURIComponent).join("/");
const placeHash = (file, line) => encode(data.files[file][0]) + ":" + line;

/* The position of the stretch that LINE is in, among STRETCHES in order; -1: none. */
function stretchAt(stretches, line)
{
	let low = 0, high = stretches.length - 1;
	while (low <= high) {
		const i = (low + high) >> 1;
		if (line < stretches[i][0])
			high = i - 1;
		else if (line > stretches[i][1])
			low = i + 1;
		else
			return i;
	}
	return -1;
}

/* The file of this path, or the only one whose path ends so; 0: none. */
function fileOf(path)
{
	const ends = data.files.map((f, i) => i).filter((i) => data.files[i] && data.files[i][0].endsWith("/" + path));
	return fileNamed.get(path) || (ends.length === 1 ? ends[0] : 0);
}

/* Is the text of the line in the page? */
const isShown = (file, line) => {
	const f = data.files[file], i = f ? stretchAt(f[2], line) : -1;
	return i >= 0 && !!f[2][i][2];
};

function hashOf(id)
{
	const p = data.procedures[id];
	return isShown(p[1], p[2]) ? placeHash(p[1], p[2]) : ":of:" + id;
}

/* The innermost procedure around a line; 0: none. */
function procedureAt(file, line)
{
	let found = 0, size = Infinity;
	for (const id of inFile[file] || []) {
		const p = data.procedures[id];
		if (p[2] <= line && line <= p[3] && p[3] - p[2] < size) {
			found = id;
			size = p[3] - p[2];
		}
	}
	return found;
}

const nameOf = (id) => data.procedures[id] ? data.procedures[id][0] : "?";

/* ---- cells: null, a number, a text, or both ---- */

const cellText = (c) => c === null ? "-" : Array.isArray(c) ? c[1] : String(c);
const cellKey = (c) => c === null ? 0 : Array.isArray(c) ? c[0] : c;
/* Columns that have something, as positions in rows behind id, file and line. On a narrow screen
 * what a row is comes first. */
const narrow = matchMedia("(max-width: 44rem)");
function columnsOf(t)
{
	const all = t.heads.map((h, i) => i).filter((i) => t.heads[i][3] >= 0);
	const label = narrow.matches && t.name ? labelOf(t, all) : undefined;
	return label === undefined ? all : [label, ...all.filter((i) => i !== label)];
}

/* ---- the frame ---- */

const view = el("section", "view");
const statusText = el("span", "say");
const hints = el("span", "hints", "? help");
const searchBox = el("input", "search");
const status = el("footer", "", statusText, searchBox, hints);
const nav = el("nav", "");
const overlay = el("div", "overlay");
Object.assign(searchBox, { placeholder: "search", hidden: true });
overlay.hidden = true;
hints.addEventListener("click", () => help());
let current = { keys: {} };      /* the view that is shown */
let wanted = null;               /* what was searched for last */

const say = (text) => { statusText.textContent = text; };

const fixed = ["ledger", "memory", "notes"].filter((id) => $(id));
const tables = [...(data.compared ? [data.compared] : []), ...data.tables];
const tableNamed = (name) => tables.find((t) => t.name === name);

function navigation()
{
	const views = [["ledger", "what changed", $("ledger")], ...tables.map((t) => [t.name, t.title, true]),
		["flame", "flame graph", data.tree], ["memory", "memory", $("memory")], ["notes", "notes", $("notes")]];
	for (const [name, title] of views.filter((v) => v[2])) {
		nav.append(link(":" + name, "", title));
		nav.lastChild.dataset.hash = ":" + name;
	}
}

/* ---- tables ---- */

const tableState = new Map();    /* by name: what was chosen in it */

function tableView(t)
{
	const state = tableState.get(t.name) || { sort: -1, down: true, filter: "", at: 0 };
	const columns = columnsOf(t), label = labelOf(t, columns);
	const head = el("tr", ""), body = el("tbody", "");
	const filter = el("input", "filter"), count = el("span", "count");
	const more = el("div", "more");
	let order = [], made = 0;

	tableState.set(t.name, state);
	Object.assign(filter, { placeholder: "filter (&)", value: state.filter });
	filter.setAttribute("aria-label", "only rows with");

	const texts = columns.filter((c) => t.heads[c][2]);
	const textOf = (i) => texts.map((c) => cellText(t.rows[i][3 + c])).join(" ");

	function choose()
	{
		const matches = state.filter ? matcher(state.filter) : null;
		order = t.rows.map((r, i) => i);
		if (matches)
			order = order.filter((i) => matches(textOf(i)));
		if (state.sort >= 0) {
			const c = 3 + state.sort, sign = state.down ? -1 : 1;
			order.sort((a, b) => {
				const x = cellKey(t.rows[a][c]), y = cellKey(t.rows[b][c]);
				const d = typeof x === "number" && typeof y === "number" ? x - y
					: collator.compare(String(x), String(y));
				return sign * d || a - b;
			});
		}
		const left = t.all - t.rows.length;
		count.textContent = order.length.toLocaleString("en") + (order.length < t.rows.length
			? " of " + t.rows.length.toLocaleString("en") : "") + " " + t.title +
			(left > 0 ? " (" + left.toLocaleString("en") + " more in the profile)" : "");
		clear(body);
		made = 0;
		make(ROWS);
	}

	function make(nr)
	{
		for (; made < order.length && nr > 0; made++, nr--)
			body.append(rowOf(made));
		more.hidden = made >= order.length;
	}

	function rowOf(i)
	{
		const r = t.rows[order[i]], tr = el("tr", i === state.at ? "at" : "");
		const hash = rowHash(t, r);
		for (const c of columns) {
			const h = t.heads[c], text = cellText(r[3 + c]);
			const td = el("td", classOf(h));
			if (hash && c === label)
				td.append(link(hash, "", text));
			else
				td.textContent = text;
			if (h[0] === "")
				td.classList.add("bar");
			tr.append(td);
		}
		tr.addEventListener("click", () => to(i));
		tr.addEventListener("dblclick", () => hash && go(hash));
		return tr;
	}

	function to(i)
	{
		i = Math.max(0, Math.min(order.length - 1, i));
		if (i >= made)
			make(i - made + ROWS);
		if (body.children[state.at])
			body.children[state.at].classList.remove("at");
		state.at = i;
		const tr = body.children[i];
		if (!tr)
			return;
		tr.classList.add("at");
		tr.scrollIntoView({ block: "nearest" });
	}

	function sortBy(c)
	{
		const numbers = !t.heads[c][2];
		state.down = state.sort === c ? !state.down : numbers;
		state.sort = c;
		state.at = 0;
		heads();
		choose();
	}

	function heads()
	{
		head.replaceChildren(...columns.map((c) => el("th", classOf(t.heads[c]),
			button(t.heads[c][0] + (state.sort === c ? state.down ? " ▾" : " ▴" : ""), t.heads[c][1],
				() => sortBy(c)))));
	}

	filter.addEventListener("input", () => {
		state.filter = filter.value;
		state.at = 0;
		choose();
	});
	heads();
	choose();
	more.append(button("more rows", "make more rows", () => make(ROWS)));
	observe(() => make(ROWS)).observe(more);
	clear(view);
	view.append(el("div", "tools", filter, count), el("div", "wide", el("table", "",
		el("thead", "", head), body)), more);
	return {
		name: t.name,
		step: (n) => to(state.at + n),
		first: () => to(0),
		last: () => to(order.length - 1),
		open: () => {
			const r = t.rows[order[state.at]], hash = r && rowHash(t, r);
			if (hash)
				go(hash);
		},
		search: (matches, sign) => {
			for (let n = 1; n <= order.length; n++) {
				const i = (state.at + sign * n + order.length) % order.length;
				if (matches(textOf(order[i]))) {
					to(i);
					return true;
				}
			}
			return false;
		},
		all: () => make(Infinity),
		keys: {
			"s": () => sortBy(columns[(columns.indexOf(state.sort) + 1) % columns.length]),
			"S": () => sortBy(state.sort < 0 ? columns[0] : state.sort),
			"&": () => filter.focus(),
		},
	};
}

const rankClass = (rank) => rank >= 9 ? "r3" : rank >= 6 ? "r2" : rank >= 3 ? "r1" : "r0";

/* The column that says what a row is: the one that is a link. */
const LABELS = ["expression", "source", "call", "file", "what", "made by", "members", "procedure"];
function labelOf(t, columns)
{
	const named = (name) => columns.find((c) => t.heads[c][2] && t.heads[c][0] === name);
	return LABELS.map(named).find((c) => c !== undefined) ?? columns.find((c) => t.heads[c][2] && t.heads[c][0]);
}

function rowHash(t, r)
{
	if (t.name === "procedure" || t.name === "compared")
		return r[0] ? hashOf(r[0]) : "";
	if (t.name === "file")
		return data.files[r[0]] && data.files[r[0]][2].length ? placeHash(r[0], 1) : "";
	return r[1] && r[2] && isShown(r[1], r[2]) ? placeHash(r[1], r[2]) : "";
}

/* Calls ACTION with what is observed and comes into sight. */
const observe = (action) => new IntersectionObserver((entries) =>
	entries.filter((e) => e.isIntersecting).forEach((e) => action(e.target)), { rootMargin: "800px" });

/* ---- callers and callees ---- */

const callsOf = [new Map(), new Map()]; /* by callee, by caller: rows */
const CALL_ENDS = 3 + data.calls.heads.length;
data.calls.rows.forEach((r) => {
	[r[CALL_ENDS + 2], r[CALL_ENDS]].forEach((id, k) => {
		if (!id)
			return;
		if (!callsOf[k].has(id))
			callsOf[k].set(id, []);
		callsOf[k].get(id).push(r);
	});
});

/* Which column sorts them: time, or where there is none calls. */
function callOrder(rows)
{
	const heads = data.calls.heads, time = heads.findIndex((h) => h[0] === "time");
	const key = (r, c) => c < 0 ? 0 : cellKey(r[3 + c]);
	return [...rows].sort((a, b) => key(b, time) - key(a, time) || key(b, 0) - key(a, 0));
}

function callTable(id, side)
{
	const rows = callOrder(callsOf[side].get(id) || []), heads = data.calls.heads;
	const columns = columnsOf(data.calls).filter((c) => heads[c][3] <= 10);
	const end = CALL_ENDS + 2 * side;
	const box = el("div", "calls", el("h4", "", side ? "callees" : "callers"));
	const body = el("tbody", "");
	const head = el("tr", "", ...columns.map((c) => {
		const th = el("th", classOf(heads[c]), heads[c][0]);
		th.title = heads[c][1];
		return th;
	}), el("th", "l", side ? "callee" : "caller"), el("th", "l", "line"));
	const make = (r) => {
		const other = r[end], text = r[end + 1] || (other ? nameOf(other) : "(outside)");
		const tr = el("tr", "", ...columns.map((c) =>
			el("td", classOf(heads[c]), cellText(r[3 + c]))));
		const line = r[2] ? String(r[2]) : "";
		tr.append(el("td", "l", other ? link(hashOf(other), "", text) : text),
			el("td", "l", line && isShown(r[1], r[2]) ? link(placeHash(r[1], r[2]), "", line) : line));
		return tr;
	};

	body.append(...rows.slice(0, CALLS).map(make));
	box.append(rows.length ? el("div", "wide", el("table", "", el("thead", "", head), body))
		: el("p", "", data.calls.cut ? "none among the most frequent calls, which this page has" : "none seen"));
	if (rows.length && data.calls.cut)
		box.append(el("p", "", "of the most frequent calls, which this page has"));
	if (rows.length > CALLS) {
		const b = button("all " + rows.length, "show all", () => {
			body.append(...rows.slice(CALLS).map(make));
			b.remove();
		});
		box.append(b);
	}
	return box;
}

/* The bar above a procedure: its name, its figures, and who calls whom. */
function procedureBar(id, open)
{
	const t = tableNamed("procedure"), row = t && rowOfProcedure(id);
	const bar = el("div", "bar-of"), line = el("div", "bar-line");
	let panel = null;

	line.append(el("b", "", nameOf(id)));
	for (const name of ["self%", "self", "total", "calls"]) {
		const c = row ? t.heads.findIndex((h) => h[0] === name) : -1;
		if (c >= 0)
			line.append(el("span", "fact", name + " " + cellText(row[3 + c])));
	}
	const toggle = () => {
		if (panel)
			panel.remove();
		panel = panel ? null : el("div", "panel", callTable(id, 0), callTable(id, 1));
		if (panel)
			bar.append(panel);
	};
	const nr = (side) => (callsOf[side].get(id) || []).length + (data.calls.cut ? " or more" : "");
	line.append(button("callers " + nr(0) + ", callees " + nr(1), "who calls it, what it calls (c)", toggle));
	bar.append(line);
	bar.toggle = toggle;
	if (open)
		toggle();
	return bar;
}

let rowsById = null;
const rowOfProcedure = (id) => {
	rowsById ??= new Map(tableNamed("procedure").rows.map((r) => [r[0], r]));
	return rowsById.get(id);
};

function procedureView(id)
{
	clear(view);
	if (!data.procedures[id]) {
		view.append(el("p", "", "There is no such procedure in this page."));
		return { keys: {} };
	}
	const p = data.procedures[id], f = data.files[p[1]];
	view.append(procedureBar(id, true), el("p", "", !f || !p[2] ? "It has no source: it is not profiled."
		: f[0] + ":" + p[2] + ": its source is not in this page."));
	return { name: "of", keys: {} };
}

/* ---- sources ---- */

const unpacked = new Map();

async function unpack(file)
{
	const e = $("source-" + file);
	if (!e || unpacked.has(file))
		return unpacked.get(file) || null;
	const bytes = Uint8Array.from(atob(e.textContent), (c) => c.charCodeAt(0));
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
	const source = JSON.parse(await new Response(stream).text());
	source.of = data.files[file][2].filter((s) => s[2]); /* the stretches that its lines are of */
	unpacked.set(file, source);
	return source;
}

/* The line as [text, runs, margins, calls, remarks]; null: it is not in the page. */
function lineOf(source, number)
{
	const i = stretchAt(source.of, number);
	if (i < 0)
		return null;
	const l = source.lines[i][number - source.of[i][0]];
	return typeof l === "string" ? [l, "", "", []] : l;
}

const LOOKS = { "-": "x", "+": "c" };
const lookOf = (sign) => LOOKS[sign] || (sign >= "A" ? "h" + (sign.charCodeAt(0) - 64) : "");

/* Appends the text from FROM to END in one look; calls in it are links. */
function appendRun(to, l, from, end, look, figure)
{
	const links = l[3];
	while (from < end) {
		let stop = end, callee = 0;
		for (let i = 0; i < links.length; i += 3) {
			if (links[i] <= from && from < links[i] + links[i + 1]) {
				callee = links[i + 2];
				stop = Math.min(end, links[i] + links[i + 1]);
			} else if (from < links[i]) {
				stop = Math.min(stop, links[i]);
			}
		}
		const text = l[0].slice(from, stop);
		const e = callee ? link(hashOf(callee), look, text) : look || figure >= 0
			? el("span", look, text) : text;
		if (figure >= 0)
			e.figure = figure;
		to.append(e);
		from = stop;
	}
}

function lineElement(source, number, l, file)
{
	const gutter = el("span", "g"), text = el("span", "t"), margins = l[2].split("\t");
	data.margins.forEach((m, i) => {
		const e = el("span", "m", margins[i] || "");
		e.style.width = m[2] + "ch";
		gutter.append(e);
	});
	gutter.append(link(placeHash(file, number), "n", String(number)));
	let at = 0;
	for (const run of l[1].matchAll(/([-.+A-H])(\d*)(?:,(\d+))?/g)) {
		const end = run[2] ? at + Number(run[2]) : l[0].length;
		appendRun(text, l, at, end, lookOf(run[1]), run[3] === undefined ? -1 : Number(run[3]));
		at = end;
	}
	appendRun(text, l, at, l[0].length, "", -1);
	if (l[4])
		text.append("  ", el("span", "r", l[4]));
	const e = el("div", "l", gutter, text);
	e.number = number;
	return e;
}

function legend()
{
	const box = el("p", "legend", data.metric + ": ");
	for (const [sign, text] of data.legend)
		box.append(el("span", lookOf(sign), text), " ");
	box.append("  before a line: " + data.margins.map((m) => m[0]).join(", "));
	return box;
}

function outline(file, s)
{
	const ids = s[3], text = "lines " + s[0] + " to " + s[1] + (ids.length ? ": " + ids.length +
		(ids.length === 1 ? " procedure" : " procedures") : "");
	if (!ids.length)
		return el("div", "gap", text);
	const d = el("details", "gap", el("summary", "", text + ", not in this page"));
	d.addEventListener("toggle", () => {
		if (d.children.length > 1)
			return;
		d.append(el("ul", "", ...ids.map((id) => {
			const p = data.procedures[id];
			return el("li", "", link(":of:" + id, "", p[0]), " line " + p[2] + (p[4] ? "" : ", did not run"));
		})));
	});
	return d;
}

/* Lines FIRST to LAST as a box of their height, which is filled when it comes into sight. */
function chunk(source, file, first, last)
{
	const box = el("div", "chunk");
	box.style.minHeight = (last - first + 1) * LINE + "px";
	box.first = first;
	box.last = last;
	box.fill = () => {
		if (box.filled)
			return;
		box.filled = true;
		for (let n = first; n <= last; n++)
			box.append(lineElement(source, n, lineOf(source, n), file));
	};
	return box;
}

let atSource = "";               /* where x leads to */

async function sourceView(file, line)
{
	const f = data.files[file], source = await unpack(file).catch(() => undefined);
	const src = el("div", "src"), chunks = [], bars = new Map();
	const here = procedureAt(file, line);
	let at = 0;

	clear(view);
	view.append(el("h3", "", f[0]), legend());
	if (!source) {
		view.append(el("p", "", source === null ? "Its source is not in this page."
			: "This browser cannot unpack the source (DecompressionStream)."));
		return { keys: {} };
	}
	const observer = observe((e) => e.fill());
	const addLines = (first, last) => {
		for (let n = first; n <= last; n += CHUNK) {
			const c = chunk(source, file, n, Math.min(last, n + CHUNK - 1));
			chunks.push(c);
			src.append(c);
			observer.observe(c);
		}
	};
	for (const s of f[2]) {
		if (!s[2]) {
			src.append(outline(file, s));
			continue;
		}
		let next = s[0];
		for (const id of s[3]) {
			const begin = data.procedures[id][2];
			addLines(next, begin - 1);
			next = Math.max(next, begin);
			bars.set(id, procedureBar(id, id === here && begin === line));
			src.append(bars.get(id));
		}
		addLines(next, s[1]);
	}
	view.append(src);
	src.addEventListener("mouseover", (e) => e.target.figure === undefined || tell(e.target));
	src.addEventListener("click", (e) => {
		const l = e.target.closest(".l");
		if (e.target.figure !== undefined)
			tell(e.target);
		if (l)
			to(l.number, false);
	});
	const tell = (e) => say(source.figures[e.figure]);

	function elementOf(number)
	{
		const c = chunks.find((c) => c.first <= number && number <= c.last);
		if (!c)
			return null;
		c.fill();
		return c.children[number - c.first];
	}

	function to(number, scroll)
	{
		const e = elementOf(number);
		if (!e)
			return false;
		const old = src.querySelector(".l.at");
		if (old)
			old.classList.remove("at");
		at = number;
		atSource = placeHash(file, number);
		e.classList.add("at");
		if (scroll)
			e.scrollIntoView({ block: scroll === true ? "center" : scroll, inline: "start" });
		if (!scroll || location.hash !== "#" + atSource)
			history.replaceState(history.state, "", "#" + atSource);
		return true;
	}

	/* The next line from AT on, in the direction of SIGN, that is in the page and that TEST takes. */
	function look(sign, test, from)
	{
		for (let n = from + sign; n >= 1 && n <= f[1]; n += sign) {
			const l = lineOf(source, n);
			if (l && test(l, n))
				return n;
		}
		return 0;
	}

	const hot = (tableNamed("line") || { rows: [] }).rows.filter((r) => r[1] === file)
		.map((r) => r[2]);
	const isNever = (l) => !!l && l[2].startsWith("×");
	const never = (l, n) => isNever(l) && !isNever(lineOf(source, n - 1)); /* where such begin */
	const hotSpot = (sign) => {
		const i = hot.indexOf(at), first = sign > 0 ? 0 : hot.length - 1;
		goTo(hot[i < 0 ? first : (i + sign + hot.length) % hot.length], "no hot spots here");
	};
	const goTo = (n, what) => n ? to(n, true) : say(what);
	const begins = here && data.procedures[here][2] === line;
	if (begins && bars.has(here) && to(line, false))
		bars.get(here).scrollIntoView({ block: "start" });
	else if (!to(line, true) && line > 1)
		say("line " + line + " is not in this page");
	const callsHere = () => {
		const bar = bars.get(procedureAt(file, at));
		if (bar) {
			bar.toggle();
			bar.scrollIntoView({ block: "start" });
		}
	};
	return {
		name: "source",
		step: (n) => to(look(Math.sign(n), () => true, at + n - Math.sign(n)), "nearest"),
		first: () => to(look(1, () => true, 0), true),
		last: () => to(look(-1, () => true, f[1] + 1), true),
		open: () => {
			const e = elementOf(at), a = e && e.querySelector(".t a");
			if (a)
				go(a.getAttribute("href").slice(1));
			else
				say("no call on this line");
		},
		search: (matches, sign) => {
			const test = (l) => matches(l[0]);
			const n = look(sign, test, at) || look(sign, test, sign > 0 ? 0 : f[1] + 1);
			return n ? to(n, true) : false;
		},
		all: () => chunks.forEach((c) => c.fill()),
		keys: {
			"]": () => hotSpot(1), "[": () => hotSpot(-1),
			";": () => goTo(look(1, never, at), "nothing below that was never executed"),
			",": () => goTo(look(-1, never, at), "nothing above that was never executed"),
			"c": callsHere, "d": callsHere,
		},
	};
}

/* ---- the flame graph ---- */

function flameView()
{
	const tree = data.tree, nodes = tree.nodes, box = el("div", "flame");
	const children = nodes.map(() => []), depth = [0];
	let zoom = 0, at = 0, hits = null;

	for (let i = 1; i < nodes.length; i++) {
		children[nodes[i][0]].push(i);
		depth[i] = depth[nodes[i][0]] + 1;
	}
	const nameAt = (i) => i === 0 ? "all" : nodes[i][1] ? nameOf(nodes[i][1]) : nodes[i][7] || "?";
	const weight = (i) => i === 0 ? Math.max(nodes[0][2], children[0].reduce((s, k) => s + nodes[k][2], 0))
		: nodes[i][2];

	function tell(i)
	{
		const n = nodes[i];
		say(nameAt(i) + "   total " + n[4] + ", " + n[3] + "%   self " + n[5] +
			(n[6] ? "   " + tree.number + " " + n[6] : ""));
	}

	function boxOf(i, name, left, width, level)
	{
		const e = el("div", "f " + name);
		e.style.left = left * 100 + "%";
		e.style.width = width * 100 + "%";
		e.style.top = level * FLAME_ROW + "px";
		e.node = i;
		box.append(e);
		return e;
	}

	function draw()
	{
		const all = weight(zoom) || 1;
		let deepest = 0;
		clear(box);
		const put = (i, left, level) => {
			const w = weight(i) / all;
			if (w < FLAME_LEAST)
				return;
			const e = boxOf(i, "f" + (nodes[i][1] ? nodes[i][1] % 6 : 6), left, w, level);
			if (w > 0.015)
				e.append(nameAt(i));
			if (hits && hits.has(i))
				e.classList.add("hit");
			else if (hits)
				e.classList.add("miss");
			if (i === at)
				e.classList.add("at");
			deepest = Math.max(deepest, level);
			for (const k of children[i]) {
				put(k, left, level + 1);
				left += weight(k) / all;
			}
		};
		/* What is above the zoomed one stands above it, as wide as all. */
		const above = [];
		for (let i = zoom; i > 0; i = nodes[i][0])
			above.unshift(nodes[i][0]);
		above.forEach((i, level) => boxOf(i, "above", 0, 1, level).append(nameAt(i)));
		put(zoom, 0, above.length);
		box.style.height = (deepest + 1) * FLAME_ROW + "px";
	}

	function select(i, top = zoom)
	{
		if (i === undefined)
			return;
		at = i;
		zoom = top;
		draw();
		tell(i);
	}
	const zoomTo = (i) => select(i, i);

	/* Sums up what matches; a match within another one is in that one's total already. */
	function find(matches)
	{
		let sum = 0;
		hits = new Set();
		for (let i = 1; i < nodes.length; i++) {
			if (!matches(nameAt(i)))
				continue;
			let up = nodes[i][0];
			while (up > 0 && !hits.has(up))
				up = nodes[up][0];
			if (up <= 0)
				sum += weight(i);
			hits.add(i);
		}
		draw();
		say(hits.size ? hits.size + " found, " + (sum / (weight(0) || 1) * 100).toFixed(1) + "% of all" : "nothing found");
		return hits.size > 0;
	}

	box.addEventListener("mouseover", (e) => e.target.node !== undefined && tell(e.target.node));
	box.addEventListener("click", (e) => e.target.node !== undefined && zoomTo(e.target.node));
	const source = () => nodes[at][1] && go(hashOf(nodes[at][1]));
	const input = el("input", "filter");
	input.placeholder = "search (/)";
	input.addEventListener("input", () => {
		if (input.value)
			return find(matcher(input.value));
		hits = null;
		draw();
		say("");
		return true;
	});
	clear(view);
	view.append(el("div", "tools", input, button("source", "source of the selected one (Enter)", source),
		button("all", "out again (z)", () => zoomTo(0)), el("span", "count", "calls, " + tree.origin +
		(tree.cut ? "; what is too small is left out" : ""))), box);
	draw();
	const siblings = (n) => {
		const all = at ? children[nodes[at][0]] : [0];
		return all[Math.max(0, Math.min(all.length - 1, all.indexOf(at) + n))];
	};
	return {
		name: "flame",
		step: (n) => select(n > 0 ? children[at][0] : Math.max(0, nodes[at][0])),
		first: () => zoomTo(0),
		last: () => {},
		open: source,
		search: (matches) => find(matches),
		focus: () => input.focus(),
		keys: {
			"z": () => zoomTo(zoom === at ? 0 : at),
			"Escape": () => zoomTo(0),
			"l": () => select(siblings(1)), "ArrowRight": () => select(siblings(1)),
			"h": () => select(siblings(-1)), "ArrowLeft": () => select(siblings(-1)),
		},
	};
}

/* ---- from a link to a view ---- */

const scrolled = new Map();      /* by link: where it was left */
let shown = "";

const go = (hash) => { location.hash = hash; };

async function show()
{
	const hash = decode(location.hash.slice(1)) || (data.compared ? ":ledger" : ":" + tables[0].name);
	const place = /^(.*):(\d+)$/.exec(hash);

	overlay.hidden = true;
	say("");
	for (const id of fixed)
		$(id).hidden = hash !== ":" + id;
	view.hidden = fixed.some((id) => hash === ":" + id);
	for (const a of nav.children)
		a.classList.toggle("on", a.dataset.hash === hash);
	scrolled.set(shown, window.scrollY);
	shown = hash;
	const t = hash[0] === ":" && tableNamed(hash.slice(1));
	if (t)
		current = tableView(t);
	else if (hash === ":flame" && data.tree)
		current = flameView();
	else if (/^:of:\d+$/.test(hash))
		current = procedureView(Number(hash.slice(4)));
	else if (place && fileOf(place[1]))
		current = await sourceView(fileOf(place[1]), Number(place[2]));
	else if (view.hidden)
		current = { keys: {} };
	else
		current = tableView(tables[0]), say(hash + " is not in this page");
	if (current.name !== "source")
		window.scrollTo(0, scrolled.get(hash) || 0);
	document.documentElement.dataset.view = current.name || "";
}

function decode(s)
{
	try {
		return decodeURIComponent(s);
	} catch (e) {
		return "";
	}
}

/* ---- keys ---- */

const next = (sign) => {
	if (wanted && current.search && !current.search(wanted, sign))
		say("not found");
};

const page = () => Math.max(1, Math.floor(window.innerHeight / LINE) - 6);
const steps = (n) => current.step ? current.step(n) : window.scrollBy(0, n * LINE);
const nextTable = (sign) => {
	const i = tables.findIndex((t) => t.name === current.name);
	go(":" + tables[(i + sign + tables.length) % tables.length].name);
};

const goTable = (name) => tableNamed(name) && go(":" + name);

/* Each in one row: keys, what they do, the action. */
const KEYS = [
	[["j", "ArrowDown"], "one row down", () => steps(1)],
	[["k", "ArrowUp"], "one row up", () => steps(-1)],
	[[" ", "PageDown"], "one page down", () => steps(page())],
	[["b", "PageUp"], "one page up", () => steps(-page())],
	[["g", "Home"], "to the first row", () => current.first && current.first()],
	[["G", "End"], "to the last row", () => current.last && current.last()],
	[["Enter"], "to the source; there: follow the call", () => current.open && current.open()],
	[["Backspace", "{"], "back", () => history.back()],
	[["}"], "forward again", () => history.forward()],
	[["u"], "to the summary", () => go(":procedure")],
	[["x"], "to the source", () => atSource && go(atSource)],
	[["v"], "the next table", () => nextTable(1)],
	[["V"], "the table before", () => nextTable(-1)],
	[["o"], "the files", () => go(":file")],
	[["t"], "the flame graph; there l h j k select, z zooms", () => data.tree && go(":flame")],
	[["H"], "live memory over time", () => $("memory") && go(":memory")],
	[["="], "what changed, of two profiles", () => $("ledger") && go(":ledger")],
	[["C"], "the cycles", () => goTable("cycle")],
	[["#"], "what was never executed", () => goTable("never")],
	[["!"], "errors that other tools found", () => goTable("error")],
	[["T"], "the threads", () => goTable("thread")],
	[["c", "d"], "in the source: callers and callees of the procedure", null],
	[["]", "["], "in the source: the next hot spot, the one before", null],
	[[";", ","], "in the source: the next lines that were never executed, those before", null],
	[["s", "S"], "in a table: sort by the next column; the other way round", null],
	[["&"], "in a table: only rows with", null],
	[["/"], "search", () => search()],
	[["n"], "to the next hit", () => next(1)],
	[["N"], "to the hit before", () => next(-1)],
	[["B"], "a light or a dark background", () => background()],
	[["?"], "this list", () => help()],
];
const keyed = new Map(KEYS.flatMap(([keys, , action]) => action ? keys.map((k) => [k, action]) : []));

function search()
{
	if (current.focus)
		return current.focus();
	searchBox.hidden = false;
	searchBox.select();
	return searchBox.focus();
}

function background()
{
	const root = document.documentElement;
	const dark = root.dataset.theme ? root.dataset.theme === "dark"
		: matchMedia("(prefers-color-scheme: dark)").matches;
	root.dataset.theme = dark ? "light" : "dark";
}

function help()
{
	clear(overlay);
	overlay.append(el("h2", "", "keys, as in the terminal"), el("table", "", ...KEYS.map(([keys, what]) =>
		el("tr", "", el("td", "l key", keys.map((k) => k === " " ? "Space" : k).join(" ")),
			el("td", "l", what)))), legend(), el("p", "", "A line has a link of its own: its number."),
		button("close", "close (Escape)", () => { overlay.hidden = true; }));
	overlay.hidden = !overlay.hidden;
}

function onKey(e)
{
	const typing = e.target instanceof HTMLInputElement;
	if (e.ctrlKey || e.metaKey || e.altKey)
		return;
	if (typing && (e.key === "Escape" || e.key === "Enter"))
		e.target.blur();
	if (e.key === "Escape")
		overlay.hidden = true;
	if (typing)
		return;
	/* Buttons and links have Enter and Space of their own. */
	if (e.target !== document.body && (e.key === "Enter" || e.key === " "))
		return;
	const action = (current.keys && current.keys[e.key]) || keyed.get(e.key);
	if (!action)
		return;
	e.preventDefault();
	action();
}

searchBox.addEventListener("keydown", (e) => {
	if (e.key === "Enter" && searchBox.value) {
		wanted = matcher(searchBox.value);
		next(1);
	}
	if (e.key === "Enter" || e.key === "Escape")
		searchBox.hidden = true;
});

/* ---- begin ---- */

$("plain").remove();
navigation();
$("facts").after(nav);
$("main").append(view);
document.body.append(status, overlay);
document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", show);
window.addEventListener("beforeprint", () => current.all && current.all());
show();
});
