import { serviceMessageOf } from '../../nodes/shared/transport/serviceMessage';
import { errorBody } from '../../simulator/failures';
import { errorBodyShape } from '../../simulator/settings';

const words = 'due_date: must be in the future';

test.each(errorBodyShape.options.filter((shape) => shape !== 'empty'))(
	"finds the service's words in an error of the shape %s",
	(shape) => {
		const { body } = errorBody(shape, [{ field: 'due_date', message: words }], 400);
		expect(serviceMessageOf(body)).toContain(words);
	},
);

test.each([
	['', undefined],
	['{}', undefined],
	['[]', undefined],
	['null', undefined],
	['"just text"', 'just text'],
	['{"error":"invalid_grant","error_description":"Key expired"}', 'invalid_grant'],
	['{"error":{"error":{"message":"deep"}}}', 'deep'],
	[
		'{"amount":["Too big","Too odd"],"title":["Too long"]}',
		'amount: Too big; Too odd; title: Too long',
	],
	['{"non_field_errors":["Not together"]}', 'Not together'],
	['{"items":[{"name":["Required"]}]}', 'items: name: Required'],
	['{"message":"Bad","errors":["A","B"]}', 'Bad: A; B'],
	['<html><body>no title</body></html>', 'a web page without a title'],
	['<html><h1>502 Bad Gateway</h1></html>', '502 Bad Gateway'],
	['  many \n\n spaces ', 'many spaces'],
	['{"message":{"a":1}}', undefined],
])('%p -> %p', (body, reason) => expect(serviceMessageOf(body)).toBe(reason));

test('long text is cut', () => {
	expect(serviceMessageOf('x'.repeat(10_000))?.length).toBeLessThan(600);
});
