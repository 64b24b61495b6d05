import { describe, expect, it } from 'vitest'
import { sharesDomain, sitesDomainOf } from '../../src/features/sites/settings.ts'
import { readSettings } from '../../src/settings/config.ts'

const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://shop.example.com' }

describe('The domain of sites', () => {
  it('shares no registrable domain with the service in production', () => {
    for (const SITES_DOMAIN of ['example.com', 'sites.example.com', 'shop.example.com', 'sites.shop.example.com'])
      expect(() => readSettings({ ...production, SITES_DOMAIN })).toThrow(
        /^SITES_DOMAIN is invalid: it needs another registrable domain than PUBLIC_URL/,
      )
    for (const SITES_DOMAIN of ['example.net', 'sites.example.net', 'example-sites.com'])
      expect(readSettings({ ...production, SITES_DOMAIN }).SITES_DOMAIN).toBe(SITES_DOMAIN)
    expect(() => readSettings({ NODE_ENV: 'production', SITES_DOMAIN: 'localhost' })).toThrow(/SITES_DOMAIN is invalid/)
  })

  it('knows the lists of public suffixes, of companies as well', () => {
    expect(sharesDomain('sites.example.co.uk', 'example.co.uk')).toBe(true)
    expect(sharesDomain('sites.co.uk', 'example.co.uk')).toBe(false)
    expect(sharesDomain('one.github.io', 'other.github.io')).toBe(false)
    expect(sharesDomain('shop.internal', 'internal')).toBe(true)
  })

  it('is localhost while developing, and in production none unless it is set', () => {
    expect(sitesDomainOf(readSettings({}))).toBe('localhost')
    expect(sitesDomainOf(readSettings(production))).toBeNull()
    expect(sitesDomainOf(readSettings({ ...production, SITES_DOMAIN: 'sites.example' }))).toBe('sites.example')
  })

  it('is a host name and nothing else', () => {
    for (const SITES_DOMAIN of [
      'Sites.example',
      'https://sites.example',
      'sites.example:3000',
      '.example',
      '127.0.0.1',
      'a b',
    ])
      expect(() => readSettings({ SITES_DOMAIN })).toThrow(/^SITES_DOMAIN is invalid: it needs a domain in lower case/)
  })
})
