import { type Engine, onEachEngine } from './engines.ts'
import { type Floor, floorOf, quoted, shownFloor, storedAgain } from './floor.ts'
import { httpRequest, type LoadResult, load } from './load.ts'
import { type Server, startBare, startShopwright, TOKEN } from './servers.ts'

const CONNECTIONS = 32
/** The warm-up lets V8 compile the server's code before it is measured. */
const WARM_UP_MS = 2_000
const ROUND_MS = 2_500
const SLICES = 5
const ROUNDS = Number(process.env.ROUNDS ?? 5)

/** With a price for each product, the response has 25 KB. */
const LISTED = 20

/** The tables to which a new product and its log entry are written. */
const WRITTEN = ['products', 'search_entries', 'events', 'log_entries']

const TARGETS = { read: 0.35, write: 1.5, list: 0.35 }
type RequestKind = keyof typeof TARGETS

let server: Server
let id: string
let made = 0
const read = () => httpRequest('GET', `/v1/products/${id}`, TOKEN)
const list = () => httpRequest('GET', `/v1/products?limit=${LISTED}`, TOKEN)
const write = () =>
  httpRequest('POST', '/v1/products', TOKEN, { name: `Guide ${process.hrtime.bigint().toString(36)} ${made++}` })

await onEachEngine(measureEngine)

/** Compares the REST API with a bare node:http server on the same embedded database, or with `pgbench` on PostgreSQL. */
async function measureEngine({ name, directory, settings }: Engine): Promise<void> {
  console.log(`\n${name}`)
  server = await startShopwright(directory, { ...settings, DEMO_DATA: 'none' })
  id = (await post('/products', { name: 'Field Guide' })).id
  await server.stop()
  const ratios: Record<RequestKind, number[]> = { read: [], write: [], list: [] }
  for (let round = 0; round < ROUNDS; round++) {
    server = await startShopwright(directory, settings)
    await addListed()
    // Writes are measured after lists, because lists would otherwise include the new products.
    const ours = { ...(await measure({ read, list })), ...(await measure({ write })) }
    await server.stop()
    ratios.list.push(ratioOf('list', ours.list, 'single', ours.read))
    if (settings.DATABASE_URL !== undefined) {
      console.log(`write  ours ${show(ours.write)}`)
      await beside(settings.DATABASE_URL, directory, ours)
      continue
    }
    server = await startBare(directory)
    const bare = await measure({ read, write })
    await server.stop()
    for (const kind of ['read', 'write'] as const) ratios[kind].push(ratioOf(kind, ours[kind], 'bare', bare[kind]))
  }
  for (const kind of Object.keys(TARGETS) as RequestKind[]) {
    if (ratios[kind].length === 0) continue
    console.log(`${kind}: median ratio ${median(ratios[kind]).toFixed(2)} (target ${TARGETS[kind]})`)
  }
}

async function beside(url: string, directory: string, ours: Record<RequestKind, LoadResult>): Promise<void> {
  const options = { directory, seconds: ROUND_MS / 1000, clients: CONNECTIONS }
  const prices = (ids: string) =>
    `select * from price_variants where account_id = (select account_id from floor_product) and product in (${ids})
      and archived = 0 and hidden = 0 order by product, position`
  const keep = `create table if not exists floor_product as select account_id, id from products where id = ${quoted(id)}`
  const floors: Record<RequestKind, Floor | null> = {
    read: await floorOf(url, options, async (client) => {
      await client.query(keep)
      return [
        `select * from products where account_id = (select account_id from floor_product) and id = ${quoted(id)}`,
        prices(quoted(id)),
      ]
    }),
    list: await floorOf(url, options, async (client) => {
      const newest = `from products where account_id = (select account_id from floor_product) order by id desc limit ${LISTED + 1}`
      const { rows } = await client.query<{ id: string }>(`select id ${newest}`)
      return [`select * ${newest}`, prices(rows.map((row) => quoted(row.id)).join(', '))]
    }),
    write: await floorOf(url, options, (client) => storedAgain(client, WRITTEN, 'products')),
  }
  for (const kind of Object.keys(TARGETS) as RequestKind[]) {
    const floor = floors[kind]
    const share = floor ? `, ours ${(ours[kind].perSecond / floor.perSecond).toFixed(2)} of it` : ''
    console.log(`${kind.padEnd(6)} floor: ${shownFloor(floor)}${share}`)
  }
}

/** The kinds of requests alternate in short slices, so that a slow moment of the machine affects all of them. */
async function measure<Name extends string>(requests: Record<Name, () => string>): Promise<Record<Name, LoadResult>> {
  const kinds = Object.entries<() => string>(requests)
  const run = (request: () => string, durationMs: number) =>
    load({ port: server.port, request, connections: CONNECTIONS, durationMs })
  for (const [, request] of kinds) await run(request, WARM_UP_MS)
  const slices = new Map(kinds.map(([kind]) => [kind, [] as LoadResult[]]))
  for (let slice = 0; slice < SLICES; slice++) {
    for (const [kind, request] of kinds) slices.get(kind)!.push(await run(request, ROUND_MS / SLICES))
  }
  const results = [...slices].map(([kind, all]) => [kind, together(all)])
  return Object.fromEntries(results) as Record<Name, LoadResult>
}

function together(slices: LoadResult[]): LoadResult {
  const of = (name: 'perSecond' | 'medianMs' | 'p99Ms') => median(slices.map((slice) => slice[name]))
  const statuses: Record<string, number> = {}
  for (const slice of slices)
    for (const [status, count] of Object.entries(slice.statuses)) statuses[status] = (statuses[status] ?? 0) + count
  return { perSecond: of('perSecond'), medianMs: of('medianMs'), p99Ms: of('p99Ms'), statuses }
}

/** Adds products before each round, because lists show the newest first, and products of the last round have no price. */
async function addListed(): Promise<void> {
  for (let made = 0; made < LISTED; made++) {
    const product = await post('/products', { name: `Listed ${made}`, description: 'Loose leaves, 100 g in a tin.' })
    await post('/price_variants', { product_id: product.id, amount: 2900 })
  }
}

function ratioOf(kind: RequestKind, ours: LoadResult, other: string, theirs: LoadResult): number {
  const ratio = ours.perSecond / theirs.perSecond
  console.log(`${kind.padEnd(6)} ours ${show(ours)}   ${other} ${show(theirs)}   ratio ${ratio.toFixed(2)}`)
  return ratio
}

async function post(path: string, body: object): Promise<{ id: string }> {
  const response = await fetch(`http://127.0.0.1:${server.port}/v1${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== 201) throw new Error(await response.text())
  return (await response.json()) as { id: string }
}

function show({ perSecond, medianMs, p99Ms, statuses }: LoadResult): string {
  return `${Math.round(perSecond)}/s median ${medianMs.toFixed(2)} ms p99 ${p99Ms.toFixed(2)} ms ${JSON.stringify(statuses)}`
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
