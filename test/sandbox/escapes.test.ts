import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Outcome, Sandbox } from '../../src/sandbox/api.ts'
import { some, times } from '../support/depth.ts'
import { deceptive } from './escapes/deceptive.ts'
import { destructive } from './escapes/destructive.ts'
import type { Escape } from './escapes/escape.ts'
import { outward } from './escapes/outward.ts'
import { reflective } from './escapes/reflective.ts'
import { words } from './escapes/words.ts'
import { execute, openRoom, resultOf } from './room.ts'

const SECRET = 'canary-5f1d0c6e'
/** For what may run for ever; longer in the deep suite. */
const DEADLINE_MS = times({ gate: 500, deep: 1500 })
const PATIENCE_MS = 30_000
/** Characters that any error takes, whatever it is about. */
const MOST_OF_AN_ERROR = 10_000
const directory = mkdtempSync(join(tmpdir(), 'sandbox-canary-'))
const file = join(directory, 'canary.txt')

beforeAll(() => {
  writeFileSync(file, SECRET)
  process.env.SANDBOX_CANARY = SECRET
  process.env.SANDBOX_CANARY_FILE = file
  Object.assign(globalThis, { sandboxCanary: SECRET })
})

afterAll(() => {
  delete process.env.SANDBOX_CANARY
  delete process.env.SANDBOX_CANARY_FILE
  Reflect.deleteProperty(globalThis, 'sandboxCanary')
  rmSync(directory, { recursive: true })
})

/** The programs that read /etc/passwd read the canary's file instead. */
const escapes: Escape[] = [...outward, ...reflective, ...destructive, ...deceptive, ...words].map((attempt) => ({
  ...attempt,
  code: attempt.code.replaceAll('/etc/passwd', file),
}))

for (const strip of some([true, false], 1)) {
  describe(strip ? 'with both walls' : 'with the import table alone', () => {
    let room: Sandbox
    beforeAll(async () => {
      room = await openRoom({ strip })
    })
    afterAll(() => room.close())

    it.each(escapes)('$name', async ({ kind, code, expect: expected }) => {
      const deadlineMs = endsByItself(expected) ? PATIENCE_MS : DEADLINE_MS
      const outcome = await execute(room, code, { kind: kind ?? 'execute', deadlineMs })
      expectContained(outcome)
      if (strip) expectOutcome(outcome, expected)
      expect(await resultOf(room, '[[1, "a"].to_s, defined?(CanaryLeft), "x".encoding.to_s]')).toEqual([
        '[1, "a"]',
        null,
        'UTF-8',
      ])
    })
  })
}

/** What meets its own end must meet it on a slow machine too; only what may run for ever is stopped early. */
function endsByItself(expected: Escape['expect']): boolean {
  return expected !== 'contained' && !JSON.stringify(expected).includes('deadline_exceeded')
}

function expectContained(outcome: Outcome) {
  expect(JSON.stringify(outcome)).not.toContain(SECRET)
  expect(readFileSync(file, 'utf8')).toBe(SECRET)
  expect(process.env.SANDBOX_CANARY).toBe(SECRET)
  if (!outcome.ok) expect(JSON.stringify(outcome.error).length).toBeLessThan(MOST_OF_AN_ERROR)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
}

function expectOutcome(outcome: Outcome, expected: Escape['expect']) {
  if (expected === 'contained') return
  if ('value' in expected) expect(outcome).toMatchObject({ ok: true, value: expected.value })
  else expect([expected.error].flat()).toContain(outcome.ok ? JSON.stringify(outcome.value) : outcome.error.type)
}

it('there are enough of them', () => {
  expect(escapes.length).toBeGreaterThanOrEqual(130)
  expect(new Set(escapes.map((attempt) => attempt.name)).size).toBe(escapes.length)
})
