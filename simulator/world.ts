import { Account } from './account';
import { serviceClock } from './clock';
import { Faults } from './faults';
import type { Settings, SettingsInput } from './settings';
import { liveSettingsSchema, settingsSchema } from './settings';
import { Traffic } from './traffic';

export class World {
	settings!: Settings;
	account!: Account;
	readonly faults = new Faults();
	readonly traffic = new Traffic();
	/** Milliseconds since 1970. */
	now = (): number => serviceClock.now();

	constructor(input: SettingsInput) {
		this.reset(input);
	}

	/** Starts over with only seeded objects. Throws a ZodError for unknown settings. */
	reset(input: SettingsInput = {}): void {
		this.settings = settingsSchema.parse(input);
		this.account = new Account(this.settings);
		this.faults.clear();
		this.traffic.reset();
	}

	/** Keeps the account's data. Throws a ZodError for switches that only `reset` can change. */
	set(change: Partial<Settings>): void {
		const checked = liveSettingsSchema.strict().parse(change);
		// Zod fills in defaults, also for switches that should stay as they are.
		const turned = Object.entries(checked).filter(([name]) => name in change);
		this.settings = { ...this.settings, ...Object.fromEntries(turned) };
	}
}
