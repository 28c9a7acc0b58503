import { Account } from './account';
import { serviceClock } from './clock';
import { Faults } from './faults';
import type { Settings, SettingsInput } from './settings';
import { liveSettingsSchema, settingsSchema } from './settings';
import { Traffic } from './traffic';

/** Everything that the control interface can look at and change while the simulator runs. */
export class World {
	settings!: Settings;
	account!: Account;
	readonly faults = new Faults();
	readonly traffic = new Traffic();
	/** The service's clock, in milliseconds since 1970: a soak puts it forward. */
	now = (): number => serviceClock.now();

	constructor(input: SettingsInput) {
		this.reset(input);
	}

	/** Starts over with these settings: no faults, nothing seen, only seeded objects. Throws a ZodError on unknown settings. */
	reset(input: SettingsInput = {}): void {
		this.settings = settingsSchema.parse(input);
		this.account = new Account(this.settings);
		this.faults.clear();
		this.traffic.reset();
	}

	/** Turns switches and keeps what the account holds. Throws a ZodError on switches that only `reset` can turn. */
	set(change: Partial<Settings>): void {
		const checked = liveSettingsSchema.strict().parse(change);
		// A default stands for a switch that was never turned, not for one that is left alone now.
		const turned = Object.entries(checked).filter(([name]) => name in change);
		this.settings = { ...this.settings, ...Object.fromEntries(turned) };
	}
}
