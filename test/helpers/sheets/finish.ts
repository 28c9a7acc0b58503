import type { Steps } from '../../../nodes/shared/steps';

/** Does all steps at once. */
export function finish<T>(steps: Steps<T>): T {
	for (;;) {
		const { done, value } = steps.next();
		if (done) return value;
	}
}
