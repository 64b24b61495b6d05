import type { Json } from '../../../src/sandbox/api.ts'

/** Programs, and their results. */
export const values: [code: string, value: Json][] = [
  ['nil', null],
  ['[true, false, 1, 1.5, "ä", :sym]', [true, false, 1, 1.5, 'ä', 'sym']],
  ['{ a: 1, "b" => 2, 3 => 4, nil => 5, c: { d: nil } }', { a: 1, b: 2, '3': 4, '': 5, c: { d: null } }],
  ['(1..4)', [1, 2, 3, 4]],
  ['("a".."c")', ['a', 'b', 'c']],
  [
    '[1, 2].each_with_index',
    [
      [1, 0],
      [2, 1],
    ],
  ],
  ['(1..Float::INFINITY).lazy.map { |x| x * 2 }.first(2)', [2, 4]],
  ['(1..Float::INFINITY).lazy.select(&:even?).take(2)', [2, 4]],
  ['Set.new([1, 2, 2]) | Set[3]', [1, 2, 3]],
  ['Time.utc(2026, 1, 2, 3, 4, 5)', '2026-01-02T03:04:05Z'],
  ['Time.utc(2026, 1, 2, 3, 4, 5.25)', '2026-01-02T03:04:05.250Z'],
  ['Date.new(2026, 1, 2)', '2026-01-02'],
  ['Time.parse("2026-01-02T00:00:00Z").year', 2026],
  ['S = Struct.new(:a, :b)\nS.new(1, [2])', { a: 1, b: [2] }],
  ['D = Data.define(:x)\nD.new(x: 1)', { x: 1 }],
  ['[Rational(1, 2), Rational(4, 2), Complex(1, 2)]', [0.5, 2, '1+2i']],
  ['class Mine; def to_s = "mine"; end\nMine.new', 'mine'],
  ['class Pair; def to_h = { left: 1 }; end\nPair.new', { left: 1 }],
  ['[String, /a/, 1..2]', ['String', '(?-mix:a)', [1, 2]]],
  ['x = [1]\n[x, x]', [[1], [1]]],
  ['return 5\n6', 5],
  ['[1, 2].each { |x| return x if x == 2 }', 2],
  ['x = 5 # the end', 5],
  ['# frozen_string_literal: true\n"a"', 'a'],
  ['JSON.parse(JSON.generate({ "a" => [1] }))', { a: [1] }],
  ['require "json"\nrequire "set"\n1', 1],
]

/** Programs whose results cannot be JSON, and a part of the message. */
export const invalid: [code: string, message: string][] = [
  ['a = {}\na[:b] = [a]\na', 'result["b"][0] contains itself'],
  ['a = []\n200.times { a = [a] }\na', 'is nested deeper than 100 levels'],
  ['(1..)', 'result is an endless range'],
  ['{ list: [1].cycle }', 'result["list"] has more than 100000 items or no end'],
  ['[Object.new]', 'result[0] is an object of the class Object'],
  ['[proc { 1 }]', 'result[0] is an object of the class Proc'],
  ['BasicObject.new', 'result is an object of the class BasicObject'],
  ['"x" * 5_000_000', 'The result is larger than 4 MB.'],
]
