import { httpRequest, type LoadResult, load } from './load.ts'
import { dataDirectory, type Server, startBare, startShopwright, TOKEN } from './servers.ts'

const CONNECTIONS = 32
/** Both servers are measured with their code compiled. */
const WARM_UP_MS = 2_000
const ROUND_MS = 2_500
const ROUNDS = Number(process.env.ROUNDS ?? 5)

/** The REST API over HTTP against the floor: bare node:http with the same look-ups on the same database. */
const { directory, remove } = await dataDirectory()
let server = await startShopwright(directory, { DEMO_DATA: 'none' })
const { id } = (await (
  await fetch(`http://127.0.0.1:${server.port}/v1/products`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: '{"name":"Field Notebook"}',
  })
).json()) as { id: string }
await server.stop()

let made = 0
const read = () => httpRequest('GET', `/v1/products/${id}`, TOKEN)
const write = () =>
  httpRequest('POST', '/v1/products', TOKEN, { name: `Notebook ${process.hrtime.bigint().toString(36)} ${made++}` })

const ratios: Record<string, number[]> = { read: [], write: [] }
for (let round = 0; round < ROUNDS; round++) {
  const ours = await measure(await startShopwright(directory))
  const bare = await measure(await startBare(directory))
  for (const kind of ['read', 'write'] as const) {
    ratios[kind]!.push(ours[kind].perSecond / bare[kind].perSecond)
    console.log(
      `${kind.padEnd(6)} ours ${show(ours[kind])}   bare ${show(bare[kind])}   ratio ${(ours[kind].perSecond / bare[kind].perSecond).toFixed(2)}`,
    )
  }
}
for (const [kind, values] of Object.entries(ratios)) {
  console.log(`${kind}: median ratio ${median(values).toFixed(2)} (target ${kind === 'read' ? 0.35 : 1.5})`)
}
await remove()

async function measure(started: Server): Promise<{ read: LoadResult; write: LoadResult }> {
  server = started
  const run = (request: () => string) =>
    load({ port: server.port, request, connections: CONNECTIONS, durationMs: ROUND_MS })
  for (const request of [read, write]) {
    await load({ port: server.port, request, connections: CONNECTIONS, durationMs: WARM_UP_MS })
  }
  const result = { read: await run(read), write: await run(write) }
  await server.stop()
  return result
}

function show({ perSecond, medianMs, p99Ms, statuses }: LoadResult): string {
  return `${Math.round(perSecond)}/s median ${medianMs.toFixed(2)} ms p99 ${p99Ms.toFixed(2)} ms ${JSON.stringify(statuses)}`
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
