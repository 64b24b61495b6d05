import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { Json, Program, Sandbox, Tool } from '../src/sandbox/api.ts'
import { GUEST_GLOBALS, Guest } from '../src/sandbox/guest.ts'
import { createSandbox } from '../src/sandbox/sandbox.ts'
import { rubyModulePath } from '../src/sandbox/snapshot-builder.ts'
import { patchModule } from '../src/sandbox/wasm-bytes.ts'
import { interpreterRows } from './interpreter.ts'
import { median, percentile, printTable, type Row, times } from './measure.ts'

const tools: Tool[] = Array.from({ length: 155 }, (_, index) => ({
  method: ['GET', 'POST', 'PATCH', 'DELETE'][index % 4]!,
  path: `/v1/things${index >> 2}${index % 2 ? '/{id}' : ''}`,
  summary: `Operation ${index}`,
  description: 'A sentence of what it does and of what it needs. '.repeat(6),
  tags: [`Tag ${index >> 3}`],
  parameters: Array.from({ length: 6 }, (_, number) => ({
    name: `p${number}`,
    in: 'query',
    schema: { type: 'string' },
  })),
  request_body: index % 4 === 1 ? { type: 'object', properties: { name: { type: 'string' } } } : null,
}))

const row = (id: number, bytes: number) => ({
  id: `prod_${id}`,
  name: 'Tea',
  price: { amount: 5 },
  text: 'x'.repeat(bytes),
})
const program = (code: string, rest: Partial<Program> = {}): Program => ({
  kind: 'execute',
  code,
  queueKey: 'a',
  ...rest,
})

/** The number of programs that one account sends at the same time. All of them are allowed to wait or run. */
const BATCH = 60

if (!isMainThread) floorProgram()
else if (process.argv[2]) await printIdleMemory(process.argv[2])
else printTable('Sandbox', await measure())

async function measure(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'sandbox-bench-'))
  try {
    const rows = await starts(directory)
    const sandbox = await createSandbox({ tools, resources: {}, cacheDirectory: directory, workers: 2 })
    rows.push(idleMemory(directory))
    await steady(sandbox)
    rows.push(
      ...(await latencies(sandbox)),
      await throughput(sandbox),
      ...(await calls(sandbox)),
      await deadline(sandbox),
    )
    await sandbox.close()
    return [...rows, ...(await interpreterRows(tools, directory))]
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Runs programs as a warm-up, so that V8 has compiled frequently used code before the measurement. */
async function steady(sandbox: Sandbox): Promise<void> {
  for (let count = 0; count < 20; count++) await batch(sandbox)
}

async function batch(sandbox: Sandbox): Promise<void> {
  const outcomes = await Promise.all(Array.from({ length: BATCH }, () => sandbox.run(program('1 + 1'))))
  const failed = outcomes.find((outcome) => !outcome.ok)
  if (failed) throw new Error(JSON.stringify(failed))
}

/** Measures the memory of an idle sandbox, in a separate process that has done nothing else. */
function idleMemory(directory: string): Row {
  const text = execFileSync(process.execPath, [fileURLToPath(import.meta.url), directory], { encoding: 'utf8' })
  return { name: 'memory of the process, two workers idle', value: Number(text), unit: 'MB' }
}

async function printIdleMemory(cacheDirectory: string): Promise<void> {
  const sandbox = await createSandbox({ tools, resources: {}, cacheDirectory, workers: 2 })
  await setTimeout(1000)
  console.log(process.memoryUsage.rss() / 2 ** 20)
  await sandbox.close()
}

async function starts(cacheDirectory: string): Promise<Row[]> {
  const open = async () => {
    const startedAt = performance.now()
    const sandbox = await createSandbox({ tools, resources: {}, cacheDirectory, workers: 1 })
    const elapsed = performance.now() - startedAt
    await sandbox.close()
    return elapsed
  }
  return [
    { name: 'first start, building the snapshot', value: await open(), unit: 'ms' },
    { name: 'start from the cache', value: median([await open(), await open(), await open()]), unit: 'ms' },
  ]
}

async function latencies(sandbox: Sandbox): Promise<Row[]> {
  const floor = await floorTimes()
  const samples: number[] = []
  for (let index = 0; index < 300; index++) {
    const [elapsed] = await times(1, 0, () => sandbox.run(program('1 + 1')))
    if (index >= 50) samples.push(elapsed!)
    await setTimeout(8)
  }
  const ratio = median(floor) / median(samples)
  return [
    { name: 'floor: new worker, new interpreter', value: median(floor), unit: 'ms' },
    {
      name: 'trivial program, idle worker',
      value: median(samples),
      unit: 'ms',
      note: `aim 0.30; ${ratio.toFixed(0)} times faster than the floor`,
    },
    { name: 'trivial program, 95th percentile', value: percentile(samples, 0.95), unit: 'ms' },
  ]
}

async function throughput(sandbox: Sandbox): Promise<Row> {
  const samples = await times(30, 10, () => batch(sandbox))
  return {
    name: 'programs a second, two workers',
    value: (BATCH * 1000) / median(samples),
    unit: '/s',
    note: 'aim 2,500',
  }
}

async function calls(sandbox: Sandbox): Promise<Row[]> {
  const perCall = async (answer: Json, count: number) => {
    const code = `${count}.times { get "/v1/things0" }`
    const samples: number[] = []
    for (let index = 0; index < 20; index++) {
      const outcome = await sandbox.run(program(code, { call: async () => ({ body: answer, refused: false }) }))
      if (index >= 5) samples.push(outcome.durationMs / count)
    }
    return median(samples)
  }
  return [
    { name: 'one call, 1 KB answer', value: (await perCall(row(1, 900), 100)) * 1000, unit: 'µs' },
    {
      name: 'one call, 100 KB answer of 100 rows',
      value: await perCall({ data: Array.from({ length: 100 }, (_, id) => row(id, 900)) }, 20),
      unit: 'ms',
    },
  ]
}

async function deadline(sandbox: Sandbox): Promise<Row> {
  const [elapsed] = await times(1, 0, () => sandbox.run(program('loop { begin; loop { }; rescue Exception; end }')))
  return { name: 'endless program, answered after', value: elapsed!, unit: 'ms' }
}

/** Measures the obvious design as a floor: everything is created for each program, and only the module is compiled once. */
async function floorTimes(): Promise<number[]> {
  const bytes = patchModule(readFileSync(rubyModulePath), { exportGlobals: GUEST_GLOBALS, maximumPages: 3072 })
  const module = await WebAssembly.compile(bytes)
  return times(15, 3, async () => {
    const worker = new Worker(new URL(import.meta.url), { workerData: module })
    await new Promise((resolve) => worker.once('message', resolve))
    void worker.terminate()
  })
}

function floorProgram(): void {
  const guest = new Guest(workerData as WebAssembly.Module, { receive() {}, reply: () => new Uint8Array() })
  guest.boot(['ruby.wasm', '-EUTF-8', '--disable-all', '-e_=0'])
  parentPort?.postMessage(guest.evaluate('1 + 1').raised)
}
