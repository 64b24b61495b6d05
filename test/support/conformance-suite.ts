import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const suite = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js')

export interface Scenario {
  name: string
  /** The protocol revisions that it tests, or `extension`. */
  revisions: string[]
}

/** The checks of each scenario. Warnings and skipped checks count as failed. */
export type Outcome = Record<string, { failed: string[]; passed: string[] }>

/** Returns the scenarios that the official suite lists. */
export async function listScenarios(kind: 'server' | 'authorization'): Promise<Scenario[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [suite, 'list', `--${kind}`])
  return [...stdout.matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)].map(([, name = '', revisions = '']) => ({
    name,
    revisions: revisions.split(','),
  }))
}

/** Runs the official suite. `onOutput` gets each piece of its output. */
export async function runSuite(options: string[], onOutput: (text: string) => void = () => {}): Promise<Outcome> {
  const results = mkdtempSync(join(tmpdir(), 'conformance-'))
  try {
    await new Promise<void>((resolve) => {
      const run = execFile(process.execPath, [suite, ...options, '-o', results], () => resolve())
      run.stdout!.on('data', onOutput)
    })
    return outcomeIn(results)
  } finally {
    rmSync(results, { recursive: true })
  }
}

/** Each scenario has a folder, named by the kind of suite, the scenario and the time. */
function outcomeIn(results: string): Outcome {
  const outcome: Outcome = {}
  for (const folder of readdirSync(results)) {
    const [, scenario] = /^(?:authorization-)?server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(folder)!
    const checks: { id: string; status: string }[] = JSON.parse(
      readFileSync(join(results, folder, 'checks.json'), 'utf8'),
    )
    const idsOf = (...statuses: string[]) => checks.filter((one) => statuses.includes(one.status)).map(({ id }) => id)
    outcome[scenario!] = { failed: idsOf('FAILURE', 'WARNING', 'SKIPPED'), passed: idsOf('SUCCESS') }
  }
  return outcome
}

interface Endpoint {
  mcpUrl: string
  authorization: string
}

type Arguments = Record<string, unknown>

/** The programs to run in place of tools that only the suite's own server has, by the names of the tools. */
export type Programs = Record<string, (given: Arguments) => string>

/** Starts a proxy that adds the token, because the suite cannot send one, and runs programs in place of tools. */
export async function startProxy(endpoint: Endpoint, programs: Programs) {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { body, name } = withProgram(Buffer.concat(chunks), programs)
    const headers = {
      ...incoming.headers,
      authorization: endpoint.authorization,
      'content-length': String(body.length),
      ...(name !== undefined && incoming.headers['mcp-name'] === name && { 'mcp-name': TOOL }),
    }
    const passed = request(endpoint.mcpUrl, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    passed.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/mcp`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const TOOL = 'code_execute'

function withProgram(body: Buffer, programs: Programs): { body: Buffer; name?: string } {
  if (!body.includes('tools/call')) return { body }
  const message = JSON.parse(body.toString())
  const { name, arguments: given = {} } = message.params
  const program = programs[name]
  if (!program) return { body }
  Object.assign(message.params, { name: TOOL, arguments: { code: program(given) } })
  return { body: Buffer.from(JSON.stringify(message)), name }
}
