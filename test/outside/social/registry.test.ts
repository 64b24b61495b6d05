import { describe, expect, it } from 'vitest'
import type { SocialProvider } from '../../../src/outside/social/provider.ts'
import { createSocial } from '../../../src/outside/social/registry.ts'
import { createWeb } from '../../../src/outside/web/registry.ts'
import { Platform } from './platform.ts'

const live = { test: false }
const web = createWeb({ WEBHOOKS_ALLOW_LOOPBACK: false, OUTSIDE_ALLOW_LOOPBACK: false }).outside

/** An adapter of these platforms. */
function adapterOf(name: string, ...platforms: string[]): SocialProvider {
  return Object.assign(new Platform(), { name, platforms })
}

describe('The adapters of social platforms', () => {
  const adapters = [adapterOf('meta', 'facebook', 'instagram'), adapterOf('all-in-one', 'instagram', 'x')]
  const named = (pretending: boolean, platform: string, account = live) =>
    createSocial({ pretending, web }, adapters).providerFor({ platform, ...account })?.name ?? null

  it('serve the platforms that they name, the first of several', () => {
    expect(['facebook', 'instagram', 'x'].map((platform) => named(false, platform))).toEqual([
      'meta',
      'meta',
      'all-in-one',
    ])
  })

  it('leave other platforms to the simulated ones, where those serve live accounts', () => {
    expect([named(false, 'bluesky'), named(true, 'bluesky')]).toEqual([null, 'sandbox'])
  })

  it('reach no network while all is simulated', () => {
    expect(['facebook', 'x'].map((platform) => named(true, platform))).toEqual(['sandbox', 'sandbox'])
  })

  it('never serve a test account', () => {
    expect([false, true].map((pretending) => named(pretending, 'x', { test: true }))).toEqual(['sandbox', 'sandbox'])
  })

  it('are found by the name that an account has stored', () => {
    const social = createSocial({ pretending: false, web }, adapters)
    expect(social.named('all-in-one').platforms).toEqual(['instagram', 'x'])
    expect(() => social.named('gone')).toThrow('The social adapter gone is not set up.')
  })
})
