import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const ROOT = new URL('../../', import.meta.url)
const GUIDE = readFileSync(new URL('docs/guides/security.md', ROOT), 'utf8')
const NUMBERS = Array.from({ length: 10 }, (_, index) => String(index + 1).padStart(2, '0'))
/** The risks against which nothing holds, which the table has to say. */
const OPEN = ['MCP09']

const rows = [...GUIDE.matchAll(/^\| ((?:ASI|MCP)\d\d) [^|]+ \| ([^|]+) \| ([^|]*)\| [^|]*\|$/gm)]

describe('The tables of risks', () => {
  it('have all of each list, in order', () => {
    const all = ['ASI', 'MCP'].flatMap((list) => NUMBERS.map((number) => `${list}${number}`))
    expect(rows.map(([, risk]) => risk)).toEqual(all)
  })

  it.each(rows.map(([, risk, holds, proofs]) => [risk!, holds!, proofs!]))(
    'prove what holds of %s',
    (risk, holds, proofs) => {
      const files = [...proofs.matchAll(/`(test\/[^`]+\.test\.ts)`/g)].map(([, file]) => file!)
      expect(files.length > 0).toBe(!OPEN.includes(risk))
      expect(holds.startsWith('Nothing: ')).toBe(OPEN.includes(risk))
      expect(files.filter((file) => !existsSync(new URL(file, ROOT)))).toEqual([])
      expect(proofs.replace(/`[^`]+`|[, ]/g, '')).toBe('')
    },
  )
})
