import type { Language } from './language';
import { list } from './language';

export const es: Language = {
	code: 'es',
	headers: {
		invoiceNumber:
			list(`Número de factura|Nº de factura|Nº factura|Núm. factura|Nro. factura|Número factura|Factura Nº|Factura
			N.º factura|Nº fra.|Fra.|Nº Fact.`),
		customerId:
			list(`Cliente|Nombre del cliente|Razón social|Facturar a|Código de cliente|Código cliente|Número de cliente
			ID de cliente|Nombre del contacto|Contacto|Empresa|Compañía|Quién|Inquilino|Socio|Alumno|Titular
			Paciente|Dueño|Propietario|Huésped|Familia|Arrendatario`),
		customerEmail: list(
			`Correo electrónico|Correo|Correo electrónico del cliente|Email comprador|Mail|E-mail|Email`,
		),
		itemName:
			list(`Concepto|Producto|Artículo|Nombre del artículo|Servicio|Descripción|Descripción del producto|Detalle|Qué
			Trabajo|Tratamiento|Curso`),
		itemAmount:
			list(`Precio unitario|Precio unidad|Precio por unidad|P. unitario|Coste unitario|Tarifa|Precio|P. unit.
			Precio ud.|Precio/h|Cuota|PVP|Renta|Precio unit.`),
		itemTotal: list(`Total línea|Total de línea|Precio total|Importe línea`),
		amount: list(`Importe`),
		itemQuantity: list(`Cantidad|Unidades|Uds.|Horas|Cant.|Cant|Uds|Cuántos|Cuántas|Noches|Clases`),
		currency: list(`Moneda|Divisa`),
		dueDate:
			list(`Fecha de vencimiento|Fecha vencimiento|Vencimiento|Vence|Fecha límite de pago|Vto.|Vto|F. Vto.
			Fecha vto.|Fecha vto|Fecha límite|A pagar antes de|Pagar antes de|Fecha de pago|Límite de pago|Hasta cuándo|Pago antes de`),
		terms: list(`Términos de pago|Condiciones de pago|Plazo de pago|Términos|Plazo (días)|Plazo
			Días de pago`),
		invoiceDate:
			list(`Fecha de factura|Fecha factura|Fecha de la factura|Fecha de emisión|Fecha emisión|Fecha de expedición
			Fecha`),
		title: list(`Asunto|Referencia`),
		note: list(`Notas|Observaciones|Comentarios|Comentario`),
		discountPercentage: list(`Descuento %|% Dto|Dto. %`),
	},
	totals: list(
		`Total factura|Importe total|Total a pagar|Total facturado|Base imponible|Subtotal sin impuestos|Suma`,
	),
	prices: list(
		`precio|tarifa|coste|cuota|renta|alquiler|honorarios|importe|precios|unitario|p u|pvp|mensualidad`,
	),
	counts:
		list(`metros|metro|cantidad|cant|unidades|uds|ud|horas|dias|noches|personas|plazas|sesiones|clases|kilos|kg|cajas|palabras
		paginas|cuantos|cuantas|botellas|meses|semanas|visitas|pax|bultos|h|duracion|tiempo|cabezas`),
	taxes: list(`iva|impuesto|impuestos|irpf|retencion|recargo|igic`),
	amounts: list(`importe|total|precio|coste|costo|valor|saldo|neto|bruto|base|suma|subtotal`),
	identifiers:
		list(`folio|codigo|cod|ref|referencia|id|clave|telefono|tel|movil|fax|linea|posicion|cuenta|sala|habitacion|asiento
		piso|nivel|clase|edad|nif|cif|cp|centro|probabilidad|semana|mes|trimestre|ano|anio|latitud|longitud
		eslora|manga|superficie|metros cuadrados|puesto|aula|amarre|local|plaza|matricula|box|mesa|taquilla|bajo
		parcela`),
	dates:
		list(`fecha|dia|inicio|fin|vencimiento|vence|entrada|salida|emision|nacimiento|ultimo|ultima|proximo|proxima
		primero|primera|desde|tiempo|hora|duracion`),
	units: {
		year: list(`ano|anos|anual`),
		hour: list(`hora|horas|horario`),
		day: list(`dia|dias|diario|diaria`),
		night: list(`noche|noches`),
		week: list(`semana|semanas|semanal`),
		month: list(`mes|meses|mensual|mensualidad`),
	},
	multiples: list(`docena|cien|ciento|mil|medio|media|cuarto|millar|quintal`),
	sums: list(`total|totales|subtotal|suma|total general|total a pagar|importe total|suma y sigue|a pagar|promedio
		saldo`),
	deductions:
		list(`descuento|dto|rebaja|abono|anticipo|deposito|fianza|senal|pagado|reembolso|devolucion|pago|cobro
		transferencia|ingreso|recibo|subvencion`),
	marks:
		list(`pagad|cobrad|abonad|liquidad|saldad|anulad|cancelad|eliminad|reembols|nota de credito|rectificativa
		no factur|ya factur|facturada|facturado|proforma|gratis|gratuit|sin cargo|sin coste|cortesia|regalo
		garantia|efectivo|no presentad|no se presento|no asistio|rechazad|perdid|duplicad|condonad|devuelt`),
	doubts:
		list(`en espera|pendiente de|retenid|opcional|presupuesto|borrador|anticip|senal|fianza|deposito|recibid
		transferencia recibida|invitac|interno|vale|compensad|incluid|disputa|abono|a cuenta|descontar
		parcial|por confirmar|reclama|reemplazad|sustituid|en cambio|a cambio|no emitir|usa bono|corregid|saldo anterior`),
	asks: list(`estado|situacion|facturable|facturar|pagado|cobrado|facturado|hecho|anulado|asistio|asistencia
		confirmado|validado|ok`),
	billable: list(`factura|facturable|a facturar|facturar`),
	yes: list(`si|s|verdadero`),
	no: list(`ninguno|ninguna|exento|falso`),
	open: list(`pendiente|por pagar`),
	terms: {
		days: list(`días|día|dias`),
		around: list(`a|neto|transferencia|transferencia a|fecha factura|fecha de factura|f f|ff`),
		atOnce: list(`contado|al contado|al recibo|a la vista`),
	},
};
