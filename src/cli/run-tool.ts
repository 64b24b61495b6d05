import { loadSecret } from '../access/secret.ts'
import { createApp } from '../app.ts'
import { DirectoryInUseError } from '../database/database.ts'
import type { Member } from '../resources/company/account/life/members.ts'
import { createToken, endTemporaryToken } from '../resources/dashboard/api-token/issue.ts'
import type { ShopDatabase } from '../resources/tables.ts'
import { only } from '../runtime/errors.ts'
import type { Settings } from '../settings/config.ts'
import { localServer } from './address.ts'
import { callServer } from './call-server.ts'
import { openLog } from './log.ts'
import type { Terminal } from './terminal.ts'
import type { ToolAnswer } from './tool-answer.ts'
import { withDatabase } from './with-database.ts'

export interface ToolCall {
  tool: 'code_search' | 'code_execute'
  code: string
  /** The name of the temporary token with which the call is sent to a running server. */
  tokenName: string
  as(database: ShopDatabase): Promise<Member>
  prepare?(database: ShopDatabase, tokenId: string): Promise<void>
}

/** Runs the tool in this process, or through the server that has the data directory open. Throws CommandError. */
export async function runTool(terminal: Terminal, settings: Settings, call: ToolCall): Promise<ToolAnswer> {
  // The member is looked up before createApp, which would create a new service if there is none.
  const member = await withDatabase(settings, call.as)
  const run = runInProcess(settings, call, member)
  return run.catch(only(DirectoryInUseError, () => runThroughServer(terminal, settings, call)))
}

/** Runs the tool without rate limits, because anyone who can write to the data directory could bypass them. */
async function runInProcess(settings: Settings, { tool, code }: ToolCall, member: Member): Promise<ToolAnswer> {
  const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`
  const app = await createApp(settings, publicUrl, openLog(settings.LOG_LEVEL))
  try {
    const caller = { kind: 'session', sessionId: 'terminal', unlimited: true, ...member } as const
    const { body } = await app.mcp[tool === 'code_search' ? 'search' : 'execute'](caller, code, { whole: true })
    return body as ToolAnswer
  } finally {
    await app.close()
  }
}

/** Calls the server with a temporary token. No sign-in is needed, because people who can write to DATA_DIR may act for the shop. */
async function runThroughServer(terminal: Terminal, settings: Settings, call: ToolCall): Promise<ToolAnswer> {
  const stop = new AbortController()
  terminal.onStop(() => stop.abort())
  return withDatabase(settings, async (database) => {
    const secret = await loadSecret(database, settings.DATA_DIR, settings.SECRET_KEY)
    const made = { name: call.tokenName, unlimited: true }
    const { id, value } = await createToken(database, secret, await call.as(database), made)
    try {
      await call.prepare?.(database, id)
      return await callServer(await localServer(settings), value, call, stop.signal)
    } finally {
      await endTemporaryToken(database, id)
    }
  })
}
