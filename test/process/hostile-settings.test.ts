import { describe, expect, it } from 'vitest'
import { readSettings, SettingError, settingMeanings } from '../../src/config.ts'
import { settingWarnings } from '../../src/setting-warnings.ts'

const NAMES = settingMeanings().map(({ name }) => name)
const FREE_TEXT = ['DATA_DIR', 'CACHE_DIR', 'MODEL_ID', 'OTEL_SERVICE_NAME']
const TOKENS = NAMES.filter((name) =>
  /_(CLIENT_ID|CLIENT_KEY|CLIENT_SECRET|APP_ID|APP_SECRET|ACCESS_KEY_ID|ACCESS_KEY|API_KEY|FACILITATOR_KEY)$/.test(
    name,
  ),
)
const ON_OFF = NAMES.filter((name) =>
  settingMeanings().some((one) => one.name === name && /^(true|false)$/.test(one.fallback)),
)

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
  it.each<[value: string, taken: string[]]>([
    ['"quoted"', []],
    ["'https://shop.example'", []],
    ['10MB', ['HOST', 'S3_BUCKET', ...FREE_TEXT, ...TOKENS]],
    [
      'yes',
      [
        'HOST',
        'S3_BUCKET',
        'S3_REGION',
        'SITES_DOMAIN',
        'ALLOWED_HOSTS',
        'WEBHOOK_SIGNATURE_HEADER',
        'SANDBOX_PROVIDERS',
        ...FREE_TEXT,
        ...ON_OFF,
        ...TOKENS,
      ],
    ],
    ['5 minutes', FREE_TEXT],
    ['1e3', []],
    ['https://ada:hidden@shop.example/?key=hidden', []],
  ])('refuses %s with a sentence, unless it could be meant', (value, taken) => {
    for (const name of NAMES) {
      const refusal = refusalOf(name, value)
      if (
        taken.includes(name) ||
        (refusal === null && taken.length === 0 && TOKENS.concat(FREE_TEXT, 'HOST').includes(name))
      )
        continue
      expect(refusal, name).toMatch(new RegExp(`^${name} is invalid: it [^\\n]+\\.$`))
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
