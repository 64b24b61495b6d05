import { contained, type Escape, gives, rubyError } from './escape.ts'

/** The words that programs have beside Ruby's own, each called with `x`. */
const WORDS: Record<string, string> = {
  describe: 'describe(x)',
  'describe with several': 'describe("product", x, x)',
  report: 'report(from: x, by: x)',
  table: 'table(x)',
  'table of rows that hold': 'table([{ a: x, x => 1 }])',
  'table of columns': 'table([{ a: 1 }], x, [x])',
  local: 'local(x)',
  'local of a zone': 'local("2026-11-30", zone: x, later: x)',
  in_zone: 'in_zone(x)',
  'in_zone of a zone': 'in_zone(Time.now, zone: x)',
  day: 'day(x)',
  week: 'week(x)',
  month: 'month(x)',
  year: 'year(x)',
  'month of a zone': 'month("2026-10", zone: x)',
  list: 'list(x).first(2)',
  'list of filters': 'list("/products", x => x, y: x).first(2)',
  each_batch: 'each_batch(x, of: x) { |rows| rows }',
  find_anything: 'find_anything(x)',
  'find_anything of a kind': 'find_anything("a", kind: x, limit: x)',
  resend: 'resend(x)',
  charge_now: 'charge_now(x)',
  rehearse: 'rehearse(x)',
  'rehearse of an event': 'rehearse({ "id" => "aitask_1" }, event: x, data: x, previous_attributes: x)',
}

/** What `x` is, and what nobody should give to a word. */
const HOSTILE: Record<string, string> = {
  'an array that holds itself': 'x = [1]; x << x',
  'a hash that holds itself': 'x = { "a" => 1 }; x["b"] = x',
  'what is nested deeply': 'x = []; 5000.times { x = [x] }',
  'a text of 10 MB': 'x = "2026-10-05" * 1_000_000',
  'a symbol of 1 MB': 'x = ("a" * 1_000_000).to_sym',
  'bytes that are no text': 'x = "\\xff\\x00\\n\\u2028".b.freeze',
  'an object of nothing': 'x = BasicObject.new',
  'an endless range': 'x = (1..)',
  'a number that is none': 'x = 0.0 / 0',
  'an enormous number': 'x = 10**5000',
  'many things': 'x = (1..20_000).map { |i| { i => i } }',
  'an object that raises whatever it is asked': `class Raises
    %i[to_s to_str to_sym to_a to_ary to_h to_hash to_i to_int inspect hash eql? == === <=> class name size strip each keys begin end coerce].each { |m| define_method(m) { |*| raise "asked for #{m}" } }
    def respond_to?(*) = true
    def method_missing(*) = raise("asked")
  end
  x = Raises.new`,
  'a text that lies': `class LyingText < String
    def strip = self; def size = 1; def to_s = 1; def to_str = 2; def [](*) = self; def match?(*) = true; def inspect = raise("no"); def hash = 1; def encoding = 3; def empty? = false
  end
  x = LyingText.new("A" * 100_000)`,
  'a hash that lies': `class LyingHash < Hash
    def to_a = [[1]]; def keys = [self]; def fetch(*) = self; def [](*) = "../../x"; def each_with_index = self; def map = self; def each = yield(self)
  end
  x = LyingHash["a", 1]`,
}

const called = Object.entries(WORDS).flatMap(([word, call]) =>
  Object.entries(HOSTILE).map(([what, making]) => contained(`calls ${word} with ${what}`, `${making}\n${call}`)),
)

/** The words of programs called with what nobody should give them, taken over, called without end and looked behind. */
export const words: Escape[] = [
  ...called,
  gives(
    'redefines words for itself alone',
    ['mine', 'mine', 'mine'],
    `%i[describe table local].each { |word| define_method(word) { |*| "mine" } }
[describe, table, local]`,
  ),
  contained(
    'removes words',
    '%i[describe table local day list].each { |word| Object.remove_method(word) rescue 1 }\n1',
  ),
  contained('undefines words', 'class Object; undef_method :describe, :table, :local, :in_zone; end\n1'),
  contained(
    'finds what words are made of',
    '[method(:describe), method(:table), method(:local)].map { |m| [m.owner, m.unbind, m.source_location, m.super_method].to_s }',
  ),
  rubyError('finds the bridge from describe', 'method(:describe).owner.const_get(:Bridge)'),
  rubyError('finds the bridge from table', 'method(:table).owner.const_get(:Bridge)'),
  rubyError('finds the bridge from a zone', 'in_zone(Time.at(0), zone: "UTC").zone.class.const_get(:Bridge)'),
  rubyError('changes the clock of a zone', 'in_zone(Time.at(0), zone: "UTC").zone.instance_variable_set(:@offset, 5)'),
  contained(
    'replaces how a zone is read',
    `class Rewritten; end
clock = in_zone(Time.at(0), zone: "UTC").zone.class
[nil, "x", 10**400, 0.0 / 0, Object.new, Time].map do |given|
  clock.define_method(:utc_to_local) { |_| given }
  in_zone(Time.at(0), zone: "UTC").to_s
rescue StandardError
  1
end`,
  ),
  {
    name: 'reads a zone without end',
    code: `clock = in_zone(Time.at(0), zone: "UTC").zone.class
clock.define_method(:utc_to_local) { |_| loop { } }
in_zone(Time.at(0), zone: "UTC")`,
    expect: { error: 'deadline_exceeded' },
  },
  contained('describes for ever', 'loop { describe("product") rescue 1 }'),
  contained('describes in both kinds for ever', 'loop { describe("x" * rand(1..200)) rescue 1 }'),
  {
    name: 'searches by words for ever',
    kind: 'search',
    code: 'loop { describe(rand.to_s) rescue 1 }',
    expect: 'contained',
  },
  contained('tabulates far too much', 'rows = [{ a: "x" * 1000 }] * 100_000\ntable(rows, *(["a"] * 200)).size'),
  contained('tabulates for ever', 'table([1].cycle.lazy.map { |one| { one => one } })'),
  contained('answers with an enormous table', 'table([{ a: "x" * 1000 }] * 20_000)'),
  contained('overrides what tables are made of', 'class Array; def join(*) = loop { }; end\ntable([{ a: 1 }])'),
  contained('overrides what questions are made of', 'class << JSON; def generate(*) = "["; end\ndescribe("product")'),
  contained(
    'asks the host what is no question',
    'class << JSON; def generate(*) = %q([{"what":5}]); end\ndescribe("product")',
  ),
  contained(
    'asks the host far too much',
    'class << JSON; def generate(*) = %q([{"what":") + "x" * 5_000_000 + %q(","found":[],"bests":1}]); end\ndescribe("product")',
  ),
  contained(
    'asks the host about operations that are not there',
    'class << JSON; def generate(*) = %q([{"what":"x","found":[1e9,-1,"a",null],"bests":1}]); end\ndescribe("product")',
  ),
]
