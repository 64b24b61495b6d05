import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { findOwner } from '../access/accounts.ts'
import { loadSecret } from '../access/secret.ts'
import { createToken, deleteToken } from '../access/tokens.ts'
import { createApp } from '../app.ts'
import { readSettings, SettingError, type Settings } from '../config.ts'
import type { Caller } from '../contract/caller.ts'
import { DirectoryInUseError } from '../database/database.ts'
import { localServer } from './address.ts'
import { tokenLines } from './greeting.ts'
import { openLog } from './log.ts'
import type { Terminal } from './terminal.ts'
import { openBeside } from './token.ts'

const USAGE = `Runs a Ruby program against the shop, as code_execute does.

  npm run exec -- PROGRAM.rb      runs a file
  npm run exec < PROGRAM.rb       runs standard input
  npm run exec -- --search …      runs it as code_search does, over the catalogue

Set SHOPWRIGHT_URL and SHOPWRIGHT_TOKEN to use another server than the one of this data directory.`

/** The answer of a tool, as an MCP client receives it. */
interface Answer {
  result?: unknown
  output?: string
  warnings?: string[]
  error?: Failure
  committed?: string
  dry_run?: boolean
  /** In a dry run, the calls that write. */
  calls?: Call[]
}

interface Call {
  method: string
  path: string
  status: number | null
  changed?: unknown
}

interface Failure {
  type: string
  message: string
  line: number | null
  source: string | null
  hint: string | null
}

/** A JSON-RPC response, or a refusal in the form of the REST API. */
interface Reply {
  result?: { structuredContent?: Answer }
  error?: { message: string }
}

type Tool = 'code_search' | 'code_execute'

/** `exec [--search] [FILE]`. Prints what the program printed, then its value; an error goes to standard error. */
export async function exec(terminal: Terminal): Promise<number> {
  const { tool, file } = readArguments(terminal.args)
  if (file === undefined && terminal.input.isTTY) {
    terminal.complain(USAGE)
    return 1
  }
  const code = await readProgram(terminal, file)
  const answer = await run(terminal, readSettings(terminal.environment), tool, code)
  return show(terminal, answer)
}

function readArguments(args: string[]): { tool: Tool; file: string | undefined } {
  const [file, ...more] = args.filter((one) => one !== '--search')
  if (file !== undefined && file !== '-' && file.startsWith('-'))
    throw new SettingError(`There is no option ${file}.\n\n${USAGE}`)
  if (more.length > 0) throw new SettingError(`Only one program can be run at a time.\n\n${USAGE}`)
  return { tool: args.includes('--search') ? 'code_search' : 'code_execute', file }
}

async function readProgram({ input }: Terminal, file: string | undefined): Promise<string> {
  if (file === undefined || file === '-') return text(input)
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new SettingError(
      error.code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read: ${error.message}.`,
    )
  })
}

/** Runs the program in this process, or in the server that has the data directory open. */
async function run(terminal: Terminal, settings: Settings, tool: Tool, code: string): Promise<Answer> {
  const { SHOPWRIGHT_URL: url, SHOPWRIGHT_TOKEN: token } = terminal.environment
  if (url && !URL.canParse(url))
    throw new SettingError(`SHOPWRIGHT_URL is not an address such as http://localhost:3000.`)
  if (token) return callServer(url || (await localServer(settings)), token, tool, code)
  if (url) throw new SettingError('SHOPWRIGHT_URL is set, so SHOPWRIGHT_TOKEN must be set too.')
  try {
    return await runHere(terminal, settings, tool, code)
  } catch (error) {
    if (error instanceof DirectoryInUseError) return runBeside(terminal, settings, tool, code)
    throw error
  }
}

async function runHere(terminal: Terminal, settings: Settings, tool: Tool, code: string): Promise<Answer> {
  const app = await createApp(
    settings,
    settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`,
    openLog(settings.LOG_LEVEL),
  )
  try {
    if (app.firstAccount?.token) terminal.complain(tokenLines(app.firstAccount.token).join('\n'))
    const owner = await findOwner(app.database)
    const caller: Caller = { kind: 'session', sessionId: 'terminal', role: 'owner', ...owner! }
    const { body } = await app.mcp[tool === 'code_search' ? 'search' : 'execute'](caller, code, {})
    return body as unknown as Answer
  } finally {
    await app.close()
  }
}

/** Whoever can write to the data directory may act for its shop, so a token is made for this program and deleted afterwards. */
async function runBeside(terminal: Terminal, settings: Settings, tool: Tool, code: string): Promise<Answer> {
  const stop = new AbortController()
  terminal.onStop(() => stop.abort())
  const database = await openBeside(settings)
  try {
    const secret = await loadSecret(database, settings.DATA_DIR, settings.SECRET_KEY)
    const { id, value } = await createToken(database, secret, (await findOwner(database))!, {
      name: 'npm run exec',
    })
    try {
      return await callServer(await localServer(settings), value, tool, code, stop.signal)
    } finally {
      await deleteToken(database, id)
    }
  } finally {
    await database.close()
  }
}

async function callServer(
  given: string,
  token: string,
  tool: Tool,
  code: string,
  signal: AbortSignal | null = null,
): Promise<Answer> {
  const url = given.trim().replace(/\/+$/, '')
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: { code } } }
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  }
  const request = { method: 'POST', headers, body: JSON.stringify(message), signal }
  const response = await fetch(`${url}/mcp`, request).catch(() => {
    throw new SettingError(signal?.aborted ? 'Stopped.' : `No server answers at ${url}.`)
  })
  const body = (await response.json().catch(() => null)) as Reply | null
  if (body?.result?.structuredContent) return body.result.structuredContent
  const reason = typeof body?.error === 'object' ? body.error.message : undefined
  if (reason === undefined) throw new SettingError(`The server at ${url}/mcp is not a Shopwright server.`)
  throw new SettingError(`The server refused: ${reason}`)
}

/** The calls that would have changed something, one per line. */
function dryRunLines(calls: Call[]): string[] {
  const lines = calls.map(({ method, path, status, changed }) =>
    [`  ${method} ${path}`, status, changed && JSON.stringify(changed)].filter(Boolean).join('  '),
  )
  return ['Dry run: nothing was kept. These calls would have changed something:', ...lines]
}

function show(terminal: Terminal, content: Answer): number {
  if (content.output) terminal.print(content.output.replace(/\n$/, ''))
  for (const warning of content.warnings ?? []) terminal.complain(`Warning: ${warning}`)
  if (content.dry_run) for (const line of dryRunLines(content.calls ?? [])) terminal.complain(line)
  if (!content.error) {
    terminal.print(JSON.stringify(content.result, null, 2))
    return 0
  }
  const { type, message, line, source, hint } = content.error
  terminal.complain(`${type}: ${message}`)
  if (line !== null) terminal.complain(`  line ${line}: ${source?.trim() ?? ''}`)
  if (hint !== null) terminal.complain(`  hint: ${hint}`)
  if (content.committed) terminal.complain(`  committed: ${content.committed}`)
  return 1
}
