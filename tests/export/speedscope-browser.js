/* Opens FILE in speedscope itself, by Chromium: speedscope-browser.js CHROMIUM SPEEDSCOPE FILE. Prints the rows of its
 * table of functions, as it shows them: total, self, name, with tabs between. */
'use strict';
const { chromium } = require('playwright-core');
const fs = require('fs'), os = require('os'), path = require('path');
const [executablePath, speedscope, file] = process.argv.slice(2);

(async () => {
	const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'speedscope-'));
	const script = path.join(directory, 'profile.js');
	fs.writeFileSync(script, 'speedscope.loadFileFromBase64(' + JSON.stringify(path.basename(file)) + ', ' +
		JSON.stringify(fs.readFileSync(file).toString('base64')) + ')');
	const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--allow-file-access-from-files'] });
	try {
		const page = await browser.newPage({ viewport: { width: 1600, height: 2000 } });
		page.on('pageerror', (e) => console.error(e.message));
		await page.goto('file://' + speedscope + '/index.html#localProfilePath=' + script);
		await page.getByText('Sandwich').click();
		await page.waitForSelector('tr');
		for (const cells of await page.$$eval('tr', (rows) => rows.map((r) => [...r.cells].map((c) => c.textContent))))
			console.log(cells.join('\t'));
	} finally {
		await browser.close();
		fs.rmSync(directory, { recursive: true });
	}
})().catch((e) => { console.error(e.message); process.exit(1); });
