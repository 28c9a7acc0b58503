import type { Language } from './language';

export const fr: Language = {
	code: 'fr',
	head: 'first',
	prepositions: 'de du des d par pour a au aux en sur le la les l'.split(' '),
	identifiers:
		'code ref reference id identifiant cle telephone tel portable fax ligne position compte salle chambre place etage niveau classe age siret siren'.split(
			' ',
		),
	ranges: {
		// Deals that are not won are not billed.
		probabilite: [100, 100],
		semaine: [1, 53],
		mois: [1, 12],
		trimestre: [1, 4],
		annee: [1900, 2100],
	},
	numbered:
		'postal barre analytique client facture commande telephone compte article ligne piece dossier devis contrat produit tva serie'.split(
			' ',
		),
	dates: 'date jour debut fin echeance arrivee depart'.split(' '),
	timeUnits: {
		year: 'annee annees an ans'.split(' '),
		hour: 'heure heures horaire'.split(' '),
		day: 'jour jours'.split(' '),
		night: 'nuit nuits'.split(' '),
	},
	times: 'temps heure duree'.split(' '),
	coordinates: 'latitude longitude'.split(' '),
	moments: 'dernier derniere prochain prochaine premier premiere depuis'.split(' '),
	births: ['naissance'],
	otherMoney: {
		taxes: 'tva taxe taxes'.split(' '),
		taxParts: 'taux montant nom type percent'.split(' '),
		others:
			'remise remises rabais escompte ristourne reduction port livraison frais supplement commission pourboire acompte arrhes caution paye payee regle recu encaisse arrieres remboursement avoir interets'.split(
				' ',
			),
	},
	prices: 'prix tarif cout'.split(' '),
	per: ['par'],
	multiples: 'douzaine cent mille demi quart'.split(' '),
	dimensions: 'poids distance longueur surface volume hauteur largeur'.split(' '),
	units: 'unite'.split(' '),
	counts: 'quantite nombre heures jours nuits personnes'.split(' '),
	amounts: 'montant total totaux prix cout valeur solde net brut ht ttc somme'.split(' '),
	totals: [
		'total',
		'totaux',
		'sous total',
		'somme',
		'total general',
		'net a payer',
		'reste a payer',
		'montant du',
		'a reporter',
	],
	aroundTotals:
		'sous general ht ttc hors taxe taxes tva toutes comprises net brut a payer de la du des facture commande montant'.split(
			' ',
		),
	deductions:
		'remise rabais escompte avoir acompte arrhes caution paye remboursement reduction deduction'.split(
			' ',
		),
	afterDeductions: 'de du sur pour verse recu'.split(' '),
	notBilled: [
		'annule',
		'annulee',
		'paye',
		'payee',
		'avoir',
		'supprime',
		'non facturable',
		'facture deja',
		'rembourse',
		'regle',
		'reglee',
		'acquitte',
		'acquittee',
		'devis',
		'ne pas facturer',
	],
	billable: ['facturable', 'a facturer'],
	done: 'paye payee annule annulee supprime rembourse'.split(' '),
	yes: ['oui', 'o', 'vrai'],
	no: ['non', 'faux', 'aucun', 'aucune', 'exonere'],
};
