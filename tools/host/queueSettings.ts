/**
 * n8n's environment in queue mode, the same for the main process and each worker: what `npm run nightly -- scale` runs with, and what
 * docs/docker/docker-compose.yml sets.
 */
export const queueSettings = {
	EXECUTIONS_MODE: 'queue',
	QUEUE_HEALTH_CHECK_ACTIVE: 'true',
	DB_TYPE: 'postgresdb',
	DB_POSTGRESDB_DATABASE: 'n8n',
	DB_POSTGRESDB_USER: 'n8n',
	// The trigger's position is saved together with the execution.
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};

/** How many executions a worker runs at a time, and how many workers there are. */
export const workerConcurrency = 5;
export const workerCount = 2;

/** Where a server listens, and what it wants to hear. */
export interface Server {
	host: string;
	port: number;
	password: string;
}

/** The same with what differs from one installation to the next. */
export const queueEnvironment = (
	postgres: Server,
	redis: Server,
	encryptionKey: string,
): Record<string, string> => ({
	...queueSettings,
	DB_POSTGRESDB_HOST: postgres.host,
	DB_POSTGRESDB_PORT: String(postgres.port),
	DB_POSTGRESDB_PASSWORD: postgres.password,
	QUEUE_BULL_REDIS_HOST: redis.host,
	QUEUE_BULL_REDIS_PORT: String(redis.port),
	QUEUE_BULL_REDIS_PASSWORD: redis.password,
	N8N_ENCRYPTION_KEY: encryptionKey,
});
