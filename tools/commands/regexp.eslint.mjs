/** Regular expressions read foreign text, such as sheets and answers. None of them may take longer than the text is long. */
import regexp from 'eslint-plugin-regexp';
import { parser } from 'typescript-eslint';

export default [
	{
		files: ['**/*.ts'],
		languageOptions: { parser },
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential' }],
		},
	},
];
