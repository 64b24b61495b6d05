import type { Web } from './client.ts'
import { GuardedClient, nameResolver, type Resolve } from './guarded/guarded.ts'

interface WebSettings {
  WEBHOOKS_ALLOW_LOOPBACK: boolean
  OUTSIDE_ALLOW_LOOPBACK: boolean
}

export function createWeb(settings: WebSettings, resolve: Resolve = nameResolver()): Web {
  const webhooks = new GuardedClient(
    {
      schemes: ['https:'],
      example: 'https://example.com/webhooks',
      loopback: settings.WEBHOOKS_ALLOW_LOOPBACK,
      setting: 'WEBHOOKS_ALLOW_LOOPBACK',
    },
    resolve,
  )
  const outside = new GuardedClient(
    {
      schemes: ['https:', 'http:'],
      example: 'https://example.com/page',
      loopback: settings.OUTSIDE_ALLOW_LOOPBACK,
      setting: 'OUTSIDE_ALLOW_LOOPBACK',
    },
    resolve,
  )
  const models = new GuardedClient(
    {
      schemes: ['https:'],
      example: 'https://api.example.com/v1',
      loopback: settings.OUTSIDE_ALLOW_LOOPBACK,
      setting: 'OUTSIDE_ALLOW_LOOPBACK',
    },
    resolve,
  )
  return {
    webhooks,
    outside,
    models,
    async close() {
      await Promise.all([webhooks.close(), outside.close(), models.close()])
    },
  }
}
