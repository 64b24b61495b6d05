import { describe, expect, it } from 'vitest'
import { outdatedVersions } from '../../release/versions.ts'
import { API_VERSIONS } from '../../src/providers/api-versions.ts'

describe('Versions of APIs', () => {
  it('may be ten months old in a release, and not a day more', () => {
    const { version, date } = API_VERSIONS.linkedIn
    const named = (today: string) => outdatedVersions(new Date(today)).filter((one) => one.startsWith('linkedIn'))
    expect(date).toBe('2026-07-01')
    expect(named('2027-05-01')).toEqual([])
    expect(named('2027-05-02')).toEqual([`linkedIn: ${version} of ${date} is more than 10 months old.`])
  })

  it('have a date each, so that a release of a later year names them all', () => {
    expect(outdatedVersions(new Date('2035-01-01'))).toHaveLength(Object.keys(API_VERSIONS).length)
    for (const { date } of Object.values(API_VERSIONS)) expect(new Date(date).toISOString().slice(0, 10)).toBe(date)
  })
})
