import { readFileSync } from 'node:fs'
import { dataDirectory, type Server, startShopwright, TOKEN } from './servers.ts'

/** How long a start takes until the first program is answered, and what the process holds when idle. */
const first: number[] = []
const later: number[] = []
const resident: number[] = []
for (let round = 0; round < 3; round++) {
  const { directory, remove } = await dataDirectory()
  first.push(await firstAnswer(() => startShopwright(directory, { SANDBOX_WORKERS: '2' })))
  for (let start = 0; start < 3; start++) {
    later.push(await firstAnswer(() => startShopwright(directory, { SANDBOX_WORKERS: '2' })))
  }
  await remove()
}
console.log(`first start to first answer: median ${median(first).toFixed(0)} ms (target 4000)`)
console.log(`later starts to first answer: median ${median(later).toFixed(0)} ms (target 1200)`)
console.log(`resident memory idle, two workers: median ${median(resident).toFixed(0)} MB (target 160)`)

async function firstAnswer(start: () => Promise<Server>): Promise<number> {
  const began = performance.now()
  const server = await start()
  const response = await fetch(`http://127.0.0.1:${server.port}/mcp`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'code_execute', arguments: { code: 'get("/account")["name"]' } },
    }),
  })
  if (!(await response.text()).includes('result')) throw new Error('The first program was not answered')
  const elapsed = performance.now() - began
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  resident.push(residentMegabytes(server.pid))
  await server.stop()
  return elapsed
}

/** Resident set of a process on Linux; NaN elsewhere. */
function residentMegabytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
  } catch {
    return Number.NaN
  }
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
