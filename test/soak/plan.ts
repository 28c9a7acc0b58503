import type { Draw } from '../../simulator/draw';
import type { Soak } from './soak';

type Action = () => void | Promise<void>;

/** What can be done, and how often in proportion. */
function actionsOf(soak: Soak, mayRestart: boolean): Array<[weight: number, Action]> {
	const { happenings } = soak;
	return [
		[30, soak.pay],
		[3, soak.burst],
		[5, soak.late],
		[10, () => happenings.invoice()],
		[12, () => happenings.changeInvoice()],
		[8, () => happenings.refund()],
		[3, () => happenings.join()],
		[7, soak.sheet],
		[10, soak.fault],
		[3, () => soak.world.faults.clear()],
		[2, soak.outage],
		[6, soak.behave],
		[3, soak.changeFilter],
		[2, soak.rename],
		[4, soak.pause],
		[2, soak.anyJump],
		[14, soak.shortJump],
		[mayRestart ? 2 : 0, async () => await soak.restart(false)],
		[mayRestart ? 3 : 0, async () => await soak.restart(true)],
	];
}

/** What is done next. */
export function drawAction(draw: Draw, soak: Soak, mayRestart: boolean): Action {
	const actions = actionsOf(soak, mayRestart);
	let left = draw.int(
		1,
		actions.reduce((sum, [weight]) => sum + weight, 0),
	);
	for (const [weight, action] of actions) {
		left -= weight;
		if (left <= 0) return action;
	}
	throw new Error('There is nothing to do');
}
