import type { IDataObject } from 'n8n-workflow';
import { plainHeader } from '../../nodes/InvoicingPayments/sheet/headers';
import { bareAmount, rowFields } from '../../nodes/InvoicingPayments/sheet/rowFields';
import { languages, totalsOf } from '../../nodes/InvoicingPayments/sheet/words';
import { runNode } from '../helpers/engine';
import { useSimulator } from '../helpers/service';

/** Sheets in the languages that are known, with the headers of programs that people use, without any setting. */
const service = useSimulator();
const totals = () => service.created.map(({ full }) => full.amount);

const run = async (headers: string, rows: string[]) => {
	const names = headers.split(';');
	const { email } = service.world.account.customers[11];
	const items = rows.map(
		(row): IDataObject =>
			Object.fromEntries(
				row
					.replace('@', String(email))
					.split(';')
					.map((cell, at) => [names[at], cell]),
			),
	);
	return await runNode({
		credential: service.credential,
		parameters: {
			resource: 'invoice',
			operation: 'createFromRows',
			columns: { mappingMode: 'autoMapInputData', value: null } as never,
		},
		items,
	});
};

/** Two invoices, of 2500 and 120, due on 4 April and 5 March 2027. */
const sheets: Record<string, { headers: string; rows: [string, string]; tax: string }> = {
	de: {
		headers:
			'Rechnungs-Nr.;Kundennummer;E-Mail-Adresse;Bezeichnung;Menge (Stk.);Einzelpreis (netto);Gesamtpreis;Währung;Rechnungsdatum;Zahlungsbedingungen;Bemerkung',
		rows: [
			'RE-1;K-17;@;Beratung;2;1.250,00;2.500,00;EUR;05.03.2027;30 Tage netto;Danke',
			'RE-2;K-17;@;Wartung;1,5;80,00;120,00;EUR;5. März 2027;sofort;',
		],
		tax: 'MwSt. (19 %)',
	},
	fr: {
		headers:
			'N° facture;Client;Courriel;Désignation;Qté;PU HT;Montant HT;Devise;Date facture;Conditions de règlement;Commentaire',
		rows: [
			'F-1;;@;Conseil;2;1 250,00;2 500,00;EUR;5 mars 2027;à 30 jours;Merci',
			'F-2;;@;Entretien;1,5;80,00;120,00;EUR;5 mars 2027;comptant;',
		],
		tax: 'Montant TVA',
	},
	es: {
		headers:
			'Num factura;Correo electrónico;Concepto;Unidades;Precio unidad;Total línea;Moneda;Fecha de emisión;Plazo de pago;Observaciones',
		rows: [
			'A-1;@;Consultoría;2;1.250,00;2.500,00;EUR;5 de marzo de 2027;30 días;Gracias',
			'A-2;@;Mantenimiento;1,5;80,00;120,00;EUR;05.03.2027;contado;',
		],
		tax: 'Importe IVA',
	},
	pt: {
		headers:
			'N.º fatura;E-mail do cliente;Descrição do artigo;Qtd. Item;Preço Item;Total da linha;Moeda;Data de fatura;Condições de pagamento',
		rows: [
			'FT-1;@;Consultoria;2;1.250,00;2.500,00;EUR;5 março 2027;30 dias',
			'FT-2;@;Manutenção;1,5;80,00;120,00;EUR;2027-03-05;à vista',
		],
		tax: 'ICMS',
	},
	it: {
		headers:
			'Numero fattura;Ragione sociale;Indirizzo email;Descrizione;Q.tà;Prezzo unitario;Totale riga;Valuta;Data documento;Termini di pagamento;Annotazioni',
		rows: [
			'1/A;;@;Consulenza;2;1.250,00;2.500,00;EUR;5 marzo 2027;30 gg;Grazie',
			'2/A;;@;Manutenzione;1,5;80,00;120,00;EUR;05.03.2027;a vista;',
		],
		tax: 'Totale IVA',
	},
	nl: {
		headers:
			'Factuurnr.;Klant e-mail;Omschrijving;Aantal;Eenheidsprijs;Regeltotaal;Valuta;Factuurdatum;Betalingstermijn;Opmerkingen',
		rows: [
			'2027-1;@;Advies;2;1.250,00;2.500,00;EUR;5 maart 2027;30 dagen;Bedankt',
			'2027-2;@;Onderhoud;1,5;80,00;120,00;EUR;05.03.2027;contant;',
		],
		tax: 'BTW-bedrag',
	},
};

describe.each(Object.entries(sheets))('[S1] %s', (_, { headers, rows, tax }) => {
	test('is billed without a setting', async () => {
		const { error } = await run(headers, rows);
		expect([error?.message, error?.description]).toEqual([undefined, undefined]);
		expect(totals()).toEqual(['2500.00', '120.00']);
		expect(service.created.map(({ full }) => String(full.due_date).slice(0, 10))).toEqual([
			'2027-04-04',
			'2027-03-05',
		]);
	});

	test('stops where it holds taxes', async () => {
		const { error } = await run(
			`${headers};${tax}`,
			rows.map((row) => `${row};37,50`),
		);
		expect(`${error?.message} ${error?.description}`).toContain(`"${tax}"`);
		expect(totals()).toEqual([]);
	});
});

test('no two fields share a header, in whatever language', () => {
	const fields = [...rowFields, bareAmount];
	const kinds = ['invoice', 'invoiceOrRow', 'subtotal', 'balance'] as const;
	const all = [
		...fields.map(({ name, headers, fallbacks }) => [name, [...headers, ...fallbacks]] as const),
		...kinds.map((kind) => [kind, totalsOf(kind).map(plainHeader)] as const),
	];
	const owners = new Map<string, Set<string>>();
	for (const [name, headers] of all)
		for (const header of headers) owners.set(header, (owners.get(header) ?? new Set()).add(name));
	expect([...owners].filter(([, { size }]) => size > 1)).toEqual([]);
	expect(languages.map(({ code }) => code).sort()).toEqual([
		'de',
		'en',
		'es',
		'fr',
		'it',
		'nl',
		'pt',
	]);
});
