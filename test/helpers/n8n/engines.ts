/** The ways in which n8n polls triggers. */
const scheduler = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
};

export interface Engine {
	name: string;
	env: Record<string, string>;
	/** Whether n8n saves the trigger's position and starts the execution in one step: then nothing is excused. */
	isOneStep: boolean;
}

export const standard: Engine = { name: "n8n's standard engine", env: {}, isOneStep: false };
export const durable: Engine = {
	name: 'scheduler with durable cursors',
	env: { ...scheduler, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' },
	isOneStep: true,
};
export const withoutCursors: Engine = {
	name: 'scheduler without durable cursors',
	env: { ...scheduler, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'false' },
	isOneStep: false,
};
