import type { Language } from './language';
import { list } from './language';

export const nl: Language = {
	code: 'nl',
	headers: {
		invoiceNumber: list(
			`Factuurnummer|Factuurnr.|Factuur nr.|Boekstuknummer|Factuur|Factuurnr|Fact.nr|Fact.nr.|Factuur nr`,
		),
		customerId:
			list(`Klant|Klantnaam|Debiteur|Bedrijfsnaam|Bedrijf|Factureren aan|Klantnummer|Debiteurnummer|Relatienummer
			Klantcode|Klant ID|Naam|Relatie|Contactpersoon|Wie|Huurder|Lid|Leerling|Patiënt|Gast|Eigenaar
			Opdrachtgever|Ouder|Gezin|Contractouder`),
		customerEmail: list(`E-mailadres|Factuur e-mailadres|Klant e-mail|Mail|E-mail|Mailadres`),
		itemName:
			list(`Omschrijving|Artikelnaam|Beschrijving|Dienst|Werkzaamheden|Factuuromschrijving|Wat|Werk|Behandeling
			Cursus|Artikel|Activiteit`),
		itemAmount:
			list(`Eenheidsprijs|Prijs per eenheid|Eenheidsprijs excl. btw|Prijs excl. btw|Stukprijs|Stuksprijs|Uurtarief
			Kosten per eenheid|Verkoopprijs|Prijs|Tarief|Huur|Contributie|Uurprijs|Per stuk|€/uur`),
		itemTotal: list(
			`Regeltotaal|Totaalprijs|Bedrag excl.|Netto bedrag|Bedrag excl. btw|Regelbedrag`,
		),
		amount: list(`Bedrag`),
		itemQuantity: list(
			`Aantal|Hoeveelheid|Uren|Aantal stuks|Aant.|Hvh|Hoeveel|Nachten|Lessen|Stuks`,
		),
		currency: list(`Munteenheid`),
		dueDate:
			list(`Vervaldatum|Vervaldag|Uiterste betaaldatum|Betalen voor|Vervalt|Uiterlijk|Te betalen voor|Betaal voor
			Voor wanneer|Betaaldatum uiterlijk|Uiterste datum|Betalen vóór`),
		terms: list(
			`Betalingstermijn|Betaaltermijn|Betalingsvoorwaarden|Betalingsconditie|Termijn (dgn)|Termijn`,
		),
		invoiceDate: list(`Factuurdatum|Factuur datum|Datum factuur`),
		title: list(`Betreft|Referentie|Uw ref.`),
		note: list(`Opmerkingen|Opmerking|Notities|Notitie`),
		discountPercentage: list(`Korting %|Kortingspercentage`),
	},
	totals: list(`Totaalbedrag|Factuur totaal|Te voldoen|Te betalen|Openstaand|Totaal|Subtotaal`),
	prices: list(
		`prijs|tarief|kosten|huur|contributie|honorarium|lesgeld|bijdrage|stuksprijs|uurtarief|bedrag|pacht`,
	),
	counts:
		list(`aantal|hoeveelheid|uren|uur|dagen|nachten|personen|lessen|sessies|kilo|kg|dozen|woorden|paginas|hoeveel
		stuks|flessen|maanden|weken|bezoeken|kratten|ritten|aant|eenheden|duur|tijd|oplage|koppen`),
	taxes: list(`btw|belasting|belastingen`),
	amounts: list(`bedrag|totaal|prijs|kosten|waarde|saldo|netto|bruto|som|subtotaal`),
	identifiers:
		list(`id|number|code|sleutel|ref|referentie|postcode|telefoon|tel|mobiel|fax|regel|positie|rekening|kamer|zaal
		stoel|etage|niveau|klasse|leeftijd|kostenplaats|nummer|nr|kenmerk|kans|week|maand|kwartaal|jaar
		breedtegraad|lengtegraad|lengte|oppervlakte|vak|box|bok|tuin|plaats|ligplaats|tafel|stand|kluisje
		verdieping|voortgang|kenteken`),
	dates:
		list(`datum|dag|begin|start|einde|vervaldatum|aankomst|vertrek|geboortedatum|geboren|laatste|volgende|eerste
		sinds|tijd|duur`),
	units: {
		year: list(`jaar|jaren|jaarlijks`),
		hour: list(`uur|uren|uurtarief|uurprijs`),
		day: list(`dag|dagen|dagtarief|dagprijs`),
		night: list(`nacht|nachten`),
		week: list(`weken|wekelijks`),
		month: list(`maand|maanden|maandelijks|mnd`),
	},
	multiples: list(`dozijn|honderd|duizend|half|halve|kwart|duizendtal|honderdtal`),
	sums: list(`totaal|totalen|subtotaal|som|eindtotaal|totaalbedrag|te betalen|saldo`),
	deductions:
		list(`korting|creditering|aanbetaling|vooruitbetaling|voorschot|borg|betaald|voldaan|terugbetaling|retour
		betaling|ontvangst|overboeking|storting|subsidie`),
	marks:
		list(`betaald|voldaan|vooruitbetaald|afgerekend|geannuleerd|annuler|vervallen|verwijderd|terugbetaald
		gecrediteerd|creditnota|creditfactuur|niet factur|niet factureer|niet in rekening|niet doorbelast
		gefactureerd|proforma|gratis|kosteloos|cadeau|garantie|coulance|contant|niet verschenen|no show
		afgewezen|verloren|dubbel|verrekend|retour|kwijtgescholden`),
	doubts: list(`in de wacht|wacht|optioneel|optie|offerte|aanbetaling|voorschot|borg|ontvangen
		tegoed|tegoedbon|cadeaubon|inbegrepen|betwist|deels|gedeeltelijk|aftrekken|onder voorbehoud|korting|verstuurd
		al verzonden|vervangen door|opslag|gecorrigeerd|afwachten|saldo vorig`),
	asks: list(
		`status|factureerbaar|factureren|betaald|gefactureerd|gedaan|klaar|aanwezig|bevestigd|goedgekeurd|ok`,
	),
	billable: list(`factuur|factureerbaar|te factureren|factureren`),
	yes: list(`ja|j|waar`),
	no: list(`nee|onwaar|geen|vrijgesteld`),
	open: list(`open|openstaand|te betalen`),
	terms: {
		days: list(`dagen|dag|dgn`),
		around: list(`netto|overboeking|overboeking binnen|binnen|na|na factuurdatum|na fact`),
		atOnce: list(`contant|direct|per direct`),
	},
};
