import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';
import { fs, nodeProcess } from '../node';

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** CHROMIUM_PATH names another one. Throws an Error that says how to install it. */
function chromiumPath(): string {
	const { CHROMIUM_PATH: chosen } = nodeProcess.env;
	const found = [chosen, ...candidates].find((file) => file !== undefined && fs.existsSync(file));
	if (!found) {
		throw new Error(
			'No Chromium was found. On Debian: apt-get install chromium. Elsewhere set CHROMIUM_PATH to the program of Chromium or Chrome.',
		);
	}
	return found;
}

/** Makes no requests to the internet. */
export async function openBrowser(): Promise<Browser> {
	return await chromium.launch({
		executablePath: chromiumPath(),
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}
