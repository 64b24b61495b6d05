import { describe, expect, it } from 'vitest'
import { readSettings, SettingError, settingMeanings } from '../../src/settings/config.ts'
import { settingWarnings } from '../../src/settings/warnings.ts'

const NAMES = settingMeanings().map(({ name }) => name)
const TEXT = ['DATA_DIR', 'CACHE_DIR', 'MODEL_ID', 'OTEL_SERVICE_NAME']
const WORD = ['HOST', 'ALLOWED_HOSTS', 'WEBHOOK_SIGNATURE_HEADER']
const STORE = ['S3_BUCKET', 'S3_REGION']
const ON_OFF = [
  'TRUST_PROXY',
  'WEBHOOKS_ALLOW_LOOPBACK',
  'OUTSIDE_ALLOW_LOOPBACK',
  'CLIENT_DOCUMENTS',
  'SIMULATED_PROVIDERS',
  'OUTBOUND_DISABLED',
]
const ISSUED = [
  ...['X402_FACILITATOR_KEY', 'X402_FACILITATOR_KEY_ID'],
  ...['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'MODEL_API_KEY'],
]
const OF_APPS = NAMES.filter((name) => /_(CLIENT_ID|CLIENT_KEY|CLIENT_SECRET|APP_ID|APP_SECRET)$/.test(name))
const LONG_SECRETS = ['BOOTSTRAP_TOKEN', 'SECRET_KEY', 'METRICS_TOKEN']

/** The settings that accept each value. All others refuse it. */
const TAKEN: [value: string, settings: string[]][] = [
  ['"quoted"', []],
  ["'https://shop.example'", []],
  ['10MB', [...TEXT, ...WORD, ...ISSUED, ...OF_APPS]],
  ['yes', [...TEXT, ...WORD, ...ISSUED, ...STORE, ...ON_OFF, 'SITES_DOMAIN']],
  ['1e3', [...TEXT, ...WORD, ...ISSUED, ...STORE]],
  ['5 minutes', TEXT],
  ['two\nlines', []],
  [
    'https://ada:hidden@shop.example/?key=hidden',
    ['MODEL_ID', 'OTEL_SERVICE_NAME', ...ISSUED, ...OF_APPS, ...LONG_SECRETS],
  ],
]

/** Why a value is refused, or null where it is taken or lacks another setting alone. */
function refusalOf(name: string, value: string): string | null {
  try {
    readSettings({ [name]: value })
    return null
  } catch (error) {
    expect(error).toBeInstanceOf(SettingError)
    const { message } = error as SettingError
    return message.includes(' is missing: ') ? null : message
  }
}

describe('Every setting', () => {
  it.each(TAKEN)('refuses %j with a sentence, unless it may be meant', (value, taken) => {
    const refusals = NAMES.map((name) => [name, refusalOf(name, value)] as const)
    expect(
      refusals
        .filter(([, refusal]) => refusal === null)
        .map(([name]) => name)
        .sort(),
    ).toEqual([...taken].sort())
    for (const [name, refusal] of refusals) {
      if (refusal === null) continue
      expect(refusal).toMatch(new RegExp(`^${name} is invalid: it [^\\n]+\\.$`))
      expect(refusal).not.toMatch(/hidden|Invalid input|expected|received|NaN/)
    }
  })

  it('may have spaces and line ends around it, which mean nothing', () => {
    expect(
      readSettings({ PORT: ' 3001\r\n', PUBLIC_URL: ' https://Shop.example:443/ ', DATABASE_URL: ' ' }),
    ).toMatchObject({
      PORT: 3001,
      PUBLIC_URL: 'https://shop.example',
      DATABASE_URL: undefined,
    })
  })

  it.each([
    ['PUBLIC_URL', 'https://shop.example/shop'],
    ['PUBLIC_URL', 'https://shop.example?a=b'],
    ['PUBLIC_URL', 'shop.example'],
    ['ALLOWED_ORIGINS', 'app.example'],
    ['ALLOWED_ORIGINS', 'https://app.example,app.example'],
    ['SMTP_URL', 'smtp://mail.example:587/?tls=1'],
    ['SMTP_URL', 'smtp://shop:100%@mail.example'],
    ['DATABASE_URL', 'mysql://127.0.0.1/shop'],
    ['DATA_DIR', '~/data'],
    ['HOST', '0.0.0.0:3000'],
    ['OTEL_TRACES_SAMPLER_ARG', '10%'],
    ['PORT', '0x10'],
  ])('such as %s cannot be %s', (name, value) => {
    expect(refusalOf(name, value)).toMatch(new RegExp(`^${name} is invalid: it needs `))
  })

  it('that is empty, or begins with the name of the service, is warned of', () => {
    expect(settingWarnings({ DATABASE_URL: '', PORT: ' ' })).toEqual([
      'Empty settings count as not set: PORT, DATABASE_URL.',
    ])
    expect(settingWarnings({ SHOPWRIGHT_PORT: '80' })[0]).toContain('Did you mean PORT?')
    expect(settingWarnings({ SMTP_URI: 'smtp://mail.example' })[0]).toContain('Did you mean SMTP_URL?')
    expect(settingWarnings({ SECRET_KEY: '"a key of more than 24 letters"' })[0]).toMatch(/^SECRET_KEY has /)
  })
})
