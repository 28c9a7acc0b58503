import ts from 'typescript';
import rooms from '../../test/stryker/rooms.json';
import { path, projectFolder } from '../node';

/** The tests that Stryker tries mutants with, and all that they import, from the project's folder. */
export function mutantTests(): string[] {
	const include = Object.values(rooms).flatMap(({ tests }) =>
		tests.map((name) => `test/${name}.test.ts`),
	);
	const { fileNames, options } = ts.parseJsonConfigFileContent(
		{ extends: './tsconfig.dev.json', include },
		ts.sys,
		projectFolder,
	);
	return ts
		.createProgram(fileNames, options)
		.getSourceFiles()
		.map(({ fileName }) => path.relative(projectFolder, fileName))
		.filter((file) => !file.startsWith('node_modules') && !file.startsWith('..'));
}
