/* Photographs a page: page.js CHROMIUM URL WIDTHxHEIGHT FILE. Chromium's own --screenshot knows no page that is
 * scrolled. */
'use strict';
const { chromium } = require('playwright-core');
const [executablePath, url, size, path] = process.argv.slice(2);

(async () => {
	const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
	const [width, height] = size.split('x').map(Number);
	const page = await browser.newPage({ viewport: { width, height }, colorScheme: 'dark' });
	await page.goto(url);
	await page.waitForSelector('.l.at');
	await page.waitForTimeout(500);
	await page.screenshot({ path });
	await browser.close();
})();
