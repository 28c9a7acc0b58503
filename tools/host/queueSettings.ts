/** n8n's environment in queue mode, for the main process and workers. The same as in docs/docker/docker-compose.yml. */
export const queueSettings = {
	EXECUTIONS_MODE: 'queue',
	QUEUE_HEALTH_CHECK_ACTIVE: 'true',
	DB_TYPE: 'postgresdb',
	DB_POSTGRESDB_DATABASE: 'n8n',
	DB_POSTGRESDB_USER: 'n8n',
	// Saves the trigger's position together with the execution.
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};

/** Executions that a worker runs at a time. */
export const workerConcurrency = 5;
export const workerCount = 2;

export interface Server {
	host: string;
	port: number;
	password: string;
}

/** With the settings that differ between installations. */
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
