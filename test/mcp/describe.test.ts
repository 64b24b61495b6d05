import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Agent, startAgent } from './agent.ts'

const linesOf = (file: string) =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n')

/** Reads search texts as agents write them: few words, without names of people or products. */
const questionsOf = (file: string) =>
  linesOf(file).flatMap((line) => {
    const [id, ...questions] = line.split('\t')
    return questions.map((question) => ({ id: id!, question }))
  })

function tasksOf(file: string) {
  return linesOf(file).map((line) => {
    const [text, ...ids] = line.split('\t')
    return { text: text!, ids }
  })
}

/**
 * The required shares of questions whose operation is first, and whose operation is anywhere on the page. Never tune the ranking with the
 * unseen questions, or they no longer measure how it generalizes.
 */
const TABLES = [
  { name: 'tuned', questions: questionsOf('agent-questions.tsv'), first: 0.85, named: 0.97 },
  { name: 'unseen', questions: questionsOf('unseen-agent-questions.tsv'), first: 0.6, named: 0.8 },
]
/** Questions that no operation answers, and the required share of them that are recognized as such. */
const STRANGERS = [
  { name: 'tuned', questions: linesOf('nothing-questions.txt'), told: 0.75 },
  { name: 'unseen', questions: linesOf('unseen-nothing-questions.txt'), told: 0.6 },
]
/** Whole tasks in one text, with the operations that they need, and the required share of these operations on the page. */
const TASKS = [
  { name: 'tuned', tasks: tasksOf('task-questions.tsv'), named: 0.9 },
  { name: 'unseen', tasks: tasksOf('unseen-task-questions.tsv'), named: 0.7 },
]
const MAX_PAGE_BYTES = 4096

let agent: Agent
beforeAll(async () => {
  agent = await startAgent()
})
afterAll(() => agent.close())

const describeAll = (texts: string[]) => agent.describeEach(texts)

const calls = () => new Map(agent.app.app.pipeline.operations.map(({ id, method, path }) => [id, `${method} ${path}`]))

describe('describe', () => {
  it.each(TABLES)('finds the operation that an agent means ($name)', async ({ questions, first, named }) => {
    const texts = await describeAll(questions.map(({ question }) => question))
    const wanted = questions.map(({ id }) => calls().get(id)!)
    const begins = texts.filter((text, index) => new RegExp(`^## ${escaped(wanted[index]!)}[ :]`, 'm').test(text))
    const names = texts.filter((text, index) => new RegExp(`${escaped(wanted[index]!)}(?:[ :]|$)`, 'm').test(text))
    expect(begins.length / texts.length).toBeGreaterThanOrEqual(first)
    expect(names.length / texts.length).toBeGreaterThanOrEqual(named)
    for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_PAGE_BYTES)
  })

  it.each(STRANGERS)('says plainly that nothing fits ($name)', async ({ questions, told }) => {
    const texts = await describeAll(questions)
    const honest = texts.filter((text) => text.startsWith('Nothing fits '))
    expect(honest.length / texts.length).toBeGreaterThanOrEqual(told)
    for (const text of honest) expect(Buffer.byteLength(text)).toBeLessThan(300)
  })

  it('answers a task in one page', async () => {
    const [text] = await describeAll(['refund an order in full'])
    expect(text).toMatch(/^Recipe: Refund part[\s\S]*list\("\/orders"[\s\S]*^## POST \/refunds \{order\*/m)
    const [reply] = await describeAll(['reply to a customer review'])
    expect(reply).toMatch(
      /^## POST \/social_comments\/\{id\}\/reply: [\s\S]*^Find social_comment: [\s\S]*^## social_comment .* Fields: /m,
    )
  })

  it.each(TASKS)('names the operations of a whole task ($name)', async ({ tasks, named }) => {
    const texts = await describeAll(tasks.map(({ text }) => text))
    const wanted = tasks.flatMap(({ ids }, index) => ids.map((id) => ({ page: texts[index]!, call: calls().get(id)! })))
    const found = wanted.filter(({ page, call }) => new RegExp(`(?:## |Or )${escaped(call)}[ :]`, 'm').test(page))
    expect(found.length / wanted.length).toBeGreaterThanOrEqual(named)
    for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_PAGE_BYTES)
  })

  it.each([
    'charge German VAT',
    'sales tax for California',
    'set up VAT rates for Germany',
    'reverse charge for EU businesses',
  ])('leads to the paragraph about tax: %s', async (question) => {
    const [text] = await describeAll([question])
    expect(text).toMatch(/^Tax: patch\("\/account", .*tax_rates/m)
  })

  it('gives the key to its words once in a program', async () => {
    const { structuredContent } = await agent.search('[describe("order"), describe("customer")]')
    const [first, second] = structuredContent.result as string[]
    expect(first).toMatch(/^Key: /)
    expect(second).toMatch(/^## customer /)
  })

  it('works in both tools', async () => {
    const { structuredContent } = await agent.execute('describe("order.paid")')
    expect(structuredContent.result).toMatch(/^## order\.paid: /)
  })
})

function escaped(text: string): string {
  return text.replace(/[{}/]/g, '\\$&')
}
