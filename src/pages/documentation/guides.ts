import { readFileSync } from 'node:fs'
import { firstWords, type PageSource, plainWords } from './page.ts'

const FOLDER = new URL('../../../docs/guides/', import.meta.url)

/** The chapters in navigation order, with the file names of their guides. */
const CHAPTERS: readonly [chapter: string, names: readonly string[]][] = [
  ['Get started', ['index', 'quick-start', 'clients', 'dashboard']],
  ['Agents', ['programs', 'recipes', 'plans', 'background', 'tasks', 'models', 'program-limits']],
  ['API', ['rest', 'lists', 'expansion', 'idempotency', 'errors', 'changes']],
  ['Commerce', ['selling', 'reports', 'reach', 'sites', 'webhooks', 'events', 'test-accounts']],
  [
    'Operation',
    [
      ...['self-hosting', 'moving', 'releases', 'providers', 'real-keys'],
      ...['commands', 'scaling', 'reliability', 'security'],
    ],
  ],
]

/** The texts that replace names in double braces in the guides, by name. */
export type GuideWords = Record<string, string>

export interface Guide extends PageSource {
  chapter: string
}

export function guides(words: GuideWords): Guide[] {
  return CHAPTERS.flatMap(([chapter, names]) => names.map((name) => guide(name, chapter, words)))
}

function guide(name: string, chapter: string, words: GuideWords): Guide {
  const { summary, keywords, text } = frontMatter(readFileSync(new URL(`${name}.md`, FOLDER), 'utf8'))
  const [heading = '', ...rest] = filled(text, words).split('\n')
  const body = rest.join('\n')
  return {
    path: name === 'index' ? '/docs' : `/docs/${name}`,
    title: heading.replace(/^# /, ''),
    description: summary ?? plainWords(firstWords(body)),
    ...(keywords !== undefined && { keywords }),
    section: 'Guides',
    chapter,
    body: () => body,
  }
}

interface FrontMatter {
  /** The description of the guide, if its first paragraph cannot serve as one. */
  summary?: string
  keywords?: string
  text: string
}

/** Parses the front matter of a guide: lines of `name: value` between two lines of three hyphens. */
function frontMatter(file: string): FrontMatter {
  const [whole, lines] = /^---\n([\s\S]*?)\n---\n+/.exec(file) ?? []
  if (whole === undefined) return { text: file }
  const entries = lines!.split('\n').map((line) => line.split(/:\s+(.*)/).slice(0, 2))
  return { ...(Object.fromEntries(entries) as Omit<FrontMatter, 'text'>), text: file.slice(whole.length) }
}

function filled(text: string, words: GuideWords): string {
  return text.replace(/\{\{([\w. -]+)\}\}/g, (_, name: string) => {
    const value = words[name]
    if (value === undefined) throw new Error(`A guide names {{${name}}}, which nothing fills in.`)
    return value
  })
}
