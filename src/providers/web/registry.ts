import type { Web } from './client.ts'
import { GuardedClient, nameResolver, type Policy, type Resolve } from './guarded/guarded.ts'

interface WebSettings {
  WEBHOOKS_ALLOW_LOOPBACK: boolean
  OUTSIDE_ALLOW_LOOPBACK: boolean
}

export function createWeb(settings: WebSettings, resolve: Resolve = nameResolver()): Web {
  const client = (setting: keyof WebSettings, schemes: Policy['schemes'], example: string) =>
    new GuardedClient({ schemes, example, loopback: settings[setting], setting }, resolve)
  const webhooks = client('WEBHOOKS_ALLOW_LOOPBACK', ['https:'], 'https://example.com/webhooks')
  const outside = client('OUTSIDE_ALLOW_LOOPBACK', ['https:', 'http:'], 'https://example.com/page')
  const models = client('OUTSIDE_ALLOW_LOOPBACK', ['https:'], 'https://api.example.com/v1')
  return {
    webhooks,
    outside,
    models,
    async close() {
      await Promise.all([webhooks.close(), outside.close(), models.close()])
    },
  }
}
