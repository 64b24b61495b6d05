import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inputName } from '../../../src/contract/declarations/noun.ts'
import { isRange } from '../../../src/contract/declarations/parameter.ts'
import { bytes, docs, type FieldDocs, nouns, operations, rows, textOf } from './catalogue.ts'

/** What the map says of every resource. */
const OF_ALL = ['id', 'object', 'created_at', 'updated_at', 'metadata', 'allowed_actions']
const TITLES: Record<string, string> = {
  'create, update': 'Create, update:',
  create: 'Create only:',
  update: 'Update only:',
}

/** The lines below a title, by the name that they begin with. */
function fieldLines(text: string): { title: string; name: string; line: string }[] {
  let title = ''
  return text.split('\n').flatMap((line) => {
    if (/^(?:Create|Update|Read)[a-z, -]*:$/.test(line)) title = line
    else if (/^[a-z_0-9]+/.test(line) && title !== '' && !line.startsWith('allowed_actions by'))
      return [{ title, name: /^[a-z_0-9]+/.exec(line)![0], line }]
    return []
  })
}

const lineOf = (text: string, name: string, writable: string | undefined) =>
  fieldLines(text).find((one) => one.name === name && one.title === (TITLES[String(writable)] ?? 'Read-only:'))?.line

/** What a line must say of a field, but its name and meaning. */
function factsOf(name: string, { unit, null: whenNull, values, default: fallback, ...field }: FieldDocs): string[] {
  const facts = [
    ...(values ?? []),
    ...Object.keys(field.properties ?? {}),
    ...(whenNull === undefined ? [] : [whenNull === 'none' ? '?' : `?"${whenNull}"`]),
    ...(field.written_as ? [`<-${field.written_as}`] : []),
    ...(field.collapsed || field.expanded ? ['+'] : []),
    ...(field.collapsed?.includes('id') || field.holds?.includes('id') ? ['->'] : []),
    ...(field.type === 'array' ? ['['] : []),
    ...(field.type === 'boolean' ? [' bool'] : []),
    ...(field.format === 'date-time' ? [' time'] : []),
    ...(field.type === 'number' ? [' number'] : []),
    ...(field.type === 'object' ? [' object'] : []),
  ]
  if (unit === 'minor units') facts.push(' money')
  else if (field.type === 'integer') facts.push(' int')
  if (unit === 'lower-case ISO 4217') facts.push(name === 'currency' ? 'currency' : ' currency')
  else if (unit !== undefined && unit !== 'minor units') facts.push(unit)
  const isShort = fallback !== undefined && JSON.stringify(fallback).length <= 60
  if (isShort && (typeof fallback !== 'object' || Object.keys(fallback as object).length > 0))
    facts.push(`=${JSON.stringify(fallback)}`)
  return facts
}

