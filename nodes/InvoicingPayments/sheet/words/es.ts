import type { Language } from './language';

export const es: Language = {
	code: 'es',
	head: 'first',
	prepositions: 'de del por para a al en con el la los las'.split(' '),
	identifiers:
		'codigo cod ref referencia id clave telefono tel movil fax linea posicion cuenta sala habitacion asiento piso nivel clase edad nif cif cp centro'.split(
			' ',
		),
	ranges: {
		// Deals that are not won are not billed.
		probabilidad: [100, 100],
		semana: [1, 53],
		mes: [1, 12],
		trimestre: [1, 4],
		ano: [1900, 2100],
		anio: [1900, 2100],
	},
	numbered:
		'postal barras cliente factura pedido orden telefono cuenta articulo linea documento contrato producto serie expediente'.split(
			' ',
		),
	dates: 'fecha dia inicio fin vencimiento vence entrada salida emision'.split(' '),
	timeUnits: {
		year: 'ano anos'.split(' '),
		hour: 'hora horas'.split(' '),
		day: 'dia dias'.split(' '),
		night: 'noche noches'.split(' '),
	},
	times: 'tiempo hora duracion'.split(' '),
	coordinates: 'latitud longitud'.split(' '),
	moments: 'ultimo ultima proximo proxima primero primera desde'.split(' '),
	births: ['nacimiento'],
	otherMoney: {
		taxes: 'iva impuesto impuestos irpf retencion recargo igic'.split(' '),
		taxParts: 'tipo cuota importe nombre percent'.split(' '),
		others:
			'descuento descuentos dto rebaja envio portes transporte gastos tasa comision propina anticipo deposito fianza pagado cobrado recibido atrasos reembolso abono intereses'.split(
				' ',
			),
	},
	prices: 'precio tarifa coste'.split(' '),
	per: ['por'],
	multiples: 'docena cien ciento mil medio media cuarto'.split(' '),
	dimensions: 'peso distancia longitud superficie volumen altura anchura'.split(' '),
	units: 'unidad'.split(' '),
	counts: 'cantidad unidades horas dias noches personas'.split(' '),
	amounts: 'importe total precio coste costo valor saldo neto bruto base suma subtotal'.split(' '),
	totals: [
		'total',
		'totales',
		'subtotal',
		'suma',
		'total general',
		'total a pagar',
		'importe total',
		'suma y sigue',
		'saldo',
	],
	aroundTotals:
		'general sin con iva impuestos neto bruto a pagar de la del factura pedido importe incluido'.split(
			' ',
		),
	deductions: 'descuento rebaja abono anticipo deposito fianza pagado reembolso'.split(' '),
	afterDeductions: 'de del por sobre recibido'.split(' '),
	notBilled: [
		'anulado',
		'anulada',
		'cancelado',
		'cancelada',
		'pagado',
		'pagada',
		'abono',
		'eliminado',
		'no facturable',
		'facturado',
		'reembolsado',
		'cobrado',
		'liquidado',
		'presupuesto',
		'no facturar',
	],
	billable: ['facturable', 'a facturar'],
	done: 'facturado pagado pagada anulado anulada cancelado eliminado'.split(' '),
	yes: ['si', 's', 'verdadero'],
	no: ['ninguno', 'ninguna', 'exento', 'falso'],
};
