import { checkServices } from '../../tools/host/services';
import { nodeProcess } from '../../tools/node';

test('where a server is missing, the error says what to install', () => {
	const { PATH } = nodeProcess.env;
	nodeProcess.env.PATH = '/nowhere';
	try {
		expect(checkServices).toThrow(
			/^(redis-server|initdb) was not found\. On Debian: apt-get install postgresql redis-server$/,
		);
	} finally {
		nodeProcess.env.PATH = PATH;
	}
});
