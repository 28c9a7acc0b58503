import type { ParsedMail } from 'mailparser';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** A received mail. */
export interface Mail {
	to: string[];
	mail: ParsedMail;
}

const user = { user: 'office', password: 'dummy' };

/** A mail server on this machine that keeps the mails of a test and forwards none. Call at the top level of a test file. */
export function useMailServer() {
	const mails: Mail[] = [];
	/** Mails to these addresses are refused. */
	const refused = new Set<string>();
	const server = new SMTPServer({
		disabledCommands: ['STARTTLS'],
		allowInsecureAuth: true,
		disableReverseLookup: true,
		onAuth: ({ username, password }, _session, done) => {
			const isKnown = username === user.user && password === user.password;
			done(isKnown ? null : new Error('Unknown user'), { user: username });
		},
		onRcptTo: ({ address }, _session, done) =>
			done(refused.has(address) ? new Error('No such mailbox') : null),
		onData: (stream, { envelope }, done) => {
			simpleParser(stream).then(
				(mail) => {
					mails.push({ to: envelope.rcptTo.map(({ address }) => address), mail });
					done();
				},
				(error: Error) => done(error),
			);
		},
	});
	let port = 0;
	beforeAll(async () => {
		port = await new Promise<number>((resolve, reject) => {
			server.once('error', reject);
			const { server: socket } = server;
			server.listen(0, '127.0.0.1', () => resolve((socket.address() as { port: number }).port));
		});
	});
	beforeEach(() => {
		mails.length = 0;
		refused.clear();
	});
	afterAll(async () => await new Promise<void>((resolve) => server.close(() => resolve())));
	/** The data of n8n's SMTP credential. */
	const credential = () => ({
		...user,
		...{ host: '127.0.0.1', port, secure: false, disableStartTls: true },
	});
	return { mails, refused, credential };
}
