import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { attach, environmentOf, launch, type Process, type Server, startServer } from '../../support/server.ts'
import { type Acknowledged, Client } from './client.ts'
import { Disk } from './disk.ts'
import { peerOf, readTrace, STRACE, type Trace } from './trace.ts'

const BIN = fileURLToPath(new URL('../../../bin/shopwright.mjs', import.meta.url))
const CLIENTS = 4
/** Sent back by a test card at once, and as often as a client likes. */
const UNLIMITED = {
  RATE_LIMIT_PER_MINUTE: '100000000',
  RATE_LIMIT_BURST: '100000000',
  RATE_LIMIT_SLOW_PER_MINUTE: '100000000',
  CHECKOUT_POSTS_PER_MINUTE: '100000000',
  // Node.js does not use it unless asked; strace would not see what it writes.
  UV_USE_IO_URING: '0',
  // Spares the server a second start of itself.
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

/** What one server wrote, and what its clients were told. */
export interface Recording {
  disk: Disk
  trace: Trace
  /** For each client, in its order: the line of the trace from which on it could know. */
  acknowledged: (Pick<Acknowledged, 'effects'> & { line: number })[][]
  /** From this line on the service has greeted its owner. */
  greeted: number
}

interface Wanted {
  /** Everything of this recording is in here. */
  base: string
  seed: number
  /** Data that the server goes on with; null for a first start. */
  prepared: string | null
  seconds: number
  /** Loaded before the server, to make it careless. */
  preload?: string | undefined
}

/** The data of a first start, which nobody traces. */
export async function prepare(directory: string): Promise<string> {
  const server = await startServer(environmentOf(directory, UNLIMITED))
  await server.stop()
  return server.token!
}

/** Traces a server while clients sell, upload, delete and run programs, until it is stopped. */
export async function record(
  { base, seed, prepared, seconds, preload }: Wanted,
  token: string | null,
): Promise<Recording> {
  const [root, before, trace] = [join(base, 'root'), join(base, 'before'), join(base, 'trace')]
  const data = join(root, 'data')
  mkdirSync(root, { recursive: true })
  if (prepared !== null) cpSync(prepared, data, { recursive: true })
  cpSync(root, before, { recursive: true })
  const node = [process.execPath, ...(preload === undefined ? [] : ['--import', preload]), BIN, 'start']
  const environment = environmentOf(data, { ...UNLIMITED, CACHE_DIR: join(base, 'cache') })
  const server = await attach(launch('strace', [...STRACE, '-o', trace, ...node], environment))
  const answers = await work(server, { seed, seconds, token: token ?? server.token! })
  process.kill(Number(readFileSync(join(data, 'shopwright.pid'), 'utf8')), 'SIGTERM')
  await server.ended
  return read({ root, before, trace }, server, answers)
}

async function work(
  server: Server,
  { seed, seconds, token }: { seed: number; seconds: number; token: string },
): Promise<Acknowledged[]> {
  const port = Number(new URL(server.url).port)
  const answers: Acknowledged[] = []
  const clients = Array.from(
    { length: CLIENTS },
    (_, n) => new Client({ port, token, seed: seed * 100 + n, name: `client${n}` }, answers),
  )
  const price = await clients[0]!.stock()
  const end = performance.now() + seconds * 1000
  const repeat = async (client: Client) => {
    while (performance.now() < end) {
      await client.act(price)
      await delay(1)
    }
  }
  await Promise.all(clients.map(repeat))
  return answers
}

async function read(
  paths: { root: string; before: string; trace: string },
  { printed }: Process,
  answers: Acknowledged[],
): Promise<Recording> {
  const trace = await readTrace(paths.trace)
  const lines = answerLines(trace)
  const known = answers.map(({ client, port, effects }) => {
    const line = lines.get(port)?.shift()
    if (line === undefined) throw new Error(`The trace lacks an answer on port ${port}.\n${printed()}`)
    return { client, effects, line }
  })
  const acknowledged = [...Map.groupBy(known, ({ client }) => client).values()]
  const greeting = trace.calls.find(({ name, args }) => name.startsWith('write') && says(args, 'Shopwright is running'))
  return { disk: new Disk(paths.root, paths.before, trace), trace, acknowledged, greeted: greeting!.at }
}

/** When the last part of each answer began to be written, by the port of the client, in the order of the answers. */
function answerLines({ calls }: Trace): Map<number, number[]> {
  const lines = new Map<number, number[]>()
  for (const { name, args, at } of calls) {
    const port = name.startsWith('write') || name.startsWith('send') ? peerOf(args) : null
    if (port === null) continue
    const own = lines.get(port) ?? []
    lines.set(port, own)
    const starts = says(args, 'HTTP/1.1 ')
    if (starts || own.length === 0) own.push(at)
    else own[own.length - 1] = at
  }
  return lines
}

function says(args: string, text: string): boolean {
  const hex = [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
  return args.includes(hex)
}
