import type { ParsedMail } from 'mailparser';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** A received mail. */
export interface Mail {
	to: string[];
	mail: ParsedMail;
}

/** A mail server on this machine that keeps its mails and forwards none. */
export interface MailServer {
	/** The data of n8n's SMTP credential. */
	credential: Record<string, unknown>;
	mails: Mail[];
	/** Mails to these addresses are refused. */
	refused: Set<string>;
	close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
	const mails: Mail[] = [];
	const refused = new Set<string>();
	const user = { user: 'office', password: 'dummy' };
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
	const port = await new Promise<number>((resolve, reject) => {
		server.once('error', reject);
		const { server: socket } = server;
		server.listen(0, '127.0.0.1', () => resolve((socket.address() as { port: number }).port));
	});
	return {
		credential: { ...user, host: '127.0.0.1', port, secure: false, disableStartTls: true },
		mails,
		refused,
		close: async () => await new Promise<void>((resolve) => server.close(() => resolve())),
	};
}
