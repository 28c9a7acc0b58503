import {
	queueEnvironment,
	queueSettings,
	workerConcurrency,
	workerCount,
} from '../../../tools/host/queueSettings';
import { defaultVersion } from '../../../tools/host/version';
import { parse } from 'yaml';
import packageJson from '../../../package.json';
import { fs, path, projectFolder } from '../../../tools/node';

const folder = path.join(projectFolder, 'docs', 'docker');
const read = (name: string) => fs.readFileSync(path.join(folder, name), 'utf8');

const text = read('docker-compose.yml');

interface Service {
	image?: string;
	command?: string[];
	environment?: Record<string, string>;
	volumes?: string[];
	deploy?: { replicas: number };
	healthcheck?: { test: string[] };
	depends_on?: Record<string, { condition: string }>;
}

// Compose merges "<<" references, as YAML 1.1 does.
const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
const { postgres, redis, main, worker, package: installer } = services;

const secret = (name: string) => `\${${name}:?Set it in .env}`;
const at = (host: string, port: number, name: string) => ({ host, port, password: secret(name) });

test('main process and workers have the settings of the queue mode test', () => {
	const environment = queueEnvironment(
		at('postgres', 5432, 'POSTGRES_PASSWORD'),
		at('redis', 6379, 'REDIS_PASSWORD'),
		secret('N8N_ENCRYPTION_KEY'),
	);
	expect([main.environment, worker.environment]).toEqual([environment, environment]);
});

test('runs the n8n version of the tests', () => {
	const image = `n8nio/n8n:${defaultVersion}`;
	expect([main, worker, installer].map((service) => service.image)).toEqual([image, image, image]);
});

test('has as many workers and parallel executions as the test', () => {
	const command = ['worker', `--concurrency=${workerConcurrency}`];
	expect(worker).toMatchObject({ command, deploy: { replicas: workerCount } });
});

test('PostgreSQL and Redis match the settings of n8n', () => {
	expect(postgres.environment).toEqual({
		POSTGRES_DB: queueSettings.DB_POSTGRESDB_DATABASE,
		POSTGRES_USER: queueSettings.DB_POSTGRESDB_USER,
		POSTGRES_PASSWORD: secret('POSTGRES_PASSWORD'),
	});
	const password = ['--requirepass', secret('REDIS_PASSWORD')];
	expect(redis.command).toEqual(expect.arrayContaining(password));
});

test('every n8n process has the package from npm', () => {
	expect(installer.command).toContain(`${packageJson.name}@\${PACKAGE_VERSION:-latest}`);
	expect(installer.volumes).toEqual(['nodes:/nodes']);
	for (const { volumes } of [main, worker])
		expect(volumes).toContain('nodes:/home/node/.n8n/nodes:ro');
});

test('each service waits until its dependencies are healthy or done', () => {
	expect(Object.keys(main.depends_on ?? {})).toEqual(['postgres', 'redis', 'package']);
	expect(Object.keys(worker.depends_on ?? {})).toEqual(['main']);
	const needed = { ...main.depends_on, ...worker.depends_on };
	for (const [name, { condition }] of Object.entries(needed)) {
		const isRunning = services[name].healthcheck !== undefined;
		const wanted = isRunning ? 'service_healthy' : 'service_completed_successfully';
		expect([name, condition]).toEqual([name, wanted]);
	}
	for (const { healthcheck } of [main, worker])
		expect(healthcheck?.test.every((part) => typeof part === 'string')).toBe(true);
});

test('.env.example lists every secret, without values', () => {
	const asked = new Set([...text.matchAll(/\$\{(\w+):/g)].map(([, name]) => name));
	const told = [...read('.env.example').matchAll(/^(\w+)=(.*)$/gm)];
	expect(new Set(told.map(([, name]) => name))).toEqual(asked);
	expect(told.filter(([, , value]) => value !== '')).toEqual([]);
});
