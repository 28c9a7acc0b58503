import type { Language } from './language';

export const de: Language = {
	code: 'de',
	head: 'last',
	prepositions: 'am pro je von fur im in bis ab zum zur mit auf an'.split(' '),
	identifiers:
		'id number code kennung schlussel plz telefon tel handy fax zeile position pos konto raum zimmer platz etage stufe klasse alter kostenstelle'.split(
			' ',
		),
	identifierEndings: 'nummer nr kennung schlussel leitzahl kostenstelle zeichen'.split(' '),
	ranges: {
		// Deals that are not won are not billed.
		wahrscheinlichkeit: [100, 100],
		woche: [1, 53],
		kw: [1, 53],
		kalenderwoche: [1, 53],
		monat: [1, 12],
		quartal: [1, 4],
		jahr: [1900, 2100],
	},
	dates: 'datum tag beginn start ende fallig frist termin anreise abreise'.split(' '),
	dateEndings: ['datum', 'termin', 'beginn', 'ende'],
	timeUnits: {
		year: 'jahr jahre'.split(' '),
		hour: 'stunde stunden stundensatz'.split(' '),
		day: 'tag tage tagessatz'.split(' '),
		night: 'nacht nachte'.split(' '),
	},
	times: 'zeit dauer'.split(' '),
	coordinates: 'breitengrad langengrad'.split(' '),
	moments: 'letzter letzte letztes nachster nachste nachstes erster erste erstes seit'.split(' '),
	births: ['geburtsdatum', 'geburtstag', 'geboren'],
	otherMoney: {
		taxes:
			'mwst ust steuer steuern mehrwertsteuer umsatzsteuer vorsteuer steuersatz steuerbetrag'.split(
				' ',
			),
		taxParts: 'satz betrag prozent name art percent'.split(' '),
		others:
			'rabatt skonto nachlass versand versandkosten porto fracht frachtkosten lieferkosten gebuhr gebuhren zuschlag provision trinkgeld anzahlung kaution vorauszahlung bezahlt erhalten gezahlt ruckstand mahngebuhr gutschrift erstattung zinsen'.split(
				' ',
			),
	},
	prices: 'preis satz kosten'.split(' '),
	per: ['pro', 'je'],
	how: { asks: 'wie', harmless: 'alt gross zufrieden wahrscheinlich gut'.split(' ') },
	multiples: 'dutzend hundert tausend halbe halber halben viertel'.split(' '),
	dimensions: 'gewicht strecke entfernung lange flache volumen hohe breite tiefe'.split(' '),
	units: 'einheit mengeneinheit me'.split(' '),
	counts: 'menge anzahl stuck stunden tage nachte personen gaste'.split(' '),
	amounts: 'betrag betrage summe gesamt gesamtbetrag preis kosten wert netto brutto saldo'.split(
		' ',
	),
	totals:
		'summe gesamt gesamtsumme gesamtbetrag zwischensumme endsumme endbetrag rechnungsbetrag ubertrag saldo netto brutto zahlbetrag endpreis'.split(
			' ',
		),
	aroundTotals:
		'netto brutto inkl exkl zzgl mwst ust inklusive ohne mit der die aller alle von fur offen zu zahlen betrag'.split(
			' ',
		),
	deductions:
		'rabatt skonto nachlass gutschrift anzahlung kaution bezahlt erstattung gutschein abzug abschlag ruckerstattung storno uberzahlung vorauszahlung'.split(
			' ',
		),
	afterDeductions: 'von fur am erhalten bereits'.split(' '),
	notBilled: [
		'storniert',
		'storno',
		'bezahlt',
		'gutschrift',
		'geloscht',
		'nicht abrechenbar',
		'abgerechnet',
		'erstattet',
		'fakturiert',
		'beglichen',
		'nicht berechnen',
		'nicht abrechnen',
		'angebot',
		'ruckerstattung',
	],
	billable: ['abrechenbar', 'verrechenbar'],
	done: 'abgerechnet bezahlt storniert geloscht berechnet erstattet'.split(' '),
	yes: ['ja', 'j', 'wahr'],
	no: ['nein', 'falsch', 'keine', 'kein', 'steuerfrei'],
};
