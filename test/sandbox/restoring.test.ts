import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEP, some, times } from '../support/depth.ts'
import { deceptive } from './escapes/deceptive.ts'
import { destructive } from './escapes/destructive.ts'
import type { Escape } from './escapes/escape.ts'
import { outward } from './escapes/outward.ts'
import { reflective } from './escapes/reflective.ts'
import { InspectedInterpreter } from './inspected/interpreter.ts'
import { writers } from './programs/writers.ts'

/** For programs that may never end; they are killed with their thread. */
const PATIENCE_MS = times({ gate: 1000, deep: 2000 })
const ESCAPES_TIMEOUT_MS = 600_000

for (const strip of some([true, false], 1)) {
  describe(strip ? 'after a program, with both walls,' : 'after a program, with the import table alone,', () => {
    let interpreter: InspectedInterpreter
    beforeAll(async () => {
      interpreter = await InspectedInterpreter.open(strip)
    })
    afterAll(() => interpreter.close())

    it.each(some(writers, 12))('every byte is as in the snapshot: %s', async (_name, code) => {
      expect(await interpreter.inspect(code)).toMatchObject({ ending: null, spent: false, difference: null })
    })

    it(
      'every byte is as in the snapshot, or the interpreter is replaced: programs that try to escape',
      async () => {
        const inspections = []
        for (const { kind, code, expect: expected } of inspected) {
          const patienceMs = expected === 'contained' ? PATIENCE_MS : undefined
          inspections.push({ code, ...(await interpreter.inspect(code, { kind, patienceMs })) })
        }
        expect(inspections.filter(({ difference }) => difference)).toEqual([])
        expect(inspections.filter(({ spent }) => spent === false).length).toBeGreaterThan(inspected.length * 0.6)
      },
      ESCAPES_TIMEOUT_MS,
    )
  })
}

/** Those that never end are killed with their thread, so there is nothing to restore. */
const escapes: Escape[] = [...outward, ...reflective, ...destructive, ...deceptive].filter(
  ({ expect }) => !JSON.stringify(expect).includes('deadline_exceeded'),
)
/** One of five in the gate, where test/sandbox/escapes.test.ts runs each of them all the same. */
const inspected = escapes.filter((_, index) => DEEP || index % 5 === 0)

describe('a secret of one account', () => {
  let interpreter: InspectedInterpreter
  beforeAll(async () => {
    interpreter = await InspectedInterpreter.open()
  })
  afterAll(() => interpreter.close())

  /** Ways in which a program may hold the text in the local variable `secret`. */
  const holders: [name: string, code: string][] = [
    ['a string', 'secret'],
    ['a global', '$held = secret.dup'],
    ['a constant', 'HELD = secret.dup.freeze'],
    ['a symbol', 'secret.to_sym'],
    ['a method name', 'Object.define_method(secret) { 1 }'],
    ['an instance variable', 'Object.new.instance_variable_set("@v", secret * 3)'],
    ['the key of a hash', '$h = { secret => 1 }\n$h.compare_by_identity'],
    ['a long string', '$s = secret * 1000'],
    ['many strings', '$a = Array.new(5000) { |i| "#{secret} #{i}" }\n1'],
    ['garbage', '50_000.times { |i| "#{secret} #{i}" }\n1'],
    ['UTF-16', '$u = secret.encode("UTF-16LE")\n1'],
    ['UTF-32', '$u = secret.encode("UTF-32BE")\n1'],
    ['upper case', '$u = secret.upcase * 10\n1'],
    ['reversed', '$u = secret.reverse * 10\n1'],
    ['a regular expression', '$r = Regexp.new(secret)\n$r.match("a#{secret}b").pre_match'],
    ['an exception', 'raise secret'],
    ['an error of its own', 'Class.new(StandardError) { define_method(:message) { SECRET } }'],
    ['JSON', '$j = JSON.generate([secret] * 50)\nJSON.parse($j).size'],
    ['output', 'puts secret * 20'],
    ['a call', 'post("/products", name: secret * 20)["object"]'],
    ['a path', 'get("/products/#{secret}")["object"]'],
    ['a result', '[secret] * 200'],
    ['a closure', '$p = -> { secret }\n$p.call'],
    ['an enumerator', '$e = Enumerator.new { |y| y << secret; y << 1 }\n$e.next'],
    ['a struct', '$x = Struct.new(:a).new(secret)\n1'],
    ['a deep stack', 'def f(n, s) = n == 0 ? s : f(n - 1, s + "")\nf(2000, secret)'],
    ['bytes', '$b = secret.bytes.pack("C*") + ("\\0" * 4090) + secret\n1'],
    ['a comment', '# only the text of the program'],
    ['a missed key', 'get("/products")[secret]'],
    ['a seed of names', '300.times { |i| Object.const_set("C#{secret.tr("-", "_")}#{i}", i) }\n1'],
    ['a backtrace', 'raise StandardError, "x", [secret]'],
    ['a format', '$f = format("%-3000s|", secret)\n1'],
  ]

  it.each(some(holders, 8))('is nowhere in the memory of the next program: %s', async (_name, code) => {
    const secret = `canary-${randomBytes(8).toString('hex')}`
    const traces = tracesOf(secret)
    const held = await interpreter.inspect(`secret = SECRET = "${secret}"\n${code}`, { traces })
    expect(held).toMatchObject({ left: 0, difference: null })
    expect(held!.found).toBeGreaterThan(0)
    const probe = 'a = Array.new(2000) { |i| "probe #{i}" }\n$left = ObjectSpace rescue a.size'
    expect(await interpreter.inspect(probe, { traces })).toMatchObject({ found: 0, left: 0, difference: null })
  })
})

/** The forms in which a text may lie in memory. */
function tracesOf(secret: string): Uint8Array[] {
  const texts = [secret, secret.toUpperCase(), [...secret].reverse().join(''), secret.replaceAll('-', '_')]
  const wide = (text: string, bytes: number) => Buffer.from([...text].flatMap((letter) => padded(letter, bytes)))
  return texts.flatMap((text) => [Buffer.from(text), wide(text, 2), wide(text, 4)])
}

/** A letter in as many bytes, the first of which says what it is; in the other byte order it is found one byte earlier. */
function padded(letter: string, bytes: number): number[] {
  return [letter.charCodeAt(0), ...Array<number>(bytes - 1).fill(0)]
}
