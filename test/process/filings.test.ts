import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { Visitor } from '../pages/visitor.ts'
import { command as run } from '../support/command.ts'
import { some } from '../support/depth.ts'
import { type Environment, environmentOf, killAll, type Server, shopwright, startServer } from '../support/server.ts'

const ADDRESS = { line1: '30 N Gould St', city: 'Sheridan', state: 'WY', postal_code: '82801', country: 'USA' }
const PERSON = { legal_first_name: 'Ada', legal_last_name: 'Lovelace', address: ADDRESS, tax_id: '123-45-6789' }
const FORMATION = {
  ...{ entity_type: 'LLC', state: 'WY', naics_code: '541511', description: 'Software' },
  name_options: [{ name: 'Analytical Engines' }],
  members: [{ ...PERSON, ownership_percent: 100 }],
  responsible_party: PERSON,
  mailing_address: { ...ADDRESS, phone: '+1 307 555 0100' },
}

describe.each(some(['beside a running server', 'alone'], 1))('filings, %s', (place) => {
  let directory: string
  let remove: () => Promise<void>
  let server: Server
  let environment: Environment
  let token: string

  beforeAll(async () => {
    ;({ directory, remove } = await freshDirectory())
    environment = environmentOf(join(directory, 'data'), { FILING_AGENT: 'by_hand' })
    server = await startServer(environment)
    token = server.token!
  })
  afterAll(async () => {
    await server.stop()
    killAll()
    await remove()
  })

  const get = async (path: string) => (await server.api('GET', path, undefined, { token })).body
  const command = async (...args: string[]) => {
    if (place === 'alone') await server.stop()
    const ended = await run(['filings', ...args], environment)
    if (place === 'alone') server = await startServer(environment)
    return ended
  }
  async function paid(): Promise<string> {
    const { body } = await server.api('POST', '/formations', FORMATION, { token })
    const visitor = new Visitor(server.url)
    const page = await visitor.open(new URL(body.checkout_url).pathname)
    await visitor.press(page, 'pay', { email: 'ada@example.com', card: '4242 4242 4242 4242' })
    return body.id
  }
  async function submitted(): Promise<string> {
    const id = await paid()
    expect((await server.api('POST', `/formations/${id}/submit`, {}, { token })).body.status).toBe('submitted')
    return id
  }

  it('are listed and shown, tax numbers only where they are asked for', async () => {
    expect(await command('list')).toMatchObject({ code: 0, stdout: '', stderr: 'No formation waits to be filed.\n' })
    const id = await submitted()
    const { stdout } = await command('list')
    expect(stdout).toMatch(new RegExp(`^${id}  my-shop  submitted, paid  WY  submitted .*  Analytical Engines LLC\n$`))
    if (place === 'alone') await server.stop()
    const shown = await shopwright(['filings', 'show', id], environment).ended
    if (place === 'alone') server = await startServer(environment)
    expect(JSON.parse(shown.stdout)).toMatchObject({ id, members: [{ legal_first_name: 'Ada' }] })
    expect(shown.stdout).not.toContain('123456789')
    const asked = JSON.parse((await command('show', id, '--tax-numbers')).stdout)
    expect([asked.members[0].tax_id, asked.responsible_party.tax_id]).toEqual(['123456789', '123456789'])
  })

  it('are completed with documents from files', async () => {
    const id = await submitted()
    const letter = join(directory, 'ein letter.pdf')
    await writeFile(letter, '%PDF-1.4 the letter')
    const ended = await command(
      ...['complete', id, '--ein', '12-3456789', '--filed-on', '2026-02-03', '--note', 'Filed by post.'],
      `ein_letter=${letter}`,
    )
    expect(ended).toMatchObject({ code: 0, stdout: `Completed ${id} with 1 document.\n`, stderr: '' })
    expect(await get(`/formations/${id}`)).toMatchObject({
      ...{ status: 'completed', ein: '12-3456789', formation_filing_date: '2026-02-03' },
      admin_notes: ['Filed by post.'],
    })
    const { data } = await get(`/formation_documents?formation=${id}`)
    expect(data).toMatchObject([
      { document_type: 'ein_letter', name: 'ein letter.pdf', content_type: 'application/pdf', size: 19 },
    ])
    const { download_url } = await get(`/formation_documents/${data[0].id}`)
    const path = new URL(download_url)
    expect(await (await fetch(server.url + path.pathname + path.search)).text()).toBe('%PDF-1.4 the letter')
    expect(await command('complete', id, '--ein', '12-3456789')).toMatchObject({
      code: 6,
      stderr: 'The formation is completed and paid, so it cannot be completed: it was not submitted.\n',
    })
  })

  it('fail with a reason, and give the fee back where that is said', async () => {
    const [one, other] = [await submitted(), await paid()]
    expect(await command('fail', one, '--reason', 'The name is taken.')).toMatchObject({ code: 0 })
    expect(await get(`/formations/${one}`)).toMatchObject({
      ...{
        status: 'failed',
        payment_status: 'paid',
        provider_error: 'The name is taken.',
        allowed_actions: ['submit'],
      },
    })
    expect(await command('fail', other, '--reason', 'Not in this state.')).toMatchObject({ code: 6 })
    expect(await command('fail', other, '--reason', 'Not in this state.', '--refund')).toMatchObject({
      code: 0,
      stdout: `Failed ${other}. Its fee is given back.\n`,
    })
    expect(await get(`/formations/${other}`)).toMatchObject({
      ...{ status: 'failed', payment_status: 'refunded', allowed_actions: [] },
    })
    expect(await command('fail', other, '--reason', 'Twice.', '--refund')).toMatchObject({ code: 6 })
  })

  it('say what was wrong', async () => {
    const id = await submitted()
    const refusals: [string[], RegExp][] = [
      [['show', 'fmtn_unknown'], /There is no formation fmtn_unknown/],
      [['complete', id], /--ein needs an employer identification number/],
      [['complete', id, '--ein', '12-3456789', '--filed-on', '2026-02-31'], /--filed-on needs a date/],
      [['complete', id, '--ein', '12-3456789', 'letter=a.pdf'], /write TYPE=FILE with one of/],
      [['complete', id, '--ein', '12-3456789', 'other=nowhere.pdf'], /There is no file nowhere\.pdf/],
      [['complete', id, '--ein', '12-3456789', 'other=a.exe'], /needs an ending/],
      [['fail', id], /--reason needs a sentence/],
      [['send', id], /npm run filings -- list/],
      [['show', id, '--loud'], /There is no option --loud/],
    ]
    if (place === 'alone') await server.stop()
    for (const [args, says] of refusals) {
      const ended = await run(['filings', ...args], environment)
      expect([args, ended.code, ended.stdout]).toEqual([args, expect.any(Number), ''])
      expect(ended.code).not.toBe(0)
      expect(ended.stderr).toMatch(says)
    }
    if (place === 'alone') server = await startServer(environment)
  })
})
