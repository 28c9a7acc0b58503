import { figuresIn, guide, tableOf, withFigures } from '../../tools/quality/figuresTable';
import { readResult } from '../../tools/quality/results';
import { fs } from '../../tools/node';

const page = fs.readFileSync(guide, 'utf8');

test.each(['cost', 'scale'] as const)(
	'the guide has the figures of the last full run of %s',
	(name) => {
		expect(figuresIn(page, name)).toBe(tableOf(readResult(name)));
	},
);

test('new figures take the place of those before', () => {
	const table = tableOf({ figures: { 'Seconds with one worker': 2.5, Invoices: 'all' } });
	expect(table).toBe(
		'\n| | |\n|---|---|\n| Seconds with one worker | 2.5 |\n| Invoices | all |\n\n',
	);
	const written = withFigures(withFigures(page, 'scale', 'before'), 'scale', table);
	expect(figuresIn(written, 'scale')).toBe(table);
	expect(withFigures(written, 'scale', figuresIn(page, 'scale'))).toBe(page);
	expect(() => figuresIn(page, 'soak')).toThrow('The page has no place for soak');
});
