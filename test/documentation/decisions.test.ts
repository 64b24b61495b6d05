import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const FOLDER = new URL('../../docs/decisions/', import.meta.url)
/** One page: what a reader takes in before changing the code. */
const MOST_WORDS = 900
const STATUS = /^Status: (accepted|superseded by \[\d{4}\]\(\d{4}-[\w-]+\.md\))[.,]/

const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8')
const files = readdirSync(FOLDER).filter((name) => name !== 'README.md')
const decisions = files.map((name) => {
  const text = read(name)
  const [heading = '', , status = ''] = text.split('\n')
  return { name, text, title: heading.replace(/^# /, ''), status: STATUS.exec(status)?.[1] }
})

describe('Every decision', () => {
  it('has a number of its own in the name of its file', () => {
    expect(files.filter((name) => !/^\d{4}-[a-z0-9-]+\.md$/.test(name))).toEqual([])
    const numbers = files.map((name) => name.slice(0, 4))
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([])
  })

  it('has a status below its title', () => {
    expect(decisions.filter(({ status }) => status === undefined).map(({ name }) => name)).toEqual([])
  })

  it('has the sections Context, Decision and Consequences, in this order', () => {
    const sections = ['## Context', '## Decision', '## Consequences']
    const without = decisions.filter(({ text }) => {
      const lines = text.split('\n')
      const places = sections.map((section) => lines.indexOf(section))
      return places.some((place, index) => place <= (places[index - 1] ?? 0))
    })
    expect(without.map(({ name }) => name)).toEqual([])
  })

  it(`has at most ${MOST_WORDS} words`, () => {
    const long = decisions.map(({ name, text }) => ({ name, words: text.trim().split(/\s+/).length }))
    expect(long.filter(({ words }) => words > MOST_WORDS)).toEqual([])
  })

  it('is in the index with its title and its status', () => {
    const rows = read('README.md').matchAll(/^\| \[(\d{4})\]\((\S+)\) \| (.+?) \| .+ \| (accepted|superseded) \|$/gm)
    const listed = [...rows].map(([, number, name, title, status]) => ({ number, name, title, status }))
    const expected = decisions.map(({ name, title, status }) => ({
      number: name.slice(0, 4),
      name,
      title,
      status: status?.split(' ')[0],
    }))
    expect(listed.sort((one, other) => one.name!.localeCompare(other.name!))).toEqual(
      expected.sort((one, other) => one.name.localeCompare(other.name)),
    )
  })

  it('links only to files that exist', () => {
    const dead = [...decisions, { name: 'README.md', text: read('README.md') }].flatMap(({ name, text }) =>
      [...text.matchAll(/\]\(([^)#:]+\.md)/g)]
        .map(([, target]) => target!)
        .filter((target) => !target.startsWith('NNNN') && !existsSync(new URL(target, FOLDER)))
        .map((target) => `${name}: ${target}`),
    )
    expect(dead).toEqual([])
  })
})
