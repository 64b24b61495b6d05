import { deceptive } from '../../sandbox/escapes/deceptive.ts'
import { destructive } from '../../sandbox/escapes/destructive.ts'
import { outward } from '../../sandbox/escapes/outward.ts'
import { reflective } from '../../sandbox/escapes/reflective.ts'
import type { Random } from '../power-loss/random.ts'

type Template = (random: Random) => string

const power = (random: Random, least: number, most: number) => 2 ** (least + random.below(most - least + 1))

/** The templates of hostile programs, by the part of the server that they attack. */
export const FAMILIES: Record<string, readonly Template[]> = {
  'memory of WebAssembly': [
    (random) => `"x" * ${power(random, 20, 33)}`,
    (random) => `s = "x" * ${power(random, 4, 16)}\nloop { s << s }`,
    (random) => `a = []\nloop { a << Array.new(${power(random, 8, 22)}, a.size) }`,
    (random) =>
      `h = Hash.new { |all, key| all[key] = "v" * ${power(random, 4, 20)} }\n${power(random, 10, 20)}.times { |i| h[i] }`,
    (random) => `["x"].pack("a${power(random, 20, 31)}")`,
    (random) => `format("%0${power(random, 20, 31)}d", 1)`,
    (random) => `([" " * ${power(random, 10, 20)}] * ${power(random, 4, 14)}).join.size`,
    (random) => `i = 0\n${power(random, 10, 18)}.times { "s#{i += 1}".ljust(${power(random, 2, 12)}, "x").to_sym }`,
    (random) => `S = Struct.new(:next)\nn = nil\n${power(random, 16, 24)}.times { n = S.new(n) }\nn.inspect.size`,
    (random) => `(1..${power(random, 20, 40)}).to_a.size`,
  ],
  'memory of V8': [
    (random) => `puts "x" * ${power(random, 16, 26)}`,
    (random) => `${power(random, 8, 18)}.times { puts "y" * ${power(random, 1, 12)} }`,
    (random) => `["z" * ${power(random, 10, 22)}] * ${power(random, 1, 6)}`,
    (random) => `a = []\n${power(random, 8, 14)}.times { a = [a] }\na`,
    (random) => `Array.new(${power(random, 10, 20)}) { |i| { i => [i] * ${power(random, 0, 5)} } }`,
    (random) => `post("/tags", name: "n" * ${power(random, 10, 24)})`,
    (random) => `post("/customers", metadata: Array.new(${power(random, 6, 16)}) { |i| ["k#{i}", "v" * 99] }.to_h)`,
    (random) => `get("/products", query: "q" * ${power(random, 8, 20)}, expand: ["e"] * ${power(random, 4, 14)})`,
    (random) => `raise "m" * ${power(random, 10, 26)}`,
    (random) => `warn(*(["w" * ${power(random, 4, 16)}] * ${power(random, 2, 10)}))`,
  ],
  'answers of a gigabyte': [
    (random) =>
      `kept = []\nloop { kept << get("/products", limit: ${1 + random.below(100)}, expand: ["price_variants"]).to_s * ${power(random, 0, 12)} }`,
    () => 'list("/products").cycle.map { |one| one.to_s * 1000 }',
    (random) => `rows = list("/products").to_a\nrows * ${power(random, 4, 20)}`,
    (random) => `table(list("/products").to_a * ${power(random, 4, 16)})`,
  ],
  'native recursion': [
    (random) => `${'('.repeat(power(random, 6, 14))}1`,
    (random) => {
      const depth = power(random, 6, 13)
      return `${'['.repeat(depth)}${']'.repeat(depth)}.flatten.size`
    },
    (random) => `JSON.parse("${random.pick(['[', '{\\"a\\":', '[{\\"b\\":'])}" * ${power(random, 8, 18)})`,
    (random) =>
      `a = []\n${power(random, 10, 17)}.times { a = [a] }\n${random.pick(['a == [a]', 'a.hash', 'a.inspect.size', 'a.flatten.size', 'a <=> [a]', 'a.to_s', '[a].uniq', 'a.eql?(a.dup)'])}`,
    (random) => `Regexp.new("(" * ${power(random, 4, 14)} + "a" + ")" * ${power(random, 4, 14)})`,
    (random) => `h = {}\n${power(random, 8, 16)}.times { h = { h => h } }\nh.hash`,
    (random) =>
      `1${random.pick(['.to_s', '.then { _1 }', '.itself', ' + 1'])}`.padEnd(
        power(random, 8, 15),
        random.pick(['.to_s', '.itself']),
      ),
    (random) => `"${'#{'.repeat(power(random, 4, 10))}1${'}'.repeat(power(random, 4, 10))}"`,
  ],
  'recursion in Ruby': [
    (random) =>
      `def f(n, ${Array.from({ length: random.below(8) }, (_, at) => `a${at} = n`).join(', ')}) = ${random.pick(['f(n + 1)', '[n].each { |x| f(x + 1) }', '{ n => f(n + 1) }', '"#{f(n + 1)}"', '[n].sort_by { f(n + 1) }'])}\nf(0)`,
    (random) => `f = ->(n) { ${random.pick(['f.(n + 1)', '[n].map(&f)', '(n..n + 1).sum(&f)'])} }\nf.(0)`,
    (random) =>
      `class T; def ${random.pick(['to_s = "#{self}"', 'inspect = [self].inspect', 'hash = [self].hash', '==(o) = [self] == [o]', 'coerce(o) = [self, o + self]', 'to_h = { a: self }.to_h { |k, v| [k, v.to_h] }', 'method_missing(n, *) = send(:"#{n}x")', 'respond_to_missing?(*) = respond_to?(:y)'])}; end\nt = T.new\n${random.pick(['puts t', 't.foo', '{ t => 1 }', '1 + t', 't == t.dup', 't', '[t].join'])}`,
    (random) => `h = Hash.new { |all, key| all[key + 1] }\nh[${random.below(9)}]`,
    (random) =>
      `e = Enumerator.new { |y| ${random.pick(['y << e.next', 'e.each { |x| y << x }', 'loop { y << 1 }'])} }\ne.next\ne.first(${power(random, 2, 20)}).size`,
    (random) =>
      `def f\n  yield\nensure\n  ${random.pick(['f { }', 'raise "again"', 'loop { }', 'f { f { } }'])}\nend\nf { 1 }`,
  ],
  'regular expressions': [
    (random) =>
      `("a" * ${power(random, 4, 12)} + "!") =~ /^${random.pick(['(a+)+', '(a|aa)+', '(a*)*', '(a|a?)+', '(.*)*', '((a{1,9}){1,9}){1,9}'])}${random.pick(['$', '\\\\1$', 'b$', '(?=b)'])}/`,
    (random) => `Regexp.new("(a{${power(random, 4, 16)}}){${power(random, 4, 16)}}")`,
    (random) =>
      `Regexp.new(Array.new(${power(random, 6, 16)}) { |i| "w#{i}" }.join("|")) =~ "w" * ${power(random, 4, 20)}`,
    (random) => `Regexp.union(*("a".."${'z'.repeat(2 + random.below(3))}")).match("zzzz" * ${power(random, 1, 10)})`,
    (random) =>
      `("ab" * ${power(random, 8, 18)}).${random.pick(['scan(/(?<=a)b|(?!b)./)', 'gsub(/./) { |c| c * 64 }', 'split(/(?:a|ab|b)*?/)', 'gsub(/(a)(b)?/, "\\\\1\\\\2" * 99)', 'tr("a-z", "b-za")'])}.size`,
    (random) =>
      `/\\p{${random.pick(['L', 'Han', 'Alnum', 'Nope', 'Emoji'])}}{${random.below(99999)}}/ =~ "é" * ${power(random, 4, 18)}`,
  ],
  'huge numbers': [
    (random) => `2 ** (2 ** ${8 + random.below(30)})`,
    (random) => `(${1 + random.below(9)} << ${power(random, 10, 32)}).to_s.size`,
    (random) => `(1..${power(random, 8, 16)}).inject(:*).digits.sum`,
    (random) => `a = b = 1\n${power(random, 10, 20)}.times { a, b = b, a * b + 1 }\na.size`,
    (random) => `3.pow(10 ** ${power(random, 4, 12)}, 10 ** ${power(random, 2, 10)})`,
    (random) =>
      `("9" * ${power(random, 8, 24)}).to_i.${random.pick(['to_s(2).size', 'gcd(7 ** 9999)', 'bit_length', 'digits.size', 'fdiv(3)', 'to_r', '-@', '~.to_s'])}`,
    (random) => `Rational(1, 3) ** ${power(random, 8, 30)}`,
    (random) => `Integer.sqrt(10 ** ${power(random, 8, 18)}).to_s.size`,
    (random) => `1e308 * ${random.below(9)} ** ${random.below(999)} / 0.0`,
  ],
  'traps in loops': [
    (random) =>
      `loop { begin; ${random.pick(['"x" * (2 ** 31)', '[nil] * (2 ** 28)', 'def f = f\nf', 'a = []; 99_999.times { a = [a] }; a.hash', '1 << (2 ** 33)', 'JSON.parse("[" * 99_999)'])}; rescue Exception; end }`,
    (random) =>
      `${power(random, 2, 10)}.times { begin; ${random.pick(['raise NoMemoryError', 'raise SystemStackError', 'throw :x', 'exit!', 'abort', 'raise Interrupt', 'raise "x" * 9999'])}; rescue Exception => e; e.full_message.size; end }`,
    (random) =>
      `catch(:a) { loop { ${random.pick(['catch(:b) { throw :b }', 'throw :a', '[1].each { break }', 'begin; next; ensure; redo; end'])} } }`,
    (random) => `x = ${random.below(9)}\nbegin; raise "x"; rescue; x += 1; retry if x < ${power(random, 4, 24)}; end`,
    (random) =>
      `class ${random.pick(['Integer', 'String', 'Array', 'Hash', 'NilClass', 'Object', 'Proc', 'Exception'])}; def ${random.pick(['to_s', '==', 'hash', 'each', 'call', 'message', 'inspect', 'size', '+', '[]', 'to_json', 'backtrace'])}(*) = ${random.pick(['raise', 'nil', 'self', 'loop { }', '"x" * 99_999_999'])}; end\nputs [1, { a: nil }]\nget("/products")`,
    (random) =>
      `def self.${random.pick(['get', 'list', 'puts', 'raise', 'send', 'freeze'])}(*) = ${random.pick(['super', 'loop { }', 'nil'])}\nlist("/products").first`,
  ],
  'floods of calls': [
    (random) => `loop { get("/products", limit: ${1 + random.below(100)}) }`,
    (random) => `loop { begin; post("/tags", name: "f#{rand(${power(random, 2, 30)})}"); rescue Exception; end }`,
    (random) => `${power(random, 2, 10)}.times { |i| patch("/products/#{i}", name: i) rescue nil }`,
    (random) =>
      `${power(random, 2, 12)}.times { describe("${random.pick(['order', 'refund', 'a', 'programs'])}" * ${1 + random.below(9)}) }`,
    (random) =>
      `${power(random, 2, 12)}.times { |i| local("2026-0${1 + random.below(9)}-01 0#{i % 9}:00", zone: "${random.pick(['Europe/Berlin', 'Nope/Zone', 'UTC', '../etc'])}") rescue nil }`,
    (random) =>
      `# dry_run: true\n${power(random, 2, 9)}.times { |i| post("/tags", name: "d#{i}") }\nlist("/tags").count`,
    (random) => `# atomic: false\n${power(random, 2, 7)}.times { |i| post("/tags", name: "n#{i}-#{rand(1_000_000)}") }`,
    (random) => `get("${'/../'.repeat(random.below(40))}products/${'%00'.repeat(random.below(9))}")`,
  ],
}

