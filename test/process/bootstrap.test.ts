import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newToken } from '../../src/contract/values/token-format.ts'
import { freshDirectory } from '../database/engines.ts'
import { command } from '../support/command.ts'
import { environmentOf, startServer } from '../support/server.ts'

describe('BOOTSTRAP_TOKEN', () => {
  let directory: string
  let remove: () => Promise<void>

  beforeEach(async () => {
    ;({ directory, remove } = await freshDirectory())
  })
  afterEach(() => remove())

  const own = 'chosen-by-a-set-up-script'

  it.each([
    ['chosen freely', own],
    ['in the form of our own', newToken()],
  ])('%s is the first token, and is printed nowhere', async (_, token) => {
    const server = await startServer(environmentOf(directory, { BOOTSTRAP_TOKEN: token, LOG_LEVEL: 'debug' }))
    const { status } = await server.api('GET', '/account', undefined, { token })
    const { stdout, stderr } = await server.stop()
    expect(status).toBe(200)
    expect(stdout + stderr).not.toMatch(token)
    expect(stdout).toMatch('The API token of the first account is the value of BOOTSTRAP_TOKEN.')
    expect(stdout).toMatch('claude mcp add --transport http shopwright')
    expect(stdout).not.toMatch(/shpw_/)
  })

  it('stays deleted after a restart', async () => {
    const environment = environmentOf(directory, { BOOTSTRAP_TOKEN: own })
    const first = await startServer(environment)
    const { stdout: list } = await command(['token', 'list'], environment)
    const [id] = /^token_\w+/.exec(list)!
    expect((await command(['token', 'delete', id], environment)).code).toBe(0)
    expect((await first.api('GET', '/account', undefined, { token: own })).status).toBe(401)
    await first.stop()
    const second = await startServer(environment)
    expect((await second.api('GET', '/account', undefined, { token: own })).status).toBe(401)
    await second.stop()
  })

  it.each([
    ['shorter than 24 characters', 'short', /^BOOTSTRAP_TOKEN is invalid: it needs 24 characters or more/],
    ['with a space', 'this one has spaces between words', /without spaces/],
    ['that no header can carry', 'größer-als-vierundzwanzig-zeichen', /visible ASCII/],
    ['with our prefix and a wrong checksum', `${newToken().slice(0, -2)}xy`, /would never be accepted/],
  ])('%s is refused at the start, without repeating it', async (_, token, sentence) => {
    const { code, stdout, stderr } = await command(['start'], environmentOf(directory, { BOOTSTRAP_TOKEN: token }))
    expect(code).toBe(78)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^BOOTSTRAP_TOKEN /)
    expect(stderr).toMatch(sentence)
    expect(stderr).not.toMatch(token)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})
