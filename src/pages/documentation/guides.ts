import { readFileSync } from 'node:fs'
import {
  CONFIGURATION_NOTE,
  clientConfigurations,
  SIGN_IN_NOTE,
  signInConfigurations,
} from '../../access/client-configuration.ts'
import { EXIT_CODES } from '../../contract/declarations/exit-codes.ts'
import type { EventTypes } from '../../contract/documents/event-types.ts'
import { durationInWords } from '../../format/durations.ts'
import { listed } from '../../format/lists.ts'
import { type Catalogue, resourcePath, resourceTitle } from './catalogue.ts'
import { errorTable } from './error-pages.ts'
import { fence, firstWords, type PageSource, plainWords } from './page.ts'

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
type GuideWords = Record<string, string>

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

const RECEIVERS = new URL('../../../examples/receivers/', import.meta.url)
const LANGUAGES: Record<string, string> = {
  'receiver.ts': 'typescript',
  'receiver.py': 'python',
  'receiver.rb': 'ruby',
}

/** Settings of this service that guides mention. */
export interface DocumentedSettings {
  /** The name of the header with the signature of a webhook's body. */
  signatureHeader: string
  ratePerMinute: number
  rateBurst: number
  slowPerMinute: number
  webhookTimeoutSeconds: number
  /** The seconds between the attempts to deliver a webhook. */
  webhookRetryGaps: readonly number[]
  settings: readonly { name: string; fallback: string; meaning: string }[]
}

export interface ServiceFacts {
  publicUrl: string
  documented: DocumentedSettings
}

export function guideWords(
  { publicUrl, documented }: ServiceFacts,
  catalogue: Catalogue,
  eventTypes: EventTypes,
): GuideWords {
  const { signatureHeader, ratePerMinute, rateBurst, slowPerMinute } = documented
  return {
    ...{ publicUrl, signatureHeader },
    ratePerMinute: String(ratePerMinute),
    rateBurst: String(rateBurst),
    slowPerMinute: String(slowPerMinute),
    webhookTimeout: String(documented.webhookTimeoutSeconds),
    webhookGaps: listed(documented.webhookRetryGaps.map(durationInWords)),
    operationCount: String(catalogue.operations.length),
    clientsNote: CONFIGURATION_NOTE,
    clients: clientBlocks(publicUrl),
    signInNote: SIGN_IN_NOTE,
    signInClients: signInTable(publicUrl),
    receivers: receiverBlocks(),
    errors: errorTable(),
    eventTypes: eventTypeLines(eventTypes),
    settings: settingTable(documented),
    exitCodes: exitCodeTable(),
  }
}

function settingTable({ settings }: DocumentedSettings): string {
  const rows = settings.map(
    ({ name, fallback, meaning }) => `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${meaning} |`,
  )
  return ['| Name | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
}

function exitCodeTable(): string {
  const rows = Object.values(EXIT_CODES).map(([code, meaning]) => `| ${code} | ${meaning} |`)
  return ['| Code | Meaning |', '|---|---|', ...rows].join('\n')
}

function clientBlocks(publicUrl: string): string {
  return clientConfigurations(publicUrl)
    .map(({ client, place, text }) => {
      const language = place === 'a terminal' ? 'bash' : `${place.split('.').at(-1)} ${place}`
      return `### ${client}\n\n${fence(language, text)}`
    })
    .join('\n\n')
}

function signInTable(publicUrl: string): string {
  const rows = signInConfigurations(publicUrl).map(
    ({ client, place, text }) => `| ${client} | ${place} | \`${text}\` |`,
  )
  return ['| Client | Where | What to enter |', '|---|---|---|', ...rows].join('\n')
}

function receiverBlocks(): string {
  return Object.entries(LANGUAGES)
    .map(([file, language]) => fence(language, readFileSync(new URL(file, RECEIVERS), 'utf8')))
    .join('\n\n')
}

function eventTypeLines({ all }: EventTypes): string {
  const ofResources = Map.groupBy(all, ({ resource }) => resource)
  return [...ofResources]
    .map(([resource, types]) => {
      const entries = types.map((type) => `### ${type.name}\n\n${type.description}`)
      return `## ${resourceTitle(resource)}\n\nThe data is [${resource}](${resourcePath(resource)}).\n\n${entries.join('\n\n')}`
    })
    .join('\n\n')
}
