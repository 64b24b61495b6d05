import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DescribeQuestion, Sandbox } from '../../src/sandbox/api.ts'
import { errorOf, openRoom, resultOf } from './room.ts'

let asked: DescribeQuestion[][] = []
let room: Sandbox
beforeAll(async () => {
  const answer = (questions: DescribeQuestion[]) => {
    asked.push(questions)
    return questions.length > 0 ? questions.map(({ what }) => `About ${what}.`).join('\n') : 'The map.'
  }
  room = await openRoom({ describe: answer, limits: { descriptions: 5 } })
})
afterAll(() => room.close())

const KINDS = ['search', 'execute'] as const

describe('describe', () => {
  it('gives the text of the host in both kinds of programs', async () => {
    for (const kind of KINDS) {
      expect(await resultOf(room, 'describe', { kind })).toBe('The map.')
      expect(await resultOf(room, 'describe("product", :customer)', { kind })).toBe('About product.\nAbout customer.')
      expect(await resultOf(room, 'text = describe("product")\ntext.upcase', { kind })).toBe('ABOUT PRODUCT.')
    }
  })

  it('sends the operations that a search finds for words, and none for names', async () => {
    asked = []
    await resultOf(room, 'describe("product", "list the customers", "zeppelin")')
    const [name, words, unknown] = asked[0]!
    expect(name).toEqual({ what: 'product', found: [], bests: 0 })
    expect(words!.found[0]).toBe(4)
    expect(words!.bests).toBe(1)
    expect(unknown!.bests).toBe(0)
  })

  const refused: [code: string, message: string][] = [
    ['describe(1)', 'describe takes names of resources'],
    ['describe(nil)', 'It got NilClass.'],
    ['describe(["order"])', 'It got Array.'],
    ['describe({order: 1})', 'It got Hash.'],
    ['describe("")', 'describe takes names of resources'],
    ['describe(" ")', 'describe takes names of resources'],
    ['describe(BasicObject.new)', 'It got BasicObject.'],
    ['describe(Object.new)', 'It got Object.'],
    ['describe("a" * 201)', 'at most 200 characters in one text, not 201'],
    ['describe(*(1..11).map(&:to_s))', 'at most 10 things, not 11'],
  ]
  it.each(refused)('%s is refused with what would be right', async (code, message) => {
    const error = await errorOf(room, code)
    expect(error.type).toBe('ruby_error')
    expect(error.message).toContain(message)
  })

  it('takes any text', async () => {
    for (const text of [
      '"\\xff\\xfe"',
      '"a\\nb"',
      '"\\u0000x"',
      '"é" * 200',
      '"€".encode("UTF-16LE")',
      '"\\"#{1}\'"',
      '"(" * 200',
    ])
      expect([text, typeof (await resultOf(room, `describe(${text})`))]).toEqual([text, 'string'])
  })

  it('ends a program that asks too often, as it ends one that calls too often', async () => {
    expect(await resultOf(room, '5.times { describe }')).toBe(5)
    expect(await errorOf(room, '6.times { describe }')).toMatchObject({ type: 'call_limit' })
    expect(await errorOf(room, '6.times { describe rescue nil }')).toMatchObject({ type: 'call_limit' })
  })

  it('makes no call', async () => {
    const call = () => Promise.reject(new Error('called'))
    expect(await resultOf(room, 'describe("product")', { call })).toBe('About product.')
  })

  it('does not trust how a program writes JSON', async () => {
    const forged = [
      'class String; def to_json(*) = "{}"; end',
      'class Hash; def to_json(*) = "[1]"; end',
      'class Array; def to_json(*) = "{\\"what\\":1}"; end',
      'class Array; def to_json(*) = "[" * 5000; end',
      'def JSON.generate(*) = "x" * 40_000',
      'class Array; def map(*) = self; end',
    ]
    for (const code of forged) {
      const error = await errorOf(room, `${code}\ndescribe("product", "a b")`).catch(() => null)
      if (error)
        expect([code, error.type]).toEqual([code, expect.stringMatching(/host_error|ruby_error|invalid_result/)])
    }
    expect(await resultOf(room, 'describe("product")')).toBe('About product.')
  })
})
