import type { Language } from './language';
import { list } from './language';

export const de: Language = {
	code: 'de',
	headers: {
		invoiceNumber:
			list(`Rechnungsnummer|Rechnungs-Nr.|Rechnungsnr.|Rechnung Nr.|Re.-Nr.|Rg.-Nr.|Belegnummer|Rechnung|Belegfeld 1
			Re-Nr|Rg-Nr|RE Nr.|RechnungsNr|Rechn.-Nr.|Beleg|Beleg-Nr.|Belegnr.|Nr. Rechnung`),
		customerId:
			list(`Kunde|Kundenname|Rechnungsempfänger|Firma|Firmenname|Kundennummer|Kunden-Nr.|Kundennr.|Kunden
			Unternehmen|Empfänger|Käufer|Rechnung an|Debitor|Ansprechpartner|Kontakt|Wer|Mieter|Mitglied|Schüler
			Schülerin|Gast|Patient|Auftraggeber|Laden|Eltern|Halter|Besteller|Teilnehmer|Pächter|Debitorenname
			Familie|Verein`),
		customerEmail:
			list(`E-Mail-Adresse|Kunden E-Mail|Rechnungs-E-Mail|Mail|E-Mail|Kunden-Mail|Kunden-E-Mail|Mailadresse
			E-Mail Rechnung`),
		itemName:
			list(`Artikel|Artikelname|Artikelbezeichnung|Leistung|Leistungsbeschreibung|Tätigkeit|Dienstleistung
			Bezeichnung|Produkt|Beschreibung|Artikelbeschreibung|Kurs|Position|Buchungstext|Text|Was|Behandlung
			Art der Leistung|Sorte|Ware|Kursname|Arbeit|Artikel/Leistung|Positionsname|Thema|Leistungsart|Gegenstand`),
		itemAmount:
			list(`Einzelpreis|Einzelpreis netto|Preis netto|E-Preis|EP|Tagessatz|Stückpreis|Nettopreis|Preis pro Einheit
			Preis je Einheit|Stundensatz|Preis|Verkaufspreis|Listenpreis|Preis/Einheit|à|Honorar|Gebühr
			Beitrag|Miete|Preis je|Satz|Einzelpr.|E-Pr.|Stk-Preis|Preis/Stk`),
		itemTotal:
			list(`Gesamtpreis|Gesamt netto|G-Preis|GP|Zeilensumme|Positionssumme|Nettobetrag|Netto|Summe netto|Gesamt
			Zeile gesamt|Pos.-Summe|Summe Position|Betrag netto`),
		amount: list(`Betrag`),
		itemQuantity:
			list(`Menge|Stückzahl|Anzahl|Stunden|Stück|Stk|Tage|Anz|Anz.|Wie viele|Std.|Std|Einheiten|Nächte|Wörter|Zeit
			Dauer|Menge/Std`),
		currency: list(`Währung|Währungscode|Whg|WKZ|Währ.|Waehrung`),
		dueDate:
			list(`Fälligkeitsdatum|Fällig am|Fälligkeit|Fällig|Zahlbar bis|Fällig bis|Zahlungsziel Datum|Zu zahlen bis
			Zu überweisen bis|Zahlbar bis spätestens|Spätestens|Bis wann|Zahlbar am|Zahltermin|Frist|Zahlungstermin|Bezahlen bis`),
		terms:
			list(`Zahlungsbedingungen|Zahlungsbedingung|Zahlungsfrist|Zahlungsziel|Zahlungsziel (Tage)|Ziel Tage|Tage Ziel
			Zahlungsziel Tage`),
		invoiceDate: list(
			`Rechnungsdatum|Re.-Datum|Rg.-Datum|Rechn.-Datum|Belegdatum|Ausstellungsdatum|Rechnung vom|Datum`,
		),
		title: list(`Betreff|Referenz`),
		note: list(`Notizen|Notiz|Bemerkung|Bemerkungen|Anmerkung|Anmerkungen`),
		discountPercentage: list(`Rabatt %|Rabatt in %`),
	},
	totals:
		list(`Gesamtbetrag|Rechnungsbetrag|Gesamtsumme|Endbetrag|Offener Betrag|Rechnungssumme|Summe|Gesamt
		Zwischensumme|Nettosumme|Saldo`),
	prices: list(
		`preis|satz|kosten|honorar|miete|beitrag|gebuhr|entgelt|tarif|pauschale|pacht|tagessatz|stundensatz|preise|a|je|netto`,
	),
	counts:
		list(`einh|menge|anzahl|anz|stuck|stunden|std|tage|nachte|personen|gaste|stk|einheiten|worter|zeilen|seiten|kisten
		flaschen|wochen|monate|stunde|lektionen|termine|fahrstunden|portionen|glaser|kg|km|wie viele|viele|oft
		teilnehmer|kinder|zeit|dauer|ubernachtungen|fahrten|behandlungen`),
	taxes: list(
		`mwst|ust|steuer|steuern|mehrwertsteuer|umsatzsteuer|vorsteuer|steuersatz|steuerbetrag`,
	),
	amounts: list(`betrag|betrage|summe|gesamt|gesamtbetrag|preis|kosten|wert|netto|brutto|saldo`),
	identifiers:
		list(`id|number|code|kennung|schlussel|plz|telefon|tel|handy|fax|zeile|position|pos|konto|raum|zimmer|platz
		etage|stufe|klasse|alter|kostenstelle|nummer|nr|leitzahl|zeichen|wahrscheinlichkeit|woche|kw
		kalenderwoche|monat|quartal|jahr|breitengrad|langengrad|grosse|lange|breite|flache|qm|m2|stellplatz
		parzelle|box|liegeplatz|wohnung|stall|tisch|startnummer|kennzeichen|wassertiefe|spind`),
	dates:
		list(`datum|tag|beginn|start|ende|fallig|frist|termin|anreise|abreise|geburtsdatum|geburtstag|geboren|letzter
		letzte|letztes|nachster|nachste|nachstes|erster|erste|erstes|seit|zeit|dauer`),
	units: {
		year: list(`jahr|jahre|jahrlich`),
		hour: list(`stunde|stunden|stundensatz|std`),
		day: list(`tag|tage|tagessatz|taglich`),
		night: list(`nacht|nachte|ubernachtung|ubernachtungen`),
		week: list(`woche|wochen|wochentlich`),
		month: list(`monat|monate|monatlich|mtl`),
	},
	multiples: list(`dutzend|hundert|tausend|halbe|halber|halben|viertel|zentner|tausender`),
	sums: list(`summe|gesamt|gesamtsumme|gesamtbetrag|zwischensumme|endsumme|gesamtergebnis|insgesamt|summa|teilsumme
		rechnungssumme|endbetrag|rechnungsbetrag|ubertrag|saldo|netto|brutto|zahlbetrag|endpreis|ergebnis
		teilergebnis|zusammen|durchschnitt|mittelwert`),
	deductions:
		list(`rabatt|skonto|nachlass|gutschrift|anzahlung|kaution|bezahlt|erstattung|gutschein|abzug|abschlag
		ruckerstattung|storno|uberzahlung|vorauszahlung|abschlagszahlung|retoure|zahlung|zahlungseingang
		uberweisung|eingang|lastschrift|mahngebuhr|zuschuss`),
	marks:
		list(`bezahlt|gezahlt|teilbezahlt|vorausbezahlt|storniert|storno|stornier|gutschrift|geloscht|erstattet|gutgeschrieben
		nicht berechn|nicht abrechn|nicht verrechn|nicht faktur|nicht in rechnung|nicht abrechenbar|abgerechnet
		fakturiert|berechnet|verrechnet|beglichen|ausgeglichen|uberwiesen|in rechnung gestellt|kulanz|garantie
		gewahrleistung|kostenlos|kostenfrei|gratis|umsonst|ausgefallen|entfallt|entfallen|abgesagt
		nicht erschienen|ohne berechnung|erlassen|doppelt|retoure|strittig|barzahlung|bar bezahlt
		bar erhalten|geschenkt|erledigt`),
	doubts:
		list(`zuruckgestellt|warten|wartet|optional|eventual|bedarfsposition|alternativ|angebot|entwurf|anzahlung
		angezahlt|abschlag|teilzahlung|kaution|schon|bereits|spende|gutschein|vorauskasse|erhalten
		guthaben|inklusive|inkl|pausiert|klaren|rucksprache|rabatt|nachlass|vorlaufig|reklam|ubertrag
		abzug|abziehen|mitglied frei|proforma|freigabe|erl|ersetzt durch|uberholt|aufschlag|korrigiert|korrektur`),
	asks: list(`status|abrechenbar|verrechenbar|abrechnen|bezahlt|gezahlt|abgerechnet|erledigt|storniert|storno
		teilgenommen|bestatigt|anwesend|anwesenheit|freigegeben|berechnen|ok|zustand`),
	billable: list(`abrechenbar|verrechenbar|abrechnen|berechnen|rechnung`),
	yes: list(`ja|j|wahr`),
	no: list(`nein|falsch|keine|kein|steuerfrei`),
	open: list(`offen|ausstehend|uberfallig`),
	terms: {
		days: list(`Tage|Tag|Tagen`),
		around: list(
			`netto|rein netto|ohne Abzug|innerhalb von|innerhalb|zahlbar innerhalb von|zahlbar in|zahlbar|überweisung`,
		),
		atOnce: list(`sofort|sofort fällig|bei Erhalt|zahlbar sofort|nach Erhalt`),
	},
};
