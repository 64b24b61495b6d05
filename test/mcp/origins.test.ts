import { expect, it } from 'vitest'
import { allowsOrigin, knownAddresses, refuseForeign } from '../../src/mcp/endpoint/addresses.ts'
import { readSettings } from '../../src/settings/config.ts'

const { ALLOWED_ORIGINS } = readSettings({ ALLOWED_ORIGINS: 'https://app.example, HTTPS://Tools.example:8443/' })
const addresses = knownAddresses('https://shop.example', [], ALLOWED_ORIGINS)

it.each<[origin: string, allowed: boolean]>([
  ['https://shop.example', true],
  ['https://app.example', true],
  ['https://tools.example:8443', true],
  ['http://localhost:6274', true],
  ['http://shop.example', false],
  ['https://shop.example:8443', false],
  ['http://app.example', false],
  ['https://app.example:444', false],
  ['https://tools.example', false],
  ['https://evil.example', false],
  ['null', false],
])('A page from %s may call the agent endpoint: %s', (origin, allowed) => {
  const request = new Request('https://shop.example/mcp', { headers: { Host: 'shop.example', Origin: origin } })
  expect([allowsOrigin(addresses, origin), refuseForeign(request, addresses)?.status ?? 200]).toEqual([
    allowed,
    allowed ? 200 : 403,
  ])
})
