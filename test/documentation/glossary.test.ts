import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const ROOT = new URL('../../', import.meta.url)
const text = readFileSync(new URL('docs/glossary.md', ROOT), 'utf8')
const entries = [...text.matchAll(/^\| ([^|]+) \| ([^|]+) \| `([^`|]+)` \|$/gm)].map(([, term, meaning, folder]) => ({
  terms: term!.split(', '),
  meaning: meaning!,
  folder: folder!,
}))

describe('The glossary', () => {
  it('names folders that exist', () => {
    expect(entries.length).toBeGreaterThan(25)
    expect(entries.filter(({ folder }) => !existsSync(new URL(folder, ROOT)))).toEqual([])
  })

  it('defines the terms that it refers to', () => {
    const terms = entries.flatMap((entry) => entry.terms)
    const words = entries.flatMap(({ meaning }) => [...meaning.matchAll(/\*([^*]+)\*/g)].map(([, word]) => word!))
    expect(words.filter((word) => !terms.includes(word.replace(/s$/, '')))).toEqual([])
  })

  it('defines each term once', () => {
    const terms = entries.flatMap((entry) => entry.terms)
    expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([])
  })
})
