import { readFileSync } from 'node:fs'
import { firstWords, type PageSource, plainWords } from './page.ts'

const FOLDER = new URL('../../../docs/guides/', import.meta.url)

/** The guides in the order of the navigation: the name of the file, and how the navigation groups them. */
const CHAPTERS: readonly [chapter: string, names: readonly string[]][] = [
  ['Get started', ['index', 'quick-start', 'clients', 'dashboard']],
  ['Agents', ['programs', 'plans', 'program-limits']],
  ['API', ['rest', 'lists', 'expansion', 'idempotency', 'errors']],
  ['Commerce', ['selling', 'webhooks', 'events', 'test-accounts']],
  ['Operation', ['self-hosting', 'scaling', 'security']],
]

/** What guides say of the running service, by the names in double braces. */
export type GuideWords = Record<string, string>

export interface Guide extends PageSource {
  chapter: string
}

/** The guides, with what their braces name filled in. */
export function guides(words: GuideWords): Guide[] {
  return CHAPTERS.flatMap(([chapter, names]) => names.map((name) => guide(name, chapter, words)))
}

function guide(name: string, chapter: string, words: GuideWords): Guide {
  const [heading = '', ...rest] = filled(readFileSync(new URL(`${name}.md`, FOLDER), 'utf8'), words).split('\n')
  const body = rest.join('\n')
  return {
    path: name === 'index' ? '/docs' : `/docs/${name}`,
    title: heading.replace(/^# /, ''),
    description: plainWords(firstWords(body)),
    section: 'Guides',
    chapter,
    body: () => body,
  }
}

function filled(text: string, words: GuideWords): string {
  return text.replace(/\{\{([\w. -]+)\}\}/g, (_, name: string) => {
    const value = words[name]
    if (value === undefined) throw new Error(`A guide names {{${name}}}, which nothing fills in.`)
    return value
  })
}
