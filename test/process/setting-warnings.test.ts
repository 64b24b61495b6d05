import { afterAll, describe, expect, it } from 'vitest'
import { RENAMED, readSettings, type Settings, settingMeanings } from '../../src/settings/config.ts'
import { settingWarnings } from '../../src/settings/warnings.ts'
import { freshDirectory } from '../database/engines.ts'
import { environmentOf, killAll, shopwright, startServer } from '../support/server.ts'

afterAll(killAll)

const told = (name: string, more: Record<string, string> = {}) => settingWarnings({ [name]: 'x', ...more })

describe('A setting that has a new name', () => {
  it.each(Object.entries(RENAMED))('%s is read, with a warning that names %s', (old, name) => {
    expect(told(old)).toEqual([`${old} is now called ${name}. Versions before 0.5 still read the old name.`])
    const value = name.startsWith('EMAILS') ? '7' : 'true'
    const read = (environment: Record<string, string>) => readSettings(environment)[name as keyof Settings]
    expect(read({ [old]: value })).toEqual(read({ [name]: value }))
    expect(read({ [old]: value })).not.toEqual(read({}))
  })

  it('wins over its old name', () => {
    expect(told('QUIET', { OUTBOUND_DISABLED: 'false' })[0]).toContain(
      'QUIET changes nothing, because OUTBOUND_DISABLED is set',
    )
    expect(readSettings({ QUIET: 'true', OUTBOUND_DISABLED: 'false' }).OUTBOUND_DISABLED).toBe(false)
  })
})

describe('A variable that is no setting', () => {
  it.each([
    ['DATBASE_URL', 'DATABASE_URL'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['PUBLC_URL', 'PUBLIC_URL'],
    ['SECRETKEY', 'SECRET_KEY'],
    ['STRIPE_WEBHOOKS_SECRET', 'STRIPE_WEBHOOK_SECRET'],
    ['TRUST_PROXI', 'TRUST_PROXY'],
    ['NODE_EVN', 'NODE_ENV'],
  ])('such as %s is told with %s, to which it is near', (name, setting) => {
    expect(told(name)).toEqual([`${name} is not a setting, and it changes nothing. Did you mean ${setting}?`])
  })

  it.each([
    'PATH',
    'HOSTNAME',
    'POST',
    'PORTS',
    'NODE_PATH',
    'NODE_OPTIONS',
    'npm_config_cache',
    'DATABASE_PASSWORD',
    'PGHOST',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_ACCESS_KEY_ID',
    'XDG_DATA_DIRS',
    'XDG_CACHE_HOME',
    'http_proxy',
    'SHOPWRIGHT_URL',
    'SHOPWRIGHT_TOKEN',
    'TEST_DATABASE_URL',
    'MAIL',
    'LOGNAME',
  ])('such as %s is left alone', (name) => {
    expect(told(name)).toEqual([])
  })

  it('is left alone where the setting itself is set, or where it is empty', () => {
    expect(told('DATABASE_URI', { DATABASE_URL: 'postgres://localhost/shop' })).toEqual([])
    expect(settingWarnings({ DATBASE_URL: '' })).toEqual([])
  })

  it('is never one of our settings', () => {
    const all = Object.fromEntries(settingMeanings().map(({ name }) => [name, 'x']))
    expect(settingWarnings(all)).toEqual([])
    for (const name of Object.keys(all)) expect(told(name)).toEqual([])
  })
})

describe('A server', () => {
  it('starts with a misspelt setting and an unencrypted address, and tells both', async () => {
    const { directory, remove } = await freshDirectory()
    const more = {
      DATBASE_URL: 'postgres://secret@localhost/shop',
      NODE_ENV: 'production',
      PUBLIC_URL: 'http://shop.example',
    }
    const server = await startServer(environmentOf(directory, more))
    const { stderr } = await server.stop()
    expect(stderr).toMatch(
      /^DATBASE_URL is not a setting.* Did you mean DATABASE_URL\?\nPUBLIC_URL is http:\/\/shop\.example: /,
    )
    expect(stderr).not.toContain('secret')
    await remove()
  })

  it('tells commands as well, beside what they print', async () => {
    const { directory, remove } = await freshDirectory()
    const { stderr } = await shopwright(['account', 'list'], environmentOf(directory, { LOG_LEVLE: 'warn' })).ended
    expect(stderr).toMatch(/^LOG_LEVLE is not a setting, and it changes nothing\. Did you mean LOG_LEVEL\?\n/)
    await remove()
  })
})
