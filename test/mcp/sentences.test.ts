import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Agent, startAgent } from './agent.ts'

/**
 * Sentences that name a whole job, written by people who did not know the texts, and the texts that the page must have: in each column one
 * of those between bars. The sentences on even lines are unseen: never tune the search with them.
 */
const SENTENCES = readFileSync(new URL('sentences.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t') as [sentence: string, ...needs: string[]])
const LEAST = { odd: 20, even: 17 }
const MAX_PAGE_BYTES = 4096

let agent: Agent
beforeAll(async () => {
  agent = await startAgent()
})
afterAll(() => agent.close())

describe('A sentence about a whole job', () => {
  it.each(['odd', 'even'] as const)('finds everything that the job needs in one page (%s lines)', async (half) => {
    const asked = SENTENCES.filter((_, index) => (index % 2 === 0) === (half === 'odd'))
    const pages = await agent.describeEach(asked.map(([sentence]) => sentence))
    const sizes = pages.map((page) => Buffer.byteLength(page)).sort((one, other) => one - other)
    const missed = asked.filter(([, ...needs], index) => !needs.every((need) => has(pages[index]!, need)))
    expect(sizes.at(-1)).toBeLessThanOrEqual(MAX_PAGE_BYTES)
    expect(asked.length - missed.length, half === 'odd' ? missed.join('\n') : '').toBeGreaterThanOrEqual(LEAST[half])
  })
})

const CALL = /\b(get|list|post|patch|delete)\("\/(\w+)(\/#\{.*?\})?(\/\w+)?"/g

/** Returns the calls of the recipes on a page, by method and path. */
function callsOf(page: string): string[] {
  return [...page.matchAll(CALL)].map(([, name, plural, id = '', action = '']) => {
    const method = name === 'list' ? 'GET' : name?.toUpperCase()
    return `${method} /${plural}${id && (plural === 'products' ? '/{id_or_slug}' : '/{id}')}${action}`
  })
}

/** Whether a page has one of the texts between bars. An operation is not the beginning of a longer path. */
function has(page: string, need: string): boolean {
  const text = [page, ...callsOf(page)].join('\n')
  return need.split('|').some((one) => {
    return text
      .split(one)
      .slice(1)
      .some((rest) => one.endsWith('(') || !/^[\w/]/.test(rest))
  })
}