describe.each(nouns.map((noun) => [noun.name, noun] as const))('The page of %s', (name, noun) => {
  const text = textOf(name)
  const own = operations.filter((operation) => operation.noun === noun)
  const { fields, states = {}, events, expand = [] } = docs[name]!

  it('has each field with its facts, under who writes it', () => {
    for (const [key, field] of Object.entries(fields)) {
      for (const one of [field, ...(field.written ? [field.written] : [])]) {
        if (OF_ALL.includes(key)) continue
        const line = lineOf(text, key, one.writable)
        expect([key, one.writable, line]).toEqual([key, one.writable, expect.any(String)])
        expect([key, factsOf(key, one).filter((fact) => !factsIn(text, line!).includes(fact))]).toEqual([key, []])
      }
    }
  })

  it('has metadata where it has any, and its id', () => {
    expect(/^metadata$/m.test(text)).toBe('metadata' in fields)
    if (noun.prefix !== null) expect(text).toContain(`(id ${noun.prefix}_…${noun.slug ? ' or slug' : ''}`)
    expect(text.includes('no updated_at')).toBe(noun.prefix !== null && !('updated_at' in fields))
  })

  it('marks what a create needs', () => {
    const create = own.find(({ kind }) => kind === 'create')
    for (const [key, field] of Object.entries(create?.body ?? {})) {
      const names = field.spec.use === 'input' ? [inputName(key, field)] : [key]
      const line = fieldLines(text).find((one) => names.includes(one.name) && one.title.startsWith('Create'))?.line
      if (OF_ALL.includes(key) || !(key in noun.fields)) continue
      expect([key, /^[a-z_0-9]+(?:<-[a-z_0-9]+)?\*/.test(line ?? '')]).toEqual([key, field.spec.required])
    }
  })

  it('names what expands, the states with their actions, and the events', () => {
    for (const one of expand.filter((path) => path.includes('.'))) expect(text).toContain(one)
    for (const [state, actions] of Object.entries(states)) {
      const said = /allowed_actions by status: (.*)/
        .exec(text)![1]!
        .split('; ')
        .map((part) => part.split(': '))
      const [, allowed] = said.find(([names]) => names!.split(', ').includes(state))!
      expect([state, allowed]).toEqual([state, actions.join(' ') || 'none'])
    }
    const line = /^Events (\w+)\.(?: \([a-z_, ]+ expanded for webhooks\))?: (.*)$/m.exec(text)
    const found = events.filter((type) => line && ` ${line[2]}`.includes(` ${type.replace(`${line[1]}.`, '')}`))
    expect(found).toEqual(events)
  })

  it('has each operation with what it takes', () => {
    for (const { method, path, query, body, kind, answersList } of own) {
      const line = text.split('\n').find((one) => new RegExp(`^${escaped(`${method} ${path}`)}(?:$|[ :])`).test(one))
      expect([method, path, line]).toEqual([method, path, expect.any(String)])
      const ofLists = ['limit', 'starting_after', 'created_at']
      const taken = Object.entries(query).filter(
        ([key]) => !(answersList && 'created_at' in query && ofLists.includes(key)),
      )
      for (const [key, parameter] of taken) {
        expect([path, key, line]).toEqual([path, key, expect.stringMatching(new RegExp(`[ ?]${key}\\b`))])
        if (isRange(parameter)) expect(line!.indexOf('ranges ')).toBeLessThan(line!.lastIndexOf(` ${key}`))
      }
      for (const [key, field] of kind === 'update' ? [] : Object.entries(body ?? {})) {
        const isAbove = kind === 'create' && fieldLines(text).some((one) => isLineOf(one, key, inputName(key, field)))
        expect(line).toContain(isAbove ? '{…' : inputName(key, field))
      }
      if (body && kind === 'update' && Object.keys(body).length > 0) expect(line).toContain('{…}')
    }
  })

  it('says nothing twice', () => {
    const lines = text.split('\n').slice(1)
    expect(lines.filter((line, index) => lines.indexOf(line) !== index && line !== 'metadata')).toEqual([])
  })
})

function isLineOf({ name, title }: { name: string; title: string }, ...names: string[]): boolean {
  return title.startsWith('Create') && names.includes(name)
}

/** A property that was described at another field is described there. */
function factsIn(text: string, line: string): string {
  const other = /\{(?:.*; )?as in (\w+)\}/.exec(line)?.[1]
  return other ? `${line} ${fieldLines(text).find(({ name }) => name === other)!.line}` : line
}

function escaped(text: string): string {
  return text.replace(/[{}/]/g, '\\$&')
}

/** Answers that are mostly words, of few fields: an agent reads little of them in any form. */
const DENSE: Record<string, number> = {
  checkout: 0.42,
  web_map: 0.55,
  social_platform: 0.6,
  social_account_health: 0.5,
  social_best_times: 0.5,
  checkout_item: 0.52,
  event_source_type: 0.42,
}

describe('The bytes of a page', () => {
  it.each(nouns.map(({ name }) => name))('about %s are at most 45 % of its file in the catalogue', (name) => {
    const file = readFileSync(new URL(`../../../catalog/${name}.json`, import.meta.url))
    expect(bytes(textOf(name)) / file.length).toBeLessThanOrEqual(0.45)
  })

  const rowsOf = (name: string) => rows.filter((_, index) => operations[index]!.noun.name === name)
  const shares = nouns.map(({ name }) => {
    const text = textOf(name)
    const page = text.slice(text.indexOf('\n') + 1)
    return { name, page: bytes(page), json: bytes(docs[name]!) + bytes(rowsOf(name)) }
  })

  it('are at most 40 % of what its entry in `resources` and its rows of `tools` take', () => {
    const over = shares.filter(({ name, page, json }) => page / json > (DENSE[name] ?? 0.4))
    expect(over.map(({ name, page, json }) => `${name} ${(page / json).toFixed(2)}`)).toEqual([])
  })

  it('are at most a third over all resources', () => {
    const sum = (key: 'page' | 'json') => shares.reduce((total, one) => total + one[key], 0)
    expect(sum('page') / sum('json')).toBeLessThanOrEqual(1 / 3)
  })
})
