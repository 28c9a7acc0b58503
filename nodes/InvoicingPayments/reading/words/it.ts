import type { Language } from './language';
import { list } from './language';

export const it: Language = {
	code: 'it',
	headers: {
		invoiceNumber:
			list(`Numero fattura|N. fattura|Nr. fattura|Numero di fattura|Fattura n.|Numero documento|Fattura|N. fatt.
			Fatt. n.|N° fattura|Num. fattura`),
		customerId:
			list(`Nome cliente|Ragione sociale|Denominazione|Intestatario|Fatturare a|Codice cliente|Numero cliente
			ID cliente|Cod. cliente|Azienda|Contatto|Chi|Inquilino|Socio|Allievo|Paziente|Ospite|Proprietario
			Condomino|Famiglia|Genitore`),
		customerEmail: list(
			`Indirizzo email|E-mail del cliente|Email cliente|Mail|E-mail|Posta elettronica|PEC`,
		),
		itemName:
			list(`Articolo|Nome articolo|Nome dell'articolo|Prodotto|Servizio|Voce|Descrizione|Descrizione articolo
			Attività|Causale|Dettagli|Cosa|Prestazione|Lavoro|Trattamento|Corso|Oggetto`),
		itemAmount:
			list(`Prezzo unitario|Prezzo unit.|Prezzo un.|Prezzo netto|Costo unitario|Tariffa|Prezzo|P. unit.|Canone|Quota
			Compenso|€/ora|Prezzo/h`),
		itemTotal: list(`Totale riga|Totale linea|Prezzo totale|Importo riga|Imponibile riga`),
		amount: list(`Importo`),
		itemQuantity: list(`Quantità|Q.tà|Qtà|Qta|Ore|Quanti|Quante|Notti|Pz|Lezioni`),
		currency: list(`Valuta|Moneta`),
		dueDate:
			list(`Data scadenza|Data di scadenza|Scadenza pagamento|Scadenza|Scad.|Data scad.|Da pagare entro|Entro il
			Pagare entro|Entro quando`),
		terms: list(
			`Termini di pagamento|Condizioni di pagamento|Termini|Pagamento (gg)|Pagamento (giorni)|Termini (giorni)`,
		),
		invoiceDate: list(
			`Data fattura|Data della fattura|Data documento|Data di emissione|Data emissione|Data`,
		),
		title: list(`Oggetto|Riferimento|Rif.`),
		note: list(`Osservazioni|Commenti|Annotazioni`),
		discountPercentage: list(`Sconto %|Sconto (%)`),
	},
	totals: list(`Totale fattura|Importo totale|Totale da pagare|Totale|Imponibile|Subtotale`),
	prices: list(
		`prezzo|tariffa|costo|canone|quota|onorario|affitto|compenso|retta|unitario|importo`,
	),
	counts:
		list(`quantita|qta|q ta|ore|giorni|notti|persone|lezioni|sedute|kg|casse|parole|pagine|quanti|quante|bottiglie
		mesi|settimane|visite|pezzi|pz|coperti|presenze|durata|tempo`),
	taxes: list(`iva|imposta|imposte|ritenuta|aliquota|bollo`),
	amounts: list(`importo|totale|prezzo|costo|valore|saldo|netto|lordo|imponibile|somma|subtotale`),
	identifiers:
		list(`codice|cod|rif|riferimento|id|chiave|telefono|tel|cellulare|fax|riga|posizione|conto|sala|camera|posto
		piano|livello|classe|eta|cap|centro|probabilita|settimana|mese|trimestre|anno|latitudine|longitudine
		lungh|lunghezza|superficie|interno|int|box|banco|aula|tavolo|ormeggio|targa|armadietto|campo`),
	dates:
		list(`data|giorno|inizio|fine|scadenza|arrivo|partenza|emissione|nascita|ultimo|ultima|prossimo|prossima|primo
		prima|dal|tempo|ora|durata`),
	units: {
		year: list(`anno|anni|annuale|annua`),
		hour: list(`ora|ore|oraria|orario`),
		day: list(`giorno|giorni|giornaliera|gg`),
		night: list(`notte|notti`),
		week: list(`settimana|settimane|settimanale`),
		month: list(`mese|mesi|mensile`),
	},
	multiples: list(`dozzina|cento|mille|mezzo|mezza|quarto|quintale|migliaio`),
	sums: list(`totale|totali|subtotale|somma|totale complessivo|totale generale|totale da pagare|riporto|da pagare
		saldo`),
	deductions:
		list(`sconto|abbuono|acconto|anticipo|cauzione|caparra|pagato|rimborso|storno|reso|incasso|pagamento|bonifico
		versamento|versato`),
	marks:
		list(`pagat|saldat|incassat|annull|eliminat|rimbors|stornat|storno|nota di credito|nota credito|non fattur
		gia fattur|fatturat|proforma|gratis|gratuit|omaggio|senza costo|garanzia|contanti|assente|non presentat
		rifiutat|duplicat|reso`),
	doubts:
		list(`in attesa|sospes|opzional|preventivo|bozza|acconto|anticip|caparra|cauzione|deposito|bonifico ricevuto
		ricevut|interno|buono|compensat|incluso|compreso|abbuon|contest|detrarre|parzial|da confermare
		conguaglio|sostituit|in cambio|non emett|ricarico|a carico del|a carico di|corrett|attendere|meta prezzo|saldo precedente
		saldo mese`),
	asks: list(`stato|situazione|fatturabile|fatturare|pagato|fatturato|fatto|annullato|presente|presenza|confermato
		saldato|ok`),
	billable: list(`fattura|fatturabile|da fatturare|fatturare`),
	yes: list(`si|s|vero`),
	no: list(`nessuno|nessuna|esente|falso`),
	open: list(`da pagare|da saldare|in attesa|aperto`),
	terms: {
		days: list(`giorni|giorno|gg`),
		around: list(`a|bonifico|bonifico a|d f|data fattura|dalla data fattura`),
		atOnce: list(`a vista|alla consegna`),
	},
};
