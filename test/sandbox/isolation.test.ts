import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json, Sandbox } from '../../src/sandbox/api.ts'
import { execute, openRoom, resultOf } from './room.ts'

let room: Sandbox
beforeAll(async () => {
  room = await openRoom({ queueLimit: 2000 })
})
afterAll(() => room.close())

/** What a program may leave behind, and a program that would see it. */
const traces: [name: string, leave: string, look: string, clean: Json][] = [
  ['a global', '$left = 1', '$left', null],
  ['a constant', 'Left = 1', 'defined?(Left)', null],
  ['a class', 'class Left; end', 'Object.constants.include?(:Left)', false],
  ['a class variable', 'class Object; @@left = 1; end', 'Object.class_variables.map(&:to_s)', []],
  ['an instance variable', '@left = 1', 'instance_variables.size', 0],
  ['a local variable', 'left = 1', 'defined?(left)', null],
  ['a method', 'def left = 1', 'respond_to?(:left, true)', false],
  ['a patched core method', 'class Integer; def +(o) = 7; end', '1 + 1', 2],
  ['a patched method of Hash', 'class Hash; def size = 7; end', '{}.size', 0],
  ['a removed method', 'class String; undef_method :upcase; end', '"a".upcase', 'A'],
  [
    'a warm method cache',
    'def f(x) = x.to_s\n1000.times { f(1) }\nclass Integer; def to_s(*) = "no"; end\nf(1)',
    '1.to_s',
    '1',
  ],
  ['a prepended module', 'Array.prepend(Module.new { def first = 7 })', '[1].first', 1],
  ['a replaced output', '$stdout = Object.new.tap { |o| def o.write(*) = 1 }', 'puts "seen"', null],
  ['a separator', '$, = ","; $; = "x"', '[[1, 2].join, "a b".split.size]', ['12', 2]],
  ['a seed', 'srand(1); rand', '(srand(1); a = rand; srand(1); a == rand)', true],
  ['a changed tool', 'tools.clear', 'tools.size', 5],
  ['a changed tool row', 'tools.first[:path].replace("x")', 'tools.first[:path]', '/v1/products'],
  ['a frozen class', 'String.freeze', 'String.frozen?', false],
  ['a default', 'Encoding.default_external = "US-ASCII"', '"é".encoding.to_s', 'UTF-8'],
  [
    'a missed key',
    'get("/products")[:left]\nnil',
    'begin; nil.foo; rescue => e; e.message; end',
    "undefined method `foo' for nil",
  ],
  ['an unfinished fiber', '$e = [1, 2].each; $e.next', '[3].each.next', 3],
  ['a crash', 'def f(n) = [n].each { f(n + 1) }\nf(0)', '1', 1],
  ['a full memory', 'a = []; loop { a << "x" * 10_000_000 }', '("x" * 10_000_000).size', 10_000_000],
]

it.each(traces)('the next program sees nothing of %s', async (_name, leave, look, clean) => {
  const alone = await openRoom({ workers: 1 })
  try {
    await execute(alone, leave)
    expect(await resultOf(alone, look)).toEqual(clean)
  } finally {
    await alone.close()
  }
})

it('1,000 mixed programs at once each get their own answer', async () => {
  const programs = Array.from({ length: 1000 }, (_, index) => mixed(index))
  const outcomes = await Promise.all(
    programs.map(({ code }, index) =>
      execute(room, code, {
        queueKey: `account${index % 7}`,
        call: async ({ path }) => ({ body: { path, of: index }, refused: false }),
      }),
    ),
  )
  for (const [index, outcome] of outcomes.entries()) {
    const { value, error, output } = programs[index]!
    if (error) expect(outcome).toMatchObject({ ok: false, error: { type: error } })
    else expect(outcome).toMatchObject({ ok: true, value, output: output ?? '' })
  }
})

function mixed(index: number): { code: string; value?: Json; error?: string; output?: string } {
  const kinds = [
    { code: `$seen = [$seen, ${index}].compact`, value: [index] },
    { code: `class Integer; def succ = ${index}; end\n1.succ`, value: index },
    { code: `get("/products/${index}")["of"]`, value: index },
    { code: `puts ${index}\n1.succ`, value: 2, output: `${index}\n` },
    { code: `raise "${index}"`, error: 'ruby_error' },
    { code: `[defined?(Mine${index}), Mine${index} = 1].first`, value: null },
    { code: `Array.new(2000) { |i| i + ${index} }.sum`, value: 2000 * index + 1999000 },
    { code: 'def f(n) = f(n + 1)\nf(0)', error: 'ruby_error' },
    { code: `tools.map { |t| t[:path] }.size + tools.shift[:path].size + ${index}`, value: 17 + index },
    { code: 'File', error: 'forbidden' },
  ]
  return kinds[index % kinds.length]!
}

it('random numbers differ from program to program', async () => {
  const numbers = await Promise.all(
    Array.from({ length: 20 }, () => resultOf(room, '[rand, Random.new.rand, [*1..50].shuffle]')),
  )
  expect(new Set(numbers.map((number) => JSON.stringify(number))).size).toBe(20)
})

it('the clock runs', async () => {
  const before = Date.now()
  const now = Number(await resultOf(room, '(Time.now.to_f * 1000).floor'))
  expect(now).toBeGreaterThanOrEqual(before - 5)
  expect(now).toBeLessThanOrEqual(Date.now() + 5)
})
