import type { Language } from './language';

export const nl: Language = {
	code: 'nl',
	head: 'last',
	prepositions: 'op per van voor in aan bij met te'.split(' '),
	identifiers:
		'id number code sleutel ref referentie postcode telefoon tel mobiel fax regel positie rekening kamer zaal stoel etage niveau klasse leeftijd kostenplaats'.split(
			' ',
		),
	identifierEndings: 'nummer nr code kenmerk kostenplaats'.split(' '),
	ranges: {
		// Deals that are not won are not billed.
		kans: [100, 100],
		week: [1, 53],
		maand: [1, 12],
		kwartaal: [1, 4],
		jaar: [1900, 2100],
	},
	dates: 'datum dag begin start einde vervaldatum aankomst vertrek'.split(' '),
	dateEndings: ['datum'],
	timeUnits: {
		year: 'jaar jaren'.split(' '),
		hour: 'uur uren uurtarief'.split(' '),
		day: 'dag dagen'.split(' '),
		night: 'nacht nachten'.split(' '),
	},
	times: 'tijd duur'.split(' '),
	coordinates: 'breedtegraad lengtegraad'.split(' '),
	moments: 'laatste volgende eerste sinds'.split(' '),
	births: ['geboortedatum', 'geboren'],
	otherMoney: {
		taxes: 'btw belasting belastingen'.split(' '),
		taxParts: 'bedrag percentage tarief naam percent'.split(' '),
		others:
			'korting kortingen verzending verzendkosten porto vracht levering kosten toeslag commissie fooi aanbetaling voorschot borg betaald ontvangen achterstand terugbetaling credit rente'.split(
				' ',
			),
	},
	prices: 'prijs tarief kosten'.split(' '),
	per: ['per'],
	how: { asks: 'hoe', harmless: 'oud tevreden waarschijnlijk goed'.split(' ') },
	multiples: 'dozijn honderd duizend half halve kwart'.split(' '),
	dimensions: 'gewicht afstand lengte oppervlakte volume hoogte breedte'.split(' '),
	units: 'eenheid'.split(' '),
	counts: 'aantal stuks uren dagen nachten personen'.split(' '),
	amounts: 'bedrag totaal prijs kosten waarde saldo netto bruto som subtotaal'.split(' '),
	totals: [
		'totaal',
		'totalen',
		'subtotaal',
		'som',
		'eindtotaal',
		'totaalbedrag',
		'te betalen',
		'saldo',
	],
	aroundTotals:
		'excl incl exclusief inclusief btw netto bruto te betalen van de het factuur order bedrag'.split(
			' ',
		),
	deductions: 'korting creditering aanbetaling voorschot borg betaald terugbetaling'.split(' '),
	afterDeductions: 'van voor op ontvangen'.split(' '),
	notBilled: [
		'geannuleerd',
		'vervallen',
		'betaald',
		'creditnota',
		'verwijderd',
		'niet factureerbaar',
		'gefactureerd',
		'terugbetaald',
		'voldaan',
		'afgerekend',
		'offerte',
	],
	billable: ['factureerbaar', 'te factureren'],
	done: 'gefactureerd betaald geannuleerd verwijderd terugbetaald'.split(' '),
	yes: ['ja', 'j', 'waar'],
	no: ['nee', 'onwaar', 'geen', 'vrijgesteld'],
};
