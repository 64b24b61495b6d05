import { describe, expect, it } from 'vitest'
import type { NetworkEntry } from '../../../src/features/social/providers/network.ts'
import { PlatformRefusedError } from '../../../src/features/social/providers/provider.ts'
import { createSocial } from '../../../src/features/social/providers/registry.ts'
import { createWeb } from '../../../src/providers/web/registry.ts'
import { networkParts } from '../../support/network-parts.ts'
import { Platform } from './platform.ts'

const live = { test: false }
const web = createWeb({ WEBHOOKS_ALLOW_LOOPBACK: false, OUTSIDE_ALLOW_LOOPBACK: false }).outside

/** A network with these platforms, which needs these settings. */
function networkOf(name: string, platforms: string[], settings: string[] = []): NetworkEntry {
  const open = () => Object.assign(new Platform(), { name, platforms })
  return { name, platforms, settings, steps: ['Register an app.'], open }
}

describe('The adapters of social platforms', () => {
  const adapters = [networkOf('meta', ['facebook', 'instagram']), networkOf('all-in-one', ['instagram', 'x'])]
  const named = (pretending: boolean, platform: string, account = live) =>
    createSocial({ ...networkParts(web), pretending }, adapters).providerFor({ platform, ...account })?.name ?? null

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
    const social = createSocial({ ...networkParts(web), pretending: false }, adapters)
    expect(social.named('all-in-one').platforms).toEqual(['instagram', 'x'])
    expect(() => social.named('gone')).toThrow('The social adapter gone is not set up.')
  })
  describe('that need settings', () => {
    const networks = [networkOf('needy', ['x'], ['X_ID', 'X_SECRET'])]
    const withSettings = (settings: Record<string, string | undefined>) =>
      createSocial({ ...networkParts(web), pretending: false, settings }, networks)

    it('serve nobody until all of them are there, and say which they are', () => {
      const [none, one] = [withSettings({}), withSettings({ X_ID: 'id' })]
      expect([none, one].map((social) => social.providerFor({ platform: 'x', ...live }))).toEqual([null, null])
      expect(none.setUpOf('x')).toEqual({ settings: ['X_ID', 'X_SECRET'], steps: ['Register an app.'] })
      expect(none.setUpOf('unknown')).toBeNull()
      const all = withSettings({ X_ID: 'id', X_SECRET: 'secret' })
      expect(all.providerFor({ platform: 'x', ...live })?.name).toBe('needy')
    })

    it('refuse for accounts that were connected before a setting was removed', async () => {
      const known = withSettings({}).named('needy')
      const login = { platform: 'x', id: 'sacct_x', username: null, credentials: {}, test: false, publicUrl: '' }
      const asked = known.connect({ login, signal: AbortSignal.timeout(1000) })
      await expect(asked).rejects.toThrow(PlatformRefusedError)
      await expect(asked).rejects.toThrow('no longer set up for the network. Ask whoever runs it')
    })
  })
})
