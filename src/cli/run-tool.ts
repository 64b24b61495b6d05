import type { Member } from '../access/accounts.ts'
import { loadSecret } from '../access/secret.ts'
import { createToken, endTemporaryToken } from '../access/tokens.ts'
import { type App, createApp } from '../app.ts'
import { SettingError, type Settings } from '../config.ts'
import { type Database, DirectoryInUseError } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'
import { localServer } from './address.ts'
import { tokenLines } from './greeting.ts'
import { openLog } from './log.ts'
import type { Terminal } from './terminal.ts'
import type { Answer } from './tool-answer.ts'
import { withDatabase } from './with-database.ts'

/** What a command runs as a tool call, and as whom. */
export interface ToolCall {
  tool: 'code_search' | 'code_execute'
  code: string
  /** The name of the token that is made for it beside a running server. */
  tokenName: string
  /** The person it acts for. */
  as(database: Database<Tables>): Promise<Member>
  /** Called with that token before it is used. */
  prepare?(database: Database<Tables>, tokenId: string): Promise<void>
}

/** A JSON-RPC response, or a refusal in the form of the REST API. */
interface Reply {
  result?: { structuredContent?: Answer }
  error?: { message: string }
}

/** Runs it in this process, or in the server that has the data directory open. Throws SettingError. */
export async function runTool(terminal: Terminal, settings: Settings, call: ToolCall): Promise<Answer> {
  try {
    return await runHere(terminal, settings, call)
  } catch (error) {
    if (error instanceof DirectoryInUseError) return runBeside(terminal, settings, call)
    throw error
  }
}

async function runHere(terminal: Terminal, settings: Settings, { tool, code, as }: ToolCall): Promise<Answer> {
  const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`
  const app: App = await createApp(settings, publicUrl, openLog(settings.LOG_LEVEL))
  try {
    if (app.firstAccount?.token) terminal.complain(tokenLines(app.firstAccount.token).join('\n'))
    const caller = { kind: 'session', sessionId: 'terminal', ...(await as(app.database)) } as const
    const { body } = await app.mcp[tool === 'code_search' ? 'search' : 'execute'](caller, code, {})
    return body as Answer
  } finally {
    await app.close()
  }
}

/** Whoever can write to the data directory may act for its shop, so a token is made for this call and deleted afterwards. */
async function runBeside(terminal: Terminal, settings: Settings, call: ToolCall): Promise<Answer> {
  const stop = new AbortController()
  terminal.onStop(() => stop.abort())
  return withDatabase(settings, async (database) => {
    const secret = await loadSecret(database, settings.DATA_DIR, settings.SECRET_KEY)
    const { id, value } = await createToken(database, secret, await call.as(database), { name: call.tokenName })
    try {
      await call.prepare?.(database, id)
      return await callServer(await localServer(settings), value, call, stop.signal)
    } finally {
      await endTemporaryToken(database, id)
    }
  })
}

/** Calls the tool of a server with a token. Throws SettingError when it cannot be reached or refuses. */
export async function callServer(
  given: string,
  token: string,
  { tool, code }: Pick<ToolCall, 'tool' | 'code'>,
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
