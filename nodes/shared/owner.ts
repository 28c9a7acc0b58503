/**
 * Something with a memory that other rooms add to: an account or a run. A room asks for its part by class, and the part
 * is made when it is first asked for. When the owner is forgotten, all its parts are.
 */
export class Owner {
	private readonly parts = new Map<new () => object, object>();

	part<T extends object>(Part: new () => T): T {
		const part = (this.parts.get(Part) as T | undefined) ?? new Part();
		this.parts.set(Part, part);
		return part;
	}
}
