import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEP, some, times } from '../support/depth.ts'
import { deceptive } from './escapes/deceptive.ts'
import { destructive } from './escapes/destructive.ts'
import type { Escape } from './escapes/escape.ts'
import { outward } from './escapes/outward.ts'
import { reflective } from './escapes/reflective.ts'
import { InspectedInterpreter } from './inspected/interpreter.ts'

/** For programs that may never end; they are killed with their thread. */
const PATIENCE_MS = times({ gate: 1000, deep: 2000 })
const ESCAPES_TIMEOUT_MS = 600_000

/** Programs that write memory in many ways and much of it, and still leave an interpreter that can be restored. */
const writers: [name: string, code: string][] = [
  ['nothing', ''],
  ['many strings', 'a = Array.new(20_000) { |i| "item number #{i} of many, longer than an object" }\na.size'],
  ['many hashes', 'a = Array.new(10_000) { |i| { id: i, name: "n#{i}", tags: [i, i + 1] } }\na.last'],
  ['many objects', 'P = Struct.new(:a, :b)\n(1..20_000).map { |i| P.new(i, i.to_s) }.group_by { |p| p.a % 7 }.size'],
  ['garbage', '100_000.times { |i| "garbage #{i}" * 3 }\n1'],
  ['garbage among what is kept', 'k = []\n50_000.times { |i| s = "x#{i}" * 5; k << s if i % 10 == 0 }\nk.size'],
  ['a large string', '("x" * 5_000_000).sub("x", "y").size'],
  ['a string that grows', 's = +""\n50_000.times { |i| s << "item #{i}, " }\ns.size'],
  ['bytes at every distance', 's = "\\0" * 20_000\n20_000.times { |i| s.setbyte(i, i & 255) }\ns.sum'],
  ['unaligned numbers', '(0..40).map { |i| ("a" * (4070 + i)).b + [2**60 + i, 1.5, i].pack("q<Ev") }.map(&:hash).size'],
  ['copies of arrays', 'a = [*1..100_000]\nb = a.rotate(7).reverse + a.dup\nb.insert(5, *a)\nb.size'],
  ['sorting', 'Array.new(30_000) { |i| (i * 7919) % 100_003 }.sort_by { |x| -x }.first'],
  [
    'text',
    't = "name: Tea no 12, price: 5.30; " * 2000\n[t.scan(/(\\w+): ([^,;]+)/).size, t.gsub(/\\d+/) { |m| m.to_i + 1 }.size]',
  ],
  ['transcoding', '("äöü€𝄞" * 2000).encode("UTF-16LE").encode("UTF-8").unicode_normalize(:nfd).size'],
  ['JSON', 't = JSON.generate((1..2000).map { |i| { id: i, name: "Tea #{i}" } })\nJSON.parse(t).size'],
  ['large integers', '(2**4000 * 3**2000).to_s.size'],
  ['floats', 's = 0.0\n20_000.times { |i| s += Math.sqrt(i) / (i + 1.5) }\ns.round(3)'],
  ['exceptions', 'n = 0\n500.times { begin; raise "x"; rescue => e; n += e.backtrace.size; end }\nn'],
  ['catch and throw', '300.times { |i| catch(:a) { catch(:b) { throw :a, i } } }\n1'],
  ['external enumerators', 'e = [1, 2, 3].each\nf = e.with_index\n[e.next, f.next, e.next, e.peek]'],
  [
    'endless enumerators',
    'Enumerator.new { |y| i = 0; loop { y << (i += 1) } }.lazy.map { |x| x * 2 }.first(500).size',
  ],
  ['recursion', 'def f(n) = n == 0 ? 0 : 1 + f(n - 1)\nf(3000)'],
  ['recursion without an end', 'def f(n) = f(n + 1)\nf(0)'],
  ['new classes', '200.times { |i| Class.new { define_method("m#{i}") { i } }.new.public_send("m#{i}") }\n1'],
  ['patched core classes', 'class Integer; def +(o) = 7; end\nclass String; undef_method :upcase; end\n1 + 1'],
  ['symbols', '(1..5000).map { |i| "symbol number #{i}".to_sym }.size'],
  ['regular expressions', '(1..200).map { |i| Regexp.new("a{#{i}}b?(c|d)*").match?("a" * i) }.size'],
  ['random numbers', 'srand(1)\n[rand, Random.new(2).bytes(5000).size, [*1..500].shuffle.first]'],
  ['output', '500.times { |i| puts "line #{i}" }'],
  ['calls', '20.times { |i| get "/products", limit: i }\npost("/products", name: "x" * 5000)["object"]'],
  ['lists', 'list("/products").map { |p| p["name"] }'],
  ['an error', 'nil.upcase'],
  ['a syntax error', 'def ('],
  ['changed tools', 'tools.each { |t| t[:path].replace("x" * 5000) }\ntools.clear\n1'],
]

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
