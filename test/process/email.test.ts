import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withDatabase } from '../../src/cli/with-database.ts'
import { readSettings } from '../../src/settings/config.ts'
import { freshDirectory } from '../database/engines.ts'
import { command } from '../support/command.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { prepareShop } from '../support/prepared.ts'
import { type Environment, environmentOf, killAll, shopwright, startServer } from '../support/server.ts'

const SENDING = `customer = list("/customers").first || post("/customers", email: "ada@example.com")
post("/emails", customer: customer["id"], subject: "Hello", text: "See you at 10.")["status"]`
const UNDONE = `${SENDING}\nraise "On second thoughts"`

describe('E-mails of', () => {
  let mails: MailServer
  let environment: Environment
  let remove: () => Promise<void>

  beforeAll(async () => {
    mails = await startMailServer()
    const fresh = await freshDirectory()
    remove = fresh.remove
    environment = environmentOf(fresh.directory, { SMTP_URL: mails.url, MAIL_FROM: 'shop@mail.example' })
    await prepareShop(environment)
  })
  beforeEach(() => {
    mails.received.length = 0
  })
  afterAll(async () => {
    killAll()
    await mails.close()
    await remove()
  })

  const exec = (code: string) => command(['exec'], environment, code)

  it('a program at the terminal are queued in it, and sent at the latest when the next server starts', async () => {
    expect(await shopwright(['exec'], environment, SENDING).ended).toMatchObject({ code: 0, stdout: '"queued"\n' })
    const server = await startServer(environment)
    await mails.until(1)
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
    expect(mails.received).toMatchObject([{ subject: 'Hello', to: [{ address: 'ada@example.com' }] }])
    expect(await statusOf('Hello')).toBe('sent')
  })

  it('a program that is undone, or only tried, are never sent', async () => {
    expect(await exec(UNDONE)).toMatchObject({ code: 1, stderr: expect.stringContaining('On second thoughts') })
    expect(await exec(`# dry_run: true\n${SENDING}`)).toMatchObject({ code: 0, stdout: '"queued"\n' })
    const count = await withDatabase(readSettings(environment), async ({ read }) => {
      const rows = await read.selectFrom('emails').select('id').execute()
      return rows.length
    })
    expect([count, mails.received]).toEqual([1, []])
  })

  it('a server that is killed before the mail server answered are sent again, the same', async () => {
    const server = await startServer(environment)
    const token = await newToken()
    mails.verdicts.push('silence')
    const body = { to: 'ada@example.com', subject: 'Once more', text: 'Hello' }
    const answer = server.api('POST', '/emails', body, { token }).catch(() => null)
    await mails.until(1)
    await server.stop('SIGKILL')
    expect(await answer).toBeNull()
    await loseLeases()
    const next = await startServer(environment)
    await mails.until(2)
    expect(mails.received[0]!.raw.equals(mails.received[1]!.raw)).toBe(true)
    expect(await next.stop()).toMatchObject({ code: 0 })
    expect(await statusOf('Once more')).toBe('sent')
  })

  it('a server that stops are finished first', async () => {
    const server = await startServer(environment)
    const token = await newToken()
    const held = Promise.withResolvers<undefined>()
    mails.verdicts.push(held.promise)
    const sent = server.api('POST', '/emails', { to: 'ada@example.com', subject: 'Last', text: 'Hello' }, { token })
    await mails.until(1)
    const stopped = server.stop()
    held.resolve(undefined)
    expect(await stopped).toMatchObject({ code: 0, stderr: '' })
    expect([(await sent).status, await statusOf('Last')]).toEqual([201, 'sent'])
    expect(mails.received).toHaveLength(1)
  })

  async function newToken(): Promise<string> {
    return (await command(['token', 'create', 'Test'], environment)).stdout.match(/shpw_\w+/)![0]
  }

  /** As if their time had passed. */
  function loseLeases(): Promise<unknown> {
    const past = { leased_until: '2026-01-01T00:00:00Z' }
    return withDatabase(readSettings(environment), (database) =>
      database.transaction(({ db }) => db.updateTable('jobs').set(past).where('state', '=', 'working').execute()),
    )
  }

  function statusOf(subject: string): Promise<string | undefined> {
    return withDatabase(readSettings(environment), async ({ read }) => {
      const row = await read.selectFrom('emails').select('status').where('subject', '=', subject).executeTakeFirst()
      return row?.status
    })
  }
})
