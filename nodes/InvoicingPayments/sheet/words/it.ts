import type { Language } from './language';

export const it: Language = {
	code: 'it',
	head: 'first',
	prepositions: 'di del della dei delle per a al in con il la le lo'.split(' '),
	identifiers:
		'codice cod rif riferimento id chiave telefono tel cellulare fax riga posizione conto sala camera posto piano livello classe eta cap centro'.split(
			' ',
		),
	ranges: {
		// Deals that are not won are not billed.
		probabilita: [100, 100],
		settimana: [1, 53],
		mese: [1, 12],
		trimestre: [1, 4],
		anno: [1900, 2100],
	},
	numbered:
		'postale barre cliente fattura ordine telefono conto articolo riga documento contratto prodotto serie'.split(
			' ',
		),
	dates: 'data giorno inizio fine scadenza arrivo partenza emissione'.split(' '),
	timeUnits: {
		year: 'anno anni'.split(' '),
		hour: 'ora ore oraria'.split(' '),
		day: 'giorno giorni'.split(' '),
		night: 'notte notti'.split(' '),
	},
	times: 'tempo ora durata'.split(' '),
	coordinates: 'latitudine longitudine'.split(' '),
	moments: 'ultimo ultima prossimo prossima primo prima dal'.split(' '),
	births: ['nascita'],
	otherMoney: {
		taxes: 'iva imposta imposte ritenuta aliquota bollo'.split(' '),
		taxParts: 'tipo importo nome percent'.split(' '),
		others:
			'sconto sconti ribasso abbuono spedizione trasporto spese commissione mancia acconto anticipo cauzione deposito pagato incassato ricevuto arretrati rimborso interessi'.split(
				' ',
			),
	},
	prices: 'prezzo tariffa costo'.split(' '),
	per: ['per', 'a', 'al'],
	multiples: 'dozzina cento mille mezzo mezza quarto'.split(' '),
	dimensions: 'peso distanza lunghezza superficie volume altezza larghezza'.split(' '),
	units: 'unita'.split(' '),
	counts: 'quantita ore giorni notti persone'.split(' '),
	amounts: 'importo totale prezzo costo valore saldo netto lordo imponibile somma subtotale'.split(
		' ',
	),
	totals: [
		'totale',
		'totali',
		'subtotale',
		'somma',
		'totale complessivo',
		'totale generale',
		'totale da pagare',
		'riporto',
		'saldo',
	],
	aroundTotals:
		'complessivo generale senza con iva imposte netto lordo da pagare di della del fattura ordine importo incluso inclusa'.split(
			' ',
		),
	deductions: 'sconto abbuono acconto anticipo cauzione pagato rimborso'.split(' '),
	afterDeductions: 'di del su per ricevuto'.split(' '),
	notBilled: [
		'annullato',
		'annullata',
		'pagato',
		'pagata',
		'eliminato',
		'non fatturabile',
		'fatturato',
		'rimborsato',
		'nota di credito',
		'saldato',
		'incassato',
		'preventivo',
	],
	billable: ['fatturabile', 'da fatturare'],
	done: 'fatturato pagato pagata annullato annullata eliminato'.split(' '),
	yes: ['si', 's', 'vero'],
	no: ['nessuno', 'nessuna', 'esente', 'falso'],
};
