import { openSheet, readSheet } from '../nodes/InvoicingPayments/reading/readSheet';
import { CustomerIndex } from '../nodes/shared/customers/customerIndex';
import { unsettled } from '../nodes/InvoicingPayments/fromRows/box';
import { parseReading } from '../nodes/InvoicingPayments/reading/text';
const known = { own: new CustomerIndex([]), ofService: new CustomerIndex(Array.from({length: 2000}, (_, i) => ({ id: `00000000-0000-4000-8000-${String(i).padStart(12,'0')}`, names: ['Customer ' + i], emails: ['c'+i+'@x.example'], texts: [], invoices: 1, currencies: [] })) as any), notFound: (t: string) => t };
function run(name: string, rows: any[], said?: any) {
 const settings: any = { said, given: new Map(), mapped: new Map(), defaults: {}, matchCustomersBy: 'idEmailOrName', isFoundByNumber: true, mayMakeNumbers: true, without: [], zone: 'UTC', today: '2026-11-24' };
 const t0 = performance.now(); let longest: any[] = []; let last = t0;
 const drive = (g: any) => { for (;;) { const { done, value } = g.next(); const now = performance.now(); longest.push([now - last, new Error().stack && '']); last = now; if (done) return value; } };
 const sheet = drive(openSheet(rows, settings)); const tOpen = performance.now();
 const r: any = drive(readSheet(sheet, settings, known as any)); const tRead = performance.now();
 last = performance.now(); const u = unsettled(r); const un = performance.now() - last;
 const top = longest.map(([t], i) => [Math.round(t), i]).sort((a, b) => b[0] - a[0]).slice(0, 6);
 console.log(name, 'open', Math.round(tOpen - t0), 'read', Math.round(tRead - tOpen), 'unsettled', Math.round(un), 'steps', longest.length, 'longest', JSON.stringify(top), 'drafts', r.drafts.length, 'text', u.text.length, r.findings.length);
 return u.text;
}
const plain = Array.from({ length: 10000 }, (_, i) => ({ Customer: 'Customer ' + (i % 2000), Item: 'Thing ' + (i % 50), Qty: 1 + (i % 7), Price: ((i * 37) % 9000) / 100 + 1, Currency: 'EUR', 'Due Date': '2026-12-31', Note: 'n ' + i, Zip: 10000 + (i % 800) }));
for (let k = 0; k < 2; k++) { const t = run('plain 10000', plain); const p: any = parseReading(t); run('  confirmed', plain, p.value); }
const side = (n: number, rows: number, f: (k: number) => [string, string]) => Array.from({ length: rows }, (_, i) => { const o: any = { Customer: 'Customer ' + i, Currency: 'EUR', 'Due Date': '2026-12-31' }; for (let k = 1; k <= n; k++) { const [a, b] = f(k); o[a] = 'Thing ' + k; o[b] = k + 0.5; } return o; });
run('side 90x100', side(90, 100, (k) => ['Item ' + k, 'Price ' + k]));
run('side 400x20', side(400, 20, (k) => ['Item ' + k, 'Price ' + k]));
const wide = Array.from({ length: 2000 }, (_, i) => { const o: any = { Customer: 'Customer ' + i, Item: 'X', Price: i + 0.5, Currency: 'EUR', 'Due Date': '2026-12-31' }; for (let k = 0; k < 500; k++) o['Answer to question ' + k] = k % 3 ? 'text ' + (i * k) % 97 : (i * k) % 1000; return o; });
run('wide 500x2000', wide);
