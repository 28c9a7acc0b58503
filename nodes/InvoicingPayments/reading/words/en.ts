import type { Language } from './language';
import { list } from './language';

export const en: Language = {
	code: 'en',
	headers: {
		invoiceNumber:
			list(`Invoice Number|Invoice #|Invoice No|InvoiceNo|Inv No|Bill No|Document Number|Invoice ID|Invoice Ref
			Invoice Reference|Invoice Code|Inv|Doc No|Doc Number|Voucher No|Tax Invoice No|Num. Invoice|Inv #
			Inv. No.|Inv Number|Invoice Nr|Bill #|Invoice`),
		customerId:
			list(`Customer ID|Customer|Customer Name|Client|Client Name|Contact|Contact Name|Company|Company Name
			Business Name|Bill To|Bill To Name|Billed To|Invoice To|Payer|Payer Name|Recipient|Name|Customer Own ID
			Buyer|Buyer Name|Partner|Party|Party Name|Account Name|Sold To|Billing Name|Full Name|Customer Full Name
			Customer Company|Client Company|Organization|Organisation|Organization Name|Customer/Project
			Display Name|Client ID|Contact ID|Tenant|Member|Parent|Owner|Guest|Student|Patient|Who|Account
			Payee Name|Household|Booker|Berth Holder|Pupil|Family|Billing Company|Buyer Company|Customer/Company`),
		customerEmail:
			list(`Customer Email|Client Email|Contact Email|Email|Email Address|EmailRecipient|Recipient Email
			Billing Email|Email ID|Mail|Bill Email|Main Email|Primary Email|Invoice Email|Invoice To Email
			Payer Email|Buyer Email|Company Email|Customer Mail|Client Mail|Contact E-mail Address|Accounts Email
			Email (Billing)|Partner/Email|Person - Email|Invitee Email|E-mail|Mail Address|Contact Mail|Email (Work)
			Invoice To Mail|Bill To Email|Parent Email|Tenant Email|Owner Email|Member Email`),
		itemName:
			list(`Item Name|Item|Product|Service|Product/Service|Description|Item Description|Line Description
			Transaction Line Description|Item Desc|Details|Line Item|LineItem Name|Product Name|Item Title
			Service Name|Services|Products|Product or Service|Products/Services|Item/Service|Product/Service Name
			Product/Service Description|Product Description|Service Description|Line Item Name|Line Item Description
			Invoice Item|Particulars|Activity|Task|Task Name|Description of Goods|Description of Services
			Work Description|Charge Description|Article|Article Name|What|Charge|Treatment|Work|Job|Class|Course
			Lesson|Package|Session|Work Done|Event|Event Type Name|Goods|Product Title`),
		itemAmount:
			list(`Unit Price|Price|Unit Amount|Unit Cost|Rate|Item Rate|Item Price|Price Each|Hourly Rate|LineItem Price
			Per Unit|Unit Rate|Billing Rate|Bill Rate|Charge Rate|Charge-out Rate|Billable Rate|Selling Price
			Sales Price|Sale Price|Net Unit Price|Unit Price Net|Net Price|Price Net|Unit Price excl. VAT
			Price excl. tax|Price ex VAT|Cost Each|Unit Value|Unit Charge|Unit Fee|Item Unit Price|Product Price
			Service Price|Price ea.|Item Cost|Each|Fee|Price per|Cost|Charge Per|Per Hour|PPU`),
		itemTotal:
			list(`Line Total|Item Total|Line Amount|Line Subtotal|Amount Before Tax|Amount Before Sales Tax
			Line Gross Sale|LineItem Total|LineItem Amount|Total Price|Line Total Price|Extended|Extended Price
			Extended Amount|Ext. Price|Ext Amount|Row Total|Line Item Total|Item Subtotal|Line Net
			Line Value|Price Total|Product/Service Amount|Taxable Value|Taxable Amount|Billable Amount|Net Amount
			Amount Net|Line|Line Sum|Net|Sum`),
		amount: list(`Amount|Item Amount`),
		itemQuantity:
			list(`Quantity|Qty|Item Quantity|Units|Hours|Count|LineItem Quantity|Item Qty|Line Qty|Line Quantity
			Unit Quantity|Qnty|Quant|Nos|No. of Units|Number of Units|Pcs|Pieces|Units Sold|Hrs|Qty/Hrs|Hrs/Qty
			Hours/Qty|Hours Worked|Billable Hours|Total Hours|Actual Hours|Billed Hours|Hours Billed|Hours Spent
			Labor Hours|Labour Hours|Logged Hours|Tracked Hours|Decimal Hours|Days Worked|Working Days|Rental Days
			Billable Days|Total Days|Nights Stayed|Total Nights|Invoiced Qty|Order Qty|Ordered Qty|Quantity Ordered
			How many|How many?|Lessons|Sessions|Nights|Days|Words|Boxes`),
		currency:
			list(`Currency|Currency Code|Ccy|Curr|Invoice Currency|ISO Currency|Currency ISO|Transaction Currency
			Opportunity Currency`),
		dueDate:
			list(`Due Date|Due|Date Due|Invoice Due Date|Payment Due Date|Payment Due|Pay By|Due By|Due On|Pay Before
			Payable By|Payable On|Payment Deadline|Invoice Due|Deadline|Net Due Date|Pay by Date|Payment Due By
			Invoice Date Due|Expire By|Due Dt|Pay Until|Pay By Date|Payable Until|By When|To Pay By|Payment Date Due
			Settle By|Deadline for Payment|Payment By`),
		terms:
			list(`Terms|Payment Terms|Payment Terms Label|Net Days|Payment Term|Invoice Payment Term|Invoice Terms
			Credit Terms|Credit Days|Due Days|Days Until Due|Days To Pay|Due in Days|Net Terms|Sales Term
			Payment Condition|Payment Conditions|Payment days|Terms (days)|Days to pay`),
		invoiceDate:
			list(`Invoice Date|Issue Date|Date Issued|Date|Inv Date|Bill Date|Billing Date|Date of Issue|Date of Invoice
			Issued|Issued On|Invoiced On|Date Sent|Document Date|Doc Date|Txn Date|Transaction Date|Voucher Date
			Invoice Date Created`),
		title: list(
			`Title|Subject|Invoice Name|Invoice Title|Reference|Invoice Subject|Invoice Description`,
		),
		note: list(`Note|Notes|Memo|Notes / Memo|Message|Comment|Comments|Remarks|Remark|Customer Message|Customer Memo
			Customer Note|Customer Notes|Message on Invoice|Message displayed on invoice|Message to Customer
			Note to Customer|Notes to Customer|Note to Recipient|Public Notes|Client Notes|Invoice Note
			Invoice Notes|Invoice Memo`),
		startsAt: list(`Invoice Start Date`),
		discountPercentage:
			list(`Discount Percentage|Discount Percent|Discount %|Entity Discount Percent|Discount Rate|Disc %|% Discount
			Discount Pct|Percentage Discount|Invoice Discount %`),
	},
	totals:
		list(`Invoice Total|Grand Total|Amount Due|Balance Due|Total Due|Invoice Amount|Total Payable|Total incl. VAT
		Total incl. Tax|Total including VAT|Total including Tax|Order Total|Invoice Value|Bill Amount
		Amount Payable|Amount Outstanding|Outstanding Balance|Open Balance|Open Amount|Amount Owed|Total Invoice
		Final Amount|Amount Total|Total|Total Amount|Subtotal|Net Total|Total excl. VAT|Total excl. Tax
		Net Amount Total|Balance`),
	prices: list(`price|rate|cost|charge|fee|fees|rent|dues|tariff|each|amount`),
	counts:
		list(`quantity|qty|units|unit|pieces|pcs|hours|hrs|days|nights|weeks|months|persons|people|guests|users
		participants|attendees|sessions|seats|tickets|lessons|lesson|count|visits|boxes|bottles|kg|pages|words
		copies|many|volume|amount of|times|classes|adults|children|pax|licenses|km|miles|meters|litres
		crates|bags|trays|jars|dozen|heads|shifts|trips|rides|loads|appointments|treatments|duration|time|run
		covers`),
	taxes: list(
		`tax|taxes|duty|duties|excise|levy|cess|vat|gst|hst|pst|qst|sgst|cgst|igst|tds|withholding`,
	),
	amounts:
		list(`amount|amounts|total|totals|sum|price|prices|cost|costs|rate|value|net|gross|subtotal|balance|charge
		charges|due|payable`),
	identifiers:
		list(`id|ids|uid|guid|code|codes|key|number|ref|reference|sku|ean|upc|isbn|gtin|barcode|zip|postcode|postal
		phone|tel|telephone|mobile|fax|row|line|position|pos|index|center|centre|account|acct|room|seat|floor
		level|grade|age|rating|score|rank|priority|version|table|gate|bay|lane|sprint|slot|batch|lot|serial
		extension|ext|locker|desk|apartment|apt|plate|tracking|token|handle|branch|depot|store|class|po|hsn|sac
		probability|likelihood|week|wk|month|quarter|year|since|latitude|longitude|lat|lng|lon|size|length|loa
		width|height|area|sqm|m2|qm|mq|ft|plot|berth|pitch|unit no|couple|progress|kennel|stable|pen|box|tee
		court`),
	dates:
		list(`date|day|since|on|start|starts|started|end|ends|ended|begin|begins|from|until|till|pickup|dropoff|return
		checkin|checkout|check|in|out|arrival|departure|created|updated|modified|issued|sent|delivered|shipped
		ordered|booked|opened|closed|deadline|expiry|expires|renewal|renews|timestamp|time|when|at|birth|born
		birthday|birthdate|dob|last|next|first|previous|appointment|visit|duration`),
	units: {
		year: list(`year|years|yearly|annual|annually|pa`),
		hour: list(`hour|hours|hourly|hr|hrs|h`),
		day: list(`day|days|daily`),
		night: list(`night|nights|nightly`),
		week: list(`week|weeks|weekly`),
		month: list(`month|months|monthly|pcm`),
	},
	multiples: list(`dozen|hundred|thousand|half|quarter|dozens|hundreds|thousands|cwt`),
	sums: list(`total|totals|subtotal|subtotals|sum|grand total|balance due|amount due|amount payable|amount paid
		total due|carried forward|brought forward|balance forward|to pay|total to pay|average|balance b f
		balance c f|b f|c f`),
	deductions:
		list(`discount|discounts|credit|deposit|deposits|paid|refund|refunds|rebate|prepayment|voucher|deduction
		payment|payments|received|reminder|writeoff|tax|subsidy|grant|collected|gift`),
	marks:
		list(`paid|prepaid|void|voided|cancel|refund|credit memo|credit note|credited|complimentary|comped|comp|gratis
		no charge|free of charge|free|waived|warranty|warrant|goodwill|not billable|non billable|nonbillable
		unbillable|non chargeable|do not|don t|dont|not invoice|no invoice|invoiced|billed|settled|duplicate
		reject|declined|no show|noshow|quote only|proforma|pro forma|lost|closed lost|written off|write off|disput
		withdrawn|returned|exclude|delet|pro bono|barter|overpaid|reversed|uncollectible|nfc`),
	doubts:
		list(`hold|on hold|pending|tentative|draft only|draft invoice|optional|option|estimate|quote|quotation|deposit|already|covered
		cash|received|internal|trial|sample|donat|voucher|installment|advance|part payment|offset
		reversal|wrong|tbc|unconfirmed|carried|balance|included|skip|wait|discount|prepayment|in dispute
		partial|corrected|check with|ask|agreed|instead|superseded|replaced by|markup|mark up`),
	asks: list(`status|state|billable|chargeable|paid|invoiced|billed|type|done|hold|void|cancelled|canceled
		attended|confirmed|settled|stage|attendance|result|approved|exported|ok`),
	billable:
		list(`billable|invoice|send|chargeable|bill|invoice it|to bill|to invoice|to be invoiced|to be billed|send invoice|charge
		attended|confirmed|completed|include`),
	yes: list(`yes|y|true|x|1|✓|✔|done|complete|completed|succeeded|successful|received`),
	no: list(`no|n|false|0|none|nil|exempt|free|outside scope|zero rated|not applicable|n a`),
	open: list(`open|outstanding|pending|overdue`),
	terms: {
		days: list(`day|days|d`),
		around: list(
			`net|due|payable|within|in|due in|due within|payable within|payable in|net due in`,
		),
		atOnce:
			list(`on receipt|upon receipt|due on receipt|due upon receipt|payable on receipt|payable upon receipt
			payment on receipt|payment upon receipt|immediate|immediately|due immediately|payable immediately
			payment immediate|payment immediately|due immediate|payable immediate`),
	},
};
