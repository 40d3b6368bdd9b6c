/* Opens pages in Chromium and does what a user does: page-browser.js CHROMIUM DIRECTORY. Prints a verdict for each. */
'use strict';
const { chromium } = require('playwright-core');
const [executablePath, directory] = process.argv.slice(2);

const complaints = [];
let failed = 0;

function verdict(name, good, more)
{
	if (!good && more !== undefined)
		console.log('# ' + JSON.stringify(more));
	console.log((good ? 'ok - ' : 'not ok - ') + name);
	failed += !good;
}

async function open(browser, name, options = {})
{
	const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
	const page = await context.newPage();
	page.on('console', (m) => complaints.push(name + ': ' + m.text()));
	page.on('pageerror', (e) => complaints.push(name + ': ' + e.message));
	page.on('dialog', (d) => {
		complaints.push(name + ': a dialog ' + d.message());
		d.dismiss();
	});
	page.on('request', (r) => {
		if (r.url() !== 'file://' + directory + '/' + name.split('#')[0])
			complaints.push(name + ': a request ' + r.url());
	});
	await page.goto('file://' + directory + '/' + name);
	if (options.javaScriptEnabled !== false)
		await page.waitForSelector('nav a');
	return page;
}

const texts = (page, selector) => page.$$eval(selector, (all) => all.map((e) => e.textContent));
const press = async (page, ...keys) => {
	for (const key of keys)
		await page.keyboard.press(key);
	await page.waitForTimeout(100);
};

