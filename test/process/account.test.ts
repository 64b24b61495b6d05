import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { run as accountCommand } from '../../src/cli/account.ts'
import { engines, freshDirectory, freshPostgresUrl } from '../database/engines.ts'
import { command } from '../support/command.ts'
import { some } from '../support/depth.ts'
import { type Environment, environmentOf, killAll, type Server, shopwright, startServer } from '../support/server.ts'

const SECRET_KEY = 'a secret that only tests know'

describe.each(some(engines, 1))('account, on $name', ({ name, available }) => {
  describe.skipIf(!available)('beside a running server', () => {
    const undo: (() => Promise<void>)[] = []
    let environment: Environment
    let server: Server

    beforeAll(async () => {
      const { directory, remove } = await freshDirectory()
      undo.push(remove)
      environment = environmentOf(directory, { SECRET_KEY })
      if (name === 'postgres') {
        const postgres = await freshPostgresUrl()
        undo.unshift(postgres.remove)
        environment.DATABASE_URL = postgres.url
      }
      server = await startServer(environment)
    })
    afterAll(async () => {
      await server.stop()
      killAll()
      for (const step of undo) await step()
    })

    const account = (...args: string[]) => command(['account', ...args], environment)
    const statusOf = async (token: string) => (await server.api('GET', '/me', undefined, { token })).status
    const idIn = (text: string) => /acct_\w+/.exec(text)![0]

    it('makes a link for the only account without its name', async () => {
      const { code, stdout } = await account('password-link')
      expect(code).toBe(0)
      expect((await fetch(stdout.trim())).status).toBe(200)
    })

    it('makes an account whose token works and stands alone on standard output', async () => {
      const words = ['account', 'create', 'Ada’s', 'Books', '--owner', 'Ada@example.com']
      const { code, stdout, stderr } = await shopwright(words, environment).ended
      expect(code).toBe(0)
      expect(stdout).toMatch(/^shpw_\w{36}\n$/)
      const token = stdout.trim()
      expect(stderr).toMatch(/^Made acct_\w+ \(adas-books\)\. Its first token is shown only now:\n/)
      expect(stderr).toContain('claude mcp add')
      expect(stderr).not.toContain(token)
      const { body } = await server.api('GET', '/account', undefined, { token })
      expect(body).toMatchObject({ id: idIn(stderr), name: 'Ada’s Books', subdomain: 'adas-books' })
      const me = (await server.api('GET', '/me', undefined, { token })).body
      expect(me).toMatchObject({ email: 'ada@example.com', name: 'ada', roles: ['owner'] })
      expect((await server.api('GET', '/products', undefined, { token })).body.data).toEqual([])
    })

    it('makes a link with which the owner sets a password once', async () => {
      const { code, stdout } = await account('password-link', 'my-shop')
      expect(code).toBe(0)
      expect(stdout).toMatch(/^http:\/\/\S+\/set-password\/[\w-]{43}\n$/)
      const send = (body: string) =>
        fetch(stdout.trim(), { method: 'POST', body: new URLSearchParams(body), redirect: 'manual' })
      const fields = 'name=Owner&email=owner@example.com&password=correct+horse+battery'
      expect([(await send(fields)).status, (await send(fields)).status]).toEqual([303, 404])
      expect((await account('password-link', 'nobodys')).code).toBe(1)
      const { code: unnamed, stderr } = await account('password-link')
      expect([unnamed, stderr]).toEqual([1, expect.stringMatching(/^There are \d accounts: name one, such as /)])
    })

    it('takes nobody for an owner whose address is not confirmed, unless the operator confirms it', async () => {
      const create = () => account('create', 'Second', '--owner', 'owner@example.com')
      const refused = await create()
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining('npm run account -- address owner@example.com'),
      ])
      expect((await account('list')).stdout).not.toContain(' second ')
      const confirmed = await account('address', 'Owner@Example.com')
      expect([confirmed.code, confirmed.stdout]).toEqual([
        0,
        'Owner (owner of my-shop) signs in with owner@example.com, which is confirmed.\n',
      ])
      expect((await create()).code).toBe(0)
      const changed = await account('address', 'owner@example.com', 'second@example.com')
      expect(changed.stdout).toBe(
        'Owner (owner of my-shop, owner of second) signs in with second@example.com, which is confirmed.\n',
      )
      expect((await account('address', 'owner@example.com')).stderr).toBe('No user signs in with owner@example.com.\n')
      expect((await account('address', 'second@example.com', 'ada@example.com')).stderr).toBe(
        'Another user already signs in with ada@example.com.\n',
      )
      expect((await account('address', 'second@example.com', 'nonsense')).code).toBe(2)
      expect((await account('address')).code).toBe(2)
      await account('address', 'second@example.com', 'owner@example.com')
    })

    it('makes another subdomain when that of the name is taken, or takes the given one', async () => {
      const subdomainOf = async (...args: string[]) =>
        /\((\S+)\)/.exec((await account('create', ...args, '--owner', 'bo@example.com')).stderr)![1]
      expect(await subdomainOf('Tea')).toBe('tea')
      expect(await subdomainOf('Tea')).toBe('tea-2')
      expect(await subdomainOf('Tea', '--subdomain', 'leaves', '--owner-name', 'Bo')).toBe('leaves')
      expect(await subdomainOf('Ö')).toBe('shop-o')
      expect(await subdomainOf('!!!')).toBe('shop')
    })

    it('lists accounts with their owners, tokens and last use', async () => {
      await account('create', 'Listed', '--owner', 'lister@example.com')
      const { code, stdout, stderr } = await account('list')
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(/^acct_\w+ +my-shop +My Shop +owner@example\.com +made \S+Z +1 token +/m)
      expect(stdout).toMatch(/^acct_\w+ +listed +Listed +lister@example\.com +made \S+Z +1 token +never used$/m)
    })

    it('deletes an account by subdomain or id, which the next request notices', async () => {
      for (const by of ['subdomain', 'id']) {
        const { stdout: value, stderr } = await account('create', 'Doomed', '--owner', 'doomed@example.com')
        const token = value.trim()
        await server.api('POST', '/products', { name: 'Tea' }, { token })
        const { code, stdout } = await account('delete', by === 'id' ? idIn(stderr) : 'doomed', '--yes')
        expect(code).toBe(0)
        expect(stdout).toMatch(/^Deleted acct_\w+ \(doomed\) with everything in it:\n/)
        expect(stdout).toMatch(/^ {2}1 {2}products$/m)
        expect(stdout).toMatch(/^ {2}1 {2}users$/m)
        expect(await statusOf(token)).toBe(401)
        expect((await account('list')).stdout).not.toContain('doomed')
      }
      expect(await statusOf(server.token!)).toBe(200)
    })

    describe('asks before it deletes', () => {
      beforeEach(async () => {
        await account('create', 'Asked', '--owner', 'asked@example.com', '--subdomain', 'asked')
      })

      /** The command as on a terminal, where a person types. */
      async function typing(text: string) {
        const printed: string[] = []
        const print = (line: string) => printed.push(line)
        const input = Object.assign(new PassThrough(), { isTTY: true })
        input.end(text)
        const terminal = {
          directory: '/',
          args: ['delete', 'asked'],
          environment,
          input,
          print,
          complain: print,
          onStop() {},
        }
        return { code: await accountCommand(terminal), printed: printed.join('\n') }
      }

      it('for its subdomain, typed by a person', async () => {
        for (const wrong of ['', 'yes\n', 'askew\nasked\n']) {
          const { code, printed } = await typing(wrong)
          expect([wrong, code]).toEqual([wrong, 1])
          expect(printed).toContain('Type asked to confirm:')
          expect(printed).toContain('That is not asked, so nothing was deleted.')
        }
        expect((await account('list')).stdout).toContain(' asked ')
        expect(await typing('asked\n')).toMatchObject({ code: 0, printed: expect.stringContaining('Deleted acct_') })
        expect((await account('list')).stdout).not.toContain(' asked ')
      })
    })
  })
})
