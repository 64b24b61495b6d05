import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Agent, startAgent } from './agent.ts'

type Questions = [operation: string, ...questions: string[]][]

const questionsOf = (file: string): Questions =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t') as [operation: string, ...questions: string[]])

/** Operations with questions of merchants and agents who need them, in their own words. */
const QUESTIONS = questionsOf('questions.tsv')
/** Realistic questions that the search was tuned with, and the required share that it answers. */
const NATURAL = { questions: questionsOf('natural-questions.tsv'), share: 0.94 }
/**
 * Realistic questions that measure how well the search answers new ones. Never tune the search with them, or they lose their
 * meaning.
 */
const UNSEEN = { questions: questionsOf('unseen-questions.tsv'), share: 0.69 }

/** Stop words. */
const EMPTY_WORDS = new Set(
  `a an the and or but if of to in on at by for from with without into onto over under about as than then so that this these
  those it its i me my we us our you your he she they them their somebody someone anybody anyone people person nobody
  everyone something anything one ones is are was were be been being am do does did doing done have has had having can could
  may might must shall should will would not no nor only just too very more most what which who whom whose when where why how
  there here now yet ever any some all each every both such own same other another`.split(/\s+/),
)
const FOUND_AMONG = 5
const SHARE_FOUND = 0.95
const IN_ONE_PROGRAM = 31
/** A question may need one of an operation's own words, such as "shop", if most of its words are others. */
const OWN_WORDS_ALLOWED = 1

const wordsOf = (text: string) => text.toLowerCase().match(/[a-z0-9]+/g) ?? []
const contentWords = (question: string) =>
  wordsOf(question.replace(/'s\b/g, '')).filter((word) => !EMPTY_WORDS.has(word))
/** A crude stemmer that recognizes "invoices" and "invoicing" as forms of the same word. */
const root = (word: string) => word.replace(/(ies|ing|es|ed|s|e|y)$/, '')

let agent: Agent
const operations = () => agent.app.app.pipeline.operations
beforeAll(async () => {
  agent = await startAgent()
})
afterAll(() => agent.close())

/** Returns the first results of `tools.search` for each text, by method and path. The deadline of programs allows few searches in each. */
async function searchAll(texts: string[]): Promise<string[][]> {
  const found: string[][] = []
  for (let start = 0; start < texts.length; start += IN_ONE_PROGRAM) {
    const some = texts.slice(start, start + IN_ONE_PROGRAM)
    const calls = '.map { |words| tools.search(words).map { |tool| "#{tool[:method]} #{tool[:path]}" } }'
    const { structuredContent } = await agent.search(`${JSON.stringify(some)}${calls}`)
    found.push(...(structuredContent.result as string[][]))
  }
  return found
}

/** Returns the share of questions whose operation is among the first results, and the failed ones for a message. */
async function shareFound(all: Questions, textOf: (question: string) => string) {
  const calls = new Map(operations().map(({ id, method, path }) => [id, `${method} ${path}`]))
  const asked = all.flatMap(([id, ...questions]) => questions.map((question) => ({ question, call: calls.get(id)! })))
  const found = await searchAll(asked.map(({ question }) => textOf(question)))
  const missed = asked.filter(({ call }, index) => !found[index]!.slice(0, FOUND_AMONG).includes(call))
  const message = missed.map(({ question, call }) => `${call}: ${question}`).join('\n')
  return { share: 1 - missed.length / asked.length, message }
}

describe('Every operation', () => {
  it('has three questions, each of at least one content word', () => {
    const asked = new Map(QUESTIONS.map(([id, ...questions]) => [id, questions]))
    for (const { id } of operations()) expect([id, asked.get(id)?.length]).toEqual([id, 3])
    expect(QUESTIONS.map(([id]) => id).sort()).toEqual(
      operations()
        .map(({ id }) => id)
        .sort(),
    )
    expect(QUESTIONS.flatMap(([, ...questions]) => questions).filter((one) => contentWords(one).length === 0)).toEqual(
      [],
    )
  })

  it('is asked for in other words than its own', () => {
    const givenAway = operations().flatMap(({ id, path, summary, group, noun }) => {
      const own = new Set(wordsOf(`${id} ${path} ${summary} ${group} ${noun.name}`.replaceAll('_', ' ')).map(root))
      const [, ...questions] = QUESTIONS.find(([operation]) => operation === id)!
      return questions
        .map((question) => ({ question, words: contentWords(question) }))
        .map((one) => ({ ...one, shared: one.words.filter((word) => own.has(root(word))) }))
        .filter(({ words, shared }) => shared.length > OWN_WORDS_ALLOWED || shared.length >= words.length / 2)
        .map(({ question, shared }) => `${id}: "${question}" shares ${shared.join(', ')}`)
    })
    expect(givenAway).toEqual([])
  })

  it(`is among the first ${FOUND_AMONG} found for ${SHARE_FOUND * 100} % of the questions`, async () => {
    const { share, message } = await shareFound(QUESTIONS, (question) => contentWords(question).join(' '))
    expect(share, message).toBeGreaterThanOrEqual(SHARE_FOUND)
  })

  it(`is among the first ${FOUND_AMONG} found for questions as they come`, async () => {
    expect(NATURAL.questions.map(([id]) => id)).toEqual(QUESTIONS.map(([id]) => id))
    const { share, message } = await shareFound(NATURAL.questions, (question) => question)
    expect(share, message).toBeGreaterThanOrEqual(NATURAL.share)
  })

  it(`is among the first ${FOUND_AMONG} found for most questions that nobody thought of`, async () => {
    const { share } = await shareFound(UNSEEN.questions, (question) => question)
    expect(share).toBeGreaterThanOrEqual(UNSEEN.share)
  })
})
