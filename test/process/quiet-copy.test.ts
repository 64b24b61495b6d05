import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { command } from '../support/command.ts'
import { prepareShop } from '../support/prepared.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { environmentOf, killAll, startServer } from '../support/server.ts'
import { eventually } from '../support/webhooks.ts'

/** Long enough for the worker and the deliverer of a server that is not quiet to look for work twice. */
const WORKS_WITHIN_MS = 2_500

describe('a restored copy', () => {
  let base: string
  let remove: () => Promise<void>
  let receiver: Receiver
  const at = (name: string, more = {}) => environmentOf(join(base, name), { WEBHOOKS_ALLOW_LOOPBACK: 'true', ...more })

  beforeEach(async () => {
    const fresh = await freshDirectory()
    base = fresh.directory
    remove = fresh.remove
    await mkdir(base, { recursive: true })
    receiver = await startReceiver()
  })
  afterEach(async () => {
    killAll()
    await receiver.close()
    await remove()
  })

  it('sends nothing until it is told to, and then sends what has waited', async () => {
    const token = await prepareShop(at('data'))
    const server = await startServer(at('data'))
    const hook = { url: `${receiver.url}/hook`, enabled_events: ['*'] }
    expect((await server.api('POST', '/webhook_endpoints', hook, { token })).status).toBe(201)
    await server.stop()
    const file = join(base, 'shop.tar')
    expect(await command(['backup', file], at('data'))).toMatchObject({ code: 0 })
    const restored = await command(['restore', file], at('copy'))
    expect(restored.stdout).toContain(
      'It will send no e-mails, webhooks, posts or charges until you run npm run go-live.',
    )

    const before = receiver.received.length
    const copy = await startServer(at('copy'))
    expect(copy.printed()).toContain('This is a quiet copy')
    expect((await copy.api('POST', '/products', { name: 'Tea' }, { token })).status).toBe(201)
    await delay(WORKS_WITHIN_MS)
    expect(receiver.received.length).toBe(before)
    await copy.stop()

    const asked = await command(['go-live'], at('copy'))
    expect(asked.stdout).toMatch(/[1-9]\d* deliver(y|ies) to webhook endpoints would be sent at once/)
    expect(asked.stdout).toContain('Nothing was changed')
    expect(await command(['go-live', '--yes'], at('copy'))).toMatchObject({ code: 0 })
    const live = await startServer(at('copy'))
    expect(live.printed()).not.toContain('This is a quiet copy')
    await eventually(async () => receiver.received.length > before)
    await live.stop()
    expect((await command(['go-live'], at('copy'))).stdout).toContain('Nothing has to be done here')
  })

  it('has no provider that money, mail or posts could leave by', async () => {
    const { quietSettings, readSettings } = await import('../../src/settings/config.ts')
    const settings = readSettings({
      SMTP_URL: 'smtp://mail.example:587',
      MAIL_FROM: 'shop@mail.example',
      STRIPE_SECRET_KEY: 'sk_live_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
      MODEL_PROVIDER: 'anthropic',
      MODEL_ID: 'a-model',
      MODEL_API_KEY: 'key',
      FILING_AGENT: 'by_hand',
      X_CLIENT_ID: 'some-client-id',
      X_CLIENT_SECRET: 'some-client-secret',
    })
    const { SMTP_URL, STRIPE_SECRET_KEY, MODEL_PROVIDER, FILING_AGENT, X_CLIENT_ID, SIMULATED_PROVIDERS } =
      quietSettings(settings)
    const left = [SMTP_URL, STRIPE_SECRET_KEY, MODEL_PROVIDER, FILING_AGENT, X_CLIENT_ID]
    expect(left).toEqual(left.map(() => undefined))
    expect(SIMULATED_PROVIDERS).toBe(false)
  })
})
