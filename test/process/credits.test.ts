import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { command as run } from '../support/command.ts'
import { type Environment, environmentOf, killAll, type Server, startServer } from '../support/server.ts'

describe('credits, beside a running server and alone', () => {
  let remove: () => Promise<void>
  let server: Server
  let environment: Environment

  beforeAll(async () => {
    const fresh = await freshDirectory()
    remove = fresh.remove
    environment = environmentOf(fresh.directory)
    server = await startServer(environment)
  })
  afterAll(async () => {
    killAll()
    await remove()
  })

  const command = (...args: string[]) => run(['credits', ...args], environment)

  it('are added with a reason, and shown with what they went to', async () => {
    expect(await command('add', 'my-shop', '500', '--reason', 'Sorry for Monday')).toMatchObject({
      ...{ code: 0, stdout: 'my-shop has 1500 credits.\n', stderr: '' },
    })
    const { body } = await server.api('GET', '/account', undefined, { token: server.token! })
    expect(body.credit_balance).toBe(1500)
    await server.stop()
    expect(await command('add', 'my-shop', '25')).toMatchObject({ code: 0, stdout: 'my-shop has 1525 credits.\n' })
    const { stdout } = await command('show', 'my-shop')
    expect(stdout.split('\n')).toEqual([
      '1525 credits',
      expect.stringMatching(/ added +\+25 +→ 1525 +Added by the operator$/),
      expect.stringMatching(/ added +\+500 +→ 1500 +Sorry for Monday$/),
      expect.stringMatching(/ opening +\+1000 +→ 1000 +first_credits$/),
      '',
    ])
  })

  it('say what was wrong', async () => {
    const refusals: [string[], RegExp][] = [
      [['add', 'my-shop', '-5'], /There is no option -5/],
      [['add', 'my-shop', '1.5'], /NUMBER needs a whole number/],
      [['add', 'nobody', '5'], /There is no account with the id or subdomain nobody/],
      [['add', 'my-shop'], /NUMBER needs a whole number/],
      [['give', 'my-shop'], /npm run credits -- add/],
    ]
    for (const [args, says] of refusals) {
      const { code, stdout, stderr } = await command(...args)
      expect([args, code === 0, stdout]).toEqual([args, false, ''])
      expect(stderr).toMatch(says)
    }
  })
})
