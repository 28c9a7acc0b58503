import type { Language } from './language';
import { list } from './language';

export const pt: Language = {
	code: 'pt',
	headers: {
		invoiceNumber:
			list(`Número da fatura|N.º da fatura|N.º fatura|Nº da fatura|Fatura nº|No. do documento|Nota fiscal
			Número da nota|Fatura|Nº fatura|Fatura n.º|Nº Fact.|N.º doc.`),
		customerId:
			list(`Nome do cliente|Nome de Cliente|Faturar para|Cobrar a|Código do cliente|Número do cliente|ID do cliente
			Contato|Quem|Inquilino|Sócio|Aluno|Utente|Hóspede|Paciente|Proprietário|Empresa|Família|Titular
			Encarregado`),
		customerEmail: list(`E-mail do cliente|Email do cliente|E-mail|Mail|Email|Correio eletrónico`),
		itemName:
			list(`Produto|Nome do item|Serviço|Item do documento|Artigo|Descrição|Descrição do artigo|Descrição do produto
			O quê|Trabalho|Tratamento|Curso|Designação|Item`),
		itemAmount:
			list(`Preço unitário|Valor unitário|Vlr. unitário|Preço U.|Preço s/IVA|Preço Item|Custo unitário|Preço
			Preço unit.|P. unit.|Valor unit.|Mensalidade|Quota|Tarifa|Renda|Preço/h`),
		itemTotal: list(`Preço total|Total da linha|Valor do item|Total linha|Valor linha`),
		amount: list(`Valor`),
		itemQuantity: list(
			`Quantidade|Qtd.|Qtde.|Qtd. Item|Qtd|Quant.|Horas|Quantos|Quantas|Noites|Aulas|Un.`,
		),
		currency: list(`Moeda`),
		dueDate:
			list(`Data de vencimento|Vencimento|Data limite|Data vencimento|Venc.|Vence em|Data venc.|Pagar até|Debitar até|Até quando
			Limite pagamento`),
		terms: list(
			`Condições de pagamento|Condição de pagamento|Prazo de pagamento|Prazo (dias)|Prazo pagamento`,
		),
		invoiceDate: list(`Data da fatura|Data de fatura|Data de emissão|Emissão|Data de emissao`),
		title: list(`Assunto|Referência`),
		note: list(`Observações|Comentários|Obs.`),
		discountPercentage: list(`Desconto %`),
	},
	totals: list(`Total da fatura|Saldo devedor|Valor devido|Valor total|Total s/IVA`),
	prices: list(
		`preco|tarifa|custo|mensalidade|quota|renda|honorarios|aluguer|propina|unitario|valor|diaria`,
	),
	counts:
		list(`metros|metro|quantidade|qtd|qtde|qt|horas|dias|noites|pessoas|aulas|sessoes|kg|caixas|palavras|paginas|quantos
		quantas|garrafas|meses|semanas|visitas|unidades|un|pecas|duracao|tempo`),
	taxes: list(`iva|imposto|impostos|icms|iss|ipi|irpf|retencao`),
	amounts: list(`valor|total|preco|custo|saldo|liquido|bruto|soma|subtotal|montante`),
	identifiers:
		list(`codigo|cod|ref|referencia|id|chave|telefone|tel|celular|fax|linha|posicao|conta|sala|quarto|assento
		andar|nivel|classe|idade|nif|cnpj|cpf|cep|centro|probabilidade|semana|mes|trimestre|ano|latitude
		longitude|comp|comprimento|area|banca|lugar|box|mesa|cacifo|matricula|lote|cais`),
	dates:
		list(`data|dia|inicio|fim|vencimento|entrada|saida|emissao|nascimento|ultimo|ultima|proximo|proxima|primeiro
		primeira|desde|tempo|hora|duracao`),
	units: {
		year: list(`ano|anos|anual`),
		hour: list(`hora|horas`),
		day: list(`dia|dias|diaria`),
		night: list(`noite|noites`),
		week: list(`semana|semanas|semanal`),
		month: list(`mes|meses|mensal|mensalidade`),
	},
	multiples: list(`duzia|cem|cento|mil|meio|meia|quarto|milheiro|milhar|quintal`),
	sums: list(
		`total|totais|subtotal|soma|total geral|total a pagar|valor total|a transportar|a pagar|saldo`,
	),
	deductions:
		list(`desconto|abatimento|credito|sinal|adiantamento|caucao|reembolso|devolucao|pago|recebimento|pagamento
		transferencia|subsidio`),
	marks:
		list(`pago|paga|pagos|pagas|quitad|liquidad|anulad|cancelad|eliminad|reembols|estorn|nota de credito|nao fatur
		nao factur|ja fatur|faturad|facturad|proforma|gratis|gratuit|oferta|oferecid|cortesia|sem custo|garantia
		dinheiro|faltou|nao compareceu|rejeitad|recusad|perdid|duplicad|devolvid`),
	doubts:
		list(`em espera|suspens|opcional|orcamento|rascunho|sinal|adiantamento|caucao|deposito|recebid
		transferencia recebida|interno|vale|compensad|incluid|disputa|por conta|descontar|parcial
		confirmar|isent|substituid|em troca|nao emitir|acrescimo|corrigid|saldo anterior`),
	asks: list(
		`estado|situacao|status|faturavel|faturar|pago|faturado|feito|anulado|presenca|confirmado|ok`,
	),
	billable: list(`fatura|faturavel|a faturar|faturar`),
	yes: list(`sim|s|verdadeiro`),
	no: list(`nao|nenhum|nenhuma|isento|falso`),
	open: list(`pendente|em aberto|por pagar|em falta`),
	terms: {
		days: list(`dias|dia`),
		around: list(`a|em|transferência|transferência a|líquido|líquidos`),
		atOnce: list(`à vista|pronto pagamento`),
	},
};
