import type { Language } from './language';

export const pt: Language = {
	code: 'pt',
	head: 'first',
	prepositions: 'de do da dos das por para a ao em com o os as'.split(' '),
	identifiers:
		'codigo cod ref referencia id chave telefone tel celular fax linha posicao conta sala quarto assento andar nivel classe idade nif cnpj cpf cep centro'.split(
			' ',
		),
	ranges: {
		// Deals that are not won are not billed.
		probabilidade: [100, 100],
		semana: [1, 53],
		mes: [1, 12],
		trimestre: [1, 4],
		ano: [1900, 2100],
	},
	numbered:
		'postal barras cliente fatura pedido encomenda ordem telefone conta artigo item linha documento contrato produto serie nota'.split(
			' ',
		),
	dates: 'data dia inicio fim vencimento entrada saida emissao'.split(' '),
	timeUnits: {
		year: 'ano anos'.split(' '),
		hour: 'hora horas'.split(' '),
		day: 'dia dias'.split(' '),
		night: 'noite noites'.split(' '),
	},
	times: 'tempo hora duracao'.split(' '),
	coordinates: 'latitude longitude'.split(' '),
	moments: 'ultimo ultima proximo proxima primeiro primeira desde'.split(' '),
	births: ['nascimento'],
	otherMoney: {
		taxes: 'iva imposto impostos taxa icms iss ipi irpf retencao'.split(' '),
		taxParts: 'tipo valor nome percent'.split(' '),
		others:
			'desconto descontos abatimento frete envio portes transporte comissao gorjeta sinal adiantamento caucao pago recebido atrasados reembolso credito juros multa'.split(
				' ',
			),
	},
	prices: 'preco tarifa custo'.split(' '),
	per: ['por'],
	multiples: 'duzia cem cento mil meio meia quarto'.split(' '),
	dimensions: 'peso distancia comprimento area volume altura largura'.split(' '),
	units: 'unidade'.split(' '),
	counts: 'quantidade unidades horas dias noites pessoas'.split(' '),
	amounts: 'valor total preco custo saldo liquido bruto soma subtotal montante'.split(' '),
	totals: [
		'total',
		'totais',
		'subtotal',
		'soma',
		'total geral',
		'total a pagar',
		'valor total',
		'a transportar',
		'saldo',
	],
	aroundTotals:
		'geral sem com iva impostos liquido bruto a pagar de da do fatura pedido valor incluido'.split(
			' ',
		),
	deductions: 'desconto abatimento credito sinal adiantamento caucao reembolso'.split(' '),
	afterDeductions: 'de do da sobre recebido'.split(' '),
	notBilled: [
		'anulado',
		'anulada',
		'cancelado',
		'cancelada',
		'pago',
		'paga',
		'eliminado',
		'nao faturavel',
		'faturado',
		'reembolsado',
		'liquidado',
		'orcamento',
	],
	billable: ['faturavel', 'a faturar'],
	done: 'faturado pago paga anulado anulada cancelado cancelada eliminado'.split(' '),
	yes: ['sim', 's', 'verdadeiro'],
	no: ['nao', 'nenhum', 'nenhuma', 'isento', 'falso'],
};
