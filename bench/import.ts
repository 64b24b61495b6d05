import { performance } from 'node:perf_hooks'
import { csvLine } from '../src/format/csv.ts'
import { fileOf, importInto } from '../test/moving/importing.ts'
import { onEngines } from '../test/support/app.ts'
import { Shop } from '../test/support/shop.ts'

const ROWS = Number(process.env.BENCH_ROWS ?? 100_000)
const CUSTOMERS_WITH_ORDERS = Math.ceil(ROWS / 4)
const PIECE = 65_536
const MEGABYTE = 1_048_576

for (const { name, available } of onEngines) {
  if (available) await measureEngine(name)
  else console.log(`\n${name}: ABSENT, so it is SKIPPED.`)
}

/** Imports customers and then orders with two lines from files in Shopify's format. Then imports the same orders again. */
async function measureEngine(name: 'sqlite' | 'postgres'): Promise<void> {
  const shop = new Shop()
  await shop.open(name, {})
  try {
    console.log(`\n${name}, ${ROWS.toLocaleString('en')} customers and as many orders of two lines`)
    await measure(shop, 'customers', customers())
    await measure(shop, 'orders', orders(), { dry: true })
    await measure(shop, 'orders', orders())
    await measure(shop, 'orders', orders(), { note: 'again' })
  } finally {
    await shop.close()
  }
}

async function measure(
  shop: Shop,
  kind: string,
  text: Uint8Array,
  { dry = false, note = dry ? 'dry run' : '' }: { dry?: boolean; note?: string } = {},
): Promise<void> {
  let highest = 0
  const watch = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage().rss)
  }, 100)
  const [before, began] = [process.memoryUsage().rss, performance.now()]
  const { reports } = await importInto(shop, 'shopify', [fileOf(kind, text, PIECE)], { dry })
  const seconds = (performance.now() - began) / 1000
  clearInterval(watch)
  const { made, again } = reports[kind]!
  const words = [
    `${kind} ${note}`.padEnd(18),
    `${Math.round(ROWS / seconds)
      .toLocaleString('en')
      .padStart(8)}/s`,
  ]
  const memory = `${Math.round((highest - before) / MEGABYTE)} MB more at most`
  console.log(`  ${words.join(' ')}  (${made} new, ${again} known, ${seconds.toFixed(1)} s, ${memory})`)
}

function customers(): Uint8Array {
  const head = 'Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Country Code,Phone,Tags'
  return table(head, ROWS, (row) => [
    csvLine([
      `'${7_000_000_000 + row}`,
      'Ada',
      `Lovelace ${row}`,
      `ada${row}@example.com`,
      'yes',
      'DE',
      `+49 30 ${row}`,
      'VIP',
    ]),
  ])
}

function orders(): Uint8Array {
  const head =
    'Name,Email,Financial Status,Paid at,Currency,Total,Taxes,Shipping,Discount Amount,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Shipping Country,Id'
  return table(head, ROWS, (row) => {
    const day = new Date(1_600_000_000_000 + row * 900_000).toISOString().slice(0, 19).replace('T', ' ')
    const own = [`#${row}`, `ada${row % CUSTOMERS_WITH_ORDERS}@example.com`]
    const sums = ['paid', `${day} +0000`, 'USD', '30.50', '0.00', '5.00', '2.00', `${day} +0000`]
    return [
      csvLine([...own, ...sums, '1', `Mug ${row % 50}`, '18.00', `MUG-${row % 50}`, 'DE', String(row)]),
      csvLine([...own, '', '', '', '', '', '', '', sums[7]!, '1', `Letter ${row % 20}`, '9.50', '', '', '']),
    ]
  })
}

function table(head: string, count: number, linesOf: (row: number) => string[]): Uint8Array {
  const parts = [`${head}\r\n`]
  for (let row = 1; row <= count; row++) parts.push(...linesOf(row))
  return new TextEncoder().encode(parts.join(''))
}
