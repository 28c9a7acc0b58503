/**
 * Takes card numbers and security codes out of texts and results. A card number is told by its digits alone (its network’s first
 * digits and length, and the Luhn check), however they are written and separated. About one in a hundred other numbers of that
 * length looks the same, so identifiers of results keep theirs.
 */
const hiddenNumber = '(card number)';
const hiddenCode = '(hidden)';

const cardField =
	/card(?:data|number|num|no|pan|pin|code)(?!t)|^pan$|primaryaccount|securitycode|cv[vcn]2?(?:code|number|num|value)?$|^csc|verification(?:value|code)/;
const cardFields = new Map<string, boolean>();

/** Whether a field contains card data under any name: `card_data`, `cardNumber`, `CVV`. */
function isCardField(name: string): boolean {
	const known = cardFields.get(name);
	if (known !== undefined) return known;
	const plain = name
		.slice(0, 200)
		.replace(/[^a-z\d]/gi, '')
		.toLowerCase();
	const isOne = cardField.test(plain);
	if (cardFields.size < 1000) cardFields.set(name, isOne);
	return isOne;
}

/** Its digits are no card number. */
const timestamp = /^\d{4}-\d\d-\d\d[ T][\d:.+Z-]{4,30}$/;

/** Whether a field identifies a result, so that its digits must stay: `id`, `reference_id`, `invoice_number`, `url`. */
const isIdentifier = (name: string) =>
	/(?:^|_)(?:ids?|url|code)$|^(?:invoice_number|sku|duplicates|duplicateOf)$/.test(name);

/** Without card data at any depth (spec 2.10). Gives the same object if there is none. `name`: of the field that has the value. */
export function withoutCardData<T>(value: T, name = ''): T {
	if (typeof value === 'string')
		return (isIdentifier(name) || timestamp.test(value) ? value : hideCardNumbers(value)) as T;
	if (typeof value === 'number')
		return (isCardNumber(String(value)) && !isIdentifier(name) ? hiddenNumber : value) as T;
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) {
		const kept = value.map((inner: unknown) => withoutCardData(inner, name));
		return (kept.every((inner, at) => inner === value[at]) ? value : kept) as T;
	}
	const entries = Object.entries(value);
	const kept = entries
		.filter(([field]) => !isCardField(field))
		.map(([field, inner]): [string, unknown] => [field, withoutCardData(inner, field)]);
	const isUnchanged =
		kept.length === entries.length && kept.every(([, inner], at) => inner === entries[at][1]);
	return isUnchanged ? value : (Object.fromEntries(kept) as T);
}

/** For text that is not JSON. Drops everything after `card_data`, because nobody knows where it ends. */
export function hideCards(text: string): string {
	const withoutCodes = text
		.replace(/(card[_ -]?data)[^]*/i, `$1 ${hiddenCode}`)
		.replace(
			/((?:card[_ -]?(?:number|num|no)|security[_ -]?code|cv[vcn]2?(?:[_ -]?code)?|csc)\b(?:&#?\w{1,40};|\b(?:is|was|of)\b|[^\da-z]){0,12})\d(?:[\d +-]*\d)?/gi,
			`$1${hiddenCode}`,
		);
	return hideCardNumbers(withoutCodes);
}

const uuidPattern = /([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})/i;

/** Anything between the digits of a card number: at most two characters that are no letters, or one that is escaped. */
const separator = '(?:%(?:20|09|0a|2d)|&(?:nbsp|thinsp|#\\d{1,5});|\\\\[nrt]|[^\\p{L}\\p{N}]{1,2})';
const digit = '[\\d０-９]';
const digitsInGroups = new RegExp(`${digit}(?:${separator}?${digit}){13,}`, 'gui');
const longRun = new RegExp(`${digit}(?:${separator}?${digit}){13}`, 'ui');
const group = new RegExp(`${digit}+|${separator}`, 'gui');
const isDigits = (part: string) => /^[\d０-９]/.test(part);

/** Replaces the numbers of cards in a text. */
export function hideCardNumbers(text: string): string {
	if (text.length < 14 || !longRun.test(text)) return text;
	return text
		.split(uuidPattern)
		.map((part, index) => (index % 2 === 1 ? part : part.replace(digitsInGroups, hideInDigits)))
		.join('');
}

function hideInDigits(run: string, at: number, text: string): string {
	const parts = run.match(group) ?? [];
	// An IBAN is longer than a card number, and may contain one by chance.
	const isIban = /[A-Z]{2}$/.test(text.slice(Math.max(0, at - 2), at));
	if (isIban && !isCardNumber(digitsOf(run))) return run;
	const shown: string[] = [];
	for (let first = 0; first < parts.length; first++) {
		const last = isDigits(parts[first]) ? endOfCardNumber(parts, first) : undefined;
		shown.push(last === undefined ? parts[first] : hiddenNumber);
		first = last ?? first;
	}
	return shown.join('');
}

/** Index of the last group of the longest card number that begins at `first`. */
function endOfCardNumber(parts: string[], first: number): number | undefined {
	let digits = '';
	let end: number | undefined;
	for (let last = first; last < parts.length && digits.length < maxDigits; last++) {
		if (!isDigits(parts[last])) continue;
		digits += digitsOf(parts[last]);
		if (isCardNumber(digits)) end = last;
	}
	return end;
}

const maxDigits = 19;

const digitsOf = (text: string) => text.normalize('NFKC').replace(/\D/g, '');

/**
 * First digits and lengths of the networks: Visa, Mastercard, Amex, Diners, JCB, Maestro, Discover, UnionPay. Shorter numbers, which
 * some once had, are phone numbers today.
 */
const networks =
	/^(?:4(?:\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|30[0-5]\d{11}|3[689]\d{12}|35\d{14,17}|(?:5[0678]|6\d)\d{14,17})$/;

function isCardNumber(digits: string): boolean {
	if (!networks.test(digits)) return false;
	const sum = [...digits].reverse().reduce((total, digit, place) => {
		const value = Number(digit) * (place % 2 ? 2 : 1);
		return total + (value > 9 ? value - 9 : value);
	}, 0);
	return sum % 10 === 0;
}