async function summary(browser)
{
	const page = await open(browser, 'prof.html');
	const column = async (head) => {
		const i = (await texts(page, 'section.view thead th')).findIndex((t) => t.replace(/ [▾▴]/, '') === head);
		return texts(page, `section.view tbody td:nth-child(${i + 1})`);
	};
	const number = (t) => t === '-' ? 0 : Number(t.replace(/[≥,]/g, ''));
	await page.click('th button:text-is("calls")');
	const down = (await column('calls')).map(number);
	verdict('a click on a head sorts', down.length > 50 && down.every((n, i) => !i || n <= down[i - 1]), down);
	await page.click('th button:text-matches("^calls")');
	const up = (await column('calls')).map(number);
	verdict('... and the other way round', up.every((n, i) => !i || n >= up[i - 1]), up);
	await page.fill('input.filter', 'procedure_1\\d ');
	const names = await column('procedure');
	verdict('a filter', names.length === 10 && names.every((n) => /^procedure_1\d( |$)/.test(n)), names);
	await page.fill('input.filter', '(');
	verdict('a filter that is no regular expression', (await column('procedure')).length === 0);
	await page.fill('input.filter', '');
	await page.click('body', { position: { x: 5, y: 5 } });
	await press(page, 'j', 'j', 'k');
	verdict('j and k move the cursor', await page.$eval('tr.at', (e) => [...e.parentNode.children].indexOf(e)) === 1);
	await press(page, '/');
	await page.keyboard.type('procedure_77');
	await press(page, 'Enter');
	verdict('/ finds a row', (await texts(page, 'tr.at')).join().includes('procedure_77'));
	await press(page, 'Enter');
	await page.waitForSelector('.l.at');
	verdict('Enter opens its source', /procedure_77/.test((await texts(page, '.l.at')).join()), await texts(page, '.l.at'));
	verdict('... at a link of its own', /#.*\.c:\d+$/.test(page.url()), page.url());
	const link = page.url();
	verdict('callers and callees are there', (await page.$$('.panel table')).length > 0);
	await press(page, 'u');
	await page.waitForSelector('section.view tbody tr');
	verdict('u goes to the summary', /:procedure$/.test(page.url()), page.url());
	await press(page, 'Backspace');
	await page.waitForSelector('.l.at');
	verdict('Backspace goes back', page.url() === link, page.url());
	await press(page, '?');
	verdict('? shows the keys', (await texts(page, '.overlay')).join().includes('as in the terminal'));
	await press(page, 'Escape');
	verdict('Escape closes them', await page.$eval('.overlay', (e) => e.hidden));
	return link;
}

async function source(browser, link)
{
	const name = link.slice(link.lastIndexOf('/prof.html') + 1);
	const line = Number(/(\d+)$/.exec(name)[1]);
	const page = await open(browser, name.replace(/\d+$/, String(line + 3)));
	await page.waitForSelector('.l.at');
	const at = () => page.$eval('.l.at .n', (e) => Number(e.textContent));
	const seen = await page.$eval('.l.at', (e) => {
		const r = e.getBoundingClientRect();
		return r.top > 0 && r.bottom < innerHeight;
	});
	verdict('a deep link shows its line', await at() === line + 3 && seen, await at());
	await press(page, 'j', 'j', 'k');
	verdict('j and k move by lines', await at() === line + 4, await at());
	const point = await page.evaluate(() => {
		for (const e of document.querySelectorAll('.l .t *')) {
			const r = e.getBoundingClientRect();
			if (e.figure !== undefined && r.top > 100 && r.bottom < innerHeight - 100)
				return [r.left + 3, r.top + 9];
		}
		return [0, 0];
	});
	await page.mouse.move(...point);
	verdict('an expression tells its figures', /count|self|executed/.test((await texts(page, '.say')).join()),
		await texts(page, '.say'));
	verdict('hot expressions are coloured', (await page.$$('.l .t [class^=h]')).length > 0);
	const before = await at();
	await press(page, ']');
	verdict('] goes to a hot spot', await at() !== before && (await page.$$('.l.at [class^=h]')).length > 0);
	const a = await page.$('.l .t a');
	const to = await a.getAttribute('href');
	await a.click();
	await page.waitForFunction((h) => location.hash === h, to);
	verdict('a call is a link', true);
}

async function flame(browser)
{
	const page = await open(browser, 'prof.html#:flame');
	await page.waitForSelector('.flame .f');
	const boxes = await page.$$eval('.flame .f', (all) => all.map((e) => e.getBoundingClientRect().toJSON()));
	const rows = new Map();
	for (const b of boxes)
		rows.set(b.top, [...rows.get(b.top) || [], b]);
	const overlap = [...rows.values()].some((row) => row.sort((x, y) => x.left - y.left)
		.some((b, i) => i && b.left < row[i - 1].right - 0.6));
	verdict('the flame graph: nothing overlaps', boxes.length > 10 && !overlap, boxes.length);
	await page.fill('input.filter', 'procedure_1');
	verdict('... search tells a share', /found, [\d.]+% of all/.test((await texts(page, '.say')).join()), await texts(page, '.say'));
	verdict('... and marks what is found', (await page.$$('.f.hit')).length > 0 && (await page.$$('.f.miss')).length > 0);
	await page.fill('input.filter', '');
	const wide = await page.$$eval('.flame .f', (all) => all.map((e) => e.getBoundingClientRect().width));
	const i = wide.findIndex((w) => w < wide[0] * 0.9 && w > 20);
	await (await page.$$('.flame .f'))[i].click();
	const zoomed = await page.$$eval('.flame .f.at', (all) => all.map((e) => e.getBoundingClientRect().width));
	verdict('... a click zooms', Math.abs(zoomed[0] - wide[0]) < 2, zoomed);
	await press(page, 'z');
	verdict('... z zooms out', (await page.$$('.flame .f.above')).length === 0);
}

async function others(browser)
{
	const hostile = await open(browser, 'hostile.html');
	verdict('hostile names are text', (await texts(hostile, 'section.view tbody')).join().includes('</script><script>alert(1)'));
	await hostile.click('section.view tbody a');
	await hostile.waitForSelector('.l.at');
	const odd = await open(browser, 'odd.html#:flame');
	await odd.waitForSelector('.flame .f');

	const changed = await open(browser, 'changed.html');
	verdict('two profiles begin with what changed', !await changed.$eval('#ledger', (e) => e.hidden) &&
		await changed.$eval('section.view', (e) => e.hidden));
	await press(changed, 'v');
	verdict('... and have verdicts', /more work|same|slower|unresolved/.test((await texts(changed, 'section.view tbody')).join()));

	const plain = await open(browser, 'prof.html', { javaScriptEnabled: false });
	verdict('without a script the summary is there', (await texts(plain, '#plain table tr')).length > 250);
	verdict('... and twenty sources', (await plain.$$('#plain pre')).length === 20);
	verdict('... in colours', await plain.$eval('#plain pre [class^=h]', (e) => getComputedStyle(e).backgroundColor) !==
		'rgba(0, 0, 0, 0)');

	const phone = await open(browser, 'prof.html', { viewport: { width: 390, height: 844 } });
	const width = await phone.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
	verdict('a telephone need not scroll to the side', width[0] <= width[1], width);
	verdict('... the name comes first', (await texts(phone, 'section.view th'))[0] === 'procedure');

	const ground = async (colorScheme) => {
		const page = await open(browser, 'prof.html', { colorScheme });
		return page.$eval('body', (e) => getComputedStyle(e).backgroundColor);
	};
	verdict('light and dark differ', await ground('light') !== await ground('dark'));
	const paper = await open(browser, 'prof.html');
	await paper.emulateMedia({ media: 'print' });
	verdict('on paper there is no menu', await paper.$eval('nav', (e) => getComputedStyle(e).display) === 'none');

	/* A page that something was put into: the policy lets nothing of it work. */
	const fs = require('fs');
	fs.writeFileSync(directory + '/changed-by-others.html', fs.readFileSync(directory + '/prof.html', 'utf-8')
		.replace('<main', '<script>document.title = "bad";</script><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><main'));
	const context = await browser.newContext();
	const bad = await context.newPage();
	await bad.goto('file://' + directory + '/changed-by-others.html');
	await bad.waitForSelector('nav a');
	verdict('the policy stops another script', await bad.title() !== 'bad');
}

(async () => {
	const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
	try {
		const link = await summary(browser);
		await source(browser, link);
		await flame(browser);
		await others(browser);
		verdict('no complaint of the browser, no request', complaints.length === 0, complaints.slice(0, 5));
	} catch (e) {
		verdict('in a browser: ' + e.message.split('\n')[0], false);
	}
	await browser.close();
	process.exit(failed ? 1 : 0);
})();
