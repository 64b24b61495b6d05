import { httpRequest, type LoadResult, load } from './load.ts'
import { dataDirectory, startBare, startShopwright, TOKEN } from './servers.ts'

const CONNECTIONS = 32
/** Both servers are measured with their code compiled. */
const WARM_UP_MS = 2_000
const ROUND_MS = 2_500
const ROUNDS = Number(process.env.ROUNDS ?? 5)

/** Products of the list, each with a price: an answer of 25 KB. */
const LISTED = 20

/**
 * The REST API over HTTP against the floor: bare node:http with the same look-ups on the same database; and lists against
 * single products of the same server.
 */
const { directory, remove } = await dataDirectory()
let server = await startShopwright(directory, { DEMO_DATA: 'none' })
const { id } = await post('/products', { name: 'Field Notebook' })
await server.stop()

let made = 0
const read = () => httpRequest('GET', `/v1/products/${id}`, TOKEN)
const list = () => httpRequest('GET', `/v1/products?limit=${LISTED}`, TOKEN)
const write = () =>
  httpRequest('POST', '/v1/products', TOKEN, { name: `Notebook ${process.hrtime.bigint().toString(36)} ${made++}` })

const TARGETS = { read: 0.35, write: 1.5, list: 0.35 }
const ratios: Record<keyof typeof TARGETS, number[]> = { read: [], write: [], list: [] }
for (let round = 0; round < ROUNDS; round++) {
  server = await startShopwright(directory)
  await addListed()
  const ours = await measure({ read, list, write })
  server = await startBare(directory)
  const bare = await measure({ read, write })
  note('read', ours.read, 'bare', bare.read)
  note('write', ours.write, 'bare', bare.write)
  note('list', ours.list, 'single', ours.read)
}
for (const [kind, target] of Object.entries(TARGETS)) {
  console.log(`${kind}: median ratio ${median(ratios[kind as keyof typeof TARGETS]).toFixed(2)} (target ${target})`)
}
await remove()

/** The load of each kind, one after the other, on the running server, which is stopped after that. */
async function measure<Kind extends string>(requests: Record<Kind, () => string>): Promise<Record<Kind, LoadResult>> {
  const results: [string, LoadResult][] = []
  for (const [kind, request] of Object.entries<() => string>(requests)) {
    const run = (durationMs: number) => load({ port: server.port, request, connections: CONNECTIONS, durationMs })
    await run(WARM_UP_MS)
    results.push([kind, await run(ROUND_MS)])
  }
  await server.stop()
  return Object.fromEntries(results) as Record<Kind, LoadResult>
}

/** Lists show the newest first, which are those of the last round's writes. */
async function addListed(): Promise<void> {
  for (let made = 0; made < LISTED; made++) {
    const product = await post('/products', { name: `Listed ${made}`, description: 'Loose leaves, 100 g in a tin.' })
    await post('/price_variants', { product_id: product.id, amount: 2900 })
  }
}

function note(kind: keyof typeof TARGETS, ours: LoadResult, other: string, measure: LoadResult): void {
  const ratio = ours.perSecond / measure.perSecond
  ratios[kind].push(ratio)
  console.log(`${kind.padEnd(6)} ours ${show(ours)}   ${other} ${show(measure)}   ratio ${ratio.toFixed(2)}`)
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
