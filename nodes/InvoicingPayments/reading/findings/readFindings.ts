import type { Steps } from '../../../shared/steps';
import type { Column, Roles, WrittenColumn } from '../columns';
import { usedColumns } from '../columns';
import type { Source, Statements, ValueStatement } from '../statements';
import { namedHeaders } from '../statements';
import { isNoHeader } from '../table';
import type { Comparison } from './differences';
import { compare } from './differences';
import type { Finding, Sheet } from './findings';
import { guessesOf } from './guesses';
import { findOddities } from './oddities';

/** What a reading says, and what a person should see of it. */
export interface Findings {
	statements: Statements;
	findings: Finding[];
}

/** States how a sheet was read, compares that with what was said, and looks for what is odd. */
export function* readFindings(sheet: Sheet): Steps<Findings> {
	const compared = yield* compare(sheet);
	const statements = statementsOf(sheet, compared);
	const stated = { ...sheet, statements };
	const guesses = guessesOf(stated);
	const oddities = yield* findOddities(stated);
	return { statements, findings: [...compared.findings, ...guesses, ...oddities] };
}

/** All of the reading, to be printed, confirmed, and compared with later sheets. */
function statementsOf(sheet: Sheet, compared: Comparison): Statements {
	const { table, profile, roles, written, leftOut, values, said, grouped } = sheet;
	const isSum = leftOut.some(({ why }) => why === 'sum');
	const statements: Statements = {
		fields: sourcesOf(roles, written),
		grouping: grouped.grouping,
		unchecked: said?.unchecked ?? [],
		seen: said?.seen,
		values: values.map((one) => withNewValues(one, compared)),
		rowsLeftOut: said?.rowsLeftOut ?? (isSum ? 'totals' : undefined),
		headerRow: table.headerRow,
		isFilledFromAbove: sheet.isMerged || said?.isFilledFromAbove,
		isSideBySide: table.isSideBySide,
		shapes: compared.shapes,
		texts: compared.texts,
		relation: compared.relation,
		taxRates: compared.taxRates,
		...(compared.currencies && { currencies: compared.currencies }),
	};
	const stated = namedHeaders(statements);
	const used = usedColumns(roles);
	const unused = profile.columns.filter(
		(column) => !used.has(column) && (column.filled.length > 0 || !isNoHeader(column.header)),
	);
	const unnamed = new Set([...(said?.notBilled ?? []), ...unused.map(({ header }) => header)]);
	return { ...statements, notBilled: [...unnamed].filter((header) => !stated.has(header)) };
}

/** Rows with another new value are billed if that is confirmed. */
const withNewValues = (one: ValueStatement, { newValues }: Comparison): ValueStatement => ({
	...one,
	bill: [
		...one.bill,
		...newValues
			.filter(({ header, isLeftOut }) => header === one.header && !isLeftOut)
			.map(({ value }) => value),
	],
});

function sourcesOf({ fields, restOfName }: Roles, written: ReadonlyMap<Column, WrittenColumn>) {
	const sources = [...fields].map(([field, columns]): [string, Source[]] => [
		field,
		columns.map((column, at) => ({
			header: column.header,
			and: field === 'customerId' && at === 0 ? restOfName?.header : undefined,
			formats: written.get(column)?.printed,
		})),
	]);
	return new Map(sources);
}
