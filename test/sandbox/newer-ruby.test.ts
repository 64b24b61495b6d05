import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Outcome, Sandbox } from '../../src/sandbox/api.ts'
import { DEEP } from '../support/depth.ts'
import { deceptive } from './escapes/deceptive.ts'
import { destructive } from './escapes/destructive.ts'
import { outward } from './escapes/outward.ts'
import { reflective } from './escapes/reflective.ts'
import { words } from './escapes/words.ts'
import { failures } from './programs/errors.ts'
import { blamed } from './programs/hints.ts'
import { invalid, values } from './programs/values.ts'
import { writers } from './programs/writers.ts'
import { answering, execute, openRoom } from './room.ts'

const MODULE = fileURLToPath(
  new URL('../../peers/ruby/node_modules/@ruby/3.4-wasm-wasi/dist/ruby.wasm', import.meta.url),
)
const missing = existsSync(MODULE) ? '' : ' (needs Ruby 3.4: peers/install ruby)'
const PATIENCE_MS = 60_000
const call = answering({ id: 'p1', name: 'Tea', note: null, data: [{ id: 'r1', price: 5 }] })

const programs = [
  ...[...values, ...invalid, ...failures, ...blamed].map(([code]) => code),
  ...writers.map((one) => one[1]),
]
/** Programs whose outcome is known, and does not depend on the machine. */
const escapes = [...outward, ...reflective, ...destructive, ...deceptive, ...words].filter(
  ({ expect: expected }) => expected !== 'contained' && !JSON.stringify(expected).includes('deadline_exceeded'),
)

const kindOf = (outcome: Outcome) => (outcome.ok ? 'ok' : outcome.error.type)

/** Everything but the duration, addresses, and the quotation mark before names, which 3.4 changed in all messages. */
function wordsOf({ durationMs: _, ...outcome }: Outcome): string {
  return JSON.stringify(outcome.ok ? outcome : { ...outcome.error, output: outcome.output })
    .replace(/`([^`']+)'/g, "'$1'")
    .replace(/0x[0-9a-f]{8}/g, '0x…')
}

describe.skipIf(!DEEP || missing !== '')(`Ruby 3.4 in the sandbox, beside 3.3${missing}`, () => {
  let room: Sandbox
  let newer: Sandbox
  beforeAll(async () => {
    room = await openRoom()
    newer = await openRoom({ ruby: MODULE, cacheDirectory: null })
  })
  afterAll(() => Promise.all([room.close(), newer.close()]))

  /** Lists the programs that end in another way, by what `read` says of their outcomes. */
  async function differences(codes: string[], read: (outcome: Outcome) => string): Promise<string> {
    const found: string[] = []
    for (const code of codes) {
      const options = { call, deadlineMs: PATIENCE_MS }
      const [before, after] = [read(await execute(room, code, options)), read(await execute(newer, code, options))]
      if (before !== after) found.push(`${code}\n  3.3: ${before}\n  3.4: ${after}\n`)
    }
    return found.join('\n')
  }

  it('is another version', async () => {
    const versions = [room, newer].map((one) => execute(one, 'RUBY_VERSION[0, 3]'))
    expect(await Promise.all(versions)).toMatchObject([{ value: '3.3' }, { value: '3.4' }])
  })

  it('gives the same results and errors, except for those that are listed', async () => {
    await expect(await differences(programs, wordsOf)).toMatchFileSnapshot('../golden/ruby-3.4.txt')
  })

  it('ends the attempts to escape in the same way', async () => {
    const codes = escapes.filter(({ kind }) => kind !== 'search').map(({ code }) => code)
    expect(await differences(codes, kindOf)).toBe('')
  })
})
