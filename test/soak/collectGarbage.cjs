// Runs in n8n's process before n8n does: on SIGUSR2 it collects garbage and writes what is still in use.
const { renameSync, writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const file = process.env.MEMORY_FILE;

process.on('SIGUSR2', () => {
	collect();
	// What the first time has released may release more.
	collect();
	writeFileSync(`${file}.new`, JSON.stringify(process.memoryUsage()));
	renameSync(`${file}.new`, file);
});