/** Programs that are known to attack the sandbox, cut and joined at random lines. */
const KNOWN = [...destructive, ...deceptive, ...outward, ...reflective].map(({ code }) => code)

function mutant(random: Random): string {
  const lines = random.pick(KNOWN).split('\n')
  const others = random.pick(KNOWN).split('\n')
  const joined = [...lines.slice(0, 1 + random.below(lines.length)), ...others.slice(random.below(others.length))].join(
    '\n',
  )
  if (random.below(3) > 0) return joined
  const at = random.below(joined.length)
  const noise = random.pick(['\u0000', '\ufffd', '%{', '}', '"', '\\', '\u202e', ';', '()', '=begin\n', '__END__\n'])
  return joined.slice(0, at) + noise + joined.slice(at + random.below(4))
}

/** Puts a program where its error is caught, or where it runs late, so that cleaning up is attacked as well. */
const WRAPPERS: readonly ((code: string, random: Random) => string)[] = [
  (code) => code,
  (code) => code,
  (code) => `begin\n${code}\nrescue Exception => e\ne.message.size\nend`,
  (code) => `begin\n${code}\nensure\nputs "late" * 99\nend`,
  (code, random) => `post("/tags", name: "w${random.below(1e9)}")\n${code}`,
  (code) => `class Late; def to_h\n${code}\nend; end\nLate.new`,
]

export interface Hostile {
  family: string
  kind: 'code_search' | 'code_execute'
  code: string
}

const NAMES = [...Object.keys(FAMILIES), 'mutants']

/** Writes the next hostile program. The families take turns. */
export function hostileProgram(number: number, random: Random): Hostile {
  const family = NAMES[number % NAMES.length]!
  const templates = FAMILIES[family]
  const code = templates ? random.pick(templates)(random) : mutant(random)
  return {
    family,
    kind: random.below(8) === 0 ? 'code_search' : 'code_execute',
    code: code.startsWith('#') ? code : random.pick(WRAPPERS)(code, random),
  }
}
