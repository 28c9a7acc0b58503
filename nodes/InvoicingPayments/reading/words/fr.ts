import type { Language } from './language';
import { list } from './language';

export const fr: Language = {
	code: 'fr',
	headers: {
		invoiceNumber:
			list(`Numéro de facture|N° de facture|N° facture|Numéro facture|Facture n°|Référence facture
			Référence de la facture|Facture|N° fact.|No facture|Fact. n°`),
		customerId:
			list(`Nom du client|Nom client|Raison sociale|Destinataire|Facturer à|Code client|Numéro client
			Numéro de client|N° client|Nom|Société|Tiers|Entreprise|Qui|Locataire|Adhérent|Élève|Patient
			Propriétaire|Famille|Membre|Donneur d’ordre`),
		customerEmail: list(
			`Courriel|Adresse e-mail|Email du client|Courriel du client|Email client|Mail|Mél|E-mail|Adresse mail`,
		),
		itemName:
			list(`Désignation|Libellé|Produit|Nom du produit|Nom de l'article|Titre de l'article|Prestation|Détail|Quoi
			Soin|Travaux|Cours|Objet|Acte`),
		itemAmount:
			list(`Prix unitaire|Prix unitaire HT|PU HT|PU|P.U.|P.U. HT|Prix U.|Prix HT|Coût unitaire|Tarif|Taux horaire
			Prix|Prix unit.|Loyer|Cotisation|Honoraires|€/h`),
		itemTotal: list(
			`Total ligne HT|Montant HT|Mtt HT|Prix total|Total ligne|Montant ligne|Total HT`,
		),
		amount: list(`Montant`),
		itemQuantity: list(
			`Quantité|Qté|Heures|Quantité du produit|Qte|Nb|Nbre|Nombre|Combien|Nuits|Séances`,
		),
		currency: list(`Devise|Code devise|Monnaie`),
		dueDate:
			list(`Date d'échéance|Échéance|Date échéance|Date limite de paiement|Date limite de règlement|À payer avant le
			Délai d'échéance|À régler avant|A régler avant|À payer avant|Éch.|Date limite|À payer pour le
			Payable avant|Avant le|Règlement avant`),
		terms:
			list(`Conditions de paiement|Conditions de règlement|Délai de paiement|Modalités de paiement|Délai (jours)
			Délai`),
		invoiceDate: list(
			`Date de facture|Date facture|Date de facturation|Date d'émission|Date de la facture`,
		),
		title: list(`Objet|Objet de la facture|Référence`),
		note: list(`Commentaire|Commentaires|Remarque|Remarques|Observations`),
		discountPercentage: list(`Remise %|Pourcentage de remise|Remise (%)`),
	},
	totals: list(
		`Total TTC|Montant total|Net à payer|Reste à payer|Montant dû|Montant TTC|Total HT|Sous-total|Solde`,
	),
	prices: list(
		`prix|tarif|cout|loyer|cotisation|honoraires|redevance|forfait|unitaire|pu|taux|montant|p u`,
	),
	counts:
		list(`quantite|qte|qty|nombre|nb|nbre|heures|jours|nuits|nuitees|personnes|pers|seances|cours|kilos|kg|caisses
		mots|pages|combien|cartons|bouteilles|mois|semaines|visites|places|paniers|h|pieces|unites|duree|temps`),
	taxes: list(`tva|taxe|taxes`),
	amounts: list(`montant|total|totaux|prix|cout|valeur|solde|net|brut|ht|ttc|somme`),
	identifiers:
		list(`code|ref|reference|id|identifiant|cle|telephone|tel|portable|fax|ligne|position|compte|salle|chambre
		place|etage|niveau|classe|age|siret|siren|probabilite|semaine|mois|trimestre|annee|latitude|longitude
		longueur|surface|taille|largeur|box|lot|appartement|puce|parcelle|emplacement|table|casier|batiment`),
	dates:
		list(`date|jour|debut|fin|echeance|arrivee|depart|naissance|dernier|derniere|prochain|prochaine|premier
		premiere|depuis|temps|heure|duree`),
	units: {
		year: list(`an|ans|annee|annees|annuel|annuelle`),
		hour: list(`heure|heures|horaire`),
		day: list(`jour|jours|journalier|tjm`),
		night: list(`nuit|nuits|nuitee|nuitees`),
		week: list(`semaine|semaines|hebdo`),
		month: list(`mois|mensuel|mensuelle`),
	},
	multiples: list(`douzaine|cent|mille|demi|quart|quintal|millier|centaine`),
	sums: list(`total|totaux|somme|sous total|total general|net a payer|reste a payer|montant du|a reporter|a payer
		moyenne`),
	deductions:
		list(`remise|rabais|escompte|avoir|acompte|arrhes|caution|paye|remboursement|reduction|deduction|regle
		ristourne|paiement|versement|virement|reglement|encaissement|subvention`),
	marks:
		list(`paye|payee|payes|payees|regle|reglee|regles|reglees|acquitt|encaiss|soldee|annule|annulee|annules|annulees|supprime|rembours|avoir
		note de credit|non factur|ne pas factur|deja|facture le|facturee|proforma|pro forma|gratuit|offert
		garantie|geste commercial|absent|litige|refus|perdu|doublon|sans frais|paye comptant|especes`),
	doubts:
		list(`en attente|attente|suspen|option|optionnel|devis|brouillon|acompte|arrhes|caution|cheque|virement recu
		recu|report a nouveau|report du solde|double|pris en charge|remise|interne|bon cadeau|compense|retour|inclus|solde|partiel
		a deduire|deduire|a confirmer|deja envoy|remplace par|remplacee par|ne pas emettre|majoration|corrige|attendre|moitie|report du`),
	asks: list(
		`statut|etat|facturable|facturer|paye|facture|fait|regle|annule|present|presence|confirme|valide|ok`,
	),
	billable: list(`facture|facturable|a facturer|facturer`),
	yes: list(`oui|o|vrai`),
	no: list(`non|faux|aucun|aucune|exonere`),
	open: list(`en attente|a payer`),
	terms: {
		days: list(`jours|jour|j`),
		around: list(`à|virement|virement à|net|nets|sous|net à|date de facture|net date de facture`),
		atOnce: list(`à réception|comptant|à réception de facture`),
	},
};
