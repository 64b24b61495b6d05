import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningApp, startApp } from '../support/app.ts'
import { Person } from './oauth.ts'

/** The command of Claude Code, which the project does not install: `CLAUDE_CODE=/path/to/claude npm test -- test/connect`. */
const { CLAUDE_CODE, PATH } = process.env
const PATIENCE_MS = 60_000

describe.skipIf(!CLAUDE_CODE)('the command line of Claude Code (needs CLAUDE_CODE)', () => {
  let running: RunningApp
  let home: string
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'claude-'))
    // It is known by a document at claude.ai, which a test does not ask.
    running = await startApp({ settings: { CLIENT_DOCUMENTS: 'false' } })
  })
  afterAll(async () => {
    await running.close()
    await rm(home, { recursive: true, force: true })
  })

  const environment = () => ({
    ...{ PATH, HOME: home, TERM: 'dumb', DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    COLUMNS: '2000',
  })

  const claude = async (...args: string[]) => said(spawn(CLAUDE_CODE!, args, { cwd: home, env: environment() }))

  it('connects with a header, needs to sign in with the address alone, and does', {
    timeout: 5 * PATIENCE_MS,
  }, async () => {
    const header = `Authorization: Bearer ${running.token}`
    await claude('mcp', 'add', '--transport', 'http', 'by-token', `${running.url}/mcp`, '--header', header)
    await claude('mcp', 'add', '--transport', 'http', 'by-address', `${running.url}/connect`)
    const before = await claude('mcp', 'list')
    expect(before).toMatch(/by-token: .*Connected/)
    expect(before).toMatch(/by-address: .*Needs authentication/)

    // Signing in wants a terminal, which script is.
    const command = `${CLAUDE_CODE} mcp login by-address --no-browser`
    const login = spawn('script', ['-qec', command, '/dev/null'], { cwd: home, env: environment() })
    const url = await printed(login, /(http:\/\/\S+\/connect\/authorize\?\S*)[\s\S]*paste/i)
    const owner = await Person.owner(running)
    const { location } = await owner.decide(url, { right: 'read' })
    login.stdin!.write(`${location}\r`)
    expect(await said(login)).toContain('Authenticated')

    expect(await claude('mcp', 'list')).toMatch(/by-address: .*Connected/)
    await claude('mcp', 'logout', 'by-address')
    const left = running.app.database.read.selectFrom('connections').select(['client_name', 'right', 'status'])
    expect(await left.execute()).toEqual([
      { client_name: expect.stringContaining('Claude Code'), right: 'read', status: 'revoked' },
    ])
  })
})

/** Everything that a command prints until its end. */
async function said(child: ChildProcess): Promise<string> {
  let text = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (data) => (text += data))
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  return text
}

/** The first group of what a command prints, as soon as it is there. */
function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = ''
  return new Promise((resolve, reject) => {
    child.stdout!.on('data', (data) => {
      text += data
      const found = pattern.exec(text)?.[1]
      if (found) resolve(found)
    })
    child.once('close', () => reject(new Error(`It ended early: ${text}`)))
  })
}
