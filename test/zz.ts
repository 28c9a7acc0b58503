import { readRows } from './helpers/readRows';
import { knownCustomers } from './fixtures/sheetTable/line';
const base = (o: any) => o;
const c = ['Demir Trading','Berg & Daughters','Northlight Studio'];
const mk = (heads: string[], rows: any[][]) => rows.map((r) => Object.fromEntries(r.map((v, i) => [heads[i], v]).filter(([, v]) => v !== '')));
const sheets: Record<string, any[]> = {
 rent: mk(['Tenant','Flat','Rent','Service charge','Water','Total','Due','Currency'], [[c[0],'4B',950,120,31.4,1101.4,'2026-12-31','EUR'],[c[1],'Shop',1200,200,'',1400,'2026-12-31','EUR'],[c[2],'2A',700,0,12.5,712.5,'2026-12-31','EUR'],['Total','',2850,320,43.9,3213.9]]),
 nototal: mk(['Mieter','Wohnung','Miete','Nebenkosten','Wasser','Fällig','Währung'], [[c[0],'4B',950,120,31.4,'2026-12-31','EUR'],[c[1],'Laden',1200,200,'','2026-12-31','EUR'],[c[2],'2A',700,0,12.5,'2026-12-31','EUR']]),
 zero: mk(['Member','Fee','Lessons','Total','Due','Currency'], [[c[0],50,30,80,'2026-12-31','EUR'],[c[1],0,0,0,'2026-12-31','EUR'],[c[2],50,45,95,'2026-12-31','EUR']]),
 text: mk(['Member','Fee','Lessons','Total','Due','Currency'], [[c[0],'50,00 €','30,00 €','80,00 €','2026-12-31','EUR'],[c[1],'50,00 €','- €','50,00 €','2026-12-31','EUR'],[c[2],'50,00 €','45,00 €','95,00 €','2026-12-31','EUR']]),
 wrong: mk(['Member','Fee','Lessons','Total','Due','Currency'], [[c[0],50,30,80,'2026-12-31','EUR'],[c[1],50,20,70,'2026-12-31','EUR'],[c[2],50,45,94,'2026-12-31','EUR']]),
 hours: mk(['Client','Hours','Rate','Material','Total','Due','Currency'], [[c[0],2,50,30,130,'2026-12-31','EUR'],[c[1],3,60,20,200,'2026-12-31','EUR'],[c[2],1,50,45,95,'2026-12-31','EUR']]),
};
for (const [n, rows] of Object.entries(sheets)) {
 const r = readRows(rows, knownCustomers as any);
 console.log('==', n, '\n', r.text, '\n', r.reading.drafts.map((d) => JSON.stringify(d.body.items) + ' ' + d.sums?.total + ' ' + [...d.problems, ...d.cellProblems.map((p) => p.text)].join()).join('\n '), '\n', r.findings.map((f) => f.text), r.reading.leftOut.map((l) => [l.line.number, l.why, l.name]));
 const again = readRows(rows, knownCustomers as any, { confirmed: r.text });
 console.log('   again:', again.refusal, again.text === r.text);
}
const said = readRows(sheets.nototal, knownCustomers as any, { confirmed: 'Items = Miete, Nebenkosten, Wasser' });
console.log(said.text, said.findings.map((f) => f.text), said.invoices);
console.log(readRows(sheets.wrong, knownCustomers as any, { confirmed: 'Items = Fee, Lessons' }).findings.map((f) => f.text));
const jan = readRows(sheets.rent, knownCustomers as any).text;
const feb = (ch: any) => readRows(sheets.rent.map((r, i) => ({ ...r, ...ch[i] })), knownCustomers as any, { confirmed: jan }).findings.map((f) => f.text);
console.log(feb({}), feb({0:{Rent:9500,Total:9651.4}}), feb({0:{Rent:undefined, Total:151.4}}), feb({1:{Water:50,Total:1450}}), feb({0:{Garage: 40, Total: 1141.4}}));
